/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_ATTRIBUTES_H
#define ML_CLUSTER_ASTRA_ATTRIBUTES_H

#include "astra-config.h"
#include "experiment-config.h"

#include "ns3/diagnostics.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What the ordinary engine takes from the inputs: attributes of NpuApplication, CollectivePlanner
 * and QueuedMemoryModel. Its topology is config.network.dimensions.
 * @param config a configuration without errors
 * @param diagnostics receives what the engine cannot do, such as an algorithm, with the reason
 * (errors), and what it does otherwise than the file asks (warnings)
 * @return the settings
 */
std::vector<AttributeSetting> GetAstraAttributes(const AstraConfig& config,
                                                 Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * The unit conventions applied, for the user to see.
 * @param config a configuration without errors
 * @return one remark a line, such as "network bandwidth: 1 GB/s = 2^30 B/s ..."
 */
std::vector<std::string> GetAstraRemarks(const AstraConfig& config);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_ATTRIBUTES_H
