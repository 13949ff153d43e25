/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_CUSTOM_H
#define ML_CLUSTER_ASTRA_CUSTOM_H

#include "astra-config.h"

#include "ns3/collective-type.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The collectives that ASTRA-sim takes from Chakra files, as prefixes PREFIX.POSITION.et that
 * exist.
 */
struct AstraCustom
{
    std::map<CollectiveType, std::string> byType; ///< "...-implementation-custom"
    std::map<uint64_t, std::string> byNode; ///< "per-node-custom-implementation": by id of the
                                            ///< trace's node; comes before the others
};

/**
 * @ingroup ml-cluster
 * Finds the files of custom collectives, and reads the map of nodes. A relative path counts from
 * the working directory, as in ASTRA-sim, or else from the folder of the system file.
 * @param config a configuration without errors
 * @param diagnostics receives files that are missing, and what is wrong with the map
 * @return the prefixes
 */
AstraCustom ReadAstraCustom(const AstraConfig& config, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_CUSTOM_H
