/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_VARIANT_TABLES_H
#define ML_CLUSTER_DESIGN_VARIANT_TABLES_H

#include "design-report.h"

#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints what else has been found out: several workloads, choices, sweep, front, sensitivity;
 * nothing where there is none.
 * @param os where to
 * @param report the answer
 */
void PrintDesignVariants(std::ostream& os, const DesignReport& report);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_VARIANT_TABLES_H
