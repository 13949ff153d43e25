/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SMALL_MATRIX_H
#define ML_CLUSTER_SMALL_MATRIX_H

#include <cstddef>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A dense symmetric matrix of few rows and the solution of linear equations with it.
 */
class SmallMatrix
{
  public:
    /// @param size number of rows, may be 0; all entries are 0
    explicit SmallMatrix(std::size_t size);

    /// @param row a row @param column a column @return the entry
    double& operator()(std::size_t row, std::size_t column)
    {
        return m_entries[row * m_size + column];
    }

    /// @param row a row @param column a column @return the entry
    double operator()(std::size_t row, std::size_t column) const
    {
        return m_entries[row * m_size + column];
    }

    std::size_t GetSize() const; ///< @return number of rows
    /// Replaces the lower triangle, of a positive definite matrix, by its Cholesky factor; what
    /// rounding has made of rows that depend on others is taken as a huge diagonal, so that the
    /// solution is 0 there.
    void Factor();
    /// @param values right side, replaced by the solution; after Factor
    void Solve(std::vector<double>& values) const;

  private:
    std::size_t m_size;            ///< number of rows
    std::vector<double> m_entries; ///< row by row
};

/// @ingroup ml-cluster
/// @param a numbers @param b as many @return the sum of their products
double Dot(const std::vector<double>& a, const std::vector<double>& b);
/// @ingroup ml-cluster
/// @param to numbers @param factor a factor @param from as many, added that often
void AddTo(std::vector<double>& to, double factor, const std::vector<double>& from);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SMALL_MATRIX_H
