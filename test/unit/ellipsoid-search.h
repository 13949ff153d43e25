/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ELLIPSOID_SEARCH_H
#define ML_CLUSTER_ELLIPSOID_SEARCH_H

#include "ns3/bandwidth-problem.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * Minimises T(b) + s C(b) under the constraints of a problem by the ellipsoid method: cuts an
 * ellipsoid by a broken constraint or a subgradient until nothing better can be in it. It shares
 * nothing with the solver but the expression's value.
 */
class EllipsoidSearch
{
  public:
    using Numbers = std::vector<double>;

    /// @param problem whose equations, all with a first coefficient that is not 0 after those
    /// before are solved, are taken out @param radius of a ball around 0 with all answers
    EllipsoidSearch(const BandwidthProblem& problem, double radius)
        : m_problem(problem),
          m_radius(radius),
          m_size(problem.prices.size())
    {
        for (std::size_t d = 0; d < m_size; ++d)
        {
            m_base.push_back(0);
            m_directions.push_back(Numbers(m_size));
            m_directions[d][d] = 1;
        }
        for (const auto& constraint : problem.constraints)
        {
            if (constraint.relation == LinearConstraint::Relation::Equal)
            {
                TakeOut(constraint);
            }
        }
    }

    /// @param slope s @param steps how many @return the best bandwidths found, if any
    std::optional<Numbers> Minimise(double slope, int steps) const
    {
        const std::size_t n = m_directions.size();
        if (n < 2)
        {
            return MinimiseOnLine(slope);
        }
        Numbers centre(n);
        Numbers bestCentre(n);
        double radius = m_radius;
        std::vector<Numbers> shape = MakeBall(n, radius);
        std::optional<Numbers> best;
        double least = INFINITY;
        for (int step = 0; step < steps; ++step)
        {
            const Numbers b = GetPoint(centre);
            Numbers gradient;
            double depth = 0;
            const double value = Cut(b, slope, gradient, depth);
            if (depth == 0 && value < least)
            {
                least = value;
                best = b;
                bestCentre = centre;
            }
            Numbers g(n);
            for (std::size_t i = 0; i < n; ++i)
            {
                g[i] = Multiply(m_directions[i], gradient);
            }
            Numbers ag(n);
            for (std::size_t i = 0; i < n; ++i)
            {
                ag[i] = Multiply(shape[i], g);
            }
            const double length = std::sqrt(Multiply(g, ag));
            if (!(length > 1e-13 * value))
            {
                radius /= 30;
                centre = bestCentre;
                shape = MakeBall(n, radius);
                continue;
            }
            const double missing = depth > 0 ? depth : value - least;
            const double alpha = missing / length;
            if (alpha >= 1)
            {
                break;
            }
            const double nn = static_cast<double>(n);
            const double move = (1 + nn * alpha) / (nn + 1);
            const double shrink = nn * nn / (nn * nn - 1) * (1 - alpha * alpha);
            const double flat = 2 * move / (1 + alpha);
            for (std::size_t i = 0; i < n; ++i)
            {
                centre[i] -= move * ag[i] / length;
                for (std::size_t j = 0; j < n; ++j)
                {
                    shape[i][j] = shrink * (shape[i][j] - flat * ag[i] * ag[j] / length / length);
                }
            }
        }
        return best;
    }

  private:
    /// @return the matrix of a ball
    static std::vector<Numbers> MakeBall(std::size_t n, double radius)
    {
        std::vector<Numbers> shape(n, Numbers(n));
        for (std::size_t i = 0; i < n; ++i)
        {
            shape[i][i] = radius * radius;
        }
        return shape;
    }

