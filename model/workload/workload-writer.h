/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_WRITER_H
#define ML_CLUSTER_WORKLOAD_WRITER_H

#include "chakra-writer.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Writes a workload as Chakra traces PREFIX.RANK.et, families of groups and peers resolved for each
 * rank, and its communicator groups as PREFIX.groups.json, if it has any.
 * @param workload the workload
 * @param prefix path up to the rank; folders that do not exist are made
 * @param encoding choices
 * @throw InputError if a file cannot be written or a duration cannot be held
 */
void WriteChakraWorkload(const ClusterWorkload& workload,
                         const std::string& prefix,
                         const ChakraEncoding& encoding = ChakraEncoding());

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_WRITER_H
