/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_PROBLEM_H
#define ML_CLUSTER_BANDWIDTH_PROBLEM_H

#include "linear-constraint.h"
#include "time-expression.h"

#include "ns3/diagnostics.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which bandwidth each dimension of a network shall have: for the shortest time, for the least
 * product of time and cost, or for the least cost that reaches a time.
 */
struct BandwidthProblem
{
    /// What is to be least.
    enum class Objective
    {
        Time,          ///< T, ns (LIBRA's PerfOpt)
        TimeTimesCost, ///< T C, ns times $ (LIBRA's PerfPerCostOpt)
        Cost           ///< C, $, under a target
    };

    /// @param nDimensions number of dimensions, at least 1; all prices are 0
    explicit BandwidthProblem(std::size_t nDimensions);

    /// @param text as ParseLinearConstraints reads it, prices as they are now @param place where it
    /// stands; adds the constraints
    void Constrain(const std::string& text, const Diagnostics::Place& place = {});
    /// @param bandwidths per dimension, GB/s @return what the network costs, $
    double GetCost(const std::vector<double>& bandwidths) const;
    /// @param objective what is to be least @param time T, ns @param cost C, $ @return its value
    static double GetValue(Objective objective, double time, double cost);
    /// @param bandwidths per dimension, GB/s @return the objective; target and constraints aside
    double GetValue(const std::vector<double>& bandwidths) const;
    /// @param diagnostics receives what is wrong with the problem by itself: no traffic, sizes,
    /// numbers that are not finite, prices below 0 (or 0 where the objective needs them), a target
    /// or speeds that make no sense
    void Check(Diagnostics& diagnostics) const;

    TimeExpression time;                       ///< of a training step
    std::vector<double> prices;                ///< per dimension, $ per GB/s of every NPU
    double fixedCost{0};                       ///< $, whatever the bandwidths are
    Objective objective{Objective::Time};      ///< what is to be least
    std::optional<double> target;              ///< ns, at most so long; Cost needs it
    std::vector<LinearConstraint> constraints; ///< bandwidths are not negative anyway
    std::vector<std::vector<double>> speeds;   ///< per dimension the bandwidths there are, GB/s;
                                               ///< no list: any
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_PROBLEM_H
