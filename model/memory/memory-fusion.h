/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_FUSION_H
#define ML_CLUSTER_MEMORY_FUSION_H

#include "memory-pool-access.h"
#include "memory-role.h"

#include "ns3/cluster-workload.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Why a memory access and a collective beside it are not one access in the switches of a pool, in
/// the order of the tests: the first that fails counts. @ingroup ml-cluster
enum class FusionObstacle : uint8_t
{
    None,         ///< nothing: they are fused
    Dependencies, ///< the second waits for other nodes too
    Children,     ///< other nodes wait for the first too
    Stream,       ///< one runs on a stream, and the other is not its neighbour there
    Dimensions,   ///< the collective leaves out dimensions of the network
    OneRank,      ///< the group has one member
    Parts,        ///< no bytes, or not those that one member gives to the gather or gets of the sum
    Block,        ///< the group is no block of consecutive nodes times consecutive GPUs of the pool
    Members,      ///< some member has not the same two nodes there
    Unequal,      ///< a collective without bytes, or of unequal sizes
    Disabled      ///< it is not wanted
};

/// @ingroup ml-cluster
/// @param obstacle why two nodes are not fused @return it in words, "the second waits for other
/// nodes too"
std::string ToString(FusionObstacle obstacle);

/// Collectives that the links of a memory pool carry. @ingroup ml-cluster
enum class PoolCollectives : uint8_t
{
    None,     ///< none
    AllToAll, ///< all-to-alls of equal sizes
    All       ///< these, all-reduces, all-gathers and reduce-scatters
};

/**
 * @ingroup ml-cluster
 * Finds what the switches of a memory pool can do in one access, before time starts: a memory load
 * followed by the all-gather of what is loaded, and a reduce-scatter followed by the memory store
 * of the sum. Neither may be needed by itself: the second node waits for the first alone, and
 * nothing else for the first. All members of the group must have such a pair at the same place in
 * the order of the group's collectives; otherwise none of them is fused.
 *
 * With n members an all-gather of s bytes (the part of each) fits loads of s bytes, a
 * reduce-scatter of n s bytes (the whole) fits stores of s bytes; the access moves n s bytes of
 * memory once. Every memory node is taken to access the pool.
 *
 * Collectives that are in no such pair can be carried by the pool's links as a direct exchange, if
 * they take part in all dimensions and their group is a block. Each of n members sends (n - 1) / n
 * of its buffer of an all-to-all or reduce-scatter, twice that of an all-reduce, and n - 1 times
 * its part of an all-gather.
 */
class MemoryFusion
{
  public:
    using Role = MemoryRole; ///< what a node is

    /// A node, as fusion sees it.
    struct Part
    {
        Role role{Role::Alone}; ///< what it is
        uint32_t partner{0};    ///< position of the other node of a pair
    };

    /// Pairs, or collectives, with the same obstacle, all ranks together.
    struct Finding
    {
        uint64_t loads{0};       ///< loads with an all-gather
        uint64_t stores{0};      ///< reduce-scatters with a store
        uint64_t collectives{0}; ///< collectives by themselves
        std::string example;     ///< the first: rank and nodes
    };

    /**
     * @param workload what is to be done, without problems (see ClusterWorkload::Check); must
     *        outlive this
     * @param shape the pool, without problems; rank r is GPU r
     * @param isEnabled whether to fuse at all; if not, pairs that could be are Disabled
     * @param carried collectives that the pool's links carry
     */
    MemoryFusion(const ClusterWorkload& workload,
                 const MemoryPoolShape& shape,
                 bool isEnabled,
                 PoolCollectives carried = PoolCollectives::None);

    /// @param rank a rank @param index position of a node in its graph @return its part
    Part GetPart(uint32_t rank, uint32_t index) const;

    /**
     * @param rank a rank
     * @param index position of a node of it that is not Alone
     * @return the access of all members of the group, a block of as many copies as GPUs, or their
     * exchange
     * @throw InputError if its bytes cannot be counted
     */
    MemoryPoolAccess GetAccess(uint32_t rank, uint32_t index) const;