    /// @return the sum of products
    static double Multiply(const Numbers& a, const Numbers& b)
    {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
        {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /// Solves an equation for one of the free directions, which it takes out.
    void TakeOut(const LinearConstraint& constraint)
    {
        std::size_t pivot = 0;
        Numbers slopes;
        for (const auto& direction : m_directions)
        {
            slopes.push_back(Multiply(constraint.coefficients, direction));
            pivot = std::abs(slopes.back()) > std::abs(slopes[pivot]) ? slopes.size() - 1 : pivot;
        }
        if (slopes.empty() || std::abs(slopes[pivot]) < 1e-9)
        {
            return;
        }
        const Numbers out = m_directions[pivot];
        const double missing = constraint.value - Multiply(constraint.coefficients, m_base);
        for (std::size_t d = 0; d < m_size; ++d)
        {
            m_base[d] += missing / slopes[pivot] * out[d];
            for (std::size_t i = 0; i < m_directions.size(); ++i)
            {
                m_directions[i][d] -= i == pivot ? 0 : slopes[i] / slopes[pivot] * out[d];
            }
        }
        m_directions.erase(m_directions.begin() + pivot);
    }

    /// @return the bandwidths for the free numbers
    Numbers GetPoint(const Numbers& free) const
    {
        Numbers b = m_base;
        for (std::size_t i = 0; i < free.size(); ++i)
        {
            for (std::size_t d = 0; d < m_size; ++d)
            {
                b[d] += free[i] * m_directions[i][d];
            }
        }
        return b;
    }

    /// @param b bandwidths @param slope s @param gradient receives the direction in which it gets
    /// worse @param depth receives how far a constraint is broken @return the value if none is
    double Cut(const Numbers& b, double slope, Numbers& gradient, double& depth) const
    {
        for (std::size_t d = 0; d < m_size; ++d)
        {
            if (b[d] <= 0)
            {
                gradient.assign(m_size, 0);
                gradient[d] = -1;
                depth = std::max(-b[d], 1e-12);
                return 0;
            }
        }
        for (const auto& constraint : m_problem.constraints)
        {
            const bool isEqual = constraint.relation == LinearConstraint::Relation::Equal;
            if (!isEqual && constraint.GetExcess(b) > 0)
            {
                gradient = constraint.coefficients;
                if (constraint.relation == LinearConstraint::Relation::AtLeast)
                {
                    std::transform(gradient.begin(),
                                   gradient.end(),
                                   gradient.begin(),
                                   std::negate<>());
                }
                depth = constraint.GetExcess(b);
                return 0;
            }
        }
        const auto values = m_problem.time.Evaluate(b);
        gradient.assign(m_size, 0);
        AddGradient(m_problem.time.GetTotal(), 1, values, b, gradient);
        for (std::size_t d = 0; d < m_size; ++d)
        {
            gradient[d] += slope * m_problem.prices[d];
        }
        return values.total + slope * m_problem.GetCost(b);
    }

    /// Adds a subgradient of a sum, weighted.
    void AddGradient(const TimeExpression::Sum& sum,
                     double weight,
                     const TimeExpression::Values& values,
                     const Numbers& b,
                     Numbers& gradient) const
    {
        for (const auto& [k, factor] : sum.collectives)
        {
            const auto& shape = m_problem.time.GetShapes()[k];
            std::size_t slowest = 0;
            for (std::size_t d = 1; d < m_size; ++d)
            {
                slowest = shape[d] / b[d] > shape[slowest] / b[slowest] ? d : slowest;
            }
            gradient[slowest] -= weight * factor * shape[slowest] / b[slowest] / b[slowest];
        }
        for (const auto& [g, factor] : sum.maxima)
        {
            for (const auto& branch : m_problem.time.GetMaxima()[g])
            {
                double value = branch.constant;
                for (const auto& [k, share] : branch.collectives)
                {
                    value += share * values.collectives[k];
                }
                for (const auto& [k, share] : branch.maxima)
                {
                    value += share * values.maxima[k];
                }
                if (value >= values.maxima[g] * (1 - 1e-15))
                {
                    AddGradient(branch, weight * factor, values, b, gradient);
                    break;
                }
            }
        }
    }

    /// @param slope s @return the best bandwidths where at most one number is free
    std::optional<Numbers> MinimiseOnLine(double slope) const
    {
        if (m_directions.empty())
        {
            return m_base;
        }
        double low = -2 * m_radius;
        double high = 2 * m_radius;
        std::optional<Numbers> best;
        for (int i = 0; i < 200; ++i)
        {
            const double middle = (low + high) / 2;
            const Numbers b = GetPoint({middle});
            Numbers gradient;
            double depth = 0;
            Cut(b, slope, gradient, depth);
            best = depth == 0 ? b : best;
            (Multiply(gradient, m_directions[0]) > 0 ? high : low) = middle;
        }
        return best;
    }

    const BandwidthProblem& m_problem; ///< what is solved
    double m_radius;                   ///< of the first ball
    std::size_t m_size;                ///< number of dimensions
    Numbers m_base;                    ///< bandwidths at free numbers of 0
    std::vector<Numbers> m_directions; ///< of the free numbers
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ELLIPSOID_SEARCH_H
