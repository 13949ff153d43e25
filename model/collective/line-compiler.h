/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINE_COMPILER_H
#define ML_CLUSTER_LINE_COMPILER_H

#include "line-program.h"
#include "shared-schedule.h"

#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes the list of instructions of a LineProgram.
 */
class LineCompiler
{
  public:
    /// @param program receives the instructions @param algorithm how @param request what @param
    /// peers the members @param graph the network
    LineCompiler(LineProgram& program,
                 const CollectiveAlgorithm& algorithm,
                 const CollectiveRequest& request,
                 const std::vector<uint32_t>& peers,
                 const LinkGraph& graph);

    void Compile(); ///< Fills the program in.

  private:
    /// A step of a member.
    struct Step
    {
        uint32_t position;   ///< the member
        uint32_t index;      ///< in its schedule
        uint32_t chain;      ///< of steps, each of which waits for the one before
        uint32_t level{0};   ///< steps and messages before it
        uint32_t waiting{0}; ///< steps and messages not placed yet
    };

    /// A crossing, and what decides its place in the list.
    struct Crossing
    {
        uint32_t level;               ///< of the step that sends
        uint32_t send;                ///< place among the sends of its step
        uint32_t hop;                 ///< place on the route
        uint32_t position;            ///< sender
        LineProgram::Hop what;        ///< instruction
        LineProgram::Transit transit; ///< the rest of it

        /// @param o another @return whether this comes first
        bool operator<(const Crossing& o) const
        {
            return std::tie(level, send, hop, position, what.head) <
                   std::tie(o.level, o.send, o.hop, o.position, o.what.head);
        }
    };

    void AddSteps(); ///< Lists the steps of all members, and finds their chains.
    /// @param step index of a step @return the step of the receiver for each of its sends
    std::vector<uint32_t> FindReceivers(uint32_t step) const;
    /// @param step index of a step @return the steps of its member that wait for it
    std::vector<uint32_t> FindChildren(uint32_t step) const;
    void FindLaterSteps(); ///< Finds which steps stand behind which.
    void FindLevels();     ///< Sorts the steps by level.
    void AddBegins();      ///< Writes the starts of steps, and the last steps.
    void AddMessages();    ///< Writes the messages.
    void FindOrder();      ///< Finds whether links are used by one chain each.
    void AddLoads();       ///< Adds up what goes over links, and how long all takes.
    /// @param step index of a step @return its schedule's entry
    const RankSchedule::Step& GetEntry(uint32_t step) const;
    /// @param step index of a step @return the cell of its last event; its start stands behind it
    uint32_t GetCell(uint32_t step) const;
    /// @param step index of a step @return its end
    LineProgram::Wait GetWait(uint32_t step) const;
    /// @param step index of the step that sends @param send place among its sends @param receiver
    /// index of the step that receives
    void AddMessage(uint32_t step, uint32_t send, uint32_t receiver);

    LineProgram& m_program;                            ///< to be filled in
    const std::vector<uint32_t>& m_peers;              ///< members
    const LinkGraph& m_graph;                          ///< network
    std::vector<SharedSchedule> m_schedules;           ///< by position
    std::vector<uint32_t> m_firstStep;                 ///< by position
    std::vector<Step> m_steps;                         ///< of all members
    std::vector<std::vector<uint32_t>> m_receivers;    ///< by step and send
    std::vector<std::vector<uint32_t>> m_later;        ///< steps that stand behind a step
    std::vector<uint32_t> m_sorted;                    ///< steps by level
    std::vector<Crossing> m_crossings;                 ///< all
    std::unordered_map<uint32_t, uint32_t> m_linkSlot; ///< place in the line by link
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINE_COMPILER_H
