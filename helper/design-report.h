/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_REPORT_H
#define ML_CLUSTER_DESIGN_REPORT_H

#include "design-config.h"

#include "ns3/bandwidth-solver.h"
#include "ns3/time-expression.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A network with bandwidths, and what they mean for a design.
 */
struct DesignPoint
{
    std::string name;                 ///< for tables
    std::vector<double> bandwidths{}; ///< per dimension, GB/s per NPU; none: there are none
    double time{0};                   ///< of all workloads together, ns; with the combination Worst
                                      ///< the largest slowdown
    double cost{0};                   ///< $
    double value{0};                  ///< of the objective
    double bound{0};                  ///< proven: no bandwidths have less; 0 if not asked for
    double kept{0};                   ///< value of the design itself under what is changed
    double equalTime{0};              ///< with equal bandwidths of the same total; 0 if not asked
    std::vector<double> times{};      ///< of each workload, ns
    std::vector<std::string> unmet{}; ///< constraints that are not met
    std::string fault{};              ///< why there are no bandwidths
};

/**
 * @ingroup ml-cluster
 * The answer to a design, and what has been found out about it.
 */
struct DesignReport
{
    DesignConfig config;                   ///< the design
    std::string choice;                    ///< which of design.choices; "" if there are none
    std::vector<std::string> descriptions; ///< of workloads
    BandwidthProblem problem{1};           ///< with what is known of the time
    BandwidthSolution solution;            ///< its answer
    std::vector<DesignPoint> networks;     ///< the answer, equal bandwidths, those of the file
    std::vector<double> leastTimes;        ///< of each of several workloads alone, ns
    std::vector<DesignPoint> workloads;    ///< of several workloads: answers for each alone, for
                                           ///< the sum and for the worst slowdown
    std::vector<DesignPoint> choices;      ///< best first, then those that are wrong
    std::vector<DesignPoint> sweep;        ///< with each constraint of design.sweep
    std::vector<DesignPoint> pareto;       ///< least cost for later and later times
    std::vector<DesignPoint> sensitivity;  ///< with other prices and weights
    bool isPartial{false};                 ///< whether a signal ended it
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_REPORT_H
