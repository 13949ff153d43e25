/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-region.h"

#include "small-matrix.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Relation = LinearConstraint::Relation;

constexpr double NO_ROOM = 1e-8;    ///< of a row's scale: it is an equation
constexpr double DEPENDENT = 1e-10; ///< of a row's length: it follows from others

/// @param size number of dimensions @param dimension one @param factor its factor @return a sum of
/// that bandwidth alone
std::vector<double>
MakeUnit(std::size_t size, std::size_t dimension, double factor)
{
    std::vector<double> unit(size);
    unit[dimension] = factor;
    return unit;
}

/// @param a numbers @return the length of the vector
double
GetLength(const std::vector<double>& a)
{
    return std::sqrt(Dot(a, a));
}

/// @param size number of dimensions @param constraints any @return for each dimension what limits
/// of sums allow, GB/s; infinite if there is none
std::vector<double>
FindCeilings(std::size_t size, const std::vector<LinearConstraint>& constraints)
{
    std::vector<double> ceilings(size, std::numeric_limits<double>::infinity());
    for (const auto& constraint : constraints)
    {
        const auto& row = constraint.coefficients;
        const bool isSum = constraint.relation != Relation::AtLeast && constraint.value >= 0 &&
                           std::all_of(row.begin(), row.end(), [](double c) { return c >= 0; });
        for (std::size_t d = 0; d < size && isSum; ++d)
        {
            ceilings[d] =
                row[d] > 0 ? std::min(ceilings[d], constraint.value / row[d]) : ceilings[d];
        }
    }
    return ceilings;
}

/// @param size number of dimensions @param constraints any @return the same, but that limits which
/// others keep far away are nearer, so that they do not spoil the precision
std::vector<LinearConstraint>
DrawNear(std::size_t size, std::vector<LinearConstraint> constraints)
{
    constexpr double ROOM = 2; // so much farther than the others allow
    const auto ceilings = FindCeilings(size, constraints);
    for (auto& constraint : constraints)
    {
        double highest = 0;
        for (std::size_t d = 0; d < size; ++d)
        {
            const double factor = constraint.coefficients[d];
            highest += factor > 0 ? factor * ceilings[d] : 0;
        }
        if (constraint.relation == Relation::AtMost && highest > 0)
        {
            constraint.value = std::min(constraint.value, ROOM * highest);
        }
    }
    return constraints;
}

/// @param constraints that do not do @param isWrong whether some of them do not do either @return a
/// smallest set of them that does not do, with their places
std::string
FindCulprits(std::vector<LinearConstraint> constraints,
             const std::function<bool(const std::vector<LinearConstraint>&)>& isWrong)
{
    for (std::size_t i = constraints.size(); i-- > 0;)
    {
        std::vector<LinearConstraint> others = constraints;
        others.erase(others.begin() + i);
        if (isWrong(others))
        {
            constraints = others;
        }
    }
    std::string texts;
    for (const auto& constraint : constraints)
    {
        const auto& place = constraint.place;
        texts += (texts.empty() ? "" : "; ") + constraint.text +
                 (place.line > 0 ? " (" + place.file + ":" + std::to_string(place.line) + ")" : "");
    }
    return texts;
}

/// @param size number of dimensions @param constraints that cannot be met @throw InputError with a
/// smallest set of them that cannot be met
[[noreturn]] void
RefuseConstraints(std::size_t size, const std::vector<LinearConstraint>& constraints)
{
    const std::string texts = FindCulprits(constraints, [size](const auto& some) {
        return !LinearProgram(size, DrawNear(size, some)).IsFeasible();
    });
    const bool isOne = texts.find("; ") == std::string::npos;
    throw InputError((isOne ? "no bandwidths meet the constraint "
                            : "no bandwidths meet all of these constraints, though they would meet "
                              "all but one: ") +
                     texts);
}

} // namespace

BandwidthRegion::BandwidthRegion(std::size_t nDimensions,
                                 const std::vector<LinearConstraint>& constraints)
    : m_nDimensions(nDimensions),
      m_constraints(DrawNear(nDimensions, constraints)),
      m_program(nDimensions, m_constraints)
{
    if (!m_program.IsFeasible())
    {
        RefuseConstraints(nDimensions, constraints);
    }
    FindLimits();
    FindInterior();
    Adjust();
}

