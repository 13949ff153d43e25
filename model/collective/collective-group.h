/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_GROUP_H
#define ML_CLUSTER_COLLECTIVE_GROUP_H

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a user should know of how a collective runs.
 */
struct CollectiveRemark
{
    std::string subject; ///< what it is about, such as "the group of ranks 0, 1"
    std::string text;    ///< what is so and what is done, equal for equal causes
};

/**
 * @ingroup ml-cluster
 * How the members of a communicator group lie in the topology: the levels over which a collective
 * is composed, and who meets whom on each.
 *
 * A sub-box (in each dimension all digits or one) has a level for each dimension in which digits
 * vary; a member's position is its digit, whatever the order of the group. It is told by its size:
 * distinct ranks that differ in some dimensions only fill the box of these dimensions if there are
 * as many as it holds. A grid is likewise of several dimensions, of which those that are no Ring
 * may have some digits only: a member's position is the place of its digit among these. Any other
 * group is flat: one logical level over all members in group order, inside one block or across
 * blocks. Nothing is stored per member of a sub-box or grid.
 *
 * A part of a block has only what lies between its members: g - 1 of the n - 1 links of a
 * FullyConnected; of a Ring the real routes between members next to each other in group order, in
 * which the most used link carries m messages where a ring of its own would carry one, so 1 / m of
 * the bandwidth; of a Switch all.
 */
class CollectiveGroup
{
  public:
    /// A level of the composition.
    struct Level
    {
        uint32_t dimension; ///< of the topology; its GetNDimensions for a flat group across blocks
        uint32_t size;      ///< members that meet, at least 2
        std::vector<uint32_t> digits{}; ///< of a grid: those they have, ascending; none: all
    };

    /// How far apart two members of a level are, at best.
    struct Distance
    {
        int64_t latencyPs; ///< of all links between them, ps
        uint64_t bitRate;  ///< what one member can send, bit/s
    };

    /**
     * @param topology the shape
     * @param ranks members in group order
     * @param involved per topology dimension, whether it takes part; a missing entry means yes,
     *        entries beyond the topology must be yes like all others; not applied to a flat group
     * @param isFlat whether a sub-box or grid is to be taken for a flat group
     * @throw InputError if the group is empty, has a rank twice or one the topology has not, or if
     *        the mask does not fit
     */
    CollectiveGroup(const ClusterTopology& topology,
                    std::vector<uint32_t> ranks,
                    const std::vector<bool>& involved,
                    bool isFlat = false);

    const std::vector<uint32_t>& GetRanks() const; ///< @return members in group order
    const std::vector<Level>& GetLevels()
        const; ///< @return levels, innermost first; none if nobody meets
    /// @param level index @return its building block; none for a flat group across blocks
    std::optional<BuildingBlock> GetBlock(uint32_t level) const;
    /// @param level index @return what the switches of its dimension do; nothing if there is none
    InNetworkCapability GetInNetwork(uint32_t level) const;
    /// @param level index @return whether its members are not all of a block
    bool IsPart(uint32_t level) const;
    /// @param level index @return the part of its bandwidth that lies between members, as a
    /// fraction
    std::pair<uint32_t, uint32_t> GetShare(uint32_t level) const;
    /// @param rank a member @param level in a Switch dimension @return number of the switch there
    uint32_t GetSwitch(uint32_t rank, uint32_t level) const;
    /// @param level index @return "dimension 1, Switch(8)" or "a group across dimensions"
    std::string Describe(uint32_t level) const;
    /// @param level index @return the distance; across blocks, latencies add up and the slowest
    /// dimension counts
    Distance GetDistance(uint32_t level) const;
    /// @param rank a member @param level index @return ranks that meet on this level, by position
    std::vector<uint32_t> GetPeers(uint32_t rank, uint32_t level) const;
    /// @param rank a member @param level index @return its position among GetPeers
    uint32_t GetPosition(uint32_t rank, uint32_t level) const;
    uint32_t GetFirstMember() const; ///< @return a member at position 0 on all levels
    const std::vector<CollectiveRemark>& GetRemarks()
        const;                       ///< @return why the group is flat, if it is
    uint64_t GetMemoryBytes() const; ///< @return memory that it takes beside itself

  private:
    /// @param involved the mask; checks it and the ranks
    void Check(const std::vector<bool>& involved) const;
    /// @return dimensions in which the members differ
    std::vector<uint32_t> FindVaryingDimensions() const;
    /// @param varying dimensions in which members differ @return ranks of the box they span
    uint64_t CountBox(const std::vector<uint32_t>& varying) const;
    /// @param varying dimensions in which members differ @return the levels of a sub-box or grid
    /// of them; none if they are none
    std::vector<Level> FindLevels(const std::vector<uint32_t>& varying) const;
    /// @param varying dimensions in which members differ; makes the one level
    void MakeFlat(const std::vector<uint32_t>& varying);
    /// @param isMasked whether the mask leaves out a dimension in which members differ; tells how
    /// a group that is no sub-box runs, and what that costs
    void AddRemarks(bool isMasked);
    /// @return messages on the most used link if each member of a flat group inside a Ring sends
    /// one to both neighbours in group order
    uint32_t CountMessagesPerLink() const;

    ClusterTopology m_topology;                            ///< shape
    std::vector<uint32_t> m_ranks;                         ///< members in group order
    std::vector<Level> m_levels;                           ///< innermost first
    std::unordered_map<uint32_t, uint32_t> m_flatPosition; ///< place in the group by rank, if flat
    uint32_t m_messagesPerLink{1}; ///< of a flat group inside a Ring: messages that share a link
    std::vector<CollectiveRemark> m_remarks; ///< for the user
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_GROUP_H
