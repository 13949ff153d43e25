/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_SYSTEM_H
#define ML_CLUSTER_ASTRA_SYSTEM_H

#include "astra-config.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads ASTRA-sim's system file.
 * @param path the JSON file
 * @param nDimensions dimensions of the network, which algorithm lists must have entries for; 0 if
 * not known
 * @param diagnostics receives problems
 * @return the system; unusable if diagnostics gained errors
 */
AstraSystem ReadAstraSystem(const std::string& path,
                            uint32_t nDimensions,
                            Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads the name of an algorithm as system files have it.
 * @param text such as "ring", "direct4", "oneDirect"
 * @return what it says
 * @throw InputError naming the allowed forms
 */
AstraAlgorithm ParseAstraAlgorithm(const std::string& text);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_SYSTEM_H
