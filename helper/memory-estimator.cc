/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-estimator.h"

#include "run-recorder.h"

#include "ns3/collective-executor.h"
#include "ns3/graph-page-pool.h"
#include "ns3/memory-size.h"
#include "ns3/node.h"
#include "ns3/npu-application.h"
#include "ns3/pair-accounts.h"
#include "ns3/phase-recurrence.h"
#include "ns3/phase-rendezvous.h"
#include "ns3/running-phase.h"
#include "ns3/scheduler.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t OTHER_PEERS = 2; ///< of sends and receives, such as those of a pipeline

} // namespace

MemoryEstimator::MemoryEstimator(const ClusterWorkload& workload,
                                 const CollectiveTable& collectives,
                                 const LinkGraph& graph,
                                 const MessageCosts& messages,
                                 const CollectiveCosts& costs)
    : m_workload(workload),
      m_collectives(collectives),
      m_graph(graph),
      m_messages(messages),
      m_costs(costs)
{
}

EstimatedMemory
MemoryEstimator::Estimate() const
{
    EstimatedMemory memory;
    memory.graphs = GraphPagePool::Get().GetBytesHere() + m_workload.GetGroupBytes();
    memory.collectives = m_collectives.GetMemoryBytes() + GetPhaseBytes();
    memory.npus = GetNpuBytes();
    memory.network = GetNetworkBytes();
    memory.live = GetLiveBytes();
    memory.results =
        RunRecorder::GetMemoryBytes(m_collectives, m_graph.GetNLinks(), m_workload.GetNRanks());
    return memory;
}

uint64_t
MemoryEstimator::GetNpuBytes() const
{
    const uint64_t perNpu = GetHeapBytes(sizeof(Node)) + GetHeapBytes(sizeof(NpuApplication)) +
                            GetHeapBytes(sizeof(MessageMailbox)) + GetHeapBytes(sizeof(LocalWork)) +
                            GetHeapBytes(sizeof(RunningCollectives));
    uint64_t bytes = 0;
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        bytes += perNpu + GraphProgress::GetMemoryBytes(m_workload.GetGraph(rank).GetNNodes());
    }
    return bytes;
}

uint64_t
MemoryEstimator::GetPeers() const
{
    uint64_t peers = OTHER_PEERS;
    for (const auto& [dimension, load] : m_costs.GetLoads())
    {
        peers += load.peers;
    }
    return peers;
}

uint64_t
MemoryEstimator::GetNetworkBytes() const
{
    const uint64_t perRank =
        PairAccounts::GetBookBytes(GetPeers()) + GetPeers() * m_messages.GetMemory().pairBytes;
    return m_graph.GetMemoryBytes() + m_messages.GetMemory().setupBytes +
           m_workload.GetNRanks() * perRank;
}

uint64_t
MemoryEstimator::GetLiveBytes() const
{
    uint64_t perRank = GetHeapBytes(sizeof(CollectiveExecutor)) + sizeof(Scheduler::Event);
    for (const auto& [dimension, load] : m_costs.GetLoads())
    {
        perRank += GetHeapBytes(sizeof(RunningPhase)) + GetHeapBytes(load.receives) +
                   GetHeapBytes(load.steps * sizeof(RunningPhase::StepState)) +
                   GetHeapBytes((load.peers + 1) * sizeof(uint32_t)) +
                   load.sends * (m_messages.GetMemory().messageBytes + sizeof(Scheduler::Event));
    }
    return m_workload.GetNRanks() * perRank;
}

uint64_t
MemoryEstimator::GetPhaseBytes() const
{
    uint64_t bytes = 0;
    uint64_t nMembers = 0;
    for (const auto& use : m_collectives.CountUses())
    {
        const CollectivePlan& plan = *use.plan;
        if (m_messages.ComputesPhases() && plan.GetNPhases() > 0 &&
            nMembers <= PhaseRendezvous::MAX_KNOWN_MEMBERS &&
            PhaseRecurrence::WhyNot(plan, m_graph).empty())
        {
            bytes += GetRecurrenceBytes(plan);
            nMembers += plan.GetGroup().size();
        }
    }
    return bytes;
}

uint64_t
MemoryEstimator::GetRecurrenceBytes(const CollectivePlan& plan) const
{
    const CollectiveGroup& group = plan.GetCollectiveGroup();
    const uint64_t members = plan.GetGroup().size();
    uint64_t bytes = GetMapNodeBytes(4 * sizeof(void*)) + GetHeapBytes(sizeof(PhaseRecurrence)) +
                     GetHeapBytes(members * sizeof(uint32_t)) +
                     GetHeapBytes(plan.GetNChunks() * sizeof(uint32_t));
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        const uint64_t lines = members / group.GetLevels()[level].size;
        const auto line = group.GetPeers(group.GetFirstMember(), level);
        const uint64_t links = lines * LineProgram::GetLinks(line, m_graph).size();
        bytes += GetGrownBytes(links, sizeof(uint32_t)) +
                 GetHeapBytes(links * sizeof(LineProgram::LinkLoad));
    }
    for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
    {
        const uint64_t size = group.GetLevels()[plan.GetPhase(0, phase).dimension].size;
        bytes += GetGrownBytes(members / size, sizeof(std::shared_ptr<const LineProgram>));
    }
    return bytes;
}

} // namespace mlcluster
} // namespace ns3
