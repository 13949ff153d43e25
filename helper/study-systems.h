/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STUDY_SYSTEMS_H
#define ML_CLUSTER_STUDY_SYSTEMS_H

#include "experiment-config.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// One system of a study. @ingroup ml-cluster
struct StudySystem
{
    std::string name;        ///< what it is called
    ExperimentConfig config; ///< what it runs
};

/**
 * @ingroup ml-cluster
 * Reads the systems of a study's folder. Each experiment file (.yaml) is a system, called by its
 * name without ".yaml". If there is a `systems.csv`, `base.yaml` is none; instead each line of the
 * table is one: what the base says, but for the cells of the line. The first heading is `system`,
 * the name; the others are full keys of experiment files, such as `workload.transformer.tensor`. A
 * cell has a value as the file would (in double quotes if it has a comma); an empty one leaves what
 * the base says.
 * @param folder path of the folder
 * @param diagnostics receives every problem of its files
 * @return systems of files by name, then those of the table in its order
 */
std::vector<StudySystem> ReadStudySystems(const std::string& folder, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUDY_SYSTEMS_H
