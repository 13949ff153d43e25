/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_NETWORK_H
#define ML_CLUSTER_DESIGN_NETWORK_H

#include "astra-section.h"
#include "config-document.h"
#include "experiment-config.h"

#include "ns3/diagnostics.h"
#include "ns3/priced-network.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a file says of the network whose bandwidths are to be found.
 */
struct DesignNetwork
{
    PricedNetwork network;                     ///< shape, and tiers if they are given
    PricedNetwork::Prices prices;              ///< of tiers; none: not given
    bool hasCosts{false};                      ///< whether there are prices, and for all tiers
    std::vector<std::vector<double>> speeds;   ///< see BandwidthProblem
    std::vector<ExperimentOverride> overrides; ///< what it says of the experiment
};

/**
 * @ingroup ml-cluster
 * Reads cluster.topology and of the section design: network, tiers, prices, speeds.
 * @param file path of the file
 * @param document what it says
 * @param section its section design
 * @param diagnostics receives problems
 * @return the network; without dimensions if its shape cannot be read
 */
DesignNetwork ReadDesignNetwork(const std::string& file,
                                const ConfigNode& document,
                                AstraSection& section,
                                Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_NETWORK_H
