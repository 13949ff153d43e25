/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "npu-application.h"

#include "ns3/log.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterNpuApplication");

namespace
{

int64_t
NowPs()
{
    return Simulator::Now().GetTimeStep();
}

/// @return what accesses together with other ranks count as
ExecutionNode
MakeRemoteAccess()
{
    ExecutionNode node;
    node.kind = NodeKind::MemoryLoad;
    return node;
}

} // namespace

NpuApplication::NpuApplication() = default;

NpuApplication::~NpuApplication() = default;

void
NpuApplication::DoInitialize()
{
    if (!m_progress)
    {
        throw InputError("an NpuApplication has nothing to do: call Setup before it starts, or let "
                         "a ClusterHelper install it");
    }
    Application::DoInitialize();
}

void
NpuApplication::DoDispose()
{
    if (m_backend)
    {
        m_backend->SetEndpoint(m_rank, nullptr);
    }
    m_running = nullptr;
    m_backend = nullptr;
    m_memory = nullptr;
    Application::DoDispose();
}

LocalHardware
NpuApplication::GetHardware() const
{
    return {m_roofline,
            m_peakFlops,
            m_computeEfficiency,
            m_memoryBandwidth.GetBitRate(),
            m_memoryEfficiency,
            m_memoryLatency.GetTimeStep(),
            m_memorySharing,
            m_reduceInMemory,
            m_reductionBandwidth.GetBitRate(),
            m_memoryCapacity,
            m_residentMemory,
            m_memoryOverflow};
}

void
NpuApplication::Check(uint32_t rank, const ExecutionGraph& graph) const
{
    NS_LOG_FUNCTION(this);
    GetHardware().Check(rank, graph);
    CollectivePriority{m_collectivePriority};
}

void
NpuApplication::Setup(std::shared_ptr<const ClusterWorkload> workload,
                      uint32_t rank,
                      std::shared_ptr<const CollectiveTable> collectives,
                      Ptr<NetworkBackend> backend,
                      Ptr<MemoryModel> memory)
{
    NS_LOG_FUNCTION(this << rank);
    m_workload = std::move(workload);
    m_rank = rank;
    m_graph = &m_workload->GetGraph(rank);
    Check(rank, *m_graph);
    m_reductions = ReductionUnit(GetHardware().GetReductionBitRate());
    m_local = std::make_unique<LocalWork>(*m_workload, rank, GetHardware(), [this](uint32_t index) {
        EndLocal(index);
    });
    m_running =
        std::make_unique<RunningCollectives>(rank,
                                             *m_graph,
                                             std::move(collectives),
                                             CollectivePriority(m_collectivePriority),
                                             *this,
                                             [this](uint32_t index) { EndCollective(index); });
    m_progress = std::make_unique<GraphProgress>(*m_graph, m_serialiseCollectives);
    m_resources.emplace(m_concurrentStreams, m_hostThreads);
    m_backend = backend;
    m_memory = memory;
    m_mailbox = std::make_unique<MessageMailbox>(rank);
    m_backend->SetEndpoint(rank, this);
}

void
NpuApplication::MeetAt(const std::shared_ptr<PhaseRendezvous>& rendezvous)
{
    NS_LOG_FUNCTION(this);
    rendezvous->AddRank(GetEndpointDelayPs(), HasReductions());
    m_running->MeetAt(rendezvous);
}

void
NpuApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    Dispatch();
}

void
NpuApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_stopped = true;
}

void
NpuApplication::Dispatch()
{
    if (m_dispatching || m_stopped)
    {
        return;
    }
    m_dispatching = true;
    while (m_progress->HasReady())
    {
        Issue(m_progress->TakeReady());
    }
    m_dispatching = false;
    while (const auto index = m_resources->TakeNext())
    {
        StartLocal(*index);
    }
}

void
NpuApplication::Issue(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    if (IsDoneByMemory(index))
    {
        IssueTogether(index);
        return;
    }
    switch (node->kind)
    {
    case NodeKind::Compute:
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        m_resources->Add(index, *node);
        break;
    case NodeKind::Send:
    case NodeKind::Receive:
    case NodeKind::Collective:
        IssueCommunication(index);
        break;
    case NodeKind::Invalid:
    case NodeKind::Metadata:
        m_nodeStartTrace(m_rank, *node);
        Finish(index);
        break;
    }
}

void
NpuApplication::Begin(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    m_local->Hold(index);
    m_progress->Start(index);
    m_breakdown.Begin(*node, NowPs());
    m_nodeStartTrace(m_rank, *node);
}

void
NpuApplication::IssueCommunication(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    Begin(index);
    if (node->kind == NodeKind::Send)
    {
        IssueSend(index);
        return;
    }
    if (node->kind == NodeKind::Receive)
    {
        m_mailbox->Expect({m_workload->GetPeer(m_rank, *node),
                           GetTag(index),
                           node->bytes,
                           node->id,
                           this,
                           index});
        return;
    }
    m_collectiveStartTrace(m_rank, *node, m_running->GetContext(index));
    m_running->Start(index);
}

