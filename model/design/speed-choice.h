/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SPEED_CHOICE_H
#define ML_CLUSTER_SPEED_CHOICE_H

#include "bandwidth-problem.h"
#include "bandwidth-solver.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Finds the best bandwidths where dimensions have only certain ones, by branch and bound: as long
 * as some dimension has a bandwidth between two of its speeds, it tries at most the lower and at
 * least the upper one. What cannot be better than the best found is left out, by its certified
 * bound.
 */
class SpeedChoice
{
  public:
    /// @param problem a right one, with speeds; must outlive this
    explicit SpeedChoice(const BandwidthProblem& problem);

    /// @return the answer, without shadow prices @throw InputError as BandwidthSolver, or if no
    /// choice meets the constraints
    BandwidthSolution Solve();

  private:
    /// Looks for better answers. @param problem a part of the problem, without speeds @param above
    /// a bound for it
    void Branch(const BandwidthProblem& problem, double above);
    void Snap(); ///< Gives the best bandwidths exactly their speeds.

    const BandwidthProblem& m_problem;         ///< the problem
    std::vector<std::vector<double>> m_speeds; ///< per dimension, in order
    BandwidthSolution m_best;                  ///< so far; its bound holds for all looked at
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SPEED_CHOICE_H
