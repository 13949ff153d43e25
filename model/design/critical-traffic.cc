/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "critical-traffic.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param sum a sum @param values of all parts @return its value, ns
double
GetValue(const TimeExpression::Sum& sum, const TimeExpression::Values& values)
{
    double value = sum.constant;
    for (const auto& [index, weight] : sum.collectives)
    {
        value += weight * values.collectives[index];
    }
    for (const auto& [index, weight] : sum.maxima)
    {
        value += weight * values.maxima[index];
    }
    return value;
}

} // namespace

CriticalTraffic::CriticalTraffic(const TimeExpression& time, const std::vector<double>& bandwidths)
    : weights(time.GetShapes().size()),
      bytes(time.GetNDimensions()),
      shares(time.GetNDimensions())
{
    const auto values = time.Evaluate(bandwidths);
    Add(time, time.GetTotal(), 1, values);
    for (std::size_t k = 0; k < weights.size(); ++k)
    {
        times.push_back(weights[k] > 0 ? weights[k] * values.collectives[k] : 0);
        communication += times[k];
        for (std::size_t d = 0; d < bytes.size(); ++d)
        {
            bytes[d] += weights[k] * time.GetShapes()[k][d];
        }
    }
    for (std::size_t d = 0; d < bytes.size() && communication > 0; ++d)
    {
        shares[d] = bytes[d] > 0 ? bytes[d] / bandwidths[d] / communication : 0;
    }
}

void
CriticalTraffic::Add(const TimeExpression& time,
                     const TimeExpression::Sum& sum,
                     double weight,
                     const TimeExpression::Values& values)
{
    constant += weight * sum.constant;
    for (const auto& [index, factor] : sum.collectives)
    {
        weights[index] += weight * factor;
    }
    for (const auto& [index, factor] : sum.maxima)
    {
        const auto& branches = time.GetMaxima()[index];
        const auto longest =
            std::max_element(branches.begin(), branches.end(), [&](const auto& a, const auto& b) {
                return GetValue(a, values) < GetValue(b, values);
            });
        Add(time, *longest, weight * factor, values);
    }
}

} // namespace mlcluster
} // namespace ns3
