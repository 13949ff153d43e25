/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hierarchical-memory-pool.h"

#include "memory-pool-events.h"

#include "ns3/amount.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterHierarchicalMemoryPool");
NS_OBJECT_ENSURE_REGISTERED(HierarchicalMemoryPool);

namespace
{

/// What the report tells of, in its order.
const PoolHopKind LAYERS[] = {PoolHopKind::Memory,
                              PoolHopKind::GroupLink,
                              PoolHopKind::NodeLink,
                              PoolHopKind::GpuLink};

} // namespace

TypeId
HierarchicalMemoryPool::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::HierarchicalMemoryPool")
            .SetParent<MemoryPoolModel>()
            .SetGroupName("MlCluster")
            .AddConstructor<HierarchicalMemoryPool>()
            .AddAttribute("Fuse",
                          "Whether the switches gather loads and reduce stores, where a collective "
                          "follows or precedes them.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HierarchicalMemoryPool::m_fuse),
                          MakeBooleanChecker())
            .AddAttribute("Sharing",
                          "How accesses and collectives share the pool: fair, all at once in "
                          "proportion to the NPUs they serve; first-come, round by round in the "
                          "order in which the rounds arrive.",
                          StringValue("fair"),
                          MakeStringAccessor(&HierarchicalMemoryPool::m_sharing),
                          MakeStringChecker())
            .AddAttribute("Collectives",
                          "Collectives that the pool's links carry instead of the network: none, "
                          "all-to-all, or all.",
                          StringValue("none"),
                          MakeStringAccessor(&HierarchicalMemoryPool::m_collectives),
                          MakeStringChecker())
            .AddAttribute("CollectiveLatency",
                          "Time before a collective begins on the pool's links.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&HierarchicalMemoryPool::m_collectiveLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MemoryStreams",
                          "Accesses of an NPU at once: 2, a plain and a fused one; 1, either.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&HierarchicalMemoryPool::m_memoryStreams),
                          MakeUintegerChecker<uint32_t>(1, 2));
    return tid;
}

HierarchicalMemoryPool::HierarchicalMemoryPool()
    : m_usage{{"pool memory"}, {"group links"}, {"node links"}, {"GPU links"}}
{
}

HierarchicalMemoryPool::~HierarchicalMemoryPool() = default;

void
HierarchicalMemoryPool::DoDispose()
{
    m_startEqual.Cancel();
    m_next.Cancel();
    m_waiting.clear();
    m_meetings.clear();
    m_common.clear();
    m_running.clear();
    MemoryPoolModel::DoDispose();
}

void
HierarchicalMemoryPool::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                                Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    MemoryPoolModel::Prepare(workload, diagnostics);
    CheckAttributes(diagnostics);
    if (!diagnostics.HasErrors())
    {
        m_shape = GetShape();
        m_shape.sharing = m_sharing == "fair" ? PoolSharing::Fair : PoolSharing::FirstCome;
        m_workload = workload;
        m_fusion = std::make_unique<MemoryFusion>(*workload, m_shape, m_fuse, GetCarried());
        m_turns = std::make_unique<AccessTurns>(workload->GetNRanks());
        m_pipeline = std::make_unique<MemoryPoolPipeline>(m_shape, PoolDetail::OneGpu);
    }
}

PoolCollectives
HierarchicalMemoryPool::GetCarried() const
{
    CheckWord("set of collectives", m_collectives, {"none", "all-to-all", "all"});
    return m_collectives == "none"         ? PoolCollectives::None
           : m_collectives == "all-to-all" ? PoolCollectives::AllToAll
                                           : PoolCollectives::All;
}

