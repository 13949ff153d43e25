/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_READER_H
#define ML_CLUSTER_CHAKRA_READER_H

#include "cluster-workload.h"

#include <string>
#include <vector>

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
 * Schemas of Chakra's protobuf files, numbered as their names.
 */
enum class ChakraSchema
{
    Auto,  ///< 0.0.4; a file that looks older is an error that names the option
    V0001, ///< January 2023, files .eg
    V0002, ///< June 2023
    V0003, ///< July 2023
    V0004  ///< October 2023 and later, also called 1.0.0
};

/**
 * @ingroup ml-cluster
 * @return names of the schemas: "auto", "0.0.1", "0.0.2", "0.0.3", "0.0.4"
 */
const std::vector<std::string>& GetChakraSchemaNames();

/**
 * @ingroup ml-cluster
 * @param name one of the names
 * @return the schema
 * @throw InputError if there is none of the name
 */
ChakraSchema ParseChakraSchema(const std::string& name);

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
    bool locations{true}; ///< attribute tensor_loc counts; it does not in ASTRA-sim
    bool wholeMicroseconds{false}; ///< attribute duration_ns does not count, as in ASTRA-sim
    ChakraSchema schema{ChakraSchema::Auto}; ///< of protobuf files
    uint64_t elementBytes{1};      ///< bytes of one of what comm_size, comm_sizes and tensor_size
                                   ///< count; more than 1 for traces that count elements
    uint64_t flopsPerOperation{1}; ///< floating-point operations of one of what num_ops counts; 2
                                   ///< for traces that count multiply-accumulates
};

/**
 * @ingroup ml-cluster
 * Reads one Chakra execution trace. A file whose name ends in .json or .json.gz is JSON in any of
 * three forms (see ReadChakraJson); others are protobuf, plain or gzip: length-delimited records,
 * the first a GlobalMetadata (may be missing), then nodes; any integer kind for an attribute,
 * packed and unpacked lists. A file .eg needs schema 0.0.1.
 * @param path the file
 * @param options how to read
 * @param diagnostics receives problems with byte offset or line, or node id and name
 * @return the graph; unusable if diagnostics gained errors
 */
std::shared_ptr<const ExecutionGraph> ReadChakraGraph(const std::string& path,
                                                      const ChakraOptions& options,
                                                      Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads the file of every rank, which FindChakraFile finds; equal files share one graph. A rank
 * without nodes idles.
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
 * @param prefix path up to the rank
 * @param rank a rank
 * @param schema schema asked for
 * @return its file: PREFIX.RANK.et or PREFIX.RANK.json, of schema 0.0.1 also PREFIX.RANK.eg; "" if
 * there is none
 * @throw InputError if there are several
 */
std::string FindChakraFile(const std::string& prefix,
                           uint32_t rank,
                           ChakraSchema schema = ChakraSchema::Auto);

/**
 * @ingroup ml-cluster
 * Number of ranks a prefix has files for: the smallest r without a file.
 * @param prefix path up to the rank
 * @param schema schema asked for
 * @return the count
 * @throw InputError if a rank has several
 */
uint32_t CountChakraRanks(const std::string& prefix, ChakraSchema schema = ChakraSchema::Auto);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_READER_H
