/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_GRAPH_H
#define ML_CLUSTER_SCHEDULE_GRAPH_H

#include "rank-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The schedules of all members of a group as one graph of events: every step starts and is
 * complete. A step starts behind the completion of the steps it waits for; it is complete behind
 * its start and behind the start of each step that sends it a message. Nothing else orders events
 * (the network may deliver in any order), so members can get stuck if and only if this relation has
 * a cycle, and what it leaves unordered can happen either way.
 *
 * Sends and receives are paired by (sender, receiver, tag). A transfer within a member has both
 * ends in one step.
 */
class ScheduleGraph
{
  public:
    /// A send and the receive that belongs to it.
    struct Message
    {
        uint32_t fromStep;       ///< step that sends, numbered through
        uint32_t toStep;         ///< step that receives
        const Transfer* send;    ///< as the sender has it
        const Transfer* receive; ///< as the receiver has it
    };

    /// The start or the completion of a step.
    struct Event
    {
        uint32_t step; ///< numbered through
        bool isStart;  ///< else completion
    };

    /**
     * @param schedules of all members, by position; they must outlive this
     * @param violations receives sends and receives that do not match, waits for steps that do not
     *        exist, and a cycle of steps that wait for each other
     */
    ScheduleGraph(const std::vector<RankSchedule>& schedules, std::vector<std::string>& violations);

    uint32_t GetNMembers() const; ///< @return members of the group
    uint32_t GetNSteps() const;   ///< @return steps of all members
    /// @param member a member @return number of its first step; of the number of members: GetNSteps
    uint32_t GetFirstStep(uint32_t member) const;
    /// @param step numbered through @return whose it is
    uint32_t GetMember(uint32_t step) const;
    /// @param step numbered through @return steps it waits for, numbered through
    const std::vector<uint32_t>& GetAfter(uint32_t step) const;
    const std::vector<Message>& GetMessages() const; ///< @return messages with two ends
    /// @param step numbered through @return indices of the messages it receives
    const std::vector<uint32_t>& GetReceived(uint32_t step) const;
    /// @param step numbered through @return indices of the messages it sends
    const std::vector<uint32_t>& GetSent(uint32_t step) const;
    /// @return all events in an order that can happen; fewer if members can get stuck
    const std::vector<Event>& GetOrder() const;
    /// @return messages between members in the longest chain of messages
    uint32_t GetDepth() const;
    /// @param step numbered through @return its number among those of its member
    uint32_t GetIndex(uint32_t step) const;
    /// @param step numbered through @return "member 3, step 2"
    std::string Describe(uint32_t step) const;

    /**
     * What happens before the start of each step, as a row of numbers, joined along the graph.
     * @tparam Number of a row
     * @tparam Mark see mark
     * @tparam Join see join
     * @param width numbers in a row
     * @param mark (step, isStart, row): enters the event into the row
     * @param join (a, b): the number of two rows together
     * @return rows by step, entered with its own start
     */
    template <typename Number, typename Mark, typename Join>
    std::vector<Number> Propagate(uint32_t width, const Mark& mark, const Join& join) const;

    /// Joins into a row what happens before the completion of a step. @tparam Number see Propagate
    /// @tparam Join likewise @param rows likewise @param step numbered through @param width
    /// likewise @param join likewise @param row receives it
    template <typename Number, typename Join>
    void JoinCompletion(const std::vector<Number>& rows,
                        uint32_t step,
                        uint32_t width,
                        const Join& join,
                        Number* row) const;

  private:
    /// A send or a receive.
    struct End
    {
        uint32_t from;            ///< who sends
        uint32_t to;              ///< who receives
        uint32_t step;            ///< numbered through
        bool isReceive;           ///< which end
        const Transfer* transfer; ///< as that end has it
    };

    /// Steps of one member. @param schedules of all @param member position @param violations
    /// receives waits for steps that do not exist
    void AddSteps(const std::vector<RankSchedule>& schedules,
                  uint32_t member,
                  std::vector<std::string>& violations);
    /// Pairs sends and receives. @param schedules of all @param violations receives what has no
    /// other end
    void Match(const std::vector<RankSchedule>& schedules, std::vector<std::string>& violations);
    /// @param schedules of all @return all ends; those of one message stand together, the send
    /// first
    std::vector<End> ListEnds(const std::vector<RankSchedule>& schedules) const;
    /// @param message to check @param violations receives ends that differ
    void CheckEnds(const Message& message, std::vector<std::string>& violations) const;
    /// Fills in the order. @param violations receives a cycle
    void Sort(std::vector<std::string>& violations);
    /// @param nMissing per event, those it still waits for @return a sentence about a cycle
    std::string DescribeCycle(const std::vector<uint32_t>& nMissing) const;
    /// Fills in the depth.
    void FindDepth();

    std::vector<uint32_t> m_firstSteps;            ///< by member; last entry: all steps
    std::vector<uint32_t> m_members;               ///< by step
    std::vector<std::vector<uint32_t>> m_after;    ///< by step
    std::vector<std::vector<uint32_t>> m_received; ///< by step
    std::vector<std::vector<uint32_t>> m_sent;     ///< by step
    std::vector<Message> m_messages;               ///< paired
    std::vector<Event> m_order;                    ///< events
    uint32_t m_depth{0};                           ///< messages in a chain
};

template <typename Number, typename Join>
void
ScheduleGraph::JoinCompletion(const std::vector<Number>& rows,
                              uint32_t step,
                              uint32_t width,
                              const Join& join,
                              Number* row) const
{
    const auto joinStart = [&](uint32_t other) {
        const Number* source = &rows[static_cast<std::size_t>(other) * width];
        for (uint32_t i = 0; i < width; ++i)
        {
            row[i] = join(row[i], source[i]);
        }
    };
    joinStart(step);
    for (const uint32_t message : m_received[step])
    {
        joinStart(m_messages[message].fromStep);
    }
}

template <typename Number, typename Mark, typename Join>
std::vector<Number>
ScheduleGraph::Propagate(uint32_t width, const Mark& mark, const Join& join) const
{
    std::vector<Number> rows(static_cast<std::size_t>(GetNSteps()) * width);
    for (const auto& [step, isStart] : m_order)
    {
        if (isStart)
        {
            Number* row = &rows[static_cast<std::size_t>(step) * width];
            for (const uint32_t before : m_after[step])
            {
                JoinCompletion(rows, before, width, join, row);
                mark(before, false, row);
            }
            mark(step, true, row);
        }
    }
    return rows;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_GRAPH_H