void
HierarchicalMemoryPool::CheckAttributes(Diagnostics& diagnostics) const
{
    diagnostics.Collect({"", 0, "cluster.memory.pool.collectives"}, [this] { GetCarried(); });
    diagnostics.Collect({"", 0, "cluster.memory.pool.sharing"},
                        [this] { CheckWord("way to share", m_sharing, {"fair", "first-come"}); });
    if (m_collectiveLatency.IsStrictlyPositive() && m_collectives == "none")
    {
        diagnostics.Warning({"", 0, "cluster.memory.pool.collective-latency"},
                            "has no effect: the pool carries no collectives "
                            "(cluster.memory.pool.collectives)");
    }
}

std::vector<MemoryUsage>
HierarchicalMemoryPool::GetUsage() const
{
    return m_usage;
}

AccessCosts
HierarchicalMemoryPool::CountCosts(const ClusterWorkload& workload,
                                   const MessageCosts& /* messages */) const
{
    return {CountMemoryPoolEvents(workload, m_shape, *m_fusion)};
}

std::vector<std::string>
HierarchicalMemoryPool::GetRemarks() const
{
    std::stringstream lines;
    m_fusion->Print(lines);
    std::vector<std::string> remarks;
    for (std::string line; std::getline(lines, line);)
    {
        remarks.push_back(line);
    }
    return remarks;
}

MemoryRole
HierarchicalMemoryPool::GetRole(uint32_t rank, uint32_t index) const
{
    return m_fusion ? m_fusion->GetPart(rank, index).role : MemoryRole::Alone;
}

bool
HierarchicalMemoryPool::HasRoles() const
{
    return m_fuse || m_collectives != "none";
}

void
HierarchicalMemoryPool::AccessTogether(uint32_t rank, uint32_t index, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << rank << index);
    const Key key = m_fusion->GetMeeting(rank, index);
    Meeting& meeting = m_meetings[key];
    meeting.ranks.push_back(rank);
    meeting.callbacks.push_back(std::move(done));
    if (meeting.ranks.size() < m_workload->GetGroup(key.first).size())
    {
        return;
    }
    const MemoryPoolAccess access = m_fusion->GetAccess(rank, index);
    Meeting complete = std::move(m_meetings.extract(key).mapped());
    if (access.isExchange)
    {
        Start(access,
              (Simulator::Now() + m_collectiveLatency).GetPicoSeconds(),
              std::move(complete.callbacks));
        return;
    }
    const uint64_t number = m_nRequests++;
    complete.callbacks.push_back([this, number] { EndTurn(number); });
    m_common[number] = {access, std::move(complete.ranks), std::move(complete.callbacks)};
    Simulator::ScheduleNow(&HierarchicalMemoryPool::QueueCommon, this, number);
}

void
HierarchicalMemoryPool::QueueCommon(uint64_t number)
{
    if (m_turns->Add(number, m_common.at(number).ranks))
    {
        StartCommon(number);
    }
}

std::vector<uint32_t>
HierarchicalMemoryPool::GetAwaitedRanks(uint32_t rank, uint32_t index) const
{
    const Key key = m_fusion->GetMeeting(rank, index);
    const auto meeting = m_meetings.find(key);
    if (meeting == m_meetings.end())
    {
        return {};
    }
    std::vector<uint32_t> awaited = m_workload->GetGroup(key.first);
    const auto& here = meeting->second.ranks;
    awaited.erase(std::remove_if(awaited.begin(),
                                 awaited.end(),
                                 [&](uint32_t member) {
                                     return std::find(here.begin(), here.end(), member) !=
                                            here.end();
                                 }),
                  awaited.end());
    std::sort(awaited.begin(), awaited.end());
    return awaited;
}

void
HierarchicalMemoryPool::Access(const MemoryRequest& request, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << request.rank << request.bytes << request.isStore);
    if (!m_pipeline)
    {
        throw InputError("a HierarchicalMemoryPool is not ready: call Build and Prepare before the "
                         "first access, or let a ClusterHelper do it");
    }
    const uint64_t number = m_nRequests++;
    m_waiting[number] = std::move(done);
    m_plain[number] = request;
    if (m_memoryStreams > 1 || m_turns->Add(number, {request.rank}))
    {
        StartPlain(number);
    }
}

