/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_BARRIER_H
#define ML_CLUSTER_BANDWIDTH_BARRIER_H

#include "bandwidth-region.h"
#include "newton-system.h"
#include "time-expression.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The objective u T(b) + s p . b with a logarithmic barrier at the edges of a region, and its
 * minimum by Newton's method.
 *
 * Unknowns are the bandwidths b, a time for each collective and each maximum. Barriers keep
 * time * b_d above the bytes, maxima above their branches, inequalities met and, if there is a
 * target, T below it. The times of collectives that are in no branch are eliminated from each step,
 * so that it costs O(K D^2 + D^3) for K of them.
 */
class BandwidthBarrier
{
  public:
    /// What is minimised.
    struct Weights
    {
        double time{1};               ///< u, not negative
        double cost{0};               ///< s, ns per $
        std::optional<double> target; ///< T stays below it, ns
    };

    using Point = NewtonSystem::Unknowns; ///< values of all unknowns

    /// What is left between a point and the edges.
    struct Slacks
    {
        std::vector<double> collectives; ///< per collective and dimension: time * b_d - bytes_d; 1
                                         ///< without bytes
        std::vector<std::vector<double>> branches; ///< maximum - branch
        std::vector<double> rows;                  ///< value - coefficients . b
        double target{1};                          ///< target - T; 1 without one
        double logarithms{0};                      ///< sum over all and over the bandwidths
        bool isInside{true};                       ///< whether all are above 0
    };

    /// @param time to minimise @param prices per dimension, $ per GB/s @param region where; each
    /// dimension in which time involves bytes has room above 0. All must outlive this.
    BandwidthBarrier(const TimeExpression& time,
                     const std::vector<double>& prices,
                     const BandwidthRegion& region);

    void SetWeights(const Weights& weights); ///< @param weights what to minimise from now on
    const Weights& GetWeights() const;       ///< @return what is minimised
    Point GetStart() const;                  ///< @return a point inside, target aside
    std::size_t GetNEdges() const;           ///< @return number of logarithms, at least
    /// @param point a point @return what is left there
    Slacks GetSlacks(const Point& point) const;
    /// @param point a point, or a change of one @return the objective there, without the barrier
    /// and the constant of the time
    double GetObjective(const Point& point) const;
    /// @param point a point @return the time by its unknowns, ns
    double GetTime(const Point& point) const;
    /// Takes steps until the point is the minimum. @param point inside @param sharpness factor of
    /// the objective against the barrier @return whether it is, as far as numbers can tell
    bool Centre(Point& point, double sharpness) const;

  private:
    /// A Newton step.
    struct Step
    {
        Point change;        ///< of the unknowns
        double decrement{0}; ///< gradient . change, with the sign that makes it positive
    };

    /// @param sum a sum @param point a point @return its value, ns
    static double GetValue(const TimeExpression::Sum& sum, const Point& point);
    /// @param point inside @param slacks there @param sharpness of the objective @return the step
    Step GetStep(const Point& point, const Slacks& slacks, double sharpness) const;
    /// Adds what collectives need. @param system of the step @param point inside @param slacks
    /// there @param weight of the time in the gradient
    void AddCollectives(NewtonSystem& system,
                        const Point& point,
                        const Slacks& slacks,
                        double weight) const;
    /// Adds what maxima need. @param system receives it @param point where @param slacks what is
    /// left there @param weight of the time in the gradient
    void AddMaxima(NewtonSystem& system,
                   const Point& point,
                   const Slacks& slacks,
                   double weight) const;
    /// Adds what rows and bandwidths need. @param system of the step @param point inside @param
    /// slacks there @param weight of the cost in the gradient
    void AddRows(NewtonSystem& system,
                 const Point& point,
                 const Slacks& slacks,
                 double weight) const;

    const TimeExpression& m_time;        ///< to minimise
    const std::vector<double>& m_prices; ///< per dimension
    const BandwidthRegion& m_region;     ///< where
    TimeExpression::Sum m_variable;      ///< the time without its constant
    std::vector<std::size_t> m_places;   ///< of collectives in the matrix of a step; or none
    std::size_t m_nCoupled{0};           ///< collectives that have one
    Weights m_weights;                   ///< of the objective
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_BARRIER_H
