/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CRITICAL_TRAFFIC_H
#define ML_CLUSTER_CRITICAL_TRAFFIC_H

#include "time-expression.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a TimeExpression is made of at some bandwidths: of each maximum the first of its longest
 * branches only.
 */
struct CriticalTraffic
{
    /// @param time an expression @param bandwidths per dimension, GB/s, above 0 where anything is
    /// sent
    CriticalTraffic(const TimeExpression& time, const std::vector<double>& bandwidths);

    double constant{0};          ///< time without collectives, ns
    std::vector<double> weights; ///< per collective of the expression
    std::vector<double> times;   ///< per collective, with its weight, ns
    double communication{0};     ///< all of them, ns
    std::vector<double> bytes;   ///< per dimension
    std::vector<double> shares;  ///< per dimension: part of the time of collectives in which it
                                 ///< sends; 0 if there is none

  private:
    /// @param time an expression @param sum of it @param weight of the sum @param values of all
    /// parts; adds what it is made of
    void Add(const TimeExpression& time,
             const TimeExpression::Sum& sum,
             double weight,
             const TimeExpression::Values& values);
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CRITICAL_TRAFFIC_H
