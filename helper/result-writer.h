/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RESULT_WRITER_H
#define ML_CLUSTER_RESULT_WRITER_H

#include "result-folder.h"

#include "ns3/run-estimate.h"
#include "ns3/run-report.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @defgroup ml-cluster-results Result files
 *
 * What an experiment gave, for programs to read: one JSON summary and five tables as CSV (RFC
 * 4180) with units in the column names. Times are integer picoseconds, sizes bytes, bandwidths
 * 10^9 B/s, printed with the fewest digits that give the same double back. Equal runs give equal
 * bytes, but for wallSeconds, peakMemoryBytes and nodeFileBytes.
 *
 * Rows are written as they are visited: memory does not grow with their number.
 * @{
 */

/**
 * Writes summary.json: module, ns3, config, partial (only if a run was stopped), runs (with ranks,
 * communication, collectives and memory), comparison.
 * @param os where to
 * @param configuration the effective configuration as YAML; embedded as an object whose scalars are
 * strings
 * @param runs at least one run
 */
void WriteSummary(std::ostream& os,
                  const std::string& configuration,
                  const std::vector<RunReport>& runs);

/// @param os where to @param runs the runs; one row per backend and rank
void WriteRankTable(std::ostream& os, const std::vector<RunReport>& runs);

/// @param os where to @param runs the runs; one row per backend, rank, kind of communication, group
void WriteCommunicationTable(std::ostream& os, const std::vector<RunReport>& runs);

/// @param os where to @param runs the runs; one row per backend and collective
void WriteCollectiveTable(std::ostream& os, const std::vector<RunReport>& runs);

/// @param os where to @param runs the runs; one row per backend and directed link
void WriteLinkTable(std::ostream& os, const std::vector<RunReport>& runs);

/// @param os where to @param runs the runs; one row per backend and memory, or link to one
void WriteMemoryTable(std::ostream& os, const std::vector<RunReport>& runs);

/**
 * Writes summary.json, ranks.csv, communication.csv, collectives.csv, links.csv and memory.csv, and
 * publishes them together.
 * @param folder where to
 * @param configuration the effective configuration as YAML
 * @param runs at least one run
 * @throw InputError if a file cannot be written
 */
void WriteResults(ResultFolder& folder,
                  const std::string& configuration,
                  const std::vector<RunReport>& runs);

/**
 * Writes estimate.csv, and publishes it.
 * @param folder the folder
 * @param estimates of runs
 */
void WriteEstimates(ResultFolder& folder, const std::vector<RunEstimate>& estimates);

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RESULT_WRITER_H
