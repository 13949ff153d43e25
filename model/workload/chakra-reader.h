/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_READER_H
#define ML_CLUSTER_CHAKRA_READER_H

#include "cluster-workload.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How control dependencies of a Chakra file count.
 */
enum class ControlDependencies
{
    Ignore, ///< not at all
    Known,  ///< those on nodes of the file; others are dropped with one summary line
    Strict  ///< all; one on a missing node is an error
};

/**
 * @ingroup ml-cluster
 * Options of the Chakra reader.
 */
struct ChakraOptions
{
    ControlDependencies controlDependencies{ControlDependencies::Known}; ///< see there
    bool ignoreMissingDependencies{
        false};           ///< a data dependency on a missing node is dropped with a warning
    bool roofline{false}; ///< compute nodes on the accelerator need num_ops and tensor_size
    bool streams{true};   ///< attribute stream counts; it does not in ASTRA-sim
    bool wholeMicroseconds{false}; ///< attribute duration_ns does not count, as in ASTRA-sim
};

/**
 * @ingroup ml-cluster
 * Reads one Chakra execution trace (schema 0.0.4 / 1.0.0, protobuf, plain or gzip). Format:
 * length-delimited records, the first a GlobalMetadata (may be missing), then nodes; any integer
 * kind for an attribute, packed and unpacked lists.
 * @param path the file
 * @param options how to read
 * @param diagnostics receives problems with byte offset, or node id and name
 * @return the graph; unusable if diagnostics gained errors
 */
std::shared_ptr<const ExecutionGraph> ReadChakraGraph(const std::string& path,
                                                      const ChakraOptions& options,
                                                      Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads PREFIX.RANK.et of every rank; equal files share one graph. A rank without nodes
 * idles.
 * @param prefix path up to the rank
 * @param nRanks ranks expected; a file missing, or one more present, is an error
 * @param groups communicator groups; those that METADATA nodes define are added, unless the name is
 * taken
 * @param options how to read
 * @param diagnostics receives problems
 * @return the workload (not yet checked, see ClusterWorkload::Check), or null after errors
 */
std::shared_ptr<const ClusterWorkload> ReadChakraWorkload(const std::string& prefix,
                                                          uint32_t nRanks,
                                                          CommunicatorGroups groups,
                                                          const ChakraOptions& options,
                                                          Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Number of ranks a prefix has files for: the smallest r without PREFIX.r.et.
 * @param prefix path up to the rank
 * @return the count
 */
uint32_t CountChakraRanks(const std::string& prefix);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_READER_H
