/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-recurrence.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t MAX_PS = std::numeric_limits<int64_t>::max();

/// @return the sum, or the largest time there is
int64_t
AddUpTo(int64_t time, int64_t duration)
{
    return duration > MAX_PS - time ? MAX_PS : time + duration;
}

} // namespace

bool
PhaseRecurrence::KeepsToDimensions(const CollectivePlan& plan, const LinkGraph& graph)
{
    const ClusterTopology& topology = graph.GetTopology();
    const CollectiveGroup& group = plan.GetCollectiveGroup();
    for (uint32_t k = 0; k < group.GetLevels().size(); ++k)
    {
        const auto block = group.GetBlock(k);
        if (!block || (block == BuildingBlock::Ring && group.IsPart(k)))
        {
            return false;
        }
        const auto line = group.GetPeers(group.GetFirstMember(), k);
        for (uint32_t position = 0; position < line.size() && block == BuildingBlock::Ring;
             ++position)
        {
            if (topology.GetDigit(line[position], group.GetLevels()[k].dimension) != position)
            {
                return false;
            }
        }
    }
    return true;
}

std::string
PhaseRecurrence::WhyNot(const CollectivePlan& plan, const LinkGraph& graph)
{
    const auto& call = plan.GetCall();
    if (IsRooted(call.type) || call.matrix || call.algorithm)
    {
        return IsRooted(call.type) ? "a collective with a root"
               : call.matrix       ? "an all-to-all of unequal sizes"
                                   : "a loaded algorithm";
    }
    if (!KeepsToDimensions(plan, graph))
    {
        return "a group whose messages pass other members' links";
    }
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        if (plan.GetPhase(0, level).algorithm->NeedsSwitch())
        {
            return "reduction in switches";
        }
        if (plan.GetChunksInFlight(level) > 1)
        {
            return "several chunks in flight";
        }
    }
    return "";
}

/**
 * @ingroup ml-cluster
 * How far the phases of a collective are computed.
 */
class PhaseRecurrence::Progress
{
  public:
    /// @param recurrence what @param starts when members start, ps @param state of the links
    Progress(const PhaseRecurrence& recurrence, const std::vector<int64_t>& starts, State& state)
        : m_what(recurrence),
          m_plan(*recurrence.m_plan),
          m_starts(starts),
          m_state(state),
          m_levelEnds(m_what.m_levels.size(), starts),
          m_chunkEnds(m_plan.GetNChunks()),
          m_phasesDone(m_plan.GetNChunks(), 0),
          m_nextInOrder(m_what.m_levels.size(), 0)
    {
    }

    /// @return whether the order of all messages is known
    bool Run();

    /// @return when members end, ps
    std::vector<int64_t> GetEnds() const
    {
        std::vector<int64_t> ends = m_starts;
        for (const auto& level : m_levelEnds)
        {
            std::transform(ends.begin(),
                           ends.end(),
                           level.begin(),
                           ends.begin(),
                           [](int64_t a, int64_t b) { return std::max(a, b); });
        }
        return ends;
    }

  private:
    /// @param k level index @return whether its next chunk phase can be computed
    bool HasNext(uint32_t k) const
    {
        const auto& order = m_plan.GetOrder(k);
        return m_nextInOrder[k] < order.size() &&
               m_phasesDone[order[m_nextInOrder[k]].chunk] == order[m_nextInOrder[k]].phase;
    }

    /// @param k level index; computes its next chunk phase @return as Run
    bool RunNext(uint32_t k);

    const PhaseRecurrence& m_what;                 ///< what is computed
    const CollectivePlan& m_plan;                  ///< the collective
    const std::vector<int64_t>& m_starts;          ///< of the members
    State& m_state;                                ///< of the links
    std::vector<std::vector<int64_t>> m_levelEnds; ///< by level and member: end of the last phase
    std::vector<std::vector<int64_t>> m_chunkEnds; ///< the same by chunk; empty if not under way
    std::vector<uint32_t> m_phasesDone;            ///< by chunk
    std::vector<std::size_t> m_nextInOrder;        ///< by level
    std::vector<int64_t> m_times;                  ///< of a line
    std::vector<int64_t> m_cells;                  ///< of a program
};

bool
PhaseRecurrence::Progress::Run()
{
    bool moves = true;
    while (moves)
    {
        moves = false;
        for (uint32_t k = 0; k < m_what.m_levels.size(); ++k)
        {
            while (HasNext(k))
            {
                moves = true;
                if (!RunNext(k))
                {
                    return false;
                }
            }
        }
    }
    return true;
}

