/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_ANALYSIS_H
#define ML_CLUSTER_DESIGN_ANALYSIS_H

#include "design-model.h"
#include "design-report.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A design whose choices have been made.
 */
struct ChosenDesign
{
    std::unique_ptr<DesignModel> model;        ///< of the best one
    std::string name;                          ///< of what is chosen; "" if nothing is left open
    std::vector<ExperimentOverride> overrides; ///< values instead of the file's
    std::vector<DesignPoint> choices;          ///< see DesignReport
};

/**
 * @ingroup ml-cluster
 * Reads a design and makes its choices: every combination of their options is designed, the one
 * with the least value is taken. Warnings go to the error stream.
 * @param path see FindExperimentFile
 * @param settings values instead of the file's, KEY=VALUE each, as --set takes them
 * @param argc number of arguments of main
 * @param argv arguments of main, whose attributes win over the file's
 * @return the design
 * @throw InputError with every problem of file and settings; of a design with choices if none of
 * their combinations has an answer
 */
ChosenDesign ChooseDesign(const std::string& path,
                          const std::vector<std::string>& settings,
                          int argc,
                          char* argv[]);

/**
 * @ingroup ml-cluster
 * Finds the best bandwidths, and what the design asks for beside them.
 * @param chosen the design
 * @return the answer
 * @throw InputError if there is none
 */
DesignReport AnalyseDesign(const ChosenDesign& chosen);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_ANALYSIS_H