void
BandwidthRegion::CheckOpen(const std::vector<bool>& involved,
                           const std::vector<LinearConstraint>& constraints) const
{
    for (std::size_t d = 0; d < m_nDimensions; ++d)
    {
        if (involved[d] && !m_isOpen[d])
        {
            const double little = m_most[d];
            const std::string texts = FindCulprits(constraints, [&](const auto& some) {
                const LinearProgram program(m_nDimensions, DrawNear(m_nDimensions, some));
                const auto most = program.Minimise(MakeUnit(m_nDimensions, d, -1));
                return most && (*most)[d] <= 2 * little + NO_ROOM * m_scale;
            });
            throw InputError(
                "b" + std::to_string(d + 1) +
                ", where collectives send, is left no bandwidth, or next to none, by " + texts);
        }
    }
}

void
BandwidthRegion::FindLimits()
{
    for (std::size_t d = 0; d < m_nDimensions; ++d)
    {
        m_least.push_back((*m_program.Minimise(MakeUnit(m_nDimensions, d, 1)))[d]);
        const auto most = m_program.Minimise(MakeUnit(m_nDimensions, d, -1));
        m_most.push_back(most ? (*most)[d] : std::numeric_limits<double>::infinity());
    }
}

void
BandwidthRegion::FindInterior()
{
    const std::vector<double> all(m_nDimensions, 1);
    double scale = 0;
    for (const auto& constraint : m_constraints)
    {
        scale = std::max(scale, std::abs(constraint.value) / GetLength(constraint.coefficients));
    }
    scale = scale > 0 ? scale : 1;
    m_scale = scale;
    LinearConstraint cap;
    cap.coefficients = all;
    cap.value = 2 * Dot(all, *m_program.Minimise(all)) + scale;
    std::vector<LinearConstraint> capped = m_constraints;
    capped.push_back(cap);
    const LinearProgram program(m_nDimensions, capped);
    m_interior.assign(m_nDimensions, 0);
    double nPoints = 0;
    const auto add = [&](const Row& row) {
        const auto point = program.Minimise(row.coefficients);
        const double room = point ? row.value - Dot(row.coefficients, *point) : 0;
        AddTo(m_interior, point ? 1 : 0, point ? *point : all);
        nPoints += point ? 1 : 0;
        return room > NO_ROOM * scale * GetLength(row.coefficients);
    };
    for (std::size_t i = 0; i < m_constraints.size(); ++i)
    {
        const auto& constraint = m_constraints[i];
        Row row{constraint.coefficients, constraint.value, i, 1};
        if (constraint.relation == Relation::AtLeast)
        {
            row = {std::vector<double>(m_nDimensions), -constraint.value, i, -1};
            AddTo(row.coefficients, -1, constraint.coefficients);
        }
        if (constraint.relation != Relation::Equal && add(row))
        {
            m_inequalities.push_back(row);
        }
        else
        {
            AddEquation(row);
        }
    }
    for (std::size_t d = 0; d < m_nDimensions; ++d)
    {
        Row row{MakeUnit(m_nDimensions, d, -1), 0, m_constraints.size() + d, 1};
        m_isOpen.push_back(add(row));
        if (!m_isOpen[d])
        {
            AddEquation(row);
        }
    }
    for (double& bandwidth : m_interior)
    {
        bandwidth /= nPoints;
    }
}

void
BandwidthRegion::AddEquation(const Row& row)
{
    std::vector<double> rest = row.coefficients;
    for (int i = 0; i < 2; ++i)
    {
        for (const auto& direction : m_directions)
        {
            AddTo(rest, -Dot(rest, direction), direction);
        }
    }
    const double length = GetLength(rest);
    if (length > DEPENDENT * GetLength(row.coefficients))
    {
        std::vector<double> direction(m_nDimensions);
        AddTo(direction, 1 / length, rest);
        m_directions.push_back(direction);
        m_equations.push_back(row);
    }
}

