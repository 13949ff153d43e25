/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-priority.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

CollectivePriority::CollectivePriority(const std::string& policy)
    : m_isExplicit(policy == "explicit"),
      m_increase(policy == "lifo" ? 1 : 0)
{
    const std::vector<std::string> allowed{"fifo", "lifo", "explicit"};
    if (std::find(allowed.begin(), allowed.end(), policy) == allowed.end())
    {
        const std::string nearest = NearestWord(policy, allowed);
        throw InputError("ns3::mlcluster::NpuApplication::CollectivePriority: \"" + policy +
                         "\" is none" + (nearest.empty() ? "" : " (nearest: " + nearest + ")") +
                         "; allowed are " + JoinWords(allowed));
    }
}

int32_t
CollectivePriority::GetNext(const ExecutionNode& node)
{
    return m_isExplicit ? node.priority : std::exchange(m_current, m_current + m_increase);
}

} // namespace mlcluster
} // namespace ns3
