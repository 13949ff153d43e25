/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_TABLES_H
#define ML_CLUSTER_DESIGN_TABLES_H

#include "design-report.h"

#include <ostream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints the answer to a design: what was asked, bandwidths and what waits for them, proof, shadow
 * prices, and comparisons with other networks.
 * @param os where to
 * @param report the answer
 */
void PrintDesign(std::ostream& os, const DesignReport& report);

/**
 * @ingroup ml-cluster
 * Prints the answer as experiment files have it, and the command that simulates it, of several
 * workloads for the first.
 * @param os where to
 * @param report the answer
 */
void PrintDesignUse(std::ostream& os, const DesignReport& report);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_TABLES_H