bool
PhaseRecurrence::Progress::RunNext(uint32_t k)
{
    const Level& level = m_what.m_levels[k];
    const auto [chunk, phase] = m_plan.GetOrder(k)[m_nextInOrder[k]++];
    const Row& row = m_what.m_rows[m_what.m_rowsOf[chunk]][phase];
    std::vector<int64_t>& chunkEnds = m_chunkEnds[chunk];
    std::vector<int64_t>& levelEnds = m_levelEnds[k];
    chunkEnds.resize(m_starts.size(), 0);
    m_times.resize(level.size);
    bool isKnown = true;
    for (std::size_t line = 0; line < row.size(); ++line)
    {
        const std::size_t first = m_what.GetFirst(k, line);
        for (std::size_t position = 0; position < level.size; ++position)
        {
            const std::size_t member = first + position * level.stride;
            m_times[position] = std::max(chunkEnds[member], levelEnds[member]);
        }
        LineProgram::LinkState* links = m_state[k].data() + line * level.nLinks;
        isKnown = row[line]->Run(m_times.data(), links, m_cells) && isKnown;
        for (std::size_t position = 0; position < level.size; ++position)
        {
            const std::size_t member = first + position * level.stride;
            chunkEnds[member] = m_times[position];
            levelEnds[member] = m_times[position];
        }
    }
    if (++m_phasesDone[chunk] == m_plan.GetNPhases())
    {
        std::vector<int64_t>().swap(chunkEnds);
    }
    return isKnown;
}

PhaseRecurrence::PhaseRecurrence(std::shared_ptr<const CollectivePlan> plan,
                                 uint32_t rank,
                                 LineProgramCache& cache)
    : m_plan(std::move(plan)),
      m_members(FindMembers(*m_plan, rank))
{
    AddLevels(cache.GetGraph());
    AddRows(cache);
}

uint32_t
PhaseRecurrence::GetFirstMember(const CollectivePlan& plan, uint32_t rank)
{
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        rank = plan.GetCollectiveGroup().GetPeers(rank, level)[0];
    }
    return rank;
}

std::vector<uint32_t>
PhaseRecurrence::FindMembers(const CollectivePlan& plan, uint32_t rank)
{
    std::vector<uint32_t> members{GetFirstMember(plan, rank)};
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        const std::size_t stride = members.size();
        members.resize(stride * plan.GetCollectiveGroup().GetLevels()[level].size);
        for (std::size_t i = 0; i < stride; ++i)
        {
            const auto line = plan.GetCollectiveGroup().GetPeers(members[i], level);
            for (std::size_t position = 1; position < line.size(); ++position)
            {
                members[i + position * stride] = line[position];
            }
        }
    }
    return members;
}

void
PhaseRecurrence::AddLevels(const LinkGraph& graph)
{
    uint32_t stride = 1;
    for (uint32_t k = 0; k < m_plan->GetNDimensions(); ++k)
    {
        Level level{m_plan->GetCollectiveGroup().GetLevels()[k].size, stride, {}, 0, {}};
        stride *= level.size;
        m_levels.push_back(level);
        for (std::size_t line = 0; line < m_members.size() / level.size; ++line)
        {
            const auto peers =
                m_plan->GetCollectiveGroup().GetPeers(m_members[GetFirst(k, line)], k);
            const auto links = LineProgram::GetLinks(peers, graph);
            m_levels[k].nLinks = links.size();
            m_levels[k].links.insert(m_levels[k].links.end(), links.begin(), links.end());
        }
        m_levels[k].loads.resize(m_levels[k].links.size());
    }
}

void
PhaseRecurrence::AddRows(LineProgramCache& cache)
{
    std::map<std::pair<const CollectivePlan::Phase*, uint64_t>, uint32_t> known;
    for (uint32_t chunk = 0; chunk < m_plan->GetNChunks(); ++chunk)
    {
        const auto entry =
            known.emplace(std::make_pair(&m_plan->GetPhase(chunk, 0), m_plan->GetChunkBytes(chunk)),
                          static_cast<uint32_t>(m_rows.size()));
        m_rowsOf.push_back(entry.first->second);
        if (entry.second)
        {
            m_rows.emplace_back();
            for (uint32_t phase = 0; phase < m_plan->GetNPhases(); ++phase)
            {
                m_rows.back().push_back(MakeRow(chunk, phase, cache));
            }
        }
        for (uint32_t phase = 0; phase < m_plan->GetNPhases(); ++phase)
        {
            AddUp(m_plan->GetPhase(chunk, phase).dimension, m_rows[m_rowsOf[chunk]][phase]);
        }
    }
}

