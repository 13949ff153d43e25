/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LIBRA_COMMUNICATORS_FILE_H
#define ML_CLUSTER_LIBRA_COMMUNICATORS_FILE_H

#include "ns3/cluster-topology.h"
#include "ns3/diagnostics.h"
#include "ns3/libra-communicators.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads LIBRA's communicator file: YAML with the lists Forward, InputGrad and WeightGrad, one
 * number per dimension of the network, -1 where it does not take part.
 * @param path the file
 * @param diagnostics receives problems with line and key
 * @param topology whose dimensions the members must divide; null: not checked
 * @return the communicators; unusable if diagnostics gained errors
 */
LibraCommunicators ReadLibraCommunicators(const std::string& path,
                                          Diagnostics& diagnostics,
                                          const ClusterTopology* topology = nullptr);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LIBRA_COMMUNICATORS_FILE_H
