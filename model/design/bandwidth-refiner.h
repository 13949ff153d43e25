/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_REFINER_H
#define ML_CLUSTER_BANDWIDTH_REFINER_H

#include "bandwidth-problem.h"
#include "bandwidth-region.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Looks for better bandwidths by trying them, with a time that is no formula, such as that of a
 * simulation: the same bandwidths must take the same time, which need not change smoothly. The
 * objective and the constraints are those of a BandwidthProblem.
 *
 * It begins at bandwidths that meet the constraints, such as a BandwidthSolution's, and varies them
 * in the directions that equations leave free, each by a share of itself. COBYLA (Powell 1994, from
 * NLopt) chooses what to try: it models objective and target as planes through trials around the
 * best one, closer and closer. What it would try outside the constraints is drawn back towards the
 * start. Each search ends with a tenth of its first step; the next begins at the best trial, in the
 * direction of the last move or in others that are drawn, with half the step if nothing was gained.
 * So it follows the creases of times in which a dimension waits for another, though slowly. It
 * finds a minimum nearby and proves nothing.
 */
class BandwidthRefiner
{
  public:
    /// @param bandwidths per dimension, GB/s @return time of a training step, ns; none ends the
    /// search; may throw
    using Time = std::function<std::optional<double>(const std::vector<double>&)>;

    /// How far to look.
    struct Options
    {
        uint32_t mostTrials{100};  ///< times asked for, that of the start included, at least 1
        double firstStep{0.1};     ///< share that bandwidths change by at first, above 0, below 1
        double shortestStep{1e-4}; ///< share at which to end, above 0
    };

    /// Bandwidths whose time is known.
    struct Trial
    {
        std::vector<double> bandwidths; ///< per dimension, GB/s
        double time{0};                 ///< ns
        double cost{0};                 ///< $
        double value{0};                ///< of the objective
        double delay{0};                ///< share of the target that the time is above it
    };

    /// What came out.
    struct Result
    {
        Trial best;                ///< least value of those that meet the target; if none does, the
                                   ///< least delay
        std::vector<Trial> trials; ///< in order, the start first; none if its time is none
    };

    /**
     * @param problem objective, prices, target and constraints; its time is not used
     * @param time what to minimise instead
     * @param options how far to look
     * @throw InputError if dimensions have only certain speeds, the constraints clash, or the
     * options make no sense
     */
    BandwidthRefiner(const BandwidthProblem& problem, Time time, const Options& options);

    /**
     * @param start bandwidths that meet all constraints
     * @return what came out
     * @throw InputError if the start does not meet them; what the time throws
     */
    Result Refine(const std::vector<double>& start);

  private:
    class Search; ///< one run of COBYLA

    /// @param bandwidths that meet all constraints @return their trial, tried if they are new;
    /// null if nothing is to be tried any more
    const Trial* Try(const std::vector<double>& bandwidths);
    /// @param a a trial @param b another @return whether a is better
    static bool IsBetter(const Trial& a, const Trial& b);

    BandwidthProblem m_problem; ///< objective, prices, target
    BandwidthRegion m_region;   ///< of its constraints
    Time m_time;                ///< to minimise
    Options m_options;          ///< how far to look
    Result m_result;            ///< so far
    bool m_isStopped{false};    ///< whether a time was none
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_REFINER_H
