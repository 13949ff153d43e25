/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-memory-pool.h"

#include "memory-fusion.h"
#include "network-pool-costs.h"

#include "ns3/log.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterNetworkMemoryPool");
NS_OBJECT_ENSURE_REGISTERED(NetworkMemoryPool);

namespace
{

int64_t
Now()
{
    return Simulator::Now().GetPicoSeconds();
}

} // namespace

TypeId
NetworkMemoryPool::GetTypeId()
{
    static TypeId tid = TypeId("ns3::mlcluster::NetworkMemoryPool")
                            .SetParent<MemoryPoolModel>()
                            .SetGroupName("MlCluster")
                            .AddConstructor<NetworkMemoryPool>();
    return tid;
}

NetworkMemoryPool::NetworkMemoryPool()
    : m_usage{{"pool memory"}, {"group links"}, {"node links"}, {"GPU links"}}
{
}

NetworkMemoryPool::~NetworkMemoryPool() = default;

void
NetworkMemoryPool::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_transfers.clear();
    m_backend = nullptr;
    MemoryPoolModel::DoDispose();
}

MemoryPoolLayout::Round
NetworkMemoryPool::Transfer::GetRound(uint64_t index) const
{
    return {rounds.GetOffset(index), rounds.GetBytes(index)};
}

GraphAttachment
NetworkMemoryPool::Attach(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    AdoptNodes(topology, diagnostics);
    RefuseSwitchLimits(diagnostics);
    CheckAttributes(diagnostics);
    GraphAttachment attachment;
    if (diagnostics.HasErrors())
    {
        return attachment;
    }
    const MemoryPoolShape& shape = GetShape();
    m_firstEnd = static_cast<uint32_t>(topology.GetNVertices()) + shape.outSwitches;
    for (uint32_t x = 0; x < shape.outSwitches; ++x)
    {
        attachment.switches.push_back(
            {"out-switch " + std::to_string(x), shape.nodeLinkBitRate, shape.nodeLinkLatencyPs});
    }
    for (uint32_t group = 0; group < shape.groups; ++group)
    {
        for (uint32_t x = 0; x < shape.outSwitches; ++x)
        {
            attachment.ends.push_back({"group " + std::to_string(group),
                                       x,
                                       shape.groupLinkBitRate,
                                       shape.groupLinkLatencyPs});
        }
    }
    return attachment;
}

void
NetworkMemoryPool::AdoptNodes(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    const TopologyDimension& inner = topology.GetDimension(0);
    MemoryPoolShape shape = GetShape();
    if (inner.block != BuildingBlock::Switch || inner.size < 2)
    {
        diagnostics.Error(
            {"", 0, "cluster.memory.model"},
            "a memory pool in the network needs a Switch of at least 2 as dimension 0 "
            "of the topology, for its in-node switches; it is " +
                topology.GetNotation());
    }
    if (shape.gpusPerNode != 0 && shape.gpusPerNode != inner.size)
    {
        diagnostics.Error(GetPlace("gpus-per-node"),
                          std::to_string(shape.gpusPerNode) + ", but dimension 0 of " +
                              topology.GetNotation() + " has " + std::to_string(inner.size) +
                              " NPUs behind a switch; leave it out");
    }
    if (shape.gpuLinkBitRate != 0 && shape.gpuLinkBitRate != inner.linkBitRate)
    {
        diagnostics.Error(GetPlace("gpu-link-bandwidth"),
                          FormatBitRate(shape.gpuLinkBitRate) +
                              ", but the links of dimension 0, which it is about, have " +
                              FormatBitRate(inner.linkBitRate) + "; leave it out");
    }
    if (shape.gpuLinkLatencyPs != 0 && shape.gpuLinkLatencyPs != inner.latencyPs)
    {
        diagnostics.Error(GetPlace("gpu-link-latency"),
                          std::to_string(shape.gpuLinkLatencyPs) +
                              "ps, but the links of dimension 0, which it is about, have " +
                              std::to_string(inner.latencyPs) + "ps; leave it out");
    }
    shape.gpusPerNode = inner.size;
    shape.nodes = topology.GetNRanks() / inner.size;
    shape.gpuLinkBitRate = inner.linkBitRate;
    shape.gpuLinkLatencyPs = inner.latencyPs;
    SetShape(shape);
}

