/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLOSED_LOOP_TABLES_H
#define ML_CLUSTER_CLOSED_LOOP_TABLES_H

#include "closed-loop.h"

#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints predicted beside simulated steps, their difference in its parts, and speed-ups over the
 * first network.
 * @param os where to
 * @param loop that has run
 */
void PrintSimulatedSteps(std::ostream& os, const ClosedLoop& loop);

/**
 * @ingroup ml-cluster
 * Prints the kinds of collectives of each step with the parts of their time, and of each dimension
 * the share of the step in which its busiest link sends.
 * @param os where to
 * @param loop that has run
 */
void PrintSimulatedCollectives(std::ostream& os, const ClosedLoop& loop);

/**
 * @ingroup ml-cluster
 * @param os receives steps and parts as CSV
 * @param loop that has run
 */
void WriteSimulatedSteps(std::ostream& os, const ClosedLoop& loop);

/**
 * @ingroup ml-cluster
 * Prints what refinement has tried: the start, each trial that was better than all before, and how
 * many there were.
 * @param os where to
 * @param result of refinement
 * @param isSlowdown whether its times are slowdowns, instead of ns
 */
void PrintRefinement(std::ostream& os,
                     const BandwidthRefiner::Result& result,
                     bool isSlowdown = false);

/**
 * @ingroup ml-cluster
 * @param os receives all trials of refinement as CSV
 * @param result of refinement
 * @param isSlowdown whether its times are slowdowns, instead of ns
 */
void WriteRefinement(std::ostream& os,
                     const BandwidthRefiner::Result& result,
                     bool isSlowdown = false);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLOSED_LOOP_TABLES_H
