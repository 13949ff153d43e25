/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_EXTRAS_H
#define ML_CLUSTER_CHAKRA_EXTRAS_H

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Attributes of a Chakra file that the simulator does not read: name and integer or text.
 */
using ChakraExtraAttributes =
    std::vector<std::pair<std::string, std::variant<int64_t, std::string>>>;

/**
 * @ingroup ml-cluster
 * Inputs or outputs of a node, each a list as Python writes it.
 */
struct ChakraValues
{
    std::string values; ///< values
    std::string shapes; ///< shapes of the tensors
    std::string types;  ///< types
};

/**
 * @ingroup ml-cluster
 * What a Chakra file can hold of a node beside what the simulator reads.
 */
struct ChakraNodeExtras
{
    std::vector<uint64_t> controlDependencies; ///< ids
    uint64_t startMicroseconds{0};             ///< measured start, us
    ChakraValues inputs;                       ///< inputs
    ChakraValues outputs;                      ///< outputs
    ChakraExtraAttributes attributes;          ///< further attributes
};

/**
 * @ingroup ml-cluster
 * What a Chakra file can hold beside what the simulator reads.
 */
struct ChakraExtras
{
    ChakraExtraAttributes metadata;      ///< of the GlobalMetadata
    std::vector<ChakraNodeExtras> nodes; ///< of each node, or none at all
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_EXTRAS_H
