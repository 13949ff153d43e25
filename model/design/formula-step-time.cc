/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "formula-step-time.h"

namespace ns3
{
namespace mlcluster
{

FormulaStepTime::FormulaStepTime(std::size_t nDimensions, Formula formula)
    : m_formula(std::move(formula)),
      m_time(nDimensions)
{
    m_time.Add(Make(m_time));
}

TimeExpression::Sum
FormulaStepTime::Make(TimeExpression& time) const
{
    return m_formula(time);
}

double
FormulaStepTime::Evaluate(const std::vector<double>& bandwidths)
{
    return m_time.Evaluate(bandwidths).total;
}

} // namespace mlcluster
} // namespace ns3
