/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_IDLE_SETTINGS_H
#define ML_CLUSTER_IDLE_SETTINGS_H

#include "parallel-plan.h"
#include "transformer-model.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// A setting that changes nothing. @ingroup ml-cluster
struct IdleSetting
{
    std::string member; ///< of TransformerModel or ParallelPlan, such as "prefetch"
    std::string reason; ///< why, to follow "has no effect "
};

/**
 * @ingroup ml-cluster
 * Settings that differ from their defaults although neither the graphs nor the memory depend on
 * them, such as those of ZeRO-3 with another stage.
 * @param model the model
 * @param plan how it is trained; both checked (see TrainingChecker)
 * @return the settings, those of the model first
 */
std::vector<IdleSetting> FindIdleSettings(const TransformerModel& model, const ParallelPlan& plan);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_IDLE_SETTINGS_H
