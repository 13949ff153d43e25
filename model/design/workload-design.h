/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_DESIGN_H
#define ML_CLUSTER_WORKLOAD_DESIGN_H

#include "bandwidth-problem.h"
#include "bandwidth-solver.h"
#include "step-time.h"

#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The best bandwidths for the training steps of one or several workloads, T(b) being the weighted
 * sum of their times, or the largest of their weighted times (a robust choice, with weights of 1
 * over the time that each workload could reach alone).
 *
 * Where a time is known in part (StepTime), the problem is solved with what is known, which bounds
 * the least value from below; the times at the answer are then asked for, which makes more of them
 * known, until value and bound meet (Kelley's method of cutting planes, J. SIAM 8 (1960), with
 * critical paths as the planes).
 */
class WorkloadDesign
{
  public:
    /// A workload.
    struct Step
    {
        std::shared_ptr<StepTime> time; ///< of a training step
        double weight{1};               ///< not negative
    };

    /// What becomes of the times of several workloads.
    enum class Combination
    {
        Sum,  ///< weighted sum
        Worst ///< largest of the weighted times
    };

    /// @param steps workloads, at least one @param combination of their times
    WorkloadDesign(std::vector<Step> steps, Combination combination = Combination::Sum);

    /**
     * @param problem all but the time, which is replaced
     * @return the answer, whose time and value are those of the workloads
     * @throw InputError as BandwidthSolver, or if no answer is found that reaches the target
     */
    BandwidthSolution Solve(BandwidthProblem problem) const;

    /// @param bandwidths per dimension, GB/s @return the time of all workloads together, ns
    double Evaluate(const std::vector<double>& bandwidths) const;

    /// @param nDimensions number of dimensions @return what is known of the time
    TimeExpression GetKnown(std::size_t nDimensions) const;

  private:
    std::vector<Step> m_steps; ///< workloads
    Combination m_combination; ///< of their times
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_DESIGN_H
