/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-pipeline.h"

#include "memory-pool-rounds.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// What has arrived at a vertex, by round.
struct Arrivals
{
    uint64_t nComplete{0};       ///< rounds that have arrived whole
    std::deque<uint32_t> counts; ///< shares of the rounds after them
};

/// How long a stage's shares take; few sizes occur.
class TransferTimes
{
  public:
    /// @param bytes of a share @param bitRate of the stage @return its time
    FineTime Get(uint64_t bytes, uint64_t bitRate)
    {
        for (const auto& [size, time] : m_known)
        {
            if (size == bytes)
            {
                return time;
            }
        }
        m_next = 1 - m_next;
        m_known[m_next] = {bytes, FineTime::OfTransfer(bytes, bitRate)};
        return m_known[m_next].second;
    }

  private:
    std::pair<uint64_t, FineTime> m_known[2]{}; ///< sizes and their times
    uint32_t m_next{0};                         ///< the one that came last
};

/// @param access an access @param kind a hop @return GPUs of it that a server of the hop serves
uint64_t
GetWeight(const MemoryPoolAccess& access, PoolHopKind kind)
{
    switch (kind)
    {
    case PoolHopKind::GpuLink:
        return 1;
    case PoolHopKind::NodeLink:
    case PoolHopKind::InBackplane:
    case PoolHopKind::InAdder:
        return access.nGpus;
    default:
        return uint64_t{access.nNodes} * access.nGpus;
    }
}

} // namespace

struct MemoryPoolPipeline::Flow
{
    /// @param shape the pool @param servers its servers @param access what to do
    Flow(const MemoryPoolShape& shape,
         const MemoryPoolServers& servers,
         const MemoryPoolAccess& access)
        : access(access),
          layout(shape, access),
          rounds(access.uniqueBytes, access.GetRoundBytes(shape), shape.rounds),
          nRounds(rounds.GetCount()),
          stages(MakeMemoryPoolStages(shape, servers, access)),
          times(stages.size())
    {
        for (const auto& stage : stages)
        {
            arrivals.emplace_back(stage.needed.size());
        }
        nUnfinished = stages.back().needed.size();
    }

    /// @param shape the pool @param servers each of which was stood for by one so far
    void Unfold(const MemoryPoolShape& shape, const MemoryPoolServers& servers)
    {
        stages = MakeMemoryPoolStages(shape, servers, access);
        for (std::size_t i = 0; i < stages.size(); ++i)
        {
            arrivals[i].resize(stages[i].needed.size(), Arrivals(arrivals[i][0]));
        }
        nUnfinished = stages.back().needed.size();
    }

    MemoryPoolAccess access;                     ///< what to do
    MemoryPoolLayout layout;                     ///< bytes of each link
    MemoryPoolRounds rounds;                     ///< sizes of rounds
    uint64_t nRounds;                            ///< all
    std::vector<MemoryPoolStage> stages;         ///< hops in the order of travel
    std::vector<TransferTimes> times;            ///< by stage
    std::vector<std::vector<Arrivals>> arrivals; ///< by stage and vertex it ends at
    std::size_t nUnfinished;                     ///< last vertices that wait for rounds
};

MemoryPoolPipeline::MemoryPoolPipeline(const MemoryPoolShape& shape, PoolDetail detail)
    : m_shape(shape),
      m_grid(shape, detail),
      m_servers(m_grid.GetNServers())
{
}

MemoryPoolPipeline::~MemoryPoolPipeline() = default;

uint64_t
MemoryPoolPipeline::Start(const MemoryPoolAccess& access, int64_t startPs)
{
    access.Check(m_shape);
    const bool isOfAll = access.nNodes == m_shape.nodes && access.nGpus == m_shape.gpusPerNode;
    if (m_grid.GetDetail() == PoolDetail::OneGpu && !isOfAll)
    {
        Unfold();
    }
    const uint64_t number = m_flows.size();
    m_flows.push_back(std::make_unique<Flow>(m_shape, m_grid, access));
    m_events.push({FineTime(startPs), m_nEvents++, number, 0, 0, 0, EventKind::Start});
    return number;
}

