/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-races.h"

#include <algorithm>
#include <set>
#include <tuple>
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
    uint32_t buffer; ///< of the place
    uint32_t index;  ///< of the place
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
    /// @param first member @param end behind the last one; finds their clocks and races
    void Check(uint32_t first, uint32_t end);
    /// @param member a member @return its accesses, sorted by place
    std::vector<Access> ListAccesses(uint32_t member) const;
    /// @param transfer a transfer @param member whose end of it @param access all but the place
    /// @param accesses receives an access for each place
    void AddAccesses(const Transfer& transfer,
                     uint32_t member,
                     Access access,
                     std::vector<Access>& accesses) const;
    /// @param a an access @param b another one to the same place; reports a race, once for two
    /// steps
    void CheckPair(const Access& a, const Access& b);
    /// @param a an access @param b another @return whether a is certainly over when b happens
    bool IsBefore(const Access& a, const Access& b) const;
    /// @param a step @param completed whether its completion counts, else its start @param b step
    /// @return whether that comes before the start of b, or is it
    bool IsBeforeStart(uint32_t a, bool completed, uint32_t b) const;

    const ScheduleGraph& m_graph;           ///< schedules
    const CollectiveLayout& m_layout;       ///< places
    std::vector<std::string>& m_violations; ///< races found
    std::vector<uint32_t> m_firstChains;    ///< by member
    std::vector<uint32_t> m_chains;         ///< chain of each step
    std::vector<uint32_t> m_codes;          ///< number of each step's start in its chain
    uint32_t m_firstChain{0};               ///< first chain of the clocks
    uint32_t m_width{0};                    ///< chains of the clocks
    std::vector<uint32_t> m_clocks;         ///< by step and chain
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
    for (uint32_t member = first; member < end; ++member)
    {
        const auto accesses = ListAccesses(member);
        for (std::size_t i = 0; i < accesses.size(); ++i)
        {
            for (std::size_t j = i + 1;
                 j < accesses.size() && std::tie(accesses[j].buffer, accesses[j].index) ==
                                            std::tie(accesses[i].buffer, accesses[i].index);
                 ++j)
            {
                CheckPair(accesses[i], accesses[j]);
            }
        }
    }
}

std::vector<Access>
RaceFinder::ListAccesses(uint32_t member) const
{
    std::vector<Access> accesses;
    const auto& messages = m_graph.GetMessages();
    for (uint32_t step = m_graph.GetFirstStep(member); step < m_graph.GetFirstStep(member + 1);
         ++step)
    {
        for (const uint32_t message : m_graph.GetSent(step))
        {
            AddAccesses(*messages[message].send,
                        member,
                        {0, 0, step, AccessKind::Read, step},
                        accesses);
        }
        for (const uint32_t message : m_graph.GetReceived(step))
        {
            const Transfer& receive = *messages[message].receive;
            AddAccesses(receive,
                        member,
                        {0,
                         0,
                         step,
                         receive.reduce ? AccessKind::Reduce : AccessKind::Write,
                         messages[message].fromStep},
                        accesses);
        }
    }
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
        return std::tie(a.buffer, a.index, a.step, a.kind, a.sender) <
               std::tie(b.buffer, b.index, b.step, b.kind, b.sender);
    });
    return accesses;
}

void
RaceFinder::AddAccesses(const Transfer& transfer,
                        uint32_t member,
                        Access access,
                        std::vector<Access>& accesses) const
{
    access.buffer = transfer.buffer;
    for (uint32_t i = 0; i < transfer.nParts; ++i)
    {
        access.index = (transfer.firstPart + i) % m_layout.sizes[member][transfer.buffer];
        accesses.push_back(access);
    }
}

void
RaceFinder::CheckPair(const Access& a, const Access& b)
{
    if ((a.kind == b.kind && a.kind != AccessKind::Write) || IsBefore(a, b) || IsBefore(b, a) ||
        !m_reported.insert(std::minmax(a.step, b.step)).second)
    {
        return;
    }
    const auto describe = [&](const Access& access) {
        const uint32_t member = m_graph.GetMember(access.sender);
        return access.kind == AccessKind::Read
                   ? std::string(" reads")
                   : (access.kind == AccessKind::Write ? " writes" : " reduces into") +
                         std::string(" with data from member ") + std::to_string(member);
    };
    m_violations.push_back(
        "race: " + m_graph.Describe(a.step) + describe(a) + " and step " +
        std::to_string(b.step - m_graph.GetFirstStep(m_graph.GetMember(b.step))) + describe(b) +
        " place " + std::to_string(a.index) + " of buffer " + std::to_string(a.buffer) +
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
