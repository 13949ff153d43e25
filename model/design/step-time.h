/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STEP_TIME_H
#define ML_CLUSTER_STEP_TIME_H

#include "time-expression.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The time of a training step of one workload as a function of the bandwidths, of which a part may
 * be known only: an expression that is never above the time, and equal to it wherever it has been
 * asked for. WorkloadDesign finds best bandwidths with it.
 */
class StepTime
{
  public:
    virtual ~StepTime() = default;

    /// @param time receives collectives and maxima @return what is known of the step's time, to be
    /// added to it
    virtual TimeExpression::Sum Make(TimeExpression& time) const = 0;

    /**
     * @param bandwidths per dimension, GB/s per NPU, above 0 where the step sends anything
     * @return the time of the step, ns; what Make makes is equal to it there from now on
     */
    virtual double Evaluate(const std::vector<double>& bandwidths) = 0;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STEP_TIME_H
