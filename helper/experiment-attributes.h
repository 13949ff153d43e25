/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_ATTRIBUTES_H
#define ML_CLUSTER_EXPERIMENT_ATTRIBUTES_H

#include "experiment-config.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// What full names of attributes of the module's classes begin with. @ingroup ml-cluster
inline const std::string MODULE_PREFIX = "ns3::mlcluster::";

/**
 * @ingroup ml-cluster
 * Puts the settings of an experiment in force, as Config::SetDefault, and after them those of the
 * command line, `--ns3::Class::Attribute=value`, so that the command line wins.
 * @param config the experiment
 * @param argc number of arguments of main
 * @param argv arguments of main
 * @throw InputError with every setting that names no attribute or has a value that it refuses
 */
void ApplyAttributes(const ExperimentConfig& config, int argc, char* argv[]);

/**
 * @ingroup ml-cluster
 * Puts a chunk scheduler in force, as Config::SetDefault.
 * @param scheduler a CollectivePlanner's Scheduler and QueuePolicy, see
 * CollectiveOptions::SetScheduler
 * @throw InputError if there is no such scheduler or policy
 */
void ApplyScheduler(const std::string& scheduler);

/**
 * @ingroup ml-cluster
 * @param setting an attribute of any ns-3 class and a text
 * @return why the attribute cannot take it: there is no such attribute, ns-3 could not read the
 * text (it would end the process), or the value is out of range; "" if it can
 */
std::string FindAttributeFault(const AttributeSetting& setting);

/**
 * @ingroup ml-cluster
 * @return every attribute of the module's models with the value that new objects take, by name
 */
std::vector<AttributeSetting> GetAttributesInForce();

/**
 * @ingroup ml-cluster
 * Where the value of an attribute was given, for messages after ApplyAttributes.
 * @param config the experiment
 * @param attribute full name of the attribute, or the key of the experiment file that sets it, or
 * the TypeId name of the workload's generator
 * @return line and key of the experiment file, if the value is from there; only the key that would
 * set it, if it is the default; else, such as for the command line, the attribute
 */
Diagnostics::Place FindAttributePlace(const ExperimentConfig& config, const std::string& attribute);

/**
 * @ingroup ml-cluster
 * Lets problems of attributes be told where their values were given (FindAttributePlace).
 * @param config the experiment; must outlive the diagnostics
 * @param diagnostics takes problems
 */
void FindAttributePlaces(const ExperimentConfig& config, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_ATTRIBUTES_H
