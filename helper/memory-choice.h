/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_CHOICE_H
#define ML_CLUSTER_MEMORY_CHOICE_H

#include "experiment-config.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Checks the choice of a memory model.
 * @param config an experiment
 * @param diagnostics receives an error if its memory model does not exist, and a warning of keys of
 * others that are given in the same place: what a base is for may be overridden
 */
void CheckMemoryModel(const ExperimentConfig& config, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * @param settings attributes that exist
 * @param model memory model, as ClusterHelper::SetMemoryModel takes it
 * @return the settings without those of other memory models
 */
std::vector<AttributeSetting> LeaveOutOtherMemory(std::vector<AttributeSetting> settings,
                                                  const std::string& model);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_CHOICE_H