void
NetworkMemoryPool::RefuseSwitchLimits(Diagnostics& diagnostics) const
{
    const MemoryPoolShape& shape = GetShape();
    const std::pair<const char*, uint64_t> limits[] = {
        {"out-backplane-bandwidth", shape.outBackplaneBitRate},
        {"in-backplane-bandwidth", shape.inBackplaneBitRate},
        {"out-adder-bandwidth", shape.outAdderBitRate},
        {"in-adder-bandwidth", shape.inAdderBitRate},
    };
    for (const auto& [key, bitRate] : limits)
    {
        if (bitRate != 0)
        {
            diagnostics.Error(GetPlace(key),
                              "switches of the network have no such limit; leave it out, or take "
                              "the pool outside of the network");
        }
    }
}

void
NetworkMemoryPool::Connect(const Ptr<NetworkBackend>& backend, const LinkGraph& graph)
{
    NS_LOG_FUNCTION(this << backend);
    m_backend = backend;
    m_memories.emplace(GetShape().memoryBitRate, 0);
    for (uint32_t end = m_firstEnd; end < graph.GetNVertices(); ++end)
    {
        m_backend->SetEndpoint(end, this);
    }
}

void
NetworkMemoryPool::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                           Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    MemoryModel::Prepare(workload, diagnostics);
    const MemoryFusion fusion(*workload, GetShape(), true);
    const auto fusible = fusion.GetFindings().find(FusionObstacle::None);
    if (fusible != fusion.GetFindings().end())
    {
        const auto& finding = fusible->second;
        m_remarks.push_back(std::to_string(finding.loads) + " loads with an all-gather and " +
                            std::to_string(finding.stores) +
                            " reduce-scatters with a store could each be one access in the "
                            "switches of a pool outside of the network; in the network "
                            "they are done one after the other");
    }
}

AccessCosts
NetworkMemoryPool::CountCosts(const ClusterWorkload& workload, const MessageCosts& messages) const
{
    return CountNetworkPoolCosts(workload, GetShape(), m_firstEnd, messages);
}

std::vector<std::string>
NetworkMemoryPool::GetRemarks() const
{
    return m_remarks;
}

std::vector<MemoryUsage>
NetworkMemoryPool::GetUsage() const
{
    return m_usage;
}

void
NetworkMemoryPool::Access(const MemoryRequest& request, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << request.rank << request.bytes << request.isStore);
    if (!m_backend)
    {
        throw InputError("a NetworkMemoryPool is not part of a network: call Attach and Connect "
                         "before the first access, or let a ClusterHelper do it");
    }
    const MemoryPoolShape& shape = GetShape();
    const auto access =
        MemoryPoolAccess::OfRank(shape, request.isStore, request.bytes, request.rank);
    const uint64_t number = m_nAccesses++;
    m_transfers.emplace(
        number,
        Transfer{request,
                 MemoryPoolRounds(request.bytes, access.GetRoundBytes(shape), shape.rounds),
                 MemoryPoolLayout(shape, access),
                 std::move(done),
                 request.bytes});
    if (request.bytes == 0)
    {
        Simulator::ScheduleNow(&NetworkMemoryPool::Finish, this, number, 0);
    }
    else if (request.isStore)
    {
        SendStore(number);
    }
    for (uint32_t group = 0; group < shape.groups && !request.isStore; ++group)
    {
        Read(number, group, 0);
    }
}

int64_t
NetworkMemoryPool::Serve(uint32_t group, uint64_t bytes)
{
    return m_memories->Book(group, bytes, Now());
}

