/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_JSON_H
#define ML_CLUSTER_CHAKRA_JSON_H

#include "chakra-record.h"
#include "message-tally.h"

#include <functional>
#include <istream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/// @ingroup ml-cluster Receives a node, whose views are good during the call only, and its line.
using ChakraJsonHandler = std::function<void(const ChakraNode&, int)>;

/**
 * @ingroup ml-cluster
 * Reads a Chakra trace in JSON, in one of three forms, which its content tells:
 * - an object with the array `workload_graph`, as Chakra's feeder takes it (`Id`, `NodeType`, ...);
 * - an object with the array `nodes` whose objects have a `node_type` in words, as the generator
 *   STG writes it;
 * - an array of Chakra's protobuf messages in protobuf's JSON, or these messages one after another,
 *   the first a GlobalMetadata (keys in camelCase or snake_case).
 *
 * Traces of PyTorch's and Kineto's are refused with a hint.
 * @param stream the text
 * @param file name for messages
 * @param handler receives the nodes in the order of the file
 * @param errors receives errors with the line; after one of syntax nothing more is read
 */
void ReadChakraJson(std::istream& stream,
                    const std::string& file,
                    const ChakraJsonHandler& handler,
                    MessageTally& errors);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_JSON_H