    /// @param rank a rank @param index position of a node of it that is not Alone @return what
    /// all nodes of the same access have in common, and no others: group and ordinal of the
    /// collective
    std::pair<std::string, uint32_t> GetMeeting(uint32_t rank, uint32_t index) const;

    /// @return all pairs by what keeps them from being fused; None: those that are
    const std::map<FusionObstacle, Finding>& GetFindings() const;
    /// @return collectives that were to be carried by what keeps them from it; None: those that are
    const std::map<FusionObstacle, Finding>& GetCarried() const;

    /// @param os receives a line for each finding: how many, obstacle and example; none if there
    /// are none
    void Print(std::ostream& os) const;

  private:
    /// An access and a collective that follow each other, or a collective that is to be carried.
    struct Pair
    {
        uint32_t first;          ///< position
        uint32_t second;         ///< position; the same if it is one node
        FusionObstacle obstacle; ///< what the graph alone shows
    };

    /// What is known of a collective on all its members.
    struct Agreement
    {
        std::size_t nMembers{0}; ///< with a pair there
        bool isStore{false};     ///< of the first of them
        uint64_t bytes{0};       ///< of their access, of the first of them
        bool differs{false};     ///< whether another has others
    };

    /// By group and ordinal of the collective.
    using Agreements = std::map<std::pair<std::string, uint32_t>, Agreement>;
    /// Of the pairs of a rank.
    using Obstacles = std::vector<FusionObstacle>;

    /// @param graph a graph @return its pairs, and the collectives that are to be carried behind
    /// them
    std::vector<Pair> FindPairs(const ExecutionGraph& graph) const;
    /// @param graph a graph @param index of a node @return what stands against its dimensions
    static FusionObstacle FindDimensions(const ExecutionGraph& graph, uint32_t index);
    /// @param rank a rank @param index position of a collective @return what stands against its
    /// group
    FusionObstacle FindGroup(uint32_t rank, uint32_t index);
    /// @param graph a graph @param first of a pair @param second of it @return what stands against
    /// it whatever the group
    static FusionObstacle FindObstacle(const ExecutionGraph& graph,
                                       uint32_t first,
                                       uint32_t second);

    /// @param rank a rank @param pair one of it @return what stands against it on this rank
    FusionObstacle FindObstacle(uint32_t rank, const Pair& pair);
    /// @param rank a rank @param pair one of it that nothing stands against @param agreements
    /// receives it
    void Agree(uint32_t rank, const Pair& pair, Agreements& agreements) const;
    /// @param rank a rank @param pair one of it @param agreements of all ranks @return whether all
    /// members have it
    bool IsAgreed(uint32_t rank, const Pair& pair, const Agreements& agreements) const;
    /// @param rank a rank @param pair one of it @param obstacle why it is not fused
    void Count(uint32_t rank, const Pair& pair, FusionObstacle obstacle);
    /// @param rank a rank @param pair one of it @return the position of its collective
    uint32_t GetCollective(uint32_t rank, const Pair& pair) const;
    /// @param rank a rank @param pair one of it @return group and ordinal of its collective
    std::pair<std::string, uint32_t> GetKey(uint32_t rank, const Pair& pair) const;
    /// @param nNodes of the graph @param pairs of it @param obstacles of the pairs @return parts
    static std::vector<Part> MakeParts(uint32_t nNodes,
                                       const std::vector<Pair>& pairs,
                                       const Obstacles& obstacles);

    const ClusterWorkload& m_workload;                               ///< what is to be done
    MemoryPoolShape m_shape;                                         ///< the pool
    PoolCollectives m_carries;                                       ///< collectives to carry
    std::map<std::string, std::optional<MemoryPoolAccess>> m_blocks; ///< by group
    std::map<const ExecutionGraph*, std::vector<Pair>> m_pairs;      ///< per distinct graph
    std::vector<std::shared_ptr<const std::vector<Part>>> m_parts;   ///< per rank
    std::map<FusionObstacle, Finding> m_findings;                    ///< of all pairs
    std::map<FusionObstacle, Finding> m_carried;                     ///< of collectives
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_FUSION_H
