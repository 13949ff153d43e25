/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_TABLES_H
#define ML_CLUSTER_RUN_TABLES_H

#include "run-report.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints one line per run: finish time, difference to the first run, shares of compute and of
 * exposed communication in it (mean over the ranks), wall time, events, events per second. A
 * partial run is marked "(stopped)" and not compared.
 * @param os where to
 * @param runs at least one run
 */
void PrintRuns(std::ostream& os, const std::vector<RunReport>& runs);

/**
 * @ingroup ml-cluster
 * Prints how fast runs train, one line per run whose training is set and which was not stopped;
 * nothing if there is none. What is not known is "-".
 * @param os where to
 * @param runs the runs
 */
void PrintTraining(std::ostream& os, const std::vector<RunReport>& runs);

/**
 * @ingroup ml-cluster
 * Prints where the ranks' time went, as shares of the run's, mean over the ranks: one line per run
 * with the exclusive parts, communication that ran under compute, and its share of all
 * communication (overlap); then one line per kind and group of communication and run, mean over the
 * groups and ranks that have it; groups whose names differ in a number after a point are one.
 * @param os where to
 * @param runs at least one run
 * @param maxGroups at most so many kinds and groups; a line tells how many are left out
 * @param where completes "... more are in": where they are
 */
void PrintBreakdown(std::ostream& os,
                    const std::vector<RunReport>& runs,
                    std::size_t maxGroups,
                    const std::string& where);

/**
 * @ingroup ml-cluster
 * Prints one line per collective of the first run and backend: time with algbw and busbw,
 * difference to the first run. A collective of a further run is the one of equal name, type, group,
 * size and ranks; of several such, the n-th by start belongs to the n-th.
 * @param os where to
 * @param runs at least one run
 * @param maxCollectives at most so many collectives; a line tells how many are left out
 * @param where completes "... more are in": where they are
 */
void PrintCollectives(std::ostream& os,
                      const std::vector<RunReport>& runs,
                      std::size_t maxCollectives,
                      const std::string& where);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_TABLES_H