void
BandwidthRegion::Adjust()
{
    std::vector<double> excess(m_equations.size());
    SmallMatrix products(m_equations.size());
    for (std::size_t i = 0; i < m_equations.size(); ++i)
    {
        const auto& row = m_equations[i].coefficients;
        excess[i] = Dot(row, m_interior) - m_equations[i].value;
        for (std::size_t j = 0; j <= i; ++j)
        {
            products(i, j) = Dot(row, m_equations[j].coefficients);
        }
    }
    products.Factor();
    products.Solve(excess);
    for (std::size_t i = 0; i < m_equations.size(); ++i)
    {
        AddTo(m_interior, -excess[i], m_equations[i].coefficients);
    }
}

std::size_t
BandwidthRegion::GetNDimensions() const
{
    return m_nDimensions;
}

const std::vector<BandwidthRegion::Row>&
BandwidthRegion::GetInequalities() const
{
    return m_inequalities;
}

const std::vector<BandwidthRegion::Row>&
BandwidthRegion::GetEquations() const
{
    return m_equations;
}

const std::vector<double>&
BandwidthRegion::GetInterior() const
{
    return m_interior;
}

const std::vector<double>&
BandwidthRegion::GetLeast() const
{
    return m_least;
}

const std::vector<double>&
BandwidthRegion::GetMost() const
{
    return m_most;
}

const std::vector<bool>&
BandwidthRegion::GetOpen() const
{
    return m_isOpen;
}

std::vector<std::vector<double>>
BandwidthRegion::GetFreeDirections(const std::vector<double>& bandwidths) const
{
    std::vector<double> sizes = bandwidths;
    std::replace_if(sizes.begin(), sizes.end(), [](double b) { return b <= 0; }, 1.0);
    std::vector<std::vector<double>> rows;
    for (const auto& equation : m_equations)
    {
        rows.push_back(equation.coefficients);
        std::transform(sizes.begin(),
                       sizes.end(),
                       rows.back().begin(),
                       rows.back().begin(),
                       std::multiplies<>());
    }
    std::vector<std::size_t> pivots;
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        const auto getLargest = [](const std::vector<double>& row) {
            return std::max_element(row.begin(), row.end(), [](double a, double b) {
                return std::abs(a) < std::abs(b);
            });
        };
        const std::size_t pivot = getLargest(rows[r]) - rows[r].begin();
        pivots.push_back(pivot);
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            const double factor = rows[i][pivot] / rows[r][pivot];
            if (i != r)
            {
                AddTo(rows[i], -factor, rows[r]);
                rows[i][pivot] = 0;
            }
        }
    }
    std::vector<std::vector<double>> directions;
    for (std::size_t d = 0; d < m_nDimensions; ++d)
    {
        if (std::find(pivots.begin(), pivots.end(), d) == pivots.end())
        {
            directions.push_back(MakeUnit(m_nDimensions, d, sizes[d]));
            for (std::size_t r = 0; r < rows.size(); ++r)
            {
                directions.back()[pivots[r]] = -rows[r][d] / rows[r][pivots[r]] * sizes[pivots[r]];
            }
        }
    }
    return directions;
}

std::optional<std::vector<double>>
BandwidthRegion::Minimise(const std::vector<double>& objective,
                          const std::vector<LinearConstraint>& more) const
{
    if (more.empty())
    {
        return m_program.Minimise(objective);
    }
    std::vector<LinearConstraint> constraints = m_constraints;
    constraints.insert(constraints.end(), more.begin(), more.end());
    const LinearProgram program(m_nDimensions, constraints);
    return program.IsFeasible() ? program.Minimise(objective) : std::nullopt;
}

std::vector<double>
BandwidthRegion::GetNearestFactors(const std::vector<double>& gradient) const
{
    std::vector<double> factors(m_equations.size());
    SmallMatrix products(m_equations.size());
    for (std::size_t i = 0; i < m_equations.size(); ++i)
    {
        factors[i] = Dot(m_equations[i].coefficients, gradient);
        for (std::size_t j = 0; j <= i; ++j)
        {
            products(i, j) = Dot(m_equations[i].coefficients, m_equations[j].coefficients);
        }
    }
    products.Factor();
    products.Solve(factors);
    return factors;
}

} // namespace mlcluster
} // namespace ns3
