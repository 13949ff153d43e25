/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-tally.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

MessageTally::MessageTally(Diagnostics& diagnostics, uint64_t limit)
    : m_diagnostics(diagnostics),
      m_limit(limit)
{
}

MessageTally::~MessageTally()
{
    if (m_nErrors > m_limit)
    {
        m_diagnostics.Error({}, "and " + std::to_string(m_nErrors - m_limit) + " more errors");
    }
    for (const auto& kind : m_kinds)
    {
        const std::string others =
            kind.cases > 1 ? " (" + std::to_string(kind.cases) + " cases, this is the first)" : "";
        m_diagnostics.Warning(kind.first, kind.text + others);
    }
}

void
MessageTally::Error(const Diagnostics::Place& place, const std::string& message)
{
    if (++m_nErrors <= m_limit)
    {
        m_diagnostics.Error(place, message);
    }
}

void
MessageTally::Warning(const std::string& kind, const Diagnostics::Place& place)
{
    const auto found =
        std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& k) { return k.text == kind; });
    if (found == m_kinds.end())
    {
        m_kinds.push_back({kind, place, 1});
    }
    else
    {
        ++found->cases;
    }
}

uint64_t
MessageTally::GetNErrors() const
{
    return m_nErrors;
}

} // namespace mlcluster
} // namespace ns3
