/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-breakdown.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

TimeBreakdown::Activity
TimeBreakdown::GetActivity(const ExecutionNode& node)
{
    switch (node.kind)
    {
    case NodeKind::Compute:
        return node.onHost ? HOST : COMPUTE;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        return IsLocalAccess(node) ? LOCAL_MEMORY : REMOTE_MEMORY;
    default:
        return COMMUNICATION;
    }
}

TimeBreakdown::Account&
TimeBreakdown::GetAccount(const ExecutionNode& node)
{
    const bool isCollective = node.kind == NodeKind::Collective;
    const auto known = m_accounts.find({isCollective, node.group});
    return known != m_accounts.end()
               ? known->second
               : m_accounts.emplace(Key(isCollective, node.group), Account{node.group})
                     .first->second;
}

void
TimeBreakdown::Begin(const ExecutionNode& node, int64_t nowPs)
{
    const Activity activity = GetActivity(node);
    Book(nowPs);
    ++m_running[activity];
    if (activity == COMMUNICATION)
    {
        Account& account = GetAccount(node);
        if (++account.running == 1)
        {
            account.busyPs -= nowPs;
            account.exposedPs -= GetWithoutComputePs();
        }
    }
}

void
TimeBreakdown::End(const ExecutionNode& node, int64_t nowPs)
{
    const Activity activity = GetActivity(node);
    Book(nowPs);
    --m_running[activity];
    if (activity == COMMUNICATION)
    {
        Account& account = GetAccount(node);
        if (--account.running == 0)
        {
            account.busyPs += nowPs;
            account.exposedPs += GetWithoutComputePs();
        }
    }
}

void
TimeBreakdown::Book(int64_t nowPs)
{
    const auto first =
        std::find_if(m_running.begin(), m_running.end(), [](uint32_t n) { return n > 0; });
    const int64_t sincePs = nowPs - m_lastPs;
    m_partsPs[first - m_running.begin()] += sincePs;
    m_overlappedPs += m_running[COMPUTE] > 0 && m_running[COMMUNICATION] > 0 ? sincePs : 0;
    m_lastPs = nowPs;
}

int64_t
TimeBreakdown::GetWithoutComputePs() const
{
    return m_lastPs - m_partsPs[COMPUTE];
}

void
TimeBreakdown::AddTo(uint32_t rank, int64_t finishPs, RunReport& report) const
{
    TimeBreakdown closed = *this;
    closed.Book(report.finishTimePs);
    report.ranks.push_back({rank,
                            finishPs,
                            closed.m_partsPs[COMPUTE],
                            closed.m_partsPs[COMMUNICATION],
                            closed.m_partsPs[REMOTE_MEMORY],
                            closed.m_partsPs[LOCAL_MEMORY],
                            closed.m_partsPs[HOST],
                            closed.m_partsPs[ACTIVITIES],
                            closed.m_overlappedPs});
    for (const auto& [key, account] : m_accounts)
    {
        const bool isOpen = account.running > 0;
        report.communication.push_back(
            {rank,
             key.first,
             std::string(key.second),
             account.busyPs + (isOpen ? report.finishTimePs : 0),
             account.exposedPs + (isOpen ? closed.GetWithoutComputePs() : 0)});
    }
}

} // namespace mlcluster
} // namespace ns3
