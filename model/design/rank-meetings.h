/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_MEETINGS_H
#define ML_CLUSTER_RANK_MEETINGS_H

#include "graph-outline.h"
#include "meeting-traffic.h"

#include "ns3/cluster-workload.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which ranks of a workload meet: those whose channels (GraphOutline) are the two ends of the same
 * messages, or in whose channels the same collectives are. With a mask of dimensions only members
 * that differ in these dimensions meet, unless their group is flat.
 */
class RankMeetings
{
  public:
    /// A rank's part in a meeting.
    struct Use
    {
        uint32_t rank;    ///< a rank
        uint32_t channel; ///< index of its channel
    };

    /// Ranks that meet.
    struct Meeting
    {
        std::vector<Use> uses; ///< who, by rank; of messages the sender first
        uint32_t traffic{0};   ///< index of what they send; equal ones have one
        uint32_t nExpected{0}; ///< ranks that should meet
    };

    using Outlines = std::vector<std::shared_ptr<const GraphOutline>>; ///< by rank

    /**
     * @param workload the workload, checked
     * @param topology the shape, of as many ranks
     * @param outlines of the ranks' graphs
     * @param parts what a group that is a part of a block has of a dimension's bandwidth
     * @throw InputError if ranks do not fit together or into the topology
     */
    RankMeetings(const ClusterWorkload& workload,
                 const ClusterTopology& topology,
                 const Outlines& outlines,
                 PartBandwidth parts);

    const std::vector<Meeting>& Get() const; ///< @return all
    /// @param rank a rank @return per channel index of its meeting
    const std::vector<uint32_t>& GetOf(uint32_t rank) const;
    /// @param meeting one of all @return what its members send
    const MeetingTraffic& GetTraffic(const Meeting& meeting) const;

  private:
    /// A communicator group with a mask of dimensions.
    struct Scope
    {
        std::unique_ptr<CollectiveGroup> group; ///< where it lies
        uint32_t traffic;                       ///< index of what its members send
        std::map<uint32_t, uint32_t> meetings;  ///< by rank
    };

    /// @param rank a rank @param channel of collectives @return index of their meeting
    uint32_t FindGroup(uint32_t rank, const GraphOutline::Channel& channel);
    /// @param rank a rank @param channel of messages @return index of their meeting
    uint32_t FindMessages(uint32_t rank, const GraphOutline::Channel& channel);
    /// @param group a group @param rank a member @return the members that it meets
    static std::vector<uint32_t> FindMembers(const CollectiveGroup& group, uint32_t rank);
    /// @param traffic what is sent @return its index
    uint32_t AddTraffic(const MeetingTraffic& traffic);
    /// @param outlines by rank @throw InputError if any meeting lacks a rank or a node
    void Check(const Outlines& outlines) const;

    const ClusterWorkload& m_workload;                                   ///< the workload
    const ClusterTopology& m_topology;                                   ///< the shape
    PartBandwidth m_parts;                                               ///< see the constructor
    std::vector<Meeting> m_meetings;                                     ///< all
    std::vector<std::vector<uint32_t>> m_of;                             ///< by rank and channel
    std::vector<MeetingTraffic> m_traffic;                               ///< distinct ones
    std::map<MeetingTraffic, uint32_t> m_trafficNumbers;                 ///< indices of them
    std::map<std::pair<std::string, std::vector<bool>>, Scope> m_scopes; ///< by group and mask
    std::map<std::tuple<uint32_t, uint32_t, uint64_t>, uint32_t> m_messages; ///< by ends and tag
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_MEETINGS_H
