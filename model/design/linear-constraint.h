/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINEAR_CONSTRAINT_H
#define ML_CLUSTER_LINEAR_CONSTRAINT_H

#include "ns3/diagnostics.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A linear equation or inequality in the bandwidths of all dimensions.
 */
struct LinearConstraint
{
    /// How the sum compares with the value.
    enum class Relation
    {
        AtMost,
        AtLeast,
        Equal
    };

    std::vector<double> coefficients;    ///< per dimension
    Relation relation{Relation::AtMost}; ///< comparison
    double value{0};                     ///< GB/s if the coefficients have no unit
    std::string text;                    ///< what the user wrote of it, for messages
    Diagnostics::Place place{};          ///< where

    /// @param bandwidths per dimension, GB/s @return by how much it is not met, 0 if it is, in the
    /// unit of the value
    double GetExcess(const std::vector<double>& bandwidths) const;
    /// @param bandwidths per dimension, GB/s @return the largest term or value, what rounding is
    /// compared with
    double GetSize(const std::vector<double>& bandwidths) const;
};

/**
 * @ingroup ml-cluster
 * Reads constraints such as "b1 + b2 = 50", "b1 >= 2 b2", "10 <= b3 <= b4" or "cost <= 2e7": sums
 * of numbers and of b1, b2, ... (GB/s per NPU, the innermost first), total (their sum) and cost
 * ($), each with a number before it, if it has one. What it says of bandwidths must lie between
 * 1e-9 and 1e9 GB/s, if it is not 0, and its factors must not differ by more than 1e9. What is on
 * the right is taken from what is on the left, but for a number on the left: "500 = total" is
 * "total = 500".
 * @param text the text
 * @param prices $ per GB/s of each dimension
 * @param fixedCost $ that the network costs whatever its bandwidths are
 * @return a constraint for each comparison
 * @throw InputError naming the word or number that is wrong and what is allowed
 */
std::vector<LinearConstraint> ParseLinearConstraints(const std::string& text,
                                                     const std::vector<double>& prices,
                                                     double fixedCost = 0);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINEAR_CONSTRAINT_H
