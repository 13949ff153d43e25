/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_TRACE_H
#define ML_CLUSTER_CHAKRA_TRACE_H

#include "chakra-reader.h"
#include "communicator-groups.h"
#include "execution-graph.h"
#include "message-tally.h"

#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What one Chakra file says. Ranks with equal files share it, so nothing in it depends on the rank.
 */
struct ChakraTrace
{
    std::shared_ptr<const ExecutionGraph> graph; ///< the nodes
    std::map<uint32_t, std::string> statedRanks; ///< ranks stated as own by sends (`comm_src`) or
                                                 ///< receives (`comm_dst`), and a node that does
    CommunicatorGroups groups; ///< groups that METADATA nodes define; empty: all ranks
};

/**
 * @ingroup ml-cluster
 * Reads the content of a Chakra file node by node, so that beside the nodes one record of the file
 * is in memory.
 * @param stream the content, unpacked
 * @param file name for messages; JSON is expected if it ends in .json or .json.gz, else protobuf
 * @param options how to read
 * @param diagnostics receives errors
 * @param warnings receives warnings, summed up over files
 * @return the trace; unusable if diagnostics gained errors
 */
ChakraTrace ReadChakraTrace(std::istream& stream,
                            const std::string& file,
                            const ChakraOptions& options,
                            Diagnostics& diagnostics,
                            MessageTally& warnings);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_TRACE_H
