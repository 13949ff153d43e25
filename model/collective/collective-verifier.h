/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_VERIFIER_H
#define ML_CLUSTER_COLLECTIVE_VERIFIER_H

#include "collective-algorithm.h"
#include "collective-layout.h"
#include "schedule-graph.h"

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What was found about the schedules of a collective.
 */
struct CollectiveProof
{
    /// What is wrong, whole sentences that name member, step and peer; empty: proven right.
    std::vector<std::string> violations;
    /// Whether it was shown what every member ends with. Else the schedules do not say what they
    /// carry, and only necessary conditions were checked.
    bool isOwnershipProven{false};
    uint32_t size{0};                ///< members
    std::vector<uint64_t> pairBytes; ///< bytes from member a to b, at a * size + b
    std::vector<uint64_t> nMessages; ///< messages, likewise
    uint32_t depth{0};               ///< messages in the longest chain of messages

    /// @param member a member @return bytes it sends to others
    uint64_t GetBytesSent(uint32_t member) const;
    /// @param member a member @return bytes it receives from others
    uint64_t GetBytesReceived(uint32_t member) const;
    /// @param member a member @return messages it sends to others
    uint64_t GetNMessagesSent(uint32_t member) const;
};

/**
 * @ingroup ml-cluster
 * Proves that the schedules of all members perform a collective, whatever algorithm they are from:
 *
 * - sends and receives match one to one, in peer, tag, bytes and number of parts;
 * - no member can get stuck, in whatever order messages arrive (see ScheduleGraph);
 * - the result does not depend on timing (see FindRaces);
 * - ownership moved through the steps ends, on each member, in exactly what the collective
 *   promises: the right part of the data, with every contribution once. A value is a part of the
 *   data and the set of members whose contributions are summed up in it; a message carries the
 *   values its sender has when the step starts; a reduction needs values of the same part and
 *   disjoint sets.
 *
 * A barrier holds no data: it is proven by each member's end being behind every member's start.
 * Schedules that do not say what they carry (transfers of bytes without parts) get what can be
 * told without: that every member whose result needs the data of others ends behind messages that
 * lead there from each of them, and receives at least as many bytes as it needs (all-reduce,
 * reduce, broadcast: the buffer; reduce-scatter, scatter: its piece; all-gather, gather: all pieces
 * but its own; all-to-all: its piece from each other member).
 *
 * Left out: the arithmetic itself, such as the order of floating-point sums.
 */
class CollectiveVerifier
{
  public:
    /// Violations that are listed; the last sentence says how many others there are.
    static constexpr std::size_t MAX_VIOLATIONS = 20;

    /**
     * @param request what is promised
     * @param schedules of all members, by position, and of the switch in which they meet, if the
     *        layout has places there
     * @param layout where their transfers read and write
     * @return what was found
     */
    static CollectiveProof Verify(const CollectiveRequest& request,
                                  const std::vector<RankSchedule>& schedules,
                                  const CollectiveLayout& layout);

    /**
     * @param algorithm builds the schedules of all members and the layout
     * @param request what to do; the algorithm's WhyNot must be ""
     * @return what was found
     */
    static CollectiveProof Verify(const CollectiveAlgorithm& algorithm,
                                  const CollectiveRequest& request);

  private:
    /// @param schedules of all members @param layout places @param violations receives requests and
    /// transfers that are out of range @return whether there is none
    static bool CheckRanges(const std::vector<RankSchedule>& schedules,
                            const CollectiveLayout& layout,
                            std::vector<std::string>& violations);
    /// @param graph the schedules @param proof receives bytes and messages
    static void Count(const ScheduleGraph& graph, CollectiveProof& proof);
    /// @param request what is promised @param graph the schedules @param violations receives
    /// members that end without a message from one whose data they need
    static void CheckFlow(const CollectiveRequest& request,
                          const ScheduleGraph& graph,
                          std::vector<std::string>& violations);
    /// @param request what is promised @param proof what was counted; receives members that
    /// receive too few bytes
    static void CheckBytes(const CollectiveRequest& request, CollectiveProof& proof);
};

/**
 * @ingroup ml-cluster
 * @param proof of a collective
 * @param topology the shape
 * @param ranks of the members, by position
 * @return bytes that cross each dimension, innermost first: those between ranks that differ in its
 * digit; a pair that differs in several dimensions counts in each; messages to and from a switch in
 * which members meet are left out
 */
std::vector<uint64_t> GetBytesPerDimension(const CollectiveProof& proof,
                                           const ClusterTopology& topology,
                                           const std::vector<uint32_t>& ranks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_VERIFIER_H
