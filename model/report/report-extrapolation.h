/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REPORT_EXTRAPOLATION_H
#define ML_CLUSTER_REPORT_EXTRAPOLATION_H

#include "run-report.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The report of a run with more periods than were simulated: every time, byte, operation and phase
 * count is that of the shorter run plus nPeriods times what the longer one has more. Collectives
 * and largest queues are those of the shorter run; events, wall time and memory are what both took.
 * @param shorter a run
 * @param longer the same with one period more
 * @param nPeriods further periods after the shorter run
 * @return the report
 * @throw InputError if a value is too large to be counted
 */
RunReport ExtrapolateReport(const RunReport& shorter, const RunReport& longer, uint64_t nPeriods);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REPORT_EXTRAPOLATION_H
