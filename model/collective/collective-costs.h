/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_COSTS_H
#define ML_CLUSTER_COLLECTIVE_COSTS_H

#include "collective-plan.h"

#include "ns3/count-range.h"
#include "ns3/link-graph.h"
#include "ns3/message-costs.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// What a collective costs to simulate, over all its members. @ingroup ml-cluster
struct CollectiveCost
{
    CountRange events;     ///< simulator events
    LargeCount messages;   ///< sent
    LargeCount packets;    ///< these are cut into; 0 if the network has none
    LargeCount packetHops; ///< links that packets cross, acknowledgements left out

    /// @param other is added @return this
    CollectiveCost& operator+=(const CollectiveCost& other);
};

/**
 * @ingroup ml-cluster
 * What collectives cost to simulate: counted from the schedules that CollectiveExecutor runs, which
 * says where there are events, and from the MessageCosts of the network. On each member a phase of
 * a chunk causes
 *
 * - one event if there is an endpoint delay, and one more for each message that it receives;
 * - one for each reduction that takes time, unless that delay has counted it already, and one for
 *   each step with local work;
 * - one when its last message has left, if all else has ended before and the network has told when
 *   that will be: always if it receives nothing, never if it sends nothing, else at most one;
 *
 * and a switch that reduces one for each set of messages.
 *
 * Collectives that can be computed phase by phase (PhaseRecurrence::WhyNot) cost one event for each
 * member then; at most they cost what their messages do, and one more for members that meet.
 * Expected is that they are computed.
 *
 * Lines of a dimension are alike, as are groups that lie alike, and equal requests are counted
 * once.
 */
class CollectiveCosts
{
  public:
    /// What ranks do that run collectives.
    struct Ranks
    {
        bool hasEndpointDelay; ///< whether there is an endpoint delay
        bool hasReductions;    ///< whether reductions take time
    };

    /// @param graph the network @param messages costs of messages; outlive this @param ranks what
    /// they do
    CollectiveCosts(std::shared_ptr<const LinkGraph> graph,
                    const MessageCosts& messages,
                    const Ranks& ranks);

    /// What a member needs for a chunk phase, at most.
    struct Load
    {
        uint64_t peers{0};    ///< members that it sends to
        uint64_t steps{0};    ///< of its schedule
        uint64_t receives{0}; ///< of its schedule
        uint64_t sends{0};    ///< that it begins with

        /// @param other another @return the larger of both, for each part
        Load GetLarger(const Load& other) const;
    };

    /// @param plan a collective; outlives this @return what it costs, counted once
    const CollectiveCost& Get(const CollectivePlan& plan);

    /**
     * The network looks the same from each rank.
     * @param ranks some
     * @param topology shape
     * @return ranks that lie to rank 0 as these do to the first
     */
    static std::vector<uint32_t> Translate(const std::vector<uint32_t>& ranks,
                                           const ClusterTopology& topology);

    /// @return what a member needs on each dimension of the topology, all collectives counted; one
    /// more for groups that keep to none
    const std::map<uint32_t, Load>& GetLoads() const;

  private:
    /// What lines have equal costs by: algorithm, dimension of the topology, members as from rank 0
    /// if they do not keep to it, and request.
    using Key =
        std::tuple<const CollectiveAlgorithm*, uint32_t, std::vector<uint32_t>, CollectiveRequest>;

    /// @param plan a collective @return what it costs by messages
    CollectiveCost Count(const CollectivePlan& plan);
    /// @param plan a collective @param level of it @return a member of each line, at position 0
    static std::vector<uint32_t> FindLines(const CollectivePlan& plan, uint32_t level);
    /// @param plan a collective @param rank first of a line @param chunk index @param phase index
    /// @param isAlike whether all lines of the dimension are @return what the line's phase costs
    CollectiveCost CountLine(const CollectivePlan& plan,
                             uint32_t rank,
                             uint32_t chunk,
                             uint32_t phase,
                             bool isAlike);
    /// @param algorithm how @param request what @param peers by position, then the switch @param
    /// load receives what a member needs @return what the line costs
    CollectiveCost CountPhase(const CollectiveAlgorithm& algorithm,
                              const CollectiveRequest& request,
                              const std::vector<uint32_t>& peers,
                              Load& load) const;
    /// @param schedule of a member @return what that needs
    static Load GetLoad(const RankSchedule& schedule);
    /// @param schedule of a member @param position of it @param peers by position @param cost
    /// receives what it sends
    void AddSends(const RankSchedule& schedule,
                  uint32_t position,
                  const std::vector<uint32_t>& peers,
                  CollectiveCost& cost) const;
    /// @param schedule of a member @param position of it @return events of what it receives and
    /// works on
    CountRange CountReceives(const RankSchedule& schedule, uint32_t position) const;
    /// @param schedule of a member @param position of it @return events of its messages' leaving
    CountRange CountLeaving(const RankSchedule& schedule, uint32_t position) const;
    /// @param plan a collective @param byMessages what that costs @return what it costs where it
    /// may be computed
    CountRange CountComputed(const CollectivePlan& plan, const CountRange& byMessages) const;

    std::shared_ptr<const LinkGraph> m_graph;                          ///< network
    const MessageCosts& m_messages;                                    ///< costs of messages
    Ranks m_ranks;                                                     ///< what they do
    std::map<Key, CollectiveCost> m_lines;                             ///< counted so far
    std::map<uint32_t, Load> m_loads;                                  ///< by dimension
    std::unordered_map<const CollectivePlan*, CollectiveCost> m_plans; ///< counted so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_COSTS_H
