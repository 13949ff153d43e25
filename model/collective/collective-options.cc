/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-options.h"

#include "chunk-scheduler.h"

#include "ns3/diagnostics.h"

#include <tuple>

namespace ns3
{
namespace mlcluster
{

std::string
CollectiveOptions::GetFlatName(const std::string& name)
{
    const std::string prefix = "one-";
    return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : "";
}

void
CollectiveOptions::CheckAlgorithm(const std::string& name)
{
    const std::string flat = GetFlatName(name);
    try
    {
        if (name != "auto")
        {
            CollectiveAlgorithm::Create(flat.empty() ? name : flat);
        }
    }
    catch (const InputError& error)
    {
        throw InputError(std::string(error.what()) +
                         "; also auto, and each of these but auto after one-");
    }
}

void
CollectiveOptions::SetScheduler(const std::string& choice)
{
    const auto slash = choice.find('/');
    scheduler = choice.substr(0, slash);
    queuePolicy = slash == std::string::npos ? "fifo" : choice.substr(slash + 1);
    CheckWord("scheduler", scheduler, ChunkScheduler::GetNames());
    CheckWord("queue policy", queuePolicy, GetQueuePolicies());
}

const std::vector<std::string>&
CollectiveOptions::GetCompositions()
{
    static const std::vector<std::string> compositions = {"hierarchical", "per-dimension"};
    return compositions;
}

const std::vector<std::string>&
CollectiveOptions::GetQueuePolicies()
{
    static const std::vector<std::string> policies = {"fifo", "smallest-first"};
    return policies;
}

bool
CollectiveCall::operator==(const CollectiveCall& o) const
{
    return std::tie(type, bytes, involved, root, matrix, algorithm) ==
           std::tie(o.type, o.bytes, o.involved, o.root, o.matrix, o.algorithm);
}

} // namespace mlcluster
} // namespace ns3
