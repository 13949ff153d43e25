/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "small-matrix.h"

#include <cmath>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

SmallMatrix::SmallMatrix(std::size_t size)
    : m_size(size),
      m_entries(size * size)
{
}

std::size_t
SmallMatrix::GetSize() const
{
    return m_size;
}

void
SmallMatrix::Factor()
{
    constexpr double DEPENDENT = 1e-15; // of the diagonal: nothing but rounding is left
    constexpr double HUGE_DIAGONAL = 1e150;
    for (std::size_t j = 0; j < m_size; ++j)
    {
        double* row = &m_entries[j * m_size];
        const double diagonal = row[j];
        for (std::size_t k = 0; k < j; ++k)
        {
            row[j] -= row[k] * row[k];
        }
        row[j] = row[j] > DEPENDENT * diagonal ? std::sqrt(row[j]) : HUGE_DIAGONAL;
        for (std::size_t i = j + 1; i < m_size; ++i)
        {
            double* other = &m_entries[i * m_size];
            for (std::size_t k = 0; k < j; ++k)
            {
                other[j] -= other[k] * row[k];
            }
            other[j] /= row[j];
        }
    }
}

void
SmallMatrix::Solve(std::vector<double>& values) const
{
    for (std::size_t i = 0; i < m_size; ++i)
    {
        for (std::size_t k = 0; k < i; ++k)
        {
            values[i] -= (*this)(i, k) * values[k];
        }
        values[i] /= (*this)(i, i);
    }
    for (std::size_t i = m_size; i-- > 0;)
    {
        for (std::size_t k = i + 1; k < m_size; ++k)
        {
            values[i] -= (*this)(k, i) * values[k];
        }
        values[i] /= (*this)(i, i);
    }
}

double
Dot(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void
AddTo(std::vector<double>& to, double factor, const std::vector<double>& from)
{
    for (std::size_t i = 0; i < to.size(); ++i)
    {
        to[i] += factor * from[i];
    }
}

} // namespace mlcluster
} // namespace ns3
