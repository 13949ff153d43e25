/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STAGE_WORKLOAD_H
#define ML_CLUSTER_STAGE_WORKLOAD_H

#include "cluster-workload.h"
#include "parallel-plan.h"
#include "stage-program.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a rank has of the model.
 * @param stage its pipeline stage
 * @param expert its position in its expert group
 */
using StageProgramOf = std::function<StageProgram(uint32_t stage, uint32_t expert)>;

/**
 * @ingroup ml-cluster
 * Makes the execution graphs of one step from what each pipeline stage has of the model (see
 * StageWriter), and the communicator groups that they use (see RankLayout). Ranks of a stage share
 * one graph, or if experts have unequal loads those at one position of their expert groups do.
 * @param plan the plan
 * @param programOf what ranks have of the model
 * @param isByExpert whether that depends on the position in the expert group
 * @return the workload
 * @throw InputError if the plan contradicts itself, a number does not fit or the graphs would have
 *        more than 2^25 nodes
 */
ClusterWorkload MakeStageWorkload(const ParallelPlan& plan,
                                  const StageProgramOf& programOf,
                                  bool isByExpert);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STAGE_WORKLOAD_H
