/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NEWTON_SYSTEM_H
#define ML_CLUSTER_NEWTON_SYSTEM_H

#include "small-matrix.h"

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The linear equations of a Newton step of BandwidthBarrier: a matrix over the bandwidths, the
 * times of those collectives that have a place in it and the maxima, and apart from it the times of
 * the other collectives, which meet nothing but the bandwidths and are eliminated. There are two
 * right sides, that of the step and that of the time target.
 */
class NewtonSystem
{
  public:
    /// Values of all unknowns of a barrier.
    struct Unknowns
    {
        std::vector<double> bandwidths;  ///< GB/s
        std::vector<double> collectives; ///< ns
        std::vector<double> maxima;      ///< ns

        /// @param length of the step @param change direction
        void Move(double length, const Unknowns& change);
    };

    using Term = std::pair<std::size_t, double>; ///< place of an unknown, and its factor
    /// Place of a collective that has none in the matrix.
    static constexpr std::size_t NO_PLACE = std::numeric_limits<std::size_t>::max();

    /// @param nDimensions number of dimensions @param places in the matrix of the collectives,
    /// after the bandwidths @param nCoupled number of those that have one @param nMaxima of maxima,
    /// whose places are last
    NewtonSystem(std::size_t nDimensions,
                 const std::vector<std::size_t>& places,
                 std::size_t nCoupled,
                 std::size_t nMaxima);

    /// Adds the barrier of an edge. @param terms of what is left to it @param slack their sum
    void AddEdge(const std::vector<Term>& terms, double slack);
    /// Adds what a collective's barrier in one dimension makes of it. @param collective index
    /// @param dimension index @param time of it @param bandwidth there @param bytes there @param
    /// slack time * bandwidth - bytes
    void AddCollective(std::size_t collective,
                       std::size_t dimension,
                       double time,
                       double bandwidth,
                       double bytes,
                       double slack);
    /// @param place an unknown of the matrix @param value added to its right side @param target and
    /// to that of the target
    void AddSide(std::size_t place, double value, double target);
    /// @param collective index @param value added to its right side @param target and to that of
    /// the target
    void AddTimeSide(std::size_t collective, double value, double target);
    /// Eliminates and factors; all must have been added. @param free directions of the bandwidths
    void Reduce(const std::vector<std::vector<double>>& free);
    /// @param side 0: of the step, 1: of the target @return the solution, after Reduce
    Unknowns Solve(std::size_t side) const;
    /// @param side as above @param change of the unknowns @return the product
    double Multiply(std::size_t side, const Unknowns& change) const;

  private:
    std::size_t m_nDimensions;                    ///< number of dimensions
    const std::vector<std::size_t>& m_places;     ///< of collectives
    std::size_t m_nCoupled;                       ///< collectives in the matrix
    SmallMatrix m_matrix;                         ///< of bandwidths, coupled collectives, maxima
    SmallMatrix m_reduced;                        ///< factor, bandwidths in free directions only
    std::vector<std::vector<double>> m_sides;     ///< of the step and of the target
    std::vector<std::vector<double>> m_timeSides; ///< likewise, of the other collectives
    std::vector<double> m_diagonal;               ///< of the other collectives
    std::vector<double> m_cross;                  ///< between each of them and the bandwidths
    std::vector<std::vector<double>> m_free;      ///< directions of the bandwidths
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NEWTON_SYSTEM_H
