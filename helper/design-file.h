/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_FILE_H
#define ML_CLUSTER_DESIGN_FILE_H

#include "design-config.h"
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
 * Reads an experiment file with a section `design`; chapter "Design of Networks" of the manual has
 * its keys.
 * @param path the file
 * @param diagnostics receives every problem of the file and of those that it names
 * @param overrides values instead of the file's
 * @return what it says; unusable if diagnostics gained errors
 */
DesignConfig ReadDesignConfig(const std::string& path,
                              Diagnostics& diagnostics,
                              const std::vector<ExperimentOverride>& overrides = {});

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_FILE_H
