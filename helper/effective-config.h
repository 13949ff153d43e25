/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EFFECTIVE_CONFIG_H
#define ML_CLUSTER_EFFECTIVE_CONFIG_H

#include "experiment-config.h"

#include <functional>
#include <ostream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Tells the default of an ns-3 attribute: full name to the text that its value serialises to; "" if
 * there is no such attribute.
 */
using AttributeDefault = std::function<std::string(const std::string& attribute)>;

/**
 * @ingroup ml-cluster
 * Makes a configuration explicit: every attribute that the experiment file has a key for is set,
 * and paths are absolute, so that it means the same wherever it is read from.
 * @param config a configuration without errors
 * @param attributeDefault tells the values of attributes that it does not set
 * @return the explicit configuration
 * @throw InputError if a default cannot be read
 */
ExperimentConfig CompleteExperimentConfig(const ExperimentConfig& config,
                                          const AttributeDefault& attributeDefault);

/**
 * @ingroup ml-cluster
 * Writes a configuration as an experiment file, with units. Reading it gives an equal
 * configuration, if paths are absolute.
 * @param config a configuration without errors
 * @param os the stream
 */
void WriteExperimentConfig(const ExperimentConfig& config, std::ostream& os);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EFFECTIVE_CONFIG_H
