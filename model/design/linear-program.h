/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINEAR_PROGRAM_H
#define ML_CLUSTER_LINEAR_PROGRAM_H

#include "linear-constraint.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Linear programs over one set of constraints and numbers that are not negative, solved by the
 * simplex method in two phases with Bland's rule, which ends always. For few numbers and
 * constraints. Met is also what is missed by less than a thousand-millionth of the largest value
 * and a ten-millionth of a constraint's own terms.
 */
class LinearProgram
{
  public:
    /// @param size how many numbers @param constraints on them, finite
    LinearProgram(std::size_t size, const std::vector<LinearConstraint>& constraints);

    bool IsFeasible() const; ///< @return whether any numbers meet the constraints
    /**
     * @param objective factors of the sum to minimise
     * @return where it is least, a corner; none if it has no least value; only if feasible
     */
    std::optional<std::vector<double>> Minimise(const std::vector<double>& objective) const;

  private:
    using Row = std::vector<double>; ///< coefficients of all columns, then the value

    /// @param constraint one @param scale of the values @param index of the row; adds it
    void AddRow(const LinearConstraint& constraint, double scale, std::size_t index);
    /// Pivots until no reduced cost is negative. @param rows last: reduced costs @param basis
    /// columns of the rows @param nColumns that may enter @return whether there is a least value
    static bool Pivot(std::vector<Row>& rows,
                      std::vector<std::size_t>& basis,
                      std::size_t nColumns);
    /// @param rows of a basis @param basis columns of the rows @return the numbers there
    std::vector<double> GetPoint(const std::vector<Row>& rows,
                                 const std::vector<std::size_t>& basis) const;
    /// @param rows all @param row the one to divide @param column that becomes a unit vector
    static void Eliminate(std::vector<Row>& rows, std::size_t row, std::size_t column);

    std::size_t m_size;               ///< how many numbers
    std::size_t m_nColumns;           ///< numbers and slacks, before the artificial ones
    double m_scale{1};                ///< of the values
    std::vector<Row> m_rows;          ///< after the first phase
    std::vector<std::size_t> m_basis; ///< columns of the rows
    bool m_isFeasible{true};          ///< whether the first phase ended at 0
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINEAR_PROGRAM_H
