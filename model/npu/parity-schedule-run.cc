/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-schedule-run.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

ParityScheduleRun::ParityScheduleRun(const ParityPhaseRun::Endpoint& endpoint,
                                     const Task& task,
                                     std::function<void()> finished)
    : m_endpoint(endpoint),
      m_task(task),
      m_finished(std::move(finished)),
      m_children(task.schedule->GetSteps().size()),
      m_stepsLeft(task.schedule->GetSteps().size())
{
    const auto& steps = task.schedule->GetSteps();
    for (uint32_t index = 0; index < steps.size(); ++index)
    {
        const RankSchedule::Step& step = steps[index];
        m_unmet.push_back(step.nAfter);
        for (uint32_t i = 0; i < step.nAfter; ++i)
        {
            m_children[task.schedule->GetAfter()[step.firstAfter + i]].push_back(index);
        }
    }
}

void
ParityScheduleRun::Start()
{
    for (uint32_t index = 0; index < m_unmet.size(); ++index)
    {
        if (m_task.schedule->GetSteps()[index].nAfter == 0)
        {
            Begin(index);
        }
    }
}

void
ParityScheduleRun::Begin(uint32_t index)
{
    const RankSchedule& schedule = *m_task.schedule;
    const RankSchedule::Step& step = schedule.GetSteps()[index];
    const auto done = [this, index] { End(index); };
    MessageTag tag = m_task.tag;
    if (step.nSends > 0)
    {
        const Transfer& send = schedule.GetSends()[step.firstSend];
        tag.order = send.tag;
        const uint32_t to = (*m_task.members)[send.peer];
        m_endpoint.messenger->Send({m_endpoint.rank, to, send.bytes, tag, m_task.nodeId}, done);
    }
    else if (step.nReceives > 0)
    {
        const Transfer& receive = schedule.GetReceives()[step.firstReceive];
        tag.order = receive.tag;
        const uint32_t from = (*m_task.members)[receive.peer];
        m_endpoint.messenger->Receive({from, m_endpoint.rank, receive.bytes, tag, m_task.nodeId},
                                      done);
    }
    else
    {
        m_endpoint.events->Register(std::max<uint64_t>(1, step.workPs / 1000), done);
    }
}

void
ParityScheduleRun::End(uint32_t index)
{
    for (const uint32_t child : m_children[index])
    {
        if (--m_unmet[child] == 0)
        {
            Begin(child);
        }
    }
    if (--m_stepsLeft == 0)
    {
        const std::function<void()> finished = std::move(m_finished);
        finished();
    }
}

} // namespace mlcluster
} // namespace ns3
