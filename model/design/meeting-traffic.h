/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEETING_TRAFFIC_H
#define ML_CLUSTER_MEETING_TRAFFIC_H

#include "part-bandwidth.h"

#include "ns3/collective-group.h"
#include "ns3/execution-node.h"

#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How much ranks that meet in a collective, or in a message, send in each dimension of a network.
 *
 * A collective counts as GetCollectiveTraffic has it, over the levels of its group. A flat group
 * inside a block is one level; one across blocks sends what it would send over one level in every
 * dimension in which its members differ. So does a message, which uses the links that it can: one
 * of the two of a Ring, one of the n - 1 of a FullyConnected.
 *
 * Loads are bytes over the share of the bandwidth that can be used: load / b is how long they take.
 */
class MeetingTraffic
{
  public:
    /// @param topology the shape @param group the members @param parts what a part of a block has
    MeetingTraffic(const ClusterTopology& topology,
                   const CollectiveGroup& group,
                   PartBandwidth parts);
    /// @param topology the shape @param from a rank @param to another one, to which it sends
    MeetingTraffic(const ClusterTopology& topology, uint32_t from, uint32_t to);

    /// @param node the collective or message, of parts of equal size @return bytes per dimension
    /// that the busiest member sends, or receives
    std::vector<double> GetBytes(const ExecutionNode& node) const;
    /// @param bytes per dimension @return loads
    std::vector<double> GetLoads(std::vector<double> bytes) const;
    /// @param node as above @return whether each member sends GetBytes: no root does more, and no
    /// dimension is counted that a member may spare
    bool IsSentByAll(const ExecutionNode& node) const;
    /// @param other another @return whether this comes before it in some order; equal ones count
    /// equally
    bool operator<(const MeetingTraffic& other) const;

  private:
    /// How bytes are counted.
    enum class Form
    {
        Levels, ///< level by level
        Across, ///< as one level, in all dimensions
        Message ///< whole, in all dimensions
    };

    /// @return what decides all that is counted
    auto GetKey() const
    {
        return std::tie(m_form, m_size, m_members, m_shares);
    }

    Form m_form;                     ///< see there
    uint32_t m_size{2};              ///< Across: members
    std::vector<uint32_t> m_members; ///< per dimension; Across, Message: 2 where they differ, or 1
    std::vector<double> m_shares;    ///< per dimension, part of the bandwidth, at most 1
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEETING_TRAFFIC_H
