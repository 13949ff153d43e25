/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_DESCENT_H
#define ML_CLUSTER_BANDWIDTH_DESCENT_H

#include "bandwidth-barrier.h"

#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Minimises u T(b) + s p . b over a region, if wanted with T below a target, and bounds the least
 * value from below.
 *
 * It follows the minima of BandwidthBarrier as the objective outweighs the barrier more and more.
 * The barrier's multipliers, scaled so that each maximum passes on what it gets, give a lower bound
 * by Lagrangian duality that holds however far the method has come; the manual, chapter "Design of
 * Networks", derives it. The path ends when the bound no longer rises.
 */
class BandwidthDescent
{
  public:
    /// Answer.
    struct Result
    {
        std::vector<double> bandwidths; ///< meet the constraints, GB/s
        double bound{0};                ///< no bandwidths have a lower objective
        std::vector<double> factors;    ///< per row of the region, inequalities first: by how much
                                        ///< a larger right side lowers the objective
        double targetFactor{0};         ///< by how much a later target lowers it
        std::vector<double> bytes;      ///< per dimension, weighted so that the time is their sum
                                        ///< over the bandwidths and the constant
        double constant{0};             ///< ns
    };

    /// @param time to minimise @param prices per dimension, $ per GB/s @param region where; each
    /// dimension in which time involves bytes has room above 0. All must outlive this.
    BandwidthDescent(const TimeExpression& time,
                     const std::vector<double>& prices,
                     const BandwidthRegion& region);

    /**
     * @param weights what to minimise, which must have a least value
     * @return the answer; none if no bandwidths reach the target
     */
    std::optional<Result> Minimise(const BandwidthBarrier::Weights& weights);

  private:
    using Point = BandwidthBarrier::Point;   ///< values of all unknowns
    using Slacks = BandwidthBarrier::Slacks; ///< what is left to the edges
    /// Whether a point and what is known there will do.
    using IsEnough = std::function<bool(const Point&, const Result&)>;

    /// Follows the path of minima. @param point inside @param isEnough asked after each minimum
    /// @return the answer with the best bound
    Result Follow(Point& point, const IsEnough& isEnough) const;
    /// @param target a time, ns @return a point inside with a lower one; none if there is none
    std::optional<Point> FindBelow(double target);
    /// @param point inside, near a minimum @param sharpness of the barrier there @return the answer
    Result GetResult(const Point& point, double sharpness) const;
    /// Scales multipliers. @param point inside @param slacks there @param weight of the time @param
    /// bytes receives the weighted bytes @return the weighted constant, ns
    double GetFlow(const Point& point,
                   const Slacks& slacks,
                   double weight,
                   std::vector<double>& bytes) const;
    /// @param bytes weighted @param slope of the cost and the rows, per dimension @return the least
    /// of bytes / b + slope b over all bandwidths of the box
    double GetBoxBound(const std::vector<double>& bytes, const std::vector<double>& slope) const;

    const TimeExpression& m_time;        ///< to minimise
    const std::vector<double>& m_prices; ///< per dimension
    const BandwidthRegion& m_region;     ///< where
    BandwidthBarrier m_barrier;          ///< of all
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_DESCENT_H
