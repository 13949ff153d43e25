/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_PRICES_FILE_H
#define ML_CLUSTER_NETWORK_PRICES_FILE_H

#include "config-document.h"

#include "ns3/diagnostics.h"
#include "ns3/priced-network.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads prices of network tiers: YAML with a map for each tier, whose keys
 * Link, Switch and Nic are $ per GB/s, as in LIBRA's cost model, and whose key
 * Port is $ for each end of a link.
 * @param path the file
 * @param diagnostics receives problems with line and key
 * @return the prices; unusable if diagnostics gained errors
 */
PricedNetwork::Prices ReadNetworkPrices(const std::string& path, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * As the other ReadNetworkPrices.
 * @param tiers what such a file says
 * @param diagnostics receives problems
 * @return the prices
 */
PricedNetwork::Prices ReadNetworkPrices(const ConfigNode& tiers, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_PRICES_FILE_H
