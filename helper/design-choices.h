/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_CHOICES_H
#define ML_CLUSTER_DESIGN_CHOICES_H

#include "config-document.h"
#include "experiment-config.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Something that a design leaves open, such as the parallelisation or the shape of the network.
 */
struct DesignChoice
{
    /// One way.
    struct Option
    {
        std::string name;                          ///< for tables, such as "tensor=8, data=4"
        std::vector<ExperimentOverride> overrides; ///< what it makes of the file
    };

    std::string name;            ///< as the file calls it
    std::vector<Option> options; ///< at least one
};

/**
 * @ingroup ml-cluster
 * Reads values that take the place of what an experiment file says.
 * @param node a map whose names are full keys, such as {workload.transformer.tensor: 8}
 * @param allowsDesign whether the keys of the section design that say something of the network are
 *        allowed too
 * @param diagnostics receives unknown keys
 * @return the values, each with its place
 */
std::vector<ExperimentOverride> ReadOverrideMap(const ConfigNode& node,
                                                bool allowsDesign,
                                                Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads design.choices of an experiment file: a list of maps as ReadOverrideMap has them for each
 * choice. A cluster.topology with (*) as sizes stands for all shapes of these blocks that have
 * design.npus NPUs, sizes being at least 2.
 * @param path the file
 * @param diagnostics receives problems
 * @param overrides values instead of the file's
 * @return the choices; none: nothing is left open
 */
std::vector<DesignChoice> ReadDesignChoices(const std::string& path,
                                            Diagnostics& diagnostics,
                                            const std::vector<ExperimentOverride>& overrides = {});

/**
 * @ingroup ml-cluster
 * @param choices some
 * @return every combination of their options
 * @throw InputError if these are more than 10000
 */
std::vector<DesignChoice::Option> CombineDesignChoices(const std::vector<DesignChoice>& choices);

/**
 * @ingroup ml-cluster
 * @param pattern blocks and sizes, some of them (*), such as Ring(*)_Switch(4)
 * @param nRanks product of all sizes
 * @return the notations of all shapes that fit, sizes in the place of * being at least 2
 * @throw InputError if a size cannot be read, none fits, or more than 10000
 */
std::vector<std::string> ExpandTopologyPattern(const std::string& pattern, uint64_t nRanks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_CHOICES_H
