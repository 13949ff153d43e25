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
    /// A key that a line gives several values.
    struct Swept
    {
        std::string heading; ///< key, or keys joined by " + "
        std::string value;   ///< the one of this system
    };

    std::string name;           ///< what it is called
    std::string line{};         ///< name of the file or line of the table that it comes of
    std::string variant{};      ///< of that line; "" if it is as the line says
    std::vector<Swept> swept{}; ///< at most two, in order of the headings
    std::string reference{};    ///< line whose time is compared with; "" if there is none
    ExperimentConfig config;    ///< what it runs
};

/**
 * @ingroup ml-cluster
 * Reads the systems of a study's folder. Each experiment file (.yaml) is a system, called by its
 * name without ".yaml". If there is a `systems.csv`, `base.yaml` is none; instead each line of the
 * table is one: what the base says, but for the cells of the line. The first heading is `system`,
 * the name; the others are full keys of experiment files, such as `workload.transformer.tensor`. A
 * cell has a value as the file would (in double quotes if it has a comma); an empty one leaves what
 * the base says. A heading may be several keys joined by +, which all get the value. The heading
 * `reference` is no key: its cell names the line whose time that of the line is compared with.
 *
 * A cell with several values separated by | makes the line a sweep, a system of each value, called
 * by the line's name with "@" and the value; two such cells make one of each pair.
 *
 * Each line of a `variants.csv` is a change to the lines of the table that are no sweeps, or to
 * those that its cell `systems` names, separated by blanks: a system each, called by the line's
 * name with ":" and that of the `variant`. A variant is compared with the same of the reference, or
 * with the reference itself if that has no such variant. Its cells win over those of the line.
 * @param folder path of the folder
 * @param diagnostics receives every problem of its files
 * @return systems of files by name, then those of the table in its order, then variants in theirs
 */
std::vector<StudySystem> ReadStudySystems(const std::string& folder, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUDY_SYSTEMS_H
