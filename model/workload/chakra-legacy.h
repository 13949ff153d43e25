/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_LEGACY_H
#define ML_CLUSTER_CHAKRA_LEGACY_H

#include "chakra-reader.h"
#include "chakra-record.h"

#include <string>
#include <string_view>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Decodes a node of a schema before 0.0.4, to what one of 0.0.4 would be: numbers of node types and
 * collectives are those of 0.0.4, the attribute `runtime` becomes the duration and `is_host_op` the
 * attribute `is_cpu_op`. `parent` gives data dependencies.
 *
 * Durations are in nanoseconds in 0.0.1, whose ticks they were, and in microseconds later.
 * @param record the bytes of the node
 * @param schema the schema, before 0.0.4 and not Auto
 * @return the node
 * @throw InputError if it is malformed, or has a number that the schema does not have
 */
ChakraNode DecodeLegacyChakraNode(std::string_view record, ChakraSchema schema);

/**
 * @ingroup ml-cluster
 * Looks for fields that only schemas before 0.0.4 have, which not every older node does.
 * @param record the bytes of a node
 * @return the schemas it may have, such as "0.0.2 or 0.0.3"; "" if there are no such fields
 * @throw InputError if it is malformed
 */
std::string GuessLegacySchema(std::string_view record);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_LEGACY_H
