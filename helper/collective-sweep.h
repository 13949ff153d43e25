/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_SWEEP_H
#define ML_CLUSTER_COLLECTIVE_SWEEP_H

#include "ns3/cluster-topology.h"
#include "ns3/collective-type.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One collective over a range of sizes, as nccl-tests measures it.
 *
 * nccl-tests counts elements (float, 4 bytes) and rounds down, a rank's piece to a multiple of 16
 * bytes: its size is, per rank, the buffer of an all-reduce, broadcast or reduce, the whole input
 * of a reduce-scatter, scatter or all-to-all, and the whole output of an all-gather or gather. Its
 * count is that of a buffer, or of one rank's piece for what has pieces. A barrier is one point of
 * no size.
 *
 * An all-to-all of unequal sizes is one point too: its matrix is a file of as many lines as there
 * are ranks, line i with the sizes that rank i sends to each, separated by commas ("1MiB, 0, 3kB").
 */
class CollectiveSweep
{
  public:
    /// What a user types; each an option of ml-cluster-collective.
    struct Options
    {
        std::string topology; ///< notation, "Ring(4)_Switch(2)"
        std::string
            bandwidth;       ///< per NPU; one for all dimensions, or one each, separated by commas
        std::string latency; ///< per link; likewise
        std::string collective; ///< "all-reduce", "all-gather", ... "barrier"
        std::string
            sizes; ///< "first:last:xFactor", "first:last:+step", or sizes separated by commas
        std::string inNetwork{"false"};  ///< whether switches reduce, true or false; likewise
        std::string processingTime{"0"}; ///< of a chunk in such a switch; likewise
        std::string slots{"0"}; ///< chunks of a member in such a dimension, 0: no limit; likewise
        std::string matrix{};   ///< file of an all-to-all of unequal sizes; "" if there is none
    };

    /// One point of the sweep.
    struct Point
    {
        uint64_t busBytes; ///< nccl-tests' size, bytes
        uint64_t bytes;    ///< size of the collective as the engine takes it (all-gather: shard)
        uint64_t count;    ///< nccl-tests' count, elements
    };

    static constexpr uint64_t ELEMENT_BYTES = 4;  ///< float
    static constexpr uint64_t PIECE_ELEMENTS = 4; ///< a rank's piece is a multiple of 16 bytes

    /**
     * @param options what to run
     * @param diagnostics receives every option that is wrong; the sweep is unusable then
     */
    CollectiveSweep(const Options& options, Diagnostics& diagnostics);

    const std::vector<TopologyDimension>& GetDimensions() const; ///< @return the shape
    CollectiveType GetType() const;                              ///< @return operation
    const std::vector<Point>& GetPoints() const; ///< @return the sizes, in the order given
    /// @return bytes from rank i to rank j of n at i n + j; empty if all are equal
    const std::vector<uint64_t>& GetMatrix() const;

    /**
     * Reads a range or list of sizes.
     * @param text such as "1MiB:1GiB:x4" (last included if met), "1MiB:4MiB:+1MiB" or "64MiB,1GB"
     * @return bytes
     * @throw InputError with what is allowed
     */
    static std::vector<uint64_t> ParseSizes(const std::string& text);

  private:
    void ReadTopology(
        const Options& options,
        Diagnostics& diagnostics); ///< @param options given @param diagnostics receives errors
    void ReadType(
        const Options& options,
        Diagnostics& diagnostics); ///< @param options given @param diagnostics receives errors
    void ReadPoints(
        const Options& options,
        Diagnostics& diagnostics); ///< @param options given @param diagnostics receives errors
    void ReadMatrix(
        const Options& options,
        Diagnostics& diagnostics); ///< @param options given @param diagnostics receives errors

    std::vector<TopologyDimension> m_dimensions;      ///< shape
    CollectiveType m_type{CollectiveType::AllReduce}; ///< operation
    std::vector<Point> m_points;                      ///< sizes
    std::vector<uint64_t> m_matrix;                   ///< of unequal sizes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_SWEEP_H
