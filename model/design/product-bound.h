/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PRODUCT_BOUND_H
#define ML_CLUSTER_PRODUCT_BOUND_H

#include "bandwidth-descent.h"
#include "bandwidth-problem.h"
#include "bandwidth-region.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A lower bound of the product of time and cost by geometric programming, which is tight at once
 * where the bound by tangents closes slowly.
 *
 * In the logarithms of the bandwidths the logarithms of the time, of the cost and of sums with
 * positive coefficients are convex, so that the weighted inequality of arithmetic and geometric
 * means gives a bound for any weights; those of the point given are taken. A total that must be met
 * is first taken out of the cost by its cheapest dimension. Constraints that are not convex in the
 * logarithms are left out, which keeps the bound valid; it is not tight then. The manual, chapter
 * "Design of Networks", derives it.
 */
class ProductBound
{
  public:
    /// @param problem whose objective is the product @param region of its constraints; both must
    /// outlive this
    ProductBound(const BandwidthProblem& problem, const BandwidthRegion& region);

    /**
     * @param result of minimising T + s C
     * @param slope s, best where it is T / C of the result
     * @param known a product that is reached
     * @return no product is lower than this or than the known one; 0 if nothing is known
     */
    double Get(const BandwidthDescent::Result& result, double slope, double known) const;

  private:
    /// A product of powers of the bandwidths, or a sum of such that is weighed by its terms.
    struct Mean
    {
        double logarithm{0};           ///< of the constant factor
        std::vector<double> exponents; ///< of the bandwidths
    };

    /**
     * Bounds a power of a sum of terms from below by a product.
     * @param mean gets it as a factor
     * @param coefficients of the terms, one for each dimension, then the constant; none negative
     * @param exponent of the bandwidths in the terms, 1 or -1
     * @param bandwidths whose terms are the weights
     * @param power of the sum
     */
    static void Multiply(Mean& mean,
                         const std::vector<double>& coefficients,
                         double exponent,
                         const std::vector<double>& bandwidths,
                         double power);
    /// @param mean gets a constraint as a factor that is at most 1, unless it holds one bandwidth
    /// alone, which the region's limits do with less rounding @param row the constraint @param
    /// isEquation whether it is one @param bandwidths where @param factor its multiplier over the
    /// time
    static void AddRow(Mean& mean,
                       const BandwidthRegion::Row& row,
                       bool isEquation,
                       const std::vector<double>& bandwidths,
                       double factor);
    /// @param result as Get has it @param slope s @return the bandwidths with which its multipliers
    /// are in balance, at the result but for rounding
    std::vector<double> GetStationary(const BandwidthDescent::Result& result, double slope) const;
    /// @param mean a product @param known a product of time and cost that is reached @return its
    /// logarithm where it is least
    double GetLeast(const Mean& mean, double known) const;

    const BandwidthProblem& m_problem; ///< the problem
    const BandwidthRegion& m_region;   ///< of its constraints
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PRODUCT_BOUND_H
