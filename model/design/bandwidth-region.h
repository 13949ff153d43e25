/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_REGION_H
#define ML_CLUSTER_BANDWIDTH_REGION_H

#include "linear-constraint.h"
#include "linear-program.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The bandwidths that meet all constraints, none of them negative, as an interior-point method
 * needs them: a point inside, equations apart from inequalities, the directions that the equations
 * leave free, and the least and the most of each bandwidth. Inequalities that others leave no room,
 * such as b1 <= 5, b2 <= 5 with b1 + b2 = 10, count as equations.
 */
class BandwidthRegion
{
  public:
    /// An inequality: coefficients . b <= value.
    struct Row
    {
        std::vector<double> coefficients; ///< per dimension
        double value;                     ///< right side
        std::size_t constraint;           ///< index of what it stands for
        double sign;                      ///< of the constraint's coefficients: -1 for "at least"
    };

    /**
     * @param nDimensions number of dimensions
     * @param constraints with coefficients, not all of them 0, for each dimension
     * @throw InputError naming a smallest set of constraints that no bandwidths meet
     */
    BandwidthRegion(std::size_t nDimensions, const std::vector<LinearConstraint>& constraints);

    /**
     * @param involved per dimension, whether collectives send there
     * @param constraints as the constructor was given them
     * @throw InputError naming a smallest set of constraints that leave such a dimension no
     * bandwidth
     */
    void CheckOpen(const std::vector<bool>& involved,
                   const std::vector<LinearConstraint>& constraints) const;
    std::size_t GetNDimensions() const;              ///< @return number of dimensions
    const std::vector<Row>& GetInequalities() const; ///< @return those with room
    /// @return equations that do not follow from each other, as rows
    const std::vector<Row>& GetEquations() const;
    const std::vector<double>& GetInterior() const; ///< @return a point inside, GB/s
    const std::vector<double>& GetLeast() const;    ///< @return the least of each bandwidth, GB/s
    /// @return the most of each bandwidth, GB/s, may be infinite
    const std::vector<double>& GetMost() const;
    const std::vector<bool>& GetOpen() const; ///< @return per dimension, whether it may be above 0
    /**
     * @param bandwidths where
     * @return directions that the equations leave free: in each of them one bandwidth doubles, and
     *         such as are large make up for it, so that small ones are as exact as these
     */
    std::vector<std::vector<double>> GetFreeDirections(const std::vector<double>& bandwidths) const;
    /**
     * @param objective factors of a sum @param more constraints to meet as well
     * @return the bandwidths with which it is least; none if there are none, or no least value
     */
    std::optional<std::vector<double>> Minimise(
        const std::vector<double>& objective,
        const std::vector<LinearConstraint>& more = {}) const;
    /**
     * @param gradient per dimension
     * @return factors of the equations whose sum is nearest to it
     */
    std::vector<double> GetNearestFactors(const std::vector<double>& gradient) const;

  private:
    void FindLimits();   ///< Fills m_least and m_most.
    void FindInterior(); ///< Fills m_interior, m_inequalities, m_equations.
    /// @param row an equation; kept with its direction unless it follows from others
    void AddEquation(const Row& row);
    void Adjust(); ///< Takes what rounding has left of the equations off m_interior.

    std::size_t m_nDimensions;                     ///< number of dimensions
    std::vector<LinearConstraint> m_constraints;   ///< as given, but for limits far away
    double m_scale{1};                             ///< of their values, GB/s
    LinearProgram m_program;                       ///< of them
    std::vector<Row> m_inequalities;               ///< those with room
    std::vector<Row> m_equations;                  ///< independent ones
    std::vector<std::vector<double>> m_directions; ///< orthonormal, of the equations
    std::vector<double> m_interior;                ///< a point inside
    std::vector<bool> m_isOpen;                    ///< per dimension, whether it may be above 0
    std::vector<double> m_least;                   ///< per dimension
    std::vector<double> m_most;                    ///< per dimension
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_REGION_H
