/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GENERATOR_KEYS_H
#define ML_CLUSTER_GENERATOR_KEYS_H

#include "experiment-schema.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @return the keys of an experiment file that set attributes of workload generators
 */
std::vector<ExperimentKey> GetGeneratorKeys();

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GENERATOR_KEYS_H
