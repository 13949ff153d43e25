/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PHASE_RECURRENCE_H
#define ML_CLUSTER_PHASE_RECURRENCE_H

#include "collective-plan.h"
#include "line-program-cache.h"

#include "ns3/link-books.h"
#include "ns3/link-graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A collective on some members as a recurrence over its chunk phases: when each member ends, from
 * when each starts, without an event. The members are those that one of them meets, directly or
 * through others; with a limit of one chunk phase in flight a rank begins a phase at
 *
 *     begin(chunk, phase) = max(end(chunk, phase - 1), end of the entry before it in the order of
 *                               its dimension)
 *
 * (see CollectivePlan::GetOrder) and LineProgram says when it ends it.
 */
class PhaseRecurrence
{
  public:
    /// When a collective ends.
    struct Result
    {
        std::vector<int64_t> ends; ///< of each member, ps
        int64_t lastHeadPs; ///< when the last message comes to its last link, ps; unknown, the
                            ///< largest time, if IsOrdered
    };

    /// @param plan a collective @param graph the network @return whether its messages keep to the
    /// links of its members in the dimensions of its levels
    static bool KeepsToDimensions(const CollectivePlan& plan, const LinkGraph& graph);

    /**
     * @param plan the collective, which has something to do
     * @param graph the network
     * @return why it cannot be computed in this way, or ""
     */
    static std::string WhyNot(const CollectivePlan& plan, const LinkGraph& graph);

    /// @param plan the collective @param rank a member @return the one of those it meets that is at
    /// position 0 on all levels
    static uint32_t GetFirstMember(const CollectivePlan& plan, uint32_t rank);

    /// @param plan the collective @param rank a member @return those it meets, directly or through
    /// others
    static std::vector<uint32_t> FindMembers(const CollectivePlan& plan, uint32_t rank);

    /// @param plan the collective; WhyNot must be "" @param rank a member @param cache of programs
    PhaseRecurrence(std::shared_ptr<const CollectivePlan> plan,
                    uint32_t rank,
                    LineProgramCache& cache);

    const CollectivePlan& GetPlan() const;           ///< @return the collective
    const std::vector<uint32_t>& GetMembers() const; ///< @return ranks, in the order of times
    /// @param rank a member @return its place among GetMembers
    std::size_t GetPlace(uint32_t rank) const;
    bool IsOrdered() const;        ///< @return whether times are known whenever members start
    uint64_t GetNMessages() const; ///< @return messages of all members

    /**
     * @param starts when each member starts, ps
     * @param now all of them have started, ps
     * @param books of the network's links; receives what the collective sends
     * @return when it ends; nothing, and the books stay as they are, if the order of
     * messages on a link is not known, if a member ends before now, or if the end can be later
     * than time can be counted
     */
    std::optional<Result> Evaluate(const std::vector<int64_t>& starts,
                                   int64_t now,
                                   LinkBooks& books) const;

  private:
    /// Lines of a level; a line's members are `stride` apart in the list of members.
    struct Level
    {
        uint32_t size;                            ///< members of a line
        uint32_t stride;                          ///< in the list of members
        std::vector<uint32_t> links;              ///< those of each line, one line after the other
        std::size_t nLinks;                       ///< of a line
        std::vector<LineProgram::LinkLoad> loads; ///< by entry of links
    };

    /// Programs of all lines in one phase.
    using Row = std::vector<std::shared_ptr<const LineProgram>>;
    /// Links of all levels while phases are computed.
    using State = std::vector<std::vector<LineProgram::LinkState>>;

    class Progress;

    void AddLevels(const LinkGraph& graph); ///< @param graph gives the lines' links
    void AddRows(LineProgramCache& cache);  ///< @param cache gives the programs
    /// @param chunk index @param phase index @param cache gives the programs @return of all lines
    Row MakeRow(uint32_t chunk, uint32_t phase, LineProgramCache& cache);
    /// @param level index @param row programs of its lines; adds up what a chunk phase sends
    void AddUp(uint32_t level, const Row& row);
    /// @param level index @param line index @return place of its first member
    std::size_t GetFirst(uint32_t level, std::size_t line) const;
    /// @param books of the links @return what they are busy with
    State LoadLinks(const LinkBooks& books) const;
    /// @param state behind all phases @param books receives it
    void StoreLinks(const State& state, LinkBooks& books) const;
    /// @param state behind all phases @return as Result
    int64_t GetLastHead(const State& state) const;
    /// @param starts of the members @param state of the links @return whether all ends can be
    /// counted
    bool IsCountable(const std::vector<int64_t>& starts, const State& state) const;

    std::shared_ptr<const CollectivePlan> m_plan; ///< the collective
    std::vector<uint32_t> m_members;              ///< ranks
    std::vector<Level> m_levels;                  ///< by level of the plan
    std::vector<std::vector<Row>> m_rows;         ///< by phase, of distinct chunks
    std::vector<uint32_t> m_rowsOf;               ///< by chunk: its entry of m_rows
    bool m_isOrdered{true};                       ///< as IsOrdered
    uint64_t m_nMessages{0};                      ///< as GetNMessages
    int64_t m_longestPs{0};                       ///< a time that all phases together do not exceed
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PHASE_RECURRENCE_H
