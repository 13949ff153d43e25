/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINE_PROGRAM_H
#define ML_CLUSTER_LINE_PROGRAM_H

#include "collective-algorithm.h"

#include "ns3/link-graph.h"
#include "ns3/link-queue.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One phase of a chunk on one line, that is on the members that differ in one dimension only, as a
 * recurrence: when each member ends, from when each begins and what their links are busy with.
 *
 * The schedules of all members become one list of instructions in which every step stands behind
 * the steps it waits for and behind the steps that send what those receive; the sends of steps that
 * are equally deep go first sends first, then hop by hop. With d the endpoint delay, a step s and
 * a message that crosses the links k = 1, 2, ... of its route:
 *
 *     start(s) = max of end(a) over the steps a it waits for; begin + d if there are none
 *     head_1 = start(s), start_k = max(head_k, free_k), free_k = start_k + bytes / rate_k,
 *     tail_k = max(free_k, tail_(k-1) + latency), head_(k+1) = start_k + latency
 *     end(s) = max(start(s), tail + latency of each message it receives) + d + local work
 *     end = max of all end(s) and tail_1
 *
 * This is what CollectiveExecutor and AnalyticalChannel do, if the messages of each link come in
 * the order of the list. That is certain if every link is used by one chain of steps, each of which
 * waits for the one before, and no message crosses two links (IsOrdered): a ring on a Ring, direct
 * on a FullyConnected. It does not matter in a barrier, whose messages have no bytes. Else Run
 * checks it: the heads may not go back in time, and two chains may not meet at the same moment.
 */
class LineProgram
{
  public:
    /// What a link is busy with, and the last message that came to it.
    struct LinkState
    {
        LinkQueue queue;        ///< what it has to send
        int64_t lastHead{-1};   ///< when the last message came, ps
        uint32_t lastChain{0};  ///< its chain of steps
        bool lastIsEmpty{true}; ///< whether it had no bytes

        /// @param head when the next message comes, ps @param chain its chain of steps @param
        /// isEmpty whether it has no bytes @return whether it is known to come after the last
        bool Follow(int64_t head, uint32_t chain, bool isEmpty);
    };

    /// What a phase sends over one link.
    struct LinkLoad
    {
        uint64_t bytes{0}; ///< of all messages
        int64_t busyPs{0}; ///< time they hold it, ps
    };

    /**
     * @param algorithm how
     * @param request what to do; no kind that has a root
     * @param peers the members of one line, by position; other lines of the dimension are alike
     * @param graph the network
     * @param delayPs endpoint delay, ps
     * @throw InputError if schedules do not fit together
     */
    LineProgram(const CollectiveAlgorithm& algorithm,
                const CollectiveRequest& request,
                const std::vector<uint32_t>& peers,
                const LinkGraph& graph,
                int64_t delayPs);

    /**
     * @param times when each member begins, by position, ps; receives when it ends
     * @param links of the line, as GetLinks orders them; receive what the phase adds
     * @param cells memory for the run, kept to be used again
     * @return whether the order of the messages is known; if not, times and links are worthless
     */
    bool Run(int64_t* times, LinkState* links, std::vector<int64_t>& cells) const;

    /// @return whether the order of messages is known whenever the members begin
    bool IsOrdered() const;
    uint64_t GetNMessages() const; ///< @return messages sent
    int64_t GetLongestPs() const;  ///< @return a time it does not exceed; the largest if unknown
    const std::vector<LinkLoad>& GetLoads() const; ///< @return by link, as GetLinks orders them

    /// @param peers the members of a line, by position @param graph the network @return the line's
    /// links, in the same order on all lines of a dimension
    static std::vector<uint32_t> GetLinks(const std::vector<uint32_t>& peers,
                                          const LinkGraph& graph);

  private:
    friend class LineCompiler;

    // The first cells: one that stays 0, one that nobody reads, then two for each member.
    static constexpr uint32_t ZERO_CELL = 0;  ///< always 0
    static constexpr uint32_t SPARE_CELL = 1; ///< for what nobody needs

    /// @param position of a member @return the cell of when its first steps start
    static constexpr uint32_t GetEntryCell(uint32_t position)
    {
        return 2 + 2 * position;
    }

    /// @param position of a member @return the cell of its last event
    static constexpr uint32_t GetEndCell(uint32_t position)
    {
        return GetEntryCell(position) + 1;
    }

    /// An end that a step waits for: a cell and what is to be added.
    struct Wait
    {
        uint32_t cell;    ///< holds a time
        int64_t offsetPs; ///< from then on
    };

    /// A step starts; its two cells hold its last event, then its start.
    struct Begin
    {
        uint32_t cell;    ///< the first of the two
        uint32_t endWait; ///< behind its last entry of m_waits; the first follows the step before
    };

    /// A message crosses a link.
    struct Hop
    {
        uint32_t head;      ///< cell: when its head comes
        uint32_t left;      ///< cell: receives when its tail has left the link
        uint32_t arrived;   ///< cell: receives when its tail has crossed it
        uint32_t link;      ///< of the line
        int64_t durationPs; ///< time it holds the link
    };

    /// What else belongs to a hop if a message can cross several links, or must be checked.
    struct Transit
    {
        uint32_t tail;  ///< cell: when its tail comes
        uint32_t next;  ///< cell: receives when its head has crossed the link
        uint32_t chain; ///< chain of steps of the sender
    };

    /// Equally deep steps: they start, then their messages go.
    struct Level
    {
        uint32_t endBegin; ///< behind its last entry of m_begins
        uint32_t endHop;   ///< behind its last entry of m_hops
    };

    /// A member's last steps.
    struct Leaf
    {
        uint32_t position; ///< the member
        Wait wait;         ///< end of a step for which none waits
    };

    /// @param cells as Run, with the members' times filled in @param links as Run @return as Run
    template <bool IS_ORDERED>
    bool RunLevels(int64_t* cells, LinkState* links) const;

    uint32_t m_size;                 ///< members
    int64_t m_delayPs;               ///< endpoint delay
    int64_t m_latencyPs{0};          ///< of each link
    bool m_isOrdered{true};          ///< as IsOrdered
    uint64_t m_nMessages{0};         ///< sent
    int64_t m_longestPs{0};          ///< as GetLongestPs
    uint32_t m_nCells{0};            ///< memory for times
    std::vector<Level> m_levels;     ///< one after the other
    std::vector<Begin> m_begins;     ///< by level
    std::vector<Wait> m_waits;       ///< by entry of m_begins
    std::vector<Hop> m_hops;         ///< by level
    std::vector<Transit> m_transits; ///< by entry of m_hops
    std::vector<Leaf> m_leaves;      ///< by position
    std::vector<LinkLoad> m_loads;   ///< by link
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINE_PROGRAM_H