void
NetworkMemoryPool::Read(uint64_t number, uint32_t group, uint64_t round)
{
    const Transfer& load = m_transfers.at(number);
    for (; round < load.rounds.GetCount(); ++round)
    {
        const uint64_t bytes = load.layout.GetMemoryBytes(load.GetRound(round), group);
        if (bytes > 0)
        {
            const Time wait = PicoSeconds(Serve(group, bytes) - Now());
            m_usage[0].loadedBytes += bytes;
            Simulator::Schedule(wait, &NetworkMemoryPool::Read, this, number, group, round + 1);
            Simulator::Schedule(wait + PicoSeconds(GetShape().memoryLatencyPs),
                                &NetworkMemoryPool::SendLoad,
                                this,
                                number,
                                group,
                                round);
            return;
        }
    }
}

void
NetworkMemoryPool::SendLoad(uint64_t number, uint32_t group, uint64_t round)
{
    for (uint32_t x = 0; x < GetShape().outSwitches; ++x)
    {
        const NetworkMessage message = MakeMessage(number, m_transfers.at(number), group, x, round);
        if (message.bytes > 0)
        {
            m_backend->Send(message);
        }
    }
}

void
NetworkMemoryPool::SendStore(uint64_t number)
{
    Transfer& store = m_transfers.at(number);
    const MemoryPoolShape& shape = GetShape();
    for (uint32_t i = 0; i < shape.groups * shape.outSwitches; ++i)
    {
        const NetworkMessage message =
            MakeMessage(number, store, i / shape.outSwitches, i % shape.outSwitches, store.round);
        if (message.bytes == 0)
        {
            continue;
        }
        ++store.nLeaving;
        if (const auto leftPs = m_backend->Send(message))
        {
            Simulator::Schedule(PicoSeconds(*leftPs - Now()),
                                &NetworkMemoryPool::StoreLeft,
                                this,
                                number);
        }
    }
}

NetworkMessage
NetworkMemoryPool::MakeMessage(uint64_t number,
                               const Transfer& transfer,
                               uint32_t group,
                               uint32_t outSwitch,
                               uint64_t round) const
{
    const uint32_t end = m_firstEnd + group * GetShape().outSwitches + outSwitch;
    NetworkMessage message;
    message.source = transfer.request.isStore ? transfer.request.rank : end;
    message.destination = transfer.request.isStore ? end : transfer.request.rank;
    message.bytes = transfer.layout.GetGroupLinkBytes(transfer.GetRound(round), group, outSwitch);
    message.tag.index = number;
    return message;
}

void
NetworkMemoryPool::MessageLeft(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    if (message.source < m_firstEnd)
    {
        StoreLeft(message.tag.index);
    }
}

void
NetworkMemoryPool::StoreLeft(uint64_t number)
{
    Transfer& store = m_transfers.at(number);
    if (--store.nLeaving == 0 && ++store.round < store.rounds.GetCount())
    {
        SendStore(number);
    }
}

void
NetworkMemoryPool::MessageArrived(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    const bool isStore = message.source < m_firstEnd;
    for (std::size_t layer = 1; layer < m_usage.size(); ++layer)
    {
        (isStore ? m_usage[layer].storedBytes : m_usage[layer].loadedBytes) += message.bytes;
    }
    if (!isStore)
    {
        Finish(message.tag.index, message.bytes);
        return;
    }
    m_usage[0].storedBytes += message.bytes;
    const uint32_t group = (message.destination - m_firstEnd) / GetShape().outSwitches;
    const int64_t writtenPs = Serve(group, message.bytes) + GetShape().memoryLatencyPs;
    Simulator::Schedule(PicoSeconds(writtenPs - Now()),
                        &NetworkMemoryPool::Finish,
                        this,
                        message.tag.index,
                        message.bytes);
}

void
NetworkMemoryPool::Finish(uint64_t number, uint64_t bytes)
{
    Transfer& transfer = m_transfers.at(number);
    transfer.remaining -= bytes;
    if (transfer.remaining == 0)
    {
        m_transfers.extract(number).mapped().done();
    }
}

} // namespace mlcluster
} // namespace ns3
