/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-phase-run.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace mlcluster
{

ParityPhaseRun::ParityPhaseRun(const Endpoint& endpoint,
                               const Task& task,
                               std::function<void()> finished)
    : m_task(task),
      m_endpoint(endpoint),
      m_finished(std::move(finished))
{
}

void
ParityPhaseRun::After(uint64_t bytes, bool reduces, std::function<void()> action)
{
    if (!reduces)
    {
        m_endpoint.events->Register(m_task.delayNs, std::move(action));
        return;
    }
    m_endpoint.events->Register(m_task.delayNs,
                                [this, reductionNs = GetReductionNs(bytes), action] {
                                    m_endpoint.events->Register(reductionNs, action);
                                });
}

void
ParityPhaseRun::Send(uint32_t to, uint64_t bytes)
{
    m_endpoint.messenger->Send({m_endpoint.rank, to, bytes, m_task.tag, m_task.nodeId}, [] {});
}

void
ParityPhaseRun::Receive(uint32_t from, uint64_t bytes, std::function<void()> received)
{
    m_endpoint.messenger->Receive({from, m_endpoint.rank, bytes, m_task.tag, m_task.nodeId},
                                  std::move(received));
}

void
ParityPhaseRun::Finish()
{
    const std::function<void()> finished = std::move(m_finished);
    finished();
}

uint64_t
ParityPhaseRun::GetReductionNs(uint64_t bytes) const
{
    const double seconds = static_cast<double>(bytes) / m_endpoint.memoryBandwidth;
    const uint64_t pass = CutToNs(seconds * 1e9);
    return pass > std::numeric_limits<uint64_t>::max() / 3 ? pass : 3 * pass;
}

} // namespace mlcluster
} // namespace ns3
