/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LIBRA_NETWORK_FILE_H
#define ML_CLUSTER_LIBRA_NETWORK_FILE_H

#include "ns3/diagnostics.h"
#include "ns3/priced-network.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads LIBRA's network file: YAML with the lists Topology (Ring,
 * FullyConnected or Switch), NpusCount and CostDimension (the tier that gives
 * the prices), innermost dimension first.
 * @param path the file
 * @param diagnostics receives problems with line and key
 * @return the network; unusable if diagnostics gained errors
 */
PricedNetwork ReadLibraNetwork(const std::string& path, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LIBRA_NETWORK_FILE_H