void
NpuApplication::IssueTogether(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    const MemoryRole role = m_memory->GetRole(m_rank, index);
    if (role == MemoryRole::Second)
    {
        m_local->Hold(index, false);
        m_nodeStartTrace(m_rank, *node);
        Finish(index);
        return;
    }
    if (role == MemoryRole::Whole)
    {
        Begin(index);
        m_collectiveStartTrace(m_rank, *node, m_running->GetContext(index));
        m_memory->AccessTogether(m_rank, index, [this, index] { EndCollective(index); });
        return;
    }
    m_local->Hold(index, false);
    m_progress->Start(index);
    m_breakdown.Begin(MakeRemoteAccess(), NowPs());
    m_nodeStartTrace(m_rank, *node);
    m_memory->AccessTogether(m_rank, index, [this, index] {
        m_breakdown.End(MakeRemoteAccess(), NowPs());
        Finish(index);
    });
}

void
NpuApplication::IssueSend(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    const auto leavesPs = SendMessage(
        {m_rank, m_workload->GetPeer(m_rank, *node), node->bytes, GetTag(index), node->id});
    if (leavesPs)
    {
        Simulator::Schedule(PicoSeconds(*leavesPs - NowPs()),
                            &NpuApplication::EndCommunication,
                            this,
                            index);
    }
}

void
NpuApplication::StartLocal(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    Begin(index);
    if (node->kind == NodeKind::Compute || IsLocalAccess(*node))
    {
        m_local->Start(index, *node);
        return;
    }
    const bool isStore = node->kind == NodeKind::MemoryStore;
    const uint64_t extra = m_local->GetExtraBytes(index);
    m_memory->Access({m_rank, node->tensorBytes + extra, isStore, node->location, extra / 2},
                     [this, index] { EndLocal(index); });
}

void
NpuApplication::EndLocal(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    m_running->ForgetEnded();
    m_resources->End(*node);
    m_breakdown.End(*node, NowPs());
    Finish(index);
}

void
NpuApplication::EndCommunication(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    m_breakdown.End(*node, NowPs());
    Finish(index);
}

void
NpuApplication::Finish(uint32_t index)
{
    m_local->Release(index);
    m_progress->Finish(index);
    m_finishPs = NowPs();
    const NodeHandle node = m_graph->GetNode(index);
    m_nodeEndTrace(m_rank, *node);
    Dispatch();
}

MessageTag
NpuApplication::GetTag(uint32_t index) const
{
    return {0, m_graph->GetNode(index)->tag, m_graph->GetOrdinal(index)};
}

std::optional<int64_t>
NpuApplication::SendMessage(const NetworkMessage& message)
{
    m_messageSentTrace(m_rank, message);
    m_running->MessageSent(message);
    return m_backend->Send(message);
}

void
NpuApplication::MessageLeft(const NetworkMessage& message)
{
    m_running->ForgetEnded();
    if (message.tag.context == 0)
    {
        EndCommunication(m_graph->FindNode(message.nodeId));
        return;
    }
    m_running->MessageLeft(message);
}

void
NpuApplication::MessageArrived(const NetworkMessage& message)
{
    m_running->ForgetEnded();
    m_messageReceivedTrace(m_rank, message);
    if (!m_running->MessageArrived(message))
    {
        m_mailbox->Arrive(message);
    }
}

void
NpuApplication::Received(uint64_t cookie, const NetworkMessage& /* message */)
{
    EndCommunication(cookie);
}

void
NpuApplication::CollectiveFinished(CollectiveExecutor& executor)
{
    m_running->Finish(executor);
}

void
NpuApplication::EndCollective(uint32_t index)
{
    const NodeHandle node = m_graph->GetNode(index);
    m_collectiveEndTrace(m_rank, *node, m_running->GetContext(index));
    EndCommunication(index);
}

MessageMailbox&
NpuApplication::GetMailbox()
{
    return *m_mailbox;
}

int64_t
NpuApplication::GetEndpointDelayPs() const
{
    return m_endpointDelay.GetTimeStep();
}

int64_t
NpuApplication::BookReduction(uint64_t bytes, int64_t readyPs)
{
    return m_reductions.Book(bytes, readyPs);
}

NpuApplication::WaitState
NpuApplication::GetWaitState() const
{
    WaitState state;
    if (m_progress->IsFinished())
    {
        return state;
    }
    const uint32_t oldest = m_progress->GetOldest();
    state.node = m_workload->GetResolvedNode(m_rank, oldest);
    state.started = m_progress->HasStarted(oldest);
    state.unmet = m_progress->GetUnmetDependencies(oldest);
    if (state.started && IsDoneByMemory(oldest))
    {
        state.peers = m_memory->GetAwaitedRanks(m_rank, oldest);
    }
    else if (state.started)
    {
        state.peers = state.node->kind == NodeKind::Collective
                          ? m_running->GetAwaitedRanks(oldest)
                          : m_mailbox->GetAwaitedRanks(state.node->id);
    }
    const uint32_t behind = m_progress->GetWaitingBehind(oldest);
    if (behind < m_graph->GetNNodes())
    {
        state.behind = m_workload->GetResolvedNode(m_rank, behind);
    }
    return state;
}

double
NpuApplication::GetShareDone() const
{
    const double done = m_progress->GetNFinished() + m_running->GetShareDone();
    return m_graph->GetNNodes() == 0 ? 1 : done / m_graph->GetNNodes();
}

bool
NpuApplication::IsFinished() const
{
    return m_progress->IsFinished();
}

int64_t
NpuApplication::GetFinishTimePs() const
{
    return m_finishPs;
}

void
NpuApplication::AddTo(RunReport& report) const
{
    m_breakdown.AddTo(m_rank, m_finishPs, report);
    m_local->AddTo(report);
}

} // namespace mlcluster
} // namespace ns3