void
HierarchicalMemoryPool::StartPlain(uint64_t number)
{
    const MemoryRequest request = m_plain.extract(number).mapped();
    m_equal.Add(request.rank, request.isStore, request.bytes, number);
    if (m_startEqual.IsExpired())
    {
        m_startEqual =
            Simulator::ScheduleNow(&HierarchicalMemoryPool::StartEqual, this, m_equal.GetCount());
    }
}

void
HierarchicalMemoryPool::StartCommon(uint64_t number)
{
    Common common = std::move(m_common.extract(number).mapped());
    Start(common.access, Simulator::Now().GetPicoSeconds(), std::move(common.callbacks));
}

void
HierarchicalMemoryPool::EndTurn(uint64_t number)
{
    for (const uint64_t next : m_turns->End(number))
    {
        if (m_plain.count(next) > 0)
        {
            StartPlain(next);
        }
        else
        {
            StartCommon(next);
        }
    }
}

void
HierarchicalMemoryPool::StartEqual(uint64_t nKnown)
{
    if (m_equal.GetCount() > nKnown)
    {
        m_startEqual =
            Simulator::ScheduleNow(&HierarchicalMemoryPool::StartEqual, this, m_equal.GetCount());
        return;
    }
    for (const auto& batch : m_equal.Take(m_shape))
    {
        Callbacks callbacks;
        for (const uint64_t number : batch.cookies)
        {
            callbacks.push_back(std::move(m_waiting.extract(number).mapped()));
            if (m_memoryStreams == 1)
            {
                callbacks.push_back([this, number] { EndTurn(number); });
            }
        }
        Start(batch.access, Simulator::Now().GetPicoSeconds(), std::move(callbacks));
    }
}

void
HierarchicalMemoryPool::Start(const MemoryPoolAccess& access, int64_t startPs, Callbacks callbacks)
{
    NS_LOG_FUNCTION(this << access.uniqueBytes << access.isStore << access.isExchange << startPs);
    Count(access);
    if (m_running.empty())
    {
        m_pipeline = std::make_unique<MemoryPoolPipeline>(m_shape, PoolDetail::OneGpu);
    }
    m_running[m_pipeline->Start(access, startPs)] = std::move(callbacks);
    ScheduleNext();
}

void
HierarchicalMemoryPool::Count(const MemoryPoolAccess& access)
{
    for (const auto& hop : GetMemoryPoolHops(m_shape, access))
    {
        const auto layer = std::find(std::begin(LAYERS), std::end(LAYERS), hop.kind);
        if (layer != std::end(LAYERS))
        {
            MemoryUsage& usage = m_usage[layer - std::begin(LAYERS)];
            (hop.isUp ? usage.storedBytes : usage.loadedBytes) +=
                (Amount(hop.GetPassing(access.uniqueBytes)) * hop.GetCopies())
                    .Get("bytes that a memory pool carries");
        }
    }
}

void
HierarchicalMemoryPool::ScheduleNext()
{
    const auto nextPs = m_pipeline->GetNextEvent();
    if (!nextPs)
    {
        return;
    }
    const Time next = PicoSeconds(*nextPs);
    if (m_next.IsExpired() || TimeStep(m_next.GetTs()) > next)
    {
        m_next.Cancel();
        m_next =
            Simulator::Schedule(next - Simulator::Now(), &HierarchicalMemoryPool::Advance, this);
    }
}

void
HierarchicalMemoryPool::Advance()
{
    const auto ended = m_pipeline->Advance(Simulator::Now().GetPicoSeconds());
    for (const auto& completion : ended)
    {
        const auto running = m_running.extract(completion.access);
        for (const auto& done : running.mapped())
        {
            done();
        }
    }
    ScheduleNext();
}

} // namespace mlcluster
} // namespace ns3