PhaseRecurrence::Row
PhaseRecurrence::MakeRow(uint32_t chunk, uint32_t phase, LineProgramCache& cache)
{
    const CollectivePlan::Phase& at = m_plan->GetPhase(chunk, phase);
    Row row;
    for (std::size_t line = 0; line < m_members.size() / m_levels[at.dimension].size; ++line)
    {
        const uint32_t rank = m_members[GetFirst(at.dimension, line)];
        row.push_back(cache.Get(at.algorithm,
                                m_plan->GetRequest(rank, chunk, phase),
                                m_plan->GetTopologyDimension(at.dimension),
                                m_plan->GetCollectiveGroup().GetPeers(rank, at.dimension)));
        m_isOrdered = m_isOrdered && row.back()->IsOrdered();
    }
    return row;
}

void
PhaseRecurrence::AddUp(uint32_t level, const Row& row)
{
    int64_t longest = 0;
    LineProgram::LinkLoad* load = m_levels[level].loads.data();
    for (const auto& program : row)
    {
        for (const auto& more : program->GetLoads())
        {
            load->bytes += more.bytes;
            load->busyPs = AddUpTo(load->busyPs, more.busyPs);
            ++load;
        }
        m_nMessages += program->GetNMessages();
        longest = std::max(longest, program->GetLongestPs());
    }
    m_longestPs = AddUpTo(m_longestPs, longest);
}

std::size_t
PhaseRecurrence::GetFirst(uint32_t level, std::size_t line) const
{
    const Level& at = m_levels[level];
    return line / at.stride * at.stride * at.size + line % at.stride;
}

const CollectivePlan&
PhaseRecurrence::GetPlan() const
{
    return *m_plan;
}

const std::vector<uint32_t>&
PhaseRecurrence::GetMembers() const
{
    return m_members;
}

std::size_t
PhaseRecurrence::GetPlace(uint32_t rank) const
{
    std::size_t place = 0;
    for (uint32_t k = 0; k < m_levels.size(); ++k)
    {
        place +=
            std::size_t{m_levels[k].stride} * m_plan->GetCollectiveGroup().GetPosition(rank, k);
    }
    return place;
}

bool
PhaseRecurrence::IsOrdered() const
{
    return m_isOrdered;
}

uint64_t
PhaseRecurrence::GetNMessages() const
{
    return m_nMessages;
}

PhaseRecurrence::State
PhaseRecurrence::LoadLinks(const LinkBooks& books) const
{
    State state;
    for (const Level& level : m_levels)
    {
        state.emplace_back();
        for (const uint32_t link : level.links)
        {
            state.back().push_back({books.GetQueue(link)});
        }
    }
    return state;
}

void
PhaseRecurrence::StoreLinks(const State& state, LinkBooks& books) const
{
    for (std::size_t k = 0; k < m_levels.size(); ++k)
    {
        const Level& level = m_levels[k];
        for (std::size_t i = 0; i < level.links.size(); ++i)
        {
            books.Enter(level.links[i],
                        level.loads[i].bytes,
                        level.loads[i].busyPs,
                        state[k][i].queue);
        }
    }
}

bool
PhaseRecurrence::IsCountable(const std::vector<int64_t>& starts, const State& state) const
{
    int64_t latest = *std::max_element(starts.begin(), starts.end());
    for (const auto& links : state)
    {
        for (const auto& link : links)
        {
            latest = std::max(latest, link.queue.freeAt);
        }
    }
    return AddUpTo(latest, m_longestPs) < MAX_PS;
}

int64_t
PhaseRecurrence::GetLastHead(const State& state) const
{
    int64_t last = m_isOrdered ? MAX_PS : 0;
    for (const auto& links : state)
    {
        for (const auto& link : links)
        {
            last = std::max(last, link.lastHead);
        }
    }
    return last;
}

std::optional<PhaseRecurrence::Result>
PhaseRecurrence::Evaluate(const std::vector<int64_t>& starts, int64_t now, LinkBooks& books) const
{
    State state = LoadLinks(books);
    if (!IsCountable(starts, state))
    {
        return std::nullopt;
    }
    Progress progress(*this, starts, state);
    if (!progress.Run())
    {
        return std::nullopt;
    }
    auto ends = progress.GetEnds();
    if (*std::min_element(ends.begin(), ends.end()) < now)
    {
        return std::nullopt;
    }
    StoreLinks(state, books);
    return Result{std::move(ends), GetLastHead(state)};
}

} // namespace mlcluster
} // namespace ns3
