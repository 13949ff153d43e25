/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STUDY_TABLES_H
#define ML_CLUSTER_STUDY_TABLES_H

#include "experiment-study.h"

#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Prints the runs of a study but for those of sweeps and variants, and speed-ups of its schedulers
 * over the first one.
 * @param os where to
 * @param study that has run
 */
void PrintStudyRuns(std::ostream& os, const ExperimentStudy& study);

/**
 * @ingroup ml-cluster
 * Prints the figures of others beside ours with the difference, and for each group, in order of its
 * first figure, the median and the largest of the differences without their sign. Figures that were
 * not run are left out of these.
 * @param os where to; nothing is printed if there are no figures
 * @param study that has run
 */
void PrintStudyFigures(std::ostream& os, const ExperimentStudy& study);

/**
 * @ingroup ml-cluster
 * @param os receives the runs as CSV
 * @param study that has run
 */
void WriteStudyRuns(std::ostream& os, const ExperimentStudy& study);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUDY_TABLES_H
