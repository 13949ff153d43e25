/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_JOINED_GRAPHS_H
#define ML_CLUSTER_JOINED_GRAPHS_H

#include "graph-outline.h"
#include "rank-classes.h"
#include "rank-meetings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The graphs of all ranks of a workload as one, each class of ranks that run alike (RankClasses)
 * as one part of it, with what its nodes take: times, or bytes in the dimensions of a network.
 */
class JoinedGraphs
{
  public:
    /// How long a compute or memory node of a rank takes, ns.
    using NodeTime = std::function<double(uint32_t, const ExecutionNode&)>;

    /// A node.
    struct Place
    {
        uint32_t part;  ///< index of the part
        uint32_t index; ///< position in its graph
    };

    /// Nodes that are one collective, or a send and its receive, in this order.
    struct Joint
    {
        uint32_t transfer;          ///< index of what it takes
        std::vector<Place> members; ///< the nodes
        uint32_t meeting;           ///< equal for those of the same channels
    };

    /**
     * @param workload the workload, checked
     * @param topology the shape of the network
     * @param nodeTime time of compute and memory nodes
     * @param resources what runs nodes
     * @param parts what a group that is a part of a block has of a dimension's bandwidth
     * @throw InputError if ranks do not fit together or into the topology, or a time is not
     * finite or negative
     */
    JoinedGraphs(const ClusterWorkload& workload,
                 const ClusterTopology& topology,
                 const NodeTime& nodeTime,
                 const GraphOutline::Resources& resources,
                 PartBandwidth parts);

    uint32_t GetNParts() const; ///< @return number of parts
    uint64_t GetNNodes() const; ///< @return nodes of all parts
    /// @param part index @return its graph
    const std::shared_ptr<const GraphOutline>& GetOutline(uint32_t part) const;
    /// @param part index @return the rank that it is of, the first of several
    uint32_t GetRank(uint32_t part) const;
    /// @param place a node @return its number among all
    uint64_t GetNumber(const Place& place) const;
    /// @param place a node @return what runs it
    GraphOutline::Kind GetKind(const Place& place) const;
    /// @param place a compute or memory node, or one without effect @return its time, ns
    double GetTime(const Place& place) const;
    /// @param place a communication node @return index of its joint
    uint32_t GetJointNumber(const Place& place) const;
    /// @return collectives and messages
    const std::vector<Joint>& GetJoints() const;
    /// @return per transfer its loads (MeetingTraffic) in each dimension
    const std::vector<std::vector<double>>& GetTransfers() const;
    /// @return per dimension the bytes of the rank that sends most there; without rooted
    /// collectives and groups across blocks
    const std::vector<double>& GetMostBytes() const;

  private:
    using Numbers = std::vector<double>; ///< per dimension

    /// One class of ranks.
    struct Part
    {
        std::shared_ptr<const GraphOutline> outline; ///< its graph
        uint32_t rank;                               ///< the first of its ranks
        uint64_t offset;                             ///< number of its first node
    };

    /// @param resources what runs nodes @return outlines by rank, shared as graphs are
    RankMeetings::Outlines MakeOutlines(const GraphOutline::Resources& resources) const;
    /// @param rank a rank @param nodeTime time of its nodes @return it, by node
    std::vector<double> MakeTimes(uint32_t rank, const NodeTime& nodeTime) const;
    /// @param outlines by rank @param nodeTime time of nodes @param times receives, by kind, times
    /// by node @return kinds by rank, as RankClasses has them
    std::vector<uint32_t> FindKinds(const RankMeetings::Outlines& outlines,
                                    const NodeTime& nodeTime,
                                    std::vector<std::vector<double>>& times) const;
    /// @param outline of a part @param rank its first @param times by node; adds the part
    void AddPart(const std::shared_ptr<const GraphOutline>& outline,
                 uint32_t rank,
                 const std::vector<double>& times);
    /// @param meetings of ranks @param meeting one of them @param uses the classes that meet
    void AddJoints(const RankMeetings& meetings,
                   const RankMeetings::Meeting& meeting,
                   const std::vector<RankClasses::Use>& uses);
    /// @param uses ranks that meet in an all-to-all of unequal sizes @param k its place in their
    /// channels @return bytes of the busiest in each dimension
    Numbers AddUnequalBytes(const std::vector<RankMeetings::Use>& uses, std::size_t k);
    /// @param part one that sends @param bytes that it does
    void Count(uint32_t part, const Numbers& bytes);

    const ClusterWorkload& m_workload;             ///< the workload, while this is made
    const ClusterTopology& m_topology;             ///< the shape, likewise
    std::vector<uint32_t> m_classOf;               ///< part by rank
    std::vector<Part> m_parts;                     ///< by class
    std::vector<uint32_t> m_values;                ///< by node, index of its time or joint
    std::vector<double> m_times;                   ///< distinct ones, ns
    std::map<double, uint32_t> m_timeNumbers;      ///< indices of them
    std::vector<Joint> m_joints;                   ///< see GetJoints
    std::vector<Numbers> m_transfers;              ///< see GetTransfers
    std::map<Numbers, uint32_t> m_transferNumbers; ///< indices of them
    std::vector<Numbers> m_sent;                   ///< bytes by part
    Numbers m_mostBytes;                           ///< see GetMostBytes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_JOINED_GRAPHS_H
