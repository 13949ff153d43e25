/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_WRITER_H
#define ML_CLUSTER_DESIGN_WRITER_H

#include "design-report.h"
#include "result-folder.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Writes the answer to a design: summary.json, design.csv with a line for each dimension,
 * constraints.csv, networks.csv, and where they were asked for workloads.csv, choices.csv,
 * sweep.csv, pareto.csv, sensitivity.csv; and publishes them.
 * @param folder where to
 * @param report the answer
 * @throw InputError if a file cannot be written
 */
void WriteDesign(ResultFolder& folder, const DesignReport& report);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_WRITER_H
