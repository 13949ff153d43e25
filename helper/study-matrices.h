/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STUDY_MATRICES_H
#define ML_CLUSTER_STUDY_MATRICES_H

#include "experiment-study.h"

#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints where the time of runs that are no lone collectives goes, mean over the NPUs, and how much
 * faster they are than their references. Sweeps and variants are left out.
 * @param os where to; nothing is printed if there are no such runs
 * @param study that has run
 */
void PrintStudyBreakdown(std::ostream& os, const ExperimentStudy& study);

/**
 * @ingroup ml-cluster
 * Prints a matrix of each sweep of a study, values of its first key down, of its second key across,
 * and one of all variants down and lines across. An entry is the speed-up over the reference, or
 * the time, us, where there is none.
 * @param os where to; nothing is printed if there are neither
 * @param study that has run
 */
void PrintStudyMatrices(std::ostream& os, const ExperimentStudy& study);

/**
 * @ingroup ml-cluster
 * Prints the statements of a study with our figures and whether they hold.
 * @param os where to; nothing is printed if there are none
 * @param study that has run
 */
void PrintStudyStatements(std::ostream& os, const ExperimentStudy& study);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUDY_MATRICES_H
