/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_GENERATOR_H
#define ML_CLUSTER_TRANSFORMER_GENERATOR_H

#include "cluster-workload.h"
#include "parallel-plan.h"
#include "stage-program.h"
#include "transformer-costs.h"
#include "transformer-model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes the workload of one training step from a transformer and a plan: TransformerCosts gives
 * what a rank does for a layer, StageWriter puts it into the order of the pipeline schedule,
 * RankLayout tells who communicates. Compute nodes have operations and bytes, no durations: they
 * are for the roofline of NpuApplication. Reads and writes nothing; equal inputs give equal
 * workloads.
 */
class TransformerGenerator
{
  public:
    /**
     * @param model the model
     * @param plan how it is trained
     * @throw InputError if they do not fit together, with all reasons
     */
    TransformerGenerator(const TransformerModel& model, const ParallelPlan& plan);

    /// @return the workload of one step; ranks of a stage share one graph, with experts of unequal
    /// load those at one position of their expert groups do @throw InputError if a number does not
    /// fit or there are too many nodes
    ClusterWorkload Generate() const;

    /// @return settings without effect, each named by its member with the reason
    const std::vector<std::string>& GetWarnings() const;
    /// @return model and plan
    const RankShape& GetShape() const;
    /// @param stage a pipeline stage @param expert position in the expert group @return what such a
    /// rank has of the model
    StageProgram GetStageProgram(uint32_t stage, uint32_t expert) const;

  private:
    /// @param layer index of a layer @param expert position in the expert group @return the layer
    ModelUnit GetLayer(uint32_t layer, uint32_t expert) const;

    std::vector<std::string> m_warnings; ///< settings without effect
    TransformerModel m_model;            ///< the model
    ParallelPlan m_plan;                 ///< how it is trained
    TransformerCosts m_costs;            ///< of its parts
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_GENERATOR_H
