/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_RUNNER_H
#define ML_CLUSTER_EXPERIMENT_RUNNER_H

#include "experiment-config.h"

#include "ns3/cluster-workload.h"
#include "ns3/run-estimate.h"
#include "ns3/run-report.h"
#include "ns3/workload-generator.h"

#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class RepeatSkipper;
class RepetitionWatch;

/**
 * @ingroup ml-cluster
 * Runs what an experiment file describes: one workload on one topology, once per backend.
 */
class ExperimentRunner
{
  public:
    /**
     * Loads the workload and checks what can be checked before time starts. Warnings go to the
     * error stream.
     * @param config the experiment; its attribute settings should be in force (see ApplyAttributes)
     * @param warnings that were printed before and are not again; receives those that are; must
     * outlive this; null: none
     * @throw InputError with every problem found
     */
    explicit ExperimentRunner(const ExperimentConfig& config,
                              std::set<std::string>* warnings = nullptr);

    ~ExperimentRunner();

    /// @param os receives versions, topology, workload and every parameter in force, a line each
    void PrintHeading(std::ostream& os) const;

    /// @param os receives the plan of a generated workload @throw InputError if it is not generated
    void PrintPlan(std::ostream& os) const;
    std::string Describe() const; ///< @return one line that says what is done
    /// @return what the NPUs do, all of it @throw InputError if it becomes too large
    std::shared_ptr<const ClusterWorkload> GetWorkload() const;
    Ptr<WorkloadGenerator> GetGenerator() const; ///< @return what makes it; null if nothing does
    /// @param prefix path of Chakra traces up to the rank; writes the workload there
    void WriteTraces(const std::string& prefix) const;

    /**
     * Runs every backend, one after the other.
     * @return a report each; the last is partial, and further backends are not run, if a signal
     * came
     * @throw InputError if a run cannot finish
     */
    std::vector<RunReport> Run() const;

    /**
     * Tells what Run would take, without it: for each backend events, memory and time.
     * @return an estimate each
     * @throw InputError as Run, as far as that is known before time starts
     */
    std::vector<RunEstimate> Estimate() const;

  private:
    /// @param backend a backend @return what its runs would take, all together
    RunEstimate EstimateBackend(const std::string& backend) const;
    /// @param backend a backend @param workload what to do @param watch of nodes, may be null
    /// @param trial see ClusterHelper::SetTrial; "" if it is none @return what happened
    RunReport RunOnce(const std::string& backend,
                      const std::shared_ptr<const ClusterWorkload>& workload,
                      RepetitionWatch* watch,
                      const std::string& trial) const;
    /// @param nRepetitions parts of the generated work @return these @throw InputError if they
    /// become too many
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const;
    /// @param backend a backend @param nRepetitions parts of the generated work @param watch of
    /// nodes, may be null @return what happened
    RunReport RunParts(const std::string& backend,
                       uint64_t nRepetitions,
                       RepetitionWatch* watch) const;
    /// @param diagnostics has warnings; prints those that have not been printed
    void PrintNewWarnings(const Diagnostics& diagnostics) const;
    /// @param diagnostics receives what does not suit the NPUs' attributes; sets up the generator
    void SetupGenerator(Diagnostics& diagnostics);
    /// @param backend a backend @return what happened
    RunReport RunBackend(const std::string& backend) const;
    /// @return how the repetitions of the generator are run
    RepeatSkipper GetSkipper() const;

    uint64_t m_processBytes;                           ///< memory before anything was read
    ExperimentConfig m_config;                         ///< what to run
    ClusterTopology m_topology;                        ///< shape
    std::shared_ptr<const ClusterWorkload> m_workload; ///< what the NPUs do; null if generated
    Ptr<WorkloadGenerator> m_generator;                ///< makes it; null if it is not generated
    mutable std::set<std::string> m_ownWarnings;       ///< printed so far
    std::set<std::string>* m_warnings;                 ///< likewise, if several share them
};

/**
 * @ingroup ml-cluster
 * Checks the name of a backend.
 * @param backend "analytical", "packet", or the TypeId name of a NetworkBackend
 * @param diagnostics receives an error if there is no such backend
 */
void CheckBackend(const std::string& backend, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Finds an experiment file.
 * @param path the file, or the name of one that is shipped with the module, such as "default.yaml"
 * @return where it is: the path itself if it exists or nothing is found
 */
std::string FindExperimentFile(const std::string& path);

/**
 * @ingroup ml-cluster
 * Reads the experiment file of a program. Warnings go to the error stream.
 * @param path see FindExperimentFile
 * @param settings values instead of the file's, KEY=VALUE each, as --set takes them
 * @return the experiment
 * @throw InputError with every problem of file and settings
 */
ExperimentConfig LoadExperiment(const std::string& path, const std::vector<std::string>& settings);

/**
 * @ingroup ml-cluster
 * What is in force once ApplyAttributes has been called, defaults included.
 * @param config the experiment
 * @return an experiment file that gives the same results wherever it is read
 */
std::string GetEffectiveConfiguration(const ExperimentConfig& config);

/**
 * @ingroup ml-cluster
 * The workload of one collective over all ranks.
 * @param type operation
 * @param bytes size (all-gather: shard of one rank)
 * @param nRanks number of ranks
 * @param root rank of the root, for rooted collectives
 * @return the workload; all ranks share one graph
 */
std::shared_ptr<const ClusterWorkload> MakeCollectiveWorkload(CollectiveType type,
                                                              uint64_t bytes,
                                                              uint32_t nRanks,
                                                              uint32_t root = 0);

/**
 * @ingroup ml-cluster
 * The workload of one all-to-all of unequal sizes over all ranks.
 * @param matrix bytes from rank i to rank j of n at i n + j
 * @param nRanks n
 * @return the workload
 */
std::shared_ptr<const ClusterWorkload> MakeAllToAllWorkload(const std::vector<uint64_t>& matrix,
                                                            uint32_t nRanks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_RUNNER_H
