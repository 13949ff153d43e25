/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-races.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Numbers in all clocks held at once.
constexpr std::size_t CLOCK_NUMBERS = std::size_t{1} << 24;

/// What a transfer does to a place.
enum class AccessKind
{
    Read,
    Write,
    Reduce
};

/// One access to a place of a member.
struct Access
{
    uint32_t place;  ///< numbered through all buffers of the member
    uint32_t step;   ///< numbered through
    AccessKind kind; ///< what is done
    uint32_t sender; ///< step whose message is written; of a read the own step
};

/// Finds the races of all members, a few members at a time.
class RaceFinder
{
  public:
    /// @param graph the schedules @param layout where transfers read and write @param violations
    /// receives races
    RaceFinder(const ScheduleGraph& graph,
               const CollectiveLayout& layout,
               std::vector<std::string>& violations)
        : m_graph(graph),
          m_layout(layout),
          m_violations(violations),
          m_firstChains{0},
          m_chains(graph.GetNSteps()),
          m_codes(graph.GetNSteps())
    {
    }

    void Run(); ///< Finds them.

  private:
    void CoverWithChains(); ///< Fills in chains.
    /// @param first member @param end behind the last one; finds the races of those members
    void Check(uint32_t first, uint32_t end);
    /// @param member a member; adds the pairs of its accesses that its own chains do not order
    void AddOpenPairs(uint32_t member);
    /// @param member a member @return its accesses; those to one place stand together
    std::vector<Access> ListAccesses(uint32_t member) const;
    /// Fills in clocks.
    void FindClocks();
    /// @param a an access @param b another one to the same place @return whether their order
    /// matters, and does not follow from chain and step alone
    bool IsOpen(const Access& a, const Access& b) const;
    /// @param a an access @param b another @return whether a is certainly over when b happens
    bool IsBefore(const Access& a, const Access& b) const;
    /// @param a a step @param completed whether its completion counts, else its start @param b step
    /// @return whether that comes before the start of b, or is it
    bool IsBeforeStart(uint32_t a, bool completed, uint32_t b) const;
    /// @param a an access @param b another; reports them, once for two steps
    void Report(const Access& a, const Access& b);

    const ScheduleGraph& m_graph;                  ///< schedules
    const CollectiveLayout& m_layout;              ///< places
    std::vector<std::string>& m_violations;        ///< races found
    std::vector<uint32_t> m_firstChains;           ///< by member
    std::vector<uint32_t> m_chains;                ///< chain of each step
    std::vector<uint32_t> m_codes;                 ///< number of each step's start in its chain
    uint32_t m_firstChain{0};                      ///< first chain of the clocks
    uint32_t m_width{0};                           ///< chains of the clocks
    std::vector<uint32_t> m_clocks;                ///< by step and chain
    std::vector<std::pair<Access, Access>> m_open; ///< pairs that only clocks can order
    std::set<std::pair<uint32_t, uint32_t>> m_reported; ///< pairs of steps
};

void
RaceFinder::Run()
{
    CoverWithChains();
    const auto nMembers = static_cast<uint32_t>(m_layout.sizes.size());
    const std::size_t limit = CLOCK_NUMBERS / std::max(m_graph.GetNSteps(), 1U);
    for (uint32_t first = 0; first < nMembers;)
    {
        uint32_t end = first + 1;
        while (end < nMembers && m_firstChains[end + 1] - m_firstChains[first] <= limit)
        {
            ++end;
        }
        Check(first, end);
        first = end;
    }
}

void
RaceFinder::CoverWithChains()
{
    std::vector<bool> isLast(m_graph.GetNSteps(), true);
    for (uint32_t member = 0; member < m_layout.sizes.size(); ++member)
    {
        uint32_t nChains = m_firstChains.back();
        for (uint32_t step = m_graph.GetFirstStep(member); step < m_graph.GetFirstStep(member + 1);
             ++step)
        {
            const auto& after = m_graph.GetAfter(step);
            const auto before = std::find_if(after.begin(), after.end(), [&](uint32_t other) {
                return other < step && isLast[other];
            });
            const bool isFirst = before == after.end();
            m_chains[step] = isFirst ? nChains++ : m_chains[*before];
            m_codes[step] = isFirst ? 1 : m_codes[*before] + 2;
            if (!isFirst)
            {
                isLast[*before] = false;
            }
        }
        m_firstChains.push_back(nChains);
    }
}

void
RaceFinder::Check(uint32_t first, uint32_t end)
{
    m_firstChain = m_firstChains[first];
    m_width = m_firstChains[end] - m_firstChain;
    m_open.clear();
    for (uint32_t member = first; member < end; ++member)
    {
        AddOpenPairs(member);
    }
    if (!m_open.empty())
    {
        FindClocks();
    }
    for (const auto& [a, b] : m_open)
    {
        if (!IsBefore(a, b) && !IsBefore(b, a))
        {
            Report(a, b);
        }
    }
}

