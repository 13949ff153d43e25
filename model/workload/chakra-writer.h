/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_WRITER_H
#define ML_CLUSTER_CHAKRA_WRITER_H

#include "chakra-extras.h"
#include "cluster-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Encoding choices of the Chakra writer; any reader must give the same graph for all of them.
 */
struct ChakraEncoding
{
    /// Wire kind of integer attributes.
    enum class Integers
    {
        Int64,
        Uint64,
        Int32,
        Uint32,
        Sint64,
        Fixed64
    };

    /// kind of integer attributes; a value it cannot hold takes the 64-bit kind of its sign
    Integers integers{Integers::Int64};
    bool packed{true};   ///< repeated integers packed or one by one
    bool gzip{false};    ///< compress the file
    bool metadata{true}; ///< begin with a GlobalMetadata record
};

/**
 * @ingroup ml-cluster
 * Writes one Chakra execution trace, schema version 0.0.4. A duration that is no whole number of
 * microseconds goes to the attribute `duration_ns`, and to `duration_micros` rounded to nearest, at
 * least 1.
 * @param nodes the nodes, written in this order
 * @param path the file
 * @param encoding choices
 * @param extras what else the file is to hold; a compute node with extras of its own has num_ops
 * and tensor_size only if they are not 0
 * @throw InputError if the file cannot be written, a duration is no whole number of nanoseconds or
 * a peer is an offset, which the format cannot hold
 */
void WriteChakraGraph(const std::vector<ExecutionNode>& nodes,
                      const std::string& path,
                      const ChakraEncoding& encoding = ChakraEncoding(),
                      const ChakraExtras& extras = ChakraExtras());

/**
 * @ingroup ml-cluster
 * Rounds durations to what a file holds: whole nanoseconds, to nearest, at least 1 unless it is 0.
 * @param nodes the nodes
 * @return how many were changed
 */
uint64_t RoundToNanoseconds(std::vector<ExecutionNode>& nodes);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_WRITER_H
