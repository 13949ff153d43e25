/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linear-program.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double MET = 1e-9;   ///< of the largest value: so much may be missing
constexpr double NEAR = 1e-7;  ///< of a constraint's own terms: likewise
constexpr double NONE = 1e-11; ///< coefficients, of the largest in a row, that count as 0

} // namespace

LinearProgram::LinearProgram(std::size_t size, const std::vector<LinearConstraint>& constraints)
    : m_size(size),
      m_nColumns(size + constraints.size())
{
    double largest = 0;
    for (const auto& constraint : constraints)
    {
        double coefficient = 0;
        for (const double c : constraint.coefficients)
        {
            coefficient = std::max(coefficient, std::abs(c));
        }
        largest = std::max(largest, std::abs(constraint.value) / coefficient);
    }
    m_scale = largest > 0 ? largest : 1;
    for (std::size_t i = 0; i < constraints.size(); ++i)
    {
        AddRow(constraints[i], m_scale, i);
    }
    Row missing(m_nColumns + constraints.size() + 1);
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        for (std::size_t j = 0; j < missing.size(); ++j)
        {
            missing[j] -= m_basis[i] >= m_nColumns && j != m_basis[i] ? m_rows[i][j] : 0;
        }
    }
    m_rows.push_back(missing);
    Pivot(m_rows, m_basis, m_nColumns);
    const bool isSmall = m_rows.back().back() > -MET;
    m_rows.pop_back();
    const auto point = GetPoint(m_rows, m_basis);
    m_isFeasible =
        isSmall && std::all_of(constraints.begin(), constraints.end(), [&](const auto& constraint) {
            return constraint.GetExcess(point) <= NEAR * constraint.GetSize(point);
        });
    for (std::size_t i = 0; i < m_rows.size(); ++i)
    {
        for (std::size_t j = 0; j < m_nColumns && m_basis[i] >= m_nColumns; ++j)
        {
            if (std::abs(m_rows[i][j]) > NONE)
            {
                Eliminate(m_rows, i, j);
                m_basis[i] = j;
            }
        }
    }
}

void
LinearProgram::AddRow(const LinearConstraint& constraint, double scale, std::size_t index)
{
    double largest = 0;
    for (const double c : constraint.coefficients)
    {
        largest = std::max(largest, std::abs(c));
    }
    const std::size_t nSlacks = m_nColumns - m_size;
    const bool isEqual = constraint.relation == LinearConstraint::Relation::Equal;
    const bool isLeast = constraint.relation == LinearConstraint::Relation::AtLeast;
    const double sign = constraint.value < 0 || (isLeast && constraint.value == 0) ? -1 : 1;
    Row row(m_nColumns + nSlacks + 1);
    for (std::size_t d = 0; d < m_size; ++d)
    {
        row[d] = sign * constraint.coefficients[d] / largest;
    }
    const double slack = isEqual ? 0 : (isLeast ? -sign : sign);
    row[m_size + index] = slack;
    row[m_nColumns + index] = slack > 0 ? 0 : 1;
    row.back() = std::abs(constraint.value) / largest / scale;
    m_basis.push_back(slack > 0 ? m_size + index : m_nColumns + index);
    m_rows.push_back(row);
}

void
LinearProgram::Eliminate(std::vector<Row>& rows, std::size_t row, std::size_t column)
{
    const double pivot = rows[row][column];
    for (double& entry : rows[row])
    {
        entry /= pivot;
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const double factor = rows[i][column];
        for (std::size_t j = 0; i != row && factor != 0 && j < rows[i].size(); ++j)
        {
            rows[i][j] -= factor * rows[row][j];
        }
    }
}

bool
LinearProgram::Pivot(std::vector<Row>& rows, std::vector<std::size_t>& basis, std::size_t nColumns)
{
    while (true)
    {
        std::size_t column = 0;
        while (column < nColumns && rows.back()[column] > -NONE)
        {
            ++column;
        }
        if (column == nColumns)
        {
            return true;
        }
        std::size_t leaving = basis.size();
        double least = 0;
        for (std::size_t i = 0; i < basis.size(); ++i)
        {
            if (rows[i][column] > NONE)
            {
                const double ratio = rows[i].back() / rows[i][column];
                if (leaving == basis.size() || ratio < least ||
                    (ratio == least && basis[i] < basis[leaving]))
                {
                    leaving = i;
                    least = ratio;
                }
            }
        }
        if (leaving == basis.size())
        {
            return false;
        }
        Eliminate(rows, leaving, column);
        basis[leaving] = column;
    }
}

bool
LinearProgram::IsFeasible() const
{
    return m_isFeasible;
}

std::optional<std::vector<double>>
LinearProgram::Minimise(const std::vector<double>& objective) const
{
    std::vector<Row> rows = m_rows;
    std::vector<std::size_t> basis = m_basis;
    double largest = 0;
    for (const double factor : objective)
    {
        largest = std::max(largest, std::abs(factor));
    }
    Row costs(m_nColumns * 2 - m_size + 1);
    for (std::size_t d = 0; d < m_size && largest > 0; ++d)
    {
        costs[d] = objective[d] / largest;
    }
    for (std::size_t i = 0; i < basis.size(); ++i)
    {
        const double factor = costs[basis[i]];
        for (std::size_t j = 0; factor != 0 && j < costs.size(); ++j)
        {
            costs[j] -= factor * rows[i][j];
        }
    }
    rows.push_back(costs);
    if (!Pivot(rows, basis, m_nColumns))
    {
        return std::nullopt;
    }
    return GetPoint(rows, basis);
}

std::vector<double>
LinearProgram::GetPoint(const std::vector<Row>& rows, const std::vector<std::size_t>& basis) const
{
    std::vector<double> point(m_size);
    for (std::size_t i = 0; i < basis.size(); ++i)
    {
        if (basis[i] < m_size)
        {
            point[basis[i]] = std::max(rows[i].back() * m_scale, 0.0);
        }
    }
    return point;
}

} // namespace mlcluster
} // namespace ns3
