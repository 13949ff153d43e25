/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_CONFIG_H
#define ML_CLUSTER_EXPERIMENT_CONFIG_H

#include "ns3/cluster-topology.h"
#include "ns3/collective-type.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A value for an ns-3 attribute, as Config::SetDefault takes it.
 */
struct AttributeSetting
{
    std::string attribute;      ///< "ns3::mlcluster::NpuApplication::PeakFlops"
    std::string value;          ///< text the attribute's checker reads
    Diagnostics::Place place{}; ///< where it is given; empty if in no file
};

/**
 * @ingroup ml-cluster
 * What an experiment file says: cluster, workload, backends, output. Everything that is a
 * parameter of a model is an AttributeSetting, so that YAML, Config::SetDefault and the command
 * line meet in the same attributes.
 */
struct ExperimentConfig
{
    std::string file;                          ///< where it was read from
    std::vector<TopologyDimension> dimensions; ///< innermost first
    std::string chakraPrefix; ///< trace prefix, resolved against the file's folder; "" if a
                              ///< collective is given
    std::string groupFile;    ///< communicator group file, likewise; "" if none
    bool ignoreMissingDependencies{false};    ///< for the Chakra reader
    bool streams{true};                       ///< likewise
    bool locations{true};                     ///< likewise
    std::string controlDependencies{"known"}; ///< "ignore", "known" or "strict"
    std::string schema{"auto"};               ///< schema of the traces, see ChakraSchema
    uint64_t elementBytes{1};                 ///< for the Chakra reader
    uint64_t flopsPerOperation{1};            ///< for the Chakra reader
    uint64_t nodeMemory{0};                   ///< for nodes, bytes; 0: half of what there is
    std::optional<CollectiveType>
        collective;                      ///< the workload is this one collective over all ranks
    uint32_t collectiveRoot{0};          ///< rank of its root
    uint64_t collectiveBytes{0};         ///< its size
    std::string generator;               ///< the workload is made by the WorkloadGenerator of this
                                         ///< TypeId name, by its attributes; "" if it is not
    std::string memoryModel{"queued"};   ///< see ClusterHelper::SetMemoryModel
    Diagnostics::Place memoryModelPlace; ///< where it is given; empty if in no file
    std::vector<std::string> backends;   ///< "analytical", "packet"
    std::string outputDir; ///< folder for results, from where the program runs; "" if none
    std::vector<AttributeSetting>
        attributes; ///< known keys in the order of the table of keys, then others
};

/**
 * @ingroup ml-cluster
 * A value that takes the place of what an experiment file says.
 */
struct ExperimentOverride
{
    Diagnostics::Place place; ///< where it is given; its key is the full key of the experiment file
    std::string value;        ///< as the file would have it, such as "[300GB/s, 25GB/s]"
};

/**
 * @ingroup ml-cluster
 * Reads an override as a user types it.
 * @param text such as "workload.transformer.tensor=8"
 * @param origin what the text is, such as "--set", for messages
 * @return the override
 * @throw InputError if there is no key or no value
 */
ExperimentOverride ParseExperimentOverride(const std::string& text, const std::string& origin);

/**
 * @ingroup ml-cluster
 * Reads several overrides as ParseExperimentOverride does.
 * @param texts as users type them
 * @param origin what they are
 * @param diagnostics receives problems
 * @return the overrides
 */
std::vector<ExperimentOverride> ParseExperimentOverrides(const std::vector<std::string>& texts,
                                                         const std::string& origin,
                                                         Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads an experiment file.
 * @param path the YAML file
 * @param diagnostics receives every problem of the file: line, key, value, what is allowed, nearest
 * key
 * @param overrides values instead of the file's; of several for a key the last holds
 * @return the configuration; unusable if diagnostics gained errors
 */
ExperimentConfig ReadExperimentConfig(const std::string& path,
                                      Diagnostics& diagnostics,
                                      const std::vector<ExperimentOverride>& overrides = {});

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_CONFIG_H
