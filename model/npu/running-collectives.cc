/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "running-collectives.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

CollectiveExecutor&
RunningCollectives::Add(std::unique_ptr<CollectiveExecutor> executor)
{
    m_running.push_back(std::move(executor));
    return *m_running.back();
}

RunningCollectives::List::iterator
RunningCollectives::Find(uint64_t context)
{
    return std::find_if(m_running.begin(), m_running.end(), [context](const auto& executor) {
        return executor->GetContext() == context;
    });
}

void
RunningCollectives::End(const CollectiveExecutor& executor)
{
    const auto place = Find(executor.GetContext());
    m_ended.push_back(std::move(*place));
    m_running.erase(place);
}

void
RunningCollectives::ForgetEnded()
{
    m_ended.clear();
}

void
RunningCollectives::MessageLeft(const NetworkMessage& message)
{
    (*Find(message.tag.context))->MessageLeft(message);
}

bool
RunningCollectives::MessageArrived(const NetworkMessage& message)
{
    const auto place = Find(message.tag.context);
    return place != m_running.end() && (*place)->MessageArrived(message);
}

double
RunningCollectives::GetShareDone() const
{
    double done = 0;
    for (const auto& executor : m_running)
    {
        done += executor->GetShareDone();
    }
    return done;
}

std::vector<uint32_t>
RunningCollectives::GetAwaitedRanks(uint64_t nodeId) const
{
    const auto place =
        std::find_if(m_running.begin(), m_running.end(), [nodeId](const auto& executor) {
            return executor->GetNodeId() == nodeId;
        });
    return place == m_running.end() ? std::vector<uint32_t>() : (*place)->GetAwaitedRanks();
}

} // namespace mlcluster
} // namespace ns3
