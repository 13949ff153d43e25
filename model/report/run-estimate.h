/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_ESTIMATE_H
#define ML_CLUSTER_RUN_ESTIMATE_H

#include "ns3/count-range.h"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Parts of a work that are equal, of which a run may simulate some only. @ingroup ml-cluster
struct EstimatedRepeats
{
    CountRange simulated; ///< parts in all simulations together
    uint64_t total{0};    ///< parts of the work
    CountRange events;    ///< if all of them were simulated
};

/// What the memory of a run is for, bytes. @ingroup ml-cluster
struct EstimatedMemory
{
    uint64_t process{0};     ///< the program before anything is read, measured
    uint64_t graphs{0};      ///< execution graphs
    uint64_t collectives{0}; ///< plans and schedules of collectives
    uint64_t npus{0};        ///< nodes and applications, and how far they are
    uint64_t network{0};     ///< links, devices and tables
    uint64_t live{0};        ///< messages, packets and events that are going on at once
    uint64_t results{0};     ///< what is recorded of collectives, links and ranks

    uint64_t GetTotal() const; ///< @return all of it
};

/// What a run would take. @ingroup ml-cluster
struct RunEstimate
{
    std::string backend;   ///< short name
    CountRange events;     ///< simulator events, of all simulations together
    LargeCount messages;   ///< sent, likewise
    LargeCount packets;    ///< these are cut into; 0 if there are none
    LargeCount packetHops; ///< links that packets cross, acknowledgements left out
    std::optional<EstimatedRepeats> repeats; ///< if not all that is equal may be simulated
    EstimatedMemory memory;                  ///< of the largest simulation
    double eventsPerSecond{0};               ///< rate of events, on this machine; 0: not known
    std::vector<std::string> remarks;        ///< what the numbers depend on

    /// @return expected wall time, s: that of the events at their rate
    double GetWallSeconds() const;
};

/**
 * @ingroup ml-cluster
 * What the runs of a work of equal parts take, of which those behind the first run are skipped, if
 * they are found to repeat (see RepeatSkipper). The second run has as much more than the first as
 * any so many parts have.
 * @param first estimate of the first run
 * @param second estimate of the second, which has more parts
 * @param runs parts of these two
 * @param longest parts of the runs if nothing is found; the last has all parts
 * @return of both runs; at most that of the longest ones; results of the first are kept in the
 * second
 */
RunEstimate CombineRepeats(const RunEstimate& first,
                           const RunEstimate& second,
                           const std::vector<uint64_t>& runs,
                           const std::vector<uint64_t>& longest);

/**
 * @ingroup ml-cluster
 * Prints what runs would take: events, messages, packets, memory and time, then the parts of the
 * memory, then remarks.
 * @param os where to
 * @param estimates at least one
 */
void PrintEstimates(std::ostream& os, const std::vector<RunEstimate>& estimates);

/// @param os where to, as CSV: one row per backend; "inf" for what 64 bits do not hold @param
/// estimates the estimates
void WriteEstimateTable(std::ostream& os, const std::vector<RunEstimate>& estimates);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_ESTIMATE_H