std::optional<int64_t>
MemoryPoolPipeline::GetNextEvent() const
{
    return m_events.empty() ? std::nullopt : std::optional(m_events.top().at.GetPicoseconds());
}

std::vector<MemoryPoolPipeline::Completion>
MemoryPoolPipeline::Advance(int64_t nowPs)
{
    const FineTime now(nowPs);
    while (!m_events.empty() && (IsStale(m_events.top()) || !(now < m_events.top().at)))
    {
        const Event event = m_events.top();
        m_events.pop();
        if (!IsStale(event))
        {
            Process(event);
        }
    }
    return std::exchange(m_ended, {});
}

std::vector<MemoryPoolPipeline::Completion>
MemoryPoolPipeline::Finish()
{
    return Advance(std::numeric_limits<int64_t>::max());
}

std::vector<MemoryPoolPipeline::ServerUsage>
MemoryPoolPipeline::GetUsage() const
{
    std::vector<ServerUsage> usage(m_servers.size());
    for (uint32_t kind = 0; kind < N_POOL_HOP_KINDS; ++kind)
    {
        for (const bool isStore : {true, false})
        {
            const auto& grid = m_grid.GetGrid(static_cast<PoolHopKind>(kind), isStore);
            for (uint32_t i = 0; i < grid.rows * grid.columns; ++i)
            {
                const uint32_t server = grid.first + i;
                usage[server] = {static_cast<PoolHopKind>(kind),
                                 isStore,
                                 i / grid.columns,
                                 i % grid.columns,
                                 m_servers[server].bytes};
            }
        }
    }
    return usage;
}

void
MemoryPoolPipeline::Process(const Event& event)
{
    if (event.kind == EventKind::Served)
    {
        Event share = m_servers[event.unit].fair.TakeNext();
        share.at = event.at;
        Leave(*m_flows[share.flow], share);
        ScheduleServed(event.unit);
        return;
    }
    Flow& flow = *m_flows[event.flow];
    if (event.kind == EventKind::Arrive)
    {
        Arrive(flow, event);
    }
    else if (event.kind == EventKind::Start && flow.nRounds > 0)
    {
        Event share = event;
        for (; share.unit < flow.stages[0].units.size(); ++share.unit)
        {
            Serve(flow, share);
        }
    }
    else if (event.kind == EventKind::Start)
    {
        m_ended.push_back({event.flow, event.at.GetPicoseconds()});
        m_flows[event.flow].reset();
    }
    else if (event.round + 1 < flow.nRounds)
    {
        Event share = event;
        ++share.round;
        Serve(flow, share);
    }
}

void
MemoryPoolPipeline::Unfold()
{
    const MemoryPoolServers grid(m_shape, PoolDetail::EveryGpu);
    std::vector<Server> servers(grid.GetNServers());
    for (uint32_t kind = 0; kind < N_POOL_HOP_KINDS; ++kind)
    {
        for (const bool isStore : {true, false})
        {
            const auto& unfolded = grid.GetGrid(static_cast<PoolHopKind>(kind), isStore);
            const auto& folded = m_grid.GetGrid(static_cast<PoolHopKind>(kind), isStore);
            std::fill_n(servers.begin() + unfolded.first,
                        unfolded.rows * unfolded.columns,
                        m_servers[folded.first]);
        }
    }
    m_grid = grid;
    m_servers = std::move(servers);
    for (const auto& flow : m_flows)
    {
        if (flow)
        {
            flow->Unfold(m_shape, m_grid);
        }
    }
    auto events = std::exchange(m_events, {});
    UnfoldShares();
    for (; !events.empty(); events.pop())
    {
        Event event = events.top();
        if (event.kind == EventKind::Served)
        {
            continue;
        }
        const auto& units = m_flows[event.flow]->stages[event.stage].units;
        const std::size_t count = event.kind == EventKind::Start ? 1 : units.size();
        for (; event.unit < count; ++event.unit)
        {
            event.number = m_nEvents++;
            m_events.push(event);
        }
    }
}

