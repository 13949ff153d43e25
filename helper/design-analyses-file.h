/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_ANALYSES_FILE_H
#define ML_CLUSTER_DESIGN_ANALYSES_FILE_H

#include "astra-section.h"
#include "design-config.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads what a section design asks for beside the best bandwidths: sensitivity, pareto, simulate.
 * @param section the section
 * @param config with combination and workloads; receives what is read
 * @param diagnostics receives problems
 */
void ReadDesignAnalyses(AstraSection& section, DesignConfig& config, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_ANALYSES_FILE_H
