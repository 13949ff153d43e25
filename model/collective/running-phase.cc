/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "running-phase.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

void
RunningPhase::Prepare(const CollectivePlan& plan, uint32_t rank, uint32_t c, uint32_t p)
{
    chunk = c;
    phase = p;
    peers = plan.GetPeers(rank, chunk, phase);
    schedule = plan.GetSharedSchedule(rank, chunk, phase);
    nAtSwitch = plan.GetPhase(chunk, phase).algorithm->NeedsSwitch() ? peers.size() - 1 : 0;
    const auto& all = schedule->GetSchedule().GetSteps();
    steps.resize(all.size());
    std::transform(all.begin(), all.end(), steps.begin(), [](const RankSchedule::Step& step) {
        return StepState{step.nAfter, std::max(step.nReceives, 1U)};
    });
    awaited.assign(schedule->GetSchedule().GetReceives().size(), 0);
    stepsLeft = all.size();
    sendsLeft = schedule->GetNMessages();
    leftPs = 0;
}

const Transfer&
RunningPhase::GetReceive(uint32_t receive) const
{
    return schedule->GetSchedule().GetReceives()[receive];
}

void
RunningPhase::AddAwaitedRanks(std::set<uint32_t>& ranks) const
{
    for (uint32_t receive = 0; receive < awaited.size(); ++receive)
    {
        if (awaited[receive] && nAtSwitch > 0)
        {
            ranks.insert(peers.begin(), peers.end() - 1);
            ranks.erase(peers[schedule->GetPosition()]);
        }
        else if (awaited[receive])
        {
            ranks.insert(peers[GetReceive(receive).peer]);
        }
    }
}

} // namespace mlcluster
} // namespace ns3
