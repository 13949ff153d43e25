/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_BOUNDS_H
#define ML_CLUSTER_COLLECTIVE_BOUNDS_H

#include "collective-type.h"

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How fast a collective can be at best, whatever the algorithm, on the dimensions of a topology
 * that a group (all ranks, or a sub-box) spans; and how much of its bandwidth a run has used.
 *
 * With N members, S bytes in the whole buffer (all pieces, see CollectiveRequest) and B_k the rate
 * of a member in dimension k:
 *
 * - Bandwidth. Cut the group into M boxes of b members, each box spanned by some of the dimensions.
 *   A box has b times the sum of the other dimensions' B_k to send, and to receive. Through that
 *   must go, of the busiest box at least: all-reduce 2 (M - 1) / M S (each byte takes 2 (M - 1)
 *   messages between boxes: the gossip problem with one-way messages; Patarasuk and Yuan, 2009, for
 *   b = 1), or S if one of the other dimensions reduces in the network; reduce-scatter and
 *   all-gather (M - 1) / M S; all-to-all b (M - 1) / M S; broadcast and reduce S; gather and
 *   scatter what is not the root box's, S less b pieces (of S; in a chunk of a scatter that is cut
 *   by itself the root's piece may be a byte larger). The largest time of all such cuts counts; b =
 *   1 gives the familiar 2 (N - 1) / N S / (sum of B_k). All-to-all moreover crosses each
 *   dimension: S times the mean distance of two members there / B_k, with n members 1 - 1 / n, on a
 *   Ring the mean of min(d, n - d) over d = 0 ... n - 1.
 * - Latency. Every member needs something of every other (of the root, or the root of each), so
 *   what the farthest pair's links have together: on a Ring floor(n / 2) links, on a FullyConnected
 *   one, on a Switch two.
 * - All-to-all of unequal sizes: what the member that sends or receives most has to pass through
 *   the sum of its B_k, and the links between the farthest two of which one sends the other
 *   something.
 * - Ideal time and utilisation (Themis, section 5): bytes that one NPU sends over all dimensions
 *   / (sum of B_k), and that divided by the time.
 *
 * Cuts along more than 16 dimensions are not all tried. Bytes and times are rounded down, so that
 * no correct simulation is faster.
 */
class CollectiveBounds
{
  public:
    /**
     * @param topology the shape
     * @param dimensions the group spans; those of one member do not count
     */
    CollectiveBounds(const ClusterTopology& topology, const std::vector<uint32_t>& dimensions);

    uint32_t GetNMembers() const;      ///< @return members of the group
    uint64_t GetMemberBitRate() const; ///< @return sum of B_k, bit/s

    /**
     * @param type operation
     * @param bytes of the whole buffer
     * @return lower bound from bandwidth, ps
     */
    int64_t GetBandwidthPs(CollectiveType type, uint64_t bytes) const;

    /**
     * @param type operation
     * @param bytes of the whole buffer; without any only a barrier takes time
     * @return lower bound from latency, ps
     */
    int64_t GetLatencyPs(CollectiveType type, uint64_t bytes) const;

    /**
     * @param matrix bytes from member i to member j at i n + j, of an all-to-all of unequal sizes
     * @return lower bound from bandwidth, ps
     */
    int64_t GetBandwidthPs(const std::vector<uint64_t>& matrix) const;

    /**
     * @param topology the shape
     * @param group ranks of the members, in the order of the matrix
     * @param matrix likewise
     * @return lower bound from latency, ps
     */
    static int64_t GetLatencyPs(const ClusterTopology& topology,
                                const std::vector<uint32_t>& group,
                                const std::vector<uint64_t>& matrix);

    /// @param bytesSent by one NPU over all dimensions @return time at the sum of B_k, ps
    int64_t GetIdealPs(uint64_t bytesSent) const;

    /// @param bytesSent by one NPU over all dimensions @param timePs it took, ps @return share of
    /// the bandwidth used, 0 to 1; 0 if it took no time
    double GetUtilisation(uint64_t bytesSent, int64_t timePs) const;

  private:
    std::vector<TopologyDimension> m_dimensions; ///< of the group
    uint32_t m_nMembers{1};                      ///< product of their sizes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_BOUNDS_H
