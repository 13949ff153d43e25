/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REPEAT_SKIPPER_H
#define ML_CLUSTER_REPEAT_SKIPPER_H

#include "ns3/repetition-watch.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Runs work that consists of many equal parts without simulating all of them. It runs fewer, until
 * RepetitionWatch proves that parts repeat from some moment on, runs one period more to see what
 * that adds to every number of the report, and adds that for the rest. If nothing is proven, all
 * parts are simulated: the answer is the same in either case.
 */
class RepeatSkipper
{
  public:
    /**
     * Runs the work.
     * @param nRepetitions how many parts it has in this run
     * @param watch to be told of every start and end of a node; null if it need not be
     */
    using RunFunction = std::function<RunReport(uint64_t nRepetitions, RepetitionWatch* watch)>;

    /**
     * @param nRepetitions parts of the work
     * @param unit parts that can only be had together; nRepetitions is a multiple of it
     * @param first parts to try first, at least 1; more, if that proves nothing
     */
    RepeatSkipper(uint64_t nRepetitions, uint32_t unit, uint64_t first);

    /// @param run runs the work @return the report of the whole
    RunReport Run(const RunFunction& run) const;

    /// @return the parts of each run if the first proves that they repeat one unit after the other;
    /// one run of all if there are too few to try
    std::vector<uint64_t> GetExpectedRuns() const;
    /// @return the parts of each run if nothing is ever proven
    std::vector<uint64_t> GetLongestRuns() const;

  private:
    /// @param nRun parts of a run @return whether it is worth the attempt
    bool IsWorthTrying(uint64_t nRun) const;
    /// @param report of a run of fewer parts that a signal ended @param nRepetitions these parts
    /// @return the report, which says so
    RunReport Stop(RunReport report, uint64_t nRepetitions) const;

    uint64_t m_nRepetitions; ///< parts of the work
    uint32_t m_unit;         ///< parts that can only be had together
    uint64_t m_first;        ///< parts of the first run
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REPEAT_SKIPPER_H
