/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_WORKLOAD_H
#define ML_CLUSTER_DESIGN_WORKLOAD_H

#include "experiment-config.h"

#include "ns3/part-bandwidth.h"
#include "ns3/step-time.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A workload whose time is asked for.
 */
struct DesignWorkload
{
    std::shared_ptr<StepTime> time; ///< of a training step
    std::string description;        ///< what it does, one line
};

/**
 * @ingroup ml-cluster
 * Loads what an experiment runs. Warnings go to the error stream.
 * @param experiment the experiment; its attribute settings should be in force (see ApplyAttributes)
 * @param parts what groups have that are a part of a block
 * @return the workload
 * @throw InputError with every problem found
 */
DesignWorkload LoadDesignWorkload(const ExperimentConfig& experiment, PartBandwidth parts);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_WORKLOAD_H
