/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_TOPOLOGY_H
#define ML_CLUSTER_CLUSTER_TOPOLOGY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Building block of a network dimension.
 */
enum class BuildingBlock
{
    Ring,           ///< each member linked to its two neighbours
    FullyConnected, ///< each member linked to every other
    Switch          ///< each member linked to one non-blocking switch
};

/**
 * @ingroup ml-cluster
 * @param block a block
 * @return "Ring", "FullyConnected" or "Switch"
 */
std::string ToString(BuildingBlock block);

/**
 * @ingroup ml-cluster
 * @param name "Ring", "FullyConnected", "Switch", or short "R", "FC", "SW"
 * @return the block, if the name is one
 */
std::optional<BuildingBlock> ParseBuildingBlock(const std::string& name);

/**
 * @ingroup ml-cluster
 * What the switches of a dimension do beside forwarding: reduce and multicast, as SHARP and NVLS do
 * (see InNetworkAlgorithm and SwitchReducer).
 */
struct InNetworkCapability
{
    bool enabled{false}; ///< whether they do; for Switch dimensions only
    int64_t processingPs{
        0};            ///< time a switch works on a chunk when all contributions are there, ps
    uint32_t slots{0}; ///< chunk phases of one collective that a member may have in flight
                       ///< there; 0: no other limit than that of all dimensions
};

/**
 * @ingroup ml-cluster
 * One level of the network: blocks of equal size in which ranks differ in one digit only.
 */
struct TopologyDimension
{
    BuildingBlock block{BuildingBlock::Switch}; ///< shape
    uint32_t size{1};                           ///< members of a block, at least 1
    uint64_t linkBitRate{0};                    ///< rate of one directed link, bit/s
    int64_t latencyPs{0};                       ///< propagation delay of one link, ps
    InNetworkCapability inNetwork{};            ///< what its switches do beside forwarding

    /// @return links a member sends on: Ring 2 (1 if size 2), FullyConnected size-1, Switch 1; 0 if
    /// size 1
    uint32_t GetLinksPerMember() const;
    /// @return links between two members next to each other: Switch 2, else 1
    uint32_t GetNHops() const;
    /// @return what one member can send in this dimension, all its links (at least 1) together,
    /// bit/s
    uint64_t GetMemberBitRate() const;
    /// @param bitRate rate of a member over all links of this dimension, bit/s; divided evenly,
    /// rounded down
    void SetMemberBitRate(uint64_t bitRate);
};

/**
 * @ingroup ml-cluster
 * The shape of a hierarchical network: dimensions of building blocks stacked on each other
 * (ASTRA-sim 2.0, section III-B). Dimension 0 is innermost; its digit of the rank varies fastest:
 * rank = sum over k of digit_k * product of the sizes below k.
 */
class ClusterTopology
{
  public:
    /**
     * @param dimensions innermost first; at least one, sizes at least 1, rates above 0,
     *        latencies and processing times from 0 to 1000 s, reduction in the network only on a
     *        Switch
     * @throw InputError otherwise, or if the number of ranks exceeds 2^31
     */
    explicit ClusterTopology(std::vector<TopologyDimension> dimensions);

    /**
     * Reads the notation of blocks and sizes, such as "Ring(4)_FullyConnected(2)_Switch(8)" or
     * "R(4)_FC(2)_SW(8)". Rates and latencies stay 0: the caller fills them in.
     * @param notation the text
     * @return dimensions, innermost first
     * @throw InputError naming the part that cannot be read and what is allowed
     */
    static std::vector<TopologyDimension> ParseNotation(const std::string& notation);

    uint32_t GetNRanks() const;      ///< @return number of ranks, the product of all sizes
    uint32_t GetNDimensions() const; ///< @return number of dimensions
    /// @param dimension index, below GetNDimensions @return the dimension
    const TopologyDimension& GetDimension(uint32_t dimension) const;
    /// @param dimension index @return product of the sizes of the dimensions below it
    uint32_t GetStride(uint32_t dimension) const;

    /// @param rank a rank @param dimension index @return the rank's digit in that dimension
    uint32_t GetDigit(uint32_t rank, uint32_t dimension) const
    {
        return rank / m_strides[dimension] % m_dimensions[dimension].size;
    }

    /// @param rank a rank @param dimension index @param digit new digit @return the rank that
    /// differs in that digit only
    uint32_t WithDigit(uint32_t rank, uint32_t dimension, uint32_t digit) const;
    /**
     * The network's vertices are the ranks, then the switches by dimension and block: of a Switch
     * dimension of at least 2 one per block instance.
     * @param dimension index, or GetNDimensions
     * @return number of the first switch there; behind the last dimension GetNVertices
     */
    uint64_t GetFirstSwitch(uint32_t dimension) const;
    /// @param rank a rank @param dimension a Switch of at least 2 @return number of its switch
    /// there
    uint32_t GetSwitch(uint32_t rank, uint32_t dimension) const;
    uint64_t GetNVertices() const; ///< @return ranks and switches
    /// @return the notation, such as "Ring(4)_Switch(2)"
    std::string GetNotation() const;

  private:
    std::vector<TopologyDimension> m_dimensions; ///< innermost first
    std::vector<uint32_t> m_strides;             ///< per dimension; last entry: number of ranks
    std::vector<uint64_t> m_firstSwitch;         ///< per dimension; last entry: number of vertices
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_TOPOLOGY_H