void
RaceFinder::AddOpenPairs(uint32_t member)
{
    const auto accesses = ListAccesses(member);
    for (auto a = accesses.begin(); a != accesses.end(); ++a)
    {
        for (auto b = a + 1; b != accesses.end() && b->place == a->place; ++b)
        {
            if (IsOpen(*a, *b))
            {
                m_open.emplace_back(*a, *b);
            }
        }
    }
}

bool
RaceFinder::IsOpen(const Access& a, const Access& b) const
{
    const bool commute = a.kind == b.kind && a.kind != AccessKind::Write;
    const bool sameStep = a.step == b.step;
    const bool reads = a.kind == AccessKind::Read || b.kind == AccessKind::Read;
    return !commute && (sameStep ? !reads : m_chains[a.step] != m_chains[b.step]);
}

void
RaceFinder::FindClocks()
{
    m_clocks = m_graph.Propagate<uint32_t>(
        m_width,
        [&](uint32_t step, bool isStart, uint32_t* row) {
            if (m_chains[step] - m_firstChain < m_width)
            {
                uint32_t& clock = row[m_chains[step] - m_firstChain];
                clock = std::max(clock, m_codes[step] + (isStart ? 0 : 1));
            }
        },
        [](uint32_t a, uint32_t b) { return std::max(a, b); });
}

std::vector<Access>
RaceFinder::ListAccesses(uint32_t member) const
{
    const auto& sizes = m_layout.sizes[member];
    std::vector<uint32_t> bases(sizes.size() + 1);
    std::partial_sum(sizes.begin(), sizes.end(), bases.begin() + 1);
    std::vector<Access> accesses;
    const auto add = [&](const Transfer& transfer, Access access) {
        for (uint32_t i = 0; i < transfer.nParts; ++i)
        {
            access.place =
                bases[transfer.buffer] + (transfer.firstPart + i) % sizes[transfer.buffer];
            accesses.push_back(access);
        }
    };
    const auto& messages = m_graph.GetMessages();
    for (uint32_t step = m_graph.GetFirstStep(member); step < m_graph.GetFirstStep(member + 1);
         ++step)
    {
        for (const uint32_t message : m_graph.GetSent(step))
        {
            add(*messages[message].send, {0, step, AccessKind::Read, step});
        }
        for (const uint32_t message : m_graph.GetReceived(step))
        {
            const Transfer& receive = *messages[message].receive;
            const auto kind = receive.reduce ? AccessKind::Reduce : AccessKind::Write;
            add(receive, {0, step, kind, messages[message].fromStep});
        }
    }
    std::vector<std::size_t> ends(bases.back() + 1);
    for (const auto& access : accesses)
    {
        ++ends[access.place + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<Access> sorted(accesses.size());
    for (const auto& access : accesses)
    {
        sorted[ends[access.place]++] = access;
    }
    return sorted;
}

void
RaceFinder::Report(const Access& a, const Access& b)
{
    if (!m_reported.insert(std::minmax(a.step, b.step)).second)
    {
        return;
    }
    const auto describe = [&](const Access& access) {
        if (access.kind == AccessKind::Read)
        {
            return std::string(" reads");
        }
        return (access.kind == AccessKind::Write ? " writes" : " reduces into") +
               std::string(" with data from member ") +
               std::to_string(m_graph.GetMember(access.sender));
    };
    uint32_t buffer = 0;
    uint32_t index = a.place;
    for (const uint32_t size : m_layout.sizes[m_graph.GetMember(a.step)])
    {
        if (index < size)
        {
            break;
        }
        index -= size;
        ++buffer;
    }
    m_violations.push_back("race: " + m_graph.Describe(a.step) + describe(a) + " and step " +
                           std::to_string(m_graph.GetIndex(b.step)) + describe(b) + " place " +
                           std::to_string(index) + " of buffer " + std::to_string(buffer) +
                           ", and nothing puts them in order");
}

bool
RaceFinder::IsBefore(const Access& a, const Access& b) const
{
    const bool completed = a.kind != AccessKind::Read;
    return IsBeforeStart(a.step, completed, b.step) || IsBeforeStart(a.step, completed, b.sender);
}

bool
RaceFinder::IsBeforeStart(uint32_t a, bool completed, uint32_t b) const
{
    const uint32_t clock =
        m_clocks[static_cast<std::size_t>(b) * m_width + (m_chains[a] - m_firstChain)];
    return clock >= m_codes[a] + (completed ? 1 : 0);
}

} // namespace

void
FindRaces(const ScheduleGraph& graph,
          const CollectiveLayout& layout,
          std::vector<std::string>& violations)
{
    RaceFinder(graph, layout, violations).Run();
}

} // namespace mlcluster
} // namespace ns3
