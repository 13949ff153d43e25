/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FORMULA_STEP_TIME_H
#define ML_CLUSTER_FORMULA_STEP_TIME_H

#include "step-time.h"

#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The time of a step that a formula tells whole, such as a TrainingLoop of a text workload.
 */
class FormulaStepTime : public StepTime
{
  public:
    /// Makes the time of the step as an expression, see StepTime::Make.
    using Formula = std::function<TimeExpression::Sum(TimeExpression&)>;

    /// @param nDimensions number of dimensions @param formula the time
    FormulaStepTime(std::size_t nDimensions, Formula formula);

    TimeExpression::Sum Make(TimeExpression& time) const override;
    double Evaluate(const std::vector<double>& bandwidths) override;

  private:
    Formula m_formula;     ///< the time
    TimeExpression m_time; ///< the step alone
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FORMULA_STEP_TIME_H