void
MemoryPoolPipeline::UnfoldShares()
{
    for (uint32_t server = 0; server < m_servers.size(); ++server)
    {
        m_servers[server].fair.ChangeItems([&](Event& share) {
            const auto& units = m_flows[share.flow]->stages[share.stage].units;
            share.unit = std::find_if(units.begin(),
                                      units.end(),
                                      [&](const auto& unit) { return unit.server == server; }) -
                         units.begin();
        });
        ScheduleServed(server);
    }
}

void
MemoryPoolPipeline::Arrive(Flow& flow, const Event& event)
{
    const MemoryPoolStage& stage = flow.stages[event.stage];
    const uint32_t vertex = stage.units[event.unit].to;
    Arrivals& arrivals = flow.arrivals[event.stage][vertex];
    const std::size_t ahead = event.round - arrivals.nComplete;
    arrivals.counts.resize(std::max(arrivals.counts.size(), ahead + 1));
    if (++arrivals.counts[ahead] < stage.needed[vertex])
    {
        return;
    }
    arrivals.counts.pop_front();
    ++arrivals.nComplete;
    Event share = event;
    if (++share.stage < flow.stages.size())
    {
        const auto& firstUnit = flow.stages[share.stage].firstUnit;
        for (share.unit = firstUnit[vertex]; share.unit < firstUnit[vertex + 1]; ++share.unit)
        {
            Serve(flow, share);
        }
    }
    else if (arrivals.nComplete == flow.nRounds && --flow.nUnfinished == 0)
    {
        m_ended.push_back({event.flow, event.at.GetPicoseconds()});
        m_flows[event.flow].reset();
    }
}

void
MemoryPoolPipeline::Serve(Flow& flow, Event share)
{
    const MemoryPoolStage& stage = flow.stages[share.stage];
    const auto& unit = stage.units[share.unit];
    const uint64_t bytes =
        stage.GetShare(flow.layout,
                       {flow.rounds.GetOffset(share.round), flow.rounds.GetBytes(share.round)},
                       unit);
    Server& server = m_servers[unit.server];
    server.bytes += bytes;
    const FineTime time = flow.times[share.stage].Get(bytes, stage.hop.bitRate);
    if (m_shape.sharing == PoolSharing::FirstCome)
    {
        share.at = server.freeAt = std::max(server.freeAt, share.at) + time;
        Leave(flow, share);
    }
    else if (server.fair
                 .Add(share.flow, GetWeight(flow.access, stage.hop.kind), share, time, share.at))
    {
        ScheduleServed(unit.server);
    }
}

void
MemoryPoolPipeline::Leave(const Flow& flow, Event share)
{
    if (share.stage == 0)
    {
        share.number = m_nEvents++;
        share.kind = EventKind::Leave;
        m_events.push(share);
    }
    share.at = share.at + FineTime(flow.stages[share.stage].hop.latencyPs);
    share.number = m_nEvents++;
    share.kind = EventKind::Arrive;
    m_events.push(share);
}

void
MemoryPoolPipeline::ScheduleServed(uint32_t server)
{
    Server& own = m_servers[server];
    ++own.version;
    if (const auto end = own.fair.GetNextEnd())
    {
        m_events.push({*end, m_nEvents++, 0, own.version, 0, server, EventKind::Served});
    }
}

bool
MemoryPoolPipeline::IsStale(const Event& event) const
{
    return event.kind == EventKind::Served && m_servers[event.unit].version != event.round;
}

} // namespace mlcluster
} // namespace ns3
