/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_SOLVER_H
#define ML_CLUSTER_BANDWIDTH_SOLVER_H

#include "bandwidth-descent.h"
#include "bandwidth-problem.h"
#include "bandwidth-region.h"
#include "pareto-tangents.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Answer to a BandwidthProblem, with its proof.
 */
struct BandwidthSolution
{
    std::vector<double> bandwidths; ///< per dimension, GB/s per NPU
    double time{0};                 ///< of a training step, ns
    double cost{0};                 ///< $
    double value{0};                ///< of the objective
    double bound{0};                ///< no bandwidths that meet the constraints have a lower value
    std::vector<double> shadowPrices; ///< per constraint: change of the objective for each unit
                                      ///< that the constraint's value grows; 0 where it holds
                                      ///< nothing back; none if dimensions have only certain
                                      ///< speeds
    double targetPrice{0};            ///< change of the objective for each ns of a later target
    std::vector<double> timeShares;   ///< per dimension: part of the time that waits for it, ns;
                                      ///< a change of 1 % of its bandwidth saves 1 % of that
    uint32_t nSolves{0};              ///< convex problems solved

    double GetGap() const; ///< @return (value - bound) / value
};

/**
 * @ingroup ml-cluster
 * Finds the best bandwidths and proves that none are better.
 *
 * The time is convex in the bandwidths, and so are time and cost under a
 * target: BandwidthDescent solves them. The product of time and cost is not;
 * there each solution for T + s C gives a line below all that can be reached
 * (ParetoTangents), and the next s is T / C where these lines leave the least
 * product, until that is within 1e-7 of the best product found.
 *
 * Of several best answers it gives the cheapest of those with which no
 * collective takes longer than in the answer found first; of several of these
 * one with the most bandwidth in inner dimensions. Where dimensions have only
 * certain speeds, branch and bound decides between them.
 */
class BandwidthSolver
{
  public:
    /**
     * @param problem the problem
     * @return the answer
     * @throw InputError if the problem is wrong, no bandwidths meet the
     * constraints (a smallest set that clashes is named) or the target, or
     * nothing keeps the best bandwidths from growing or shrinking for ever
     */
    static BandwidthSolution Solve(const BandwidthProblem& problem);

  private:
    /// @param problem a problem without speeds; must outlive this
    explicit BandwidthSolver(const BandwidthProblem& problem);

    BandwidthSolution SolveAny(); ///< @return the answer, any speeds
    void CheckBounded() const;    ///< @throw InputError if there is no best answer
    /// @param time u @param cost s @return the least u T + s C, and where
    BandwidthDescent::Result Minimise(double time, double cost);
    void MinimiseProduct(); ///< Fills m_solution for the product.
    /// @param tangents receives one @param slope its s @return where it touches
    BandwidthDescent::Result AddTangent(ParetoTangents& tangents, double slope);
    /// Goes to a tangent that touches where T / C is its slope. @param tangents receives those on
    /// the way @param bound receives the best of ProductBound there @return its slope
    double FindTangent(ParetoTangents& tangents, double& bound);
    /// @param result of a convex problem @param scale what its objective is
    /// multiplied by; fills the prices of m_solution
    void SetPrices(const BandwidthDescent::Result& result, double scale);
    /// @param bandwidths that meet all @return the cheapest with which no
    /// collective takes longer
    std::vector<double> Settle(const std::vector<double>& bandwidths) const;
    /// @param bandwidths that meet all; taken as the solution if they are better
    /// @return whether they are
    bool Take(const std::vector<double>& bandwidths);

    const BandwidthProblem& m_problem; ///< the problem
    BandwidthRegion m_region;          ///< of its constraints
    BandwidthDescent m_descent;        ///< of both
    BandwidthSolution m_solution;      ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_SOLVER_H
