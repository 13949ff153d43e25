/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_SIMULATION_H
#define ML_CLUSTER_DESIGN_SIMULATION_H

#include "experiment-config.h"

#include "ns3/collective-type.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A simulated training step, and what made it take longer than its bytes over the bandwidths.
 */
struct SimulatedStep
{
    /// Parts of a time, ns, found by running the step again.
    struct Parts
    {
        double latency{0}; ///< more than without latency of links and delay at their ends
        double chunks{0}; ///< without latency, more than with chunks as small as can be: dimensions
                          ///< that idle while the pipeline of chunks fills and drains
        double rest{0};   ///< all else: bytes, compute, collectives that share links
    };

    /// Collectives of equal type, size and number of members, of groups that are numbered alike.
    struct Collectives
    {
        CollectiveType type{CollectiveType::AllReduce}; ///< operation
        std::string family;                             ///< of groups, see GetGroupFamily
        uint64_t bytes{0};                              ///< size as the workload has it
        uint32_t ranks{0};                              ///< members
        uint64_t count{0};                              ///< in each group
        double time{0};                                 ///< of one, mean, ns
        Parts parts{};                                  ///< of that time
    };

    double time{0};                         ///< of the step, ns
    Parts parts{};                          ///< of that time
    std::vector<double> busy;               ///< per dimension, ns that its busiest link sends
    std::vector<Collectives> collectives{}; ///< longest together first
    uint64_t events{0};                     ///< simulator events executed
    double wallSeconds{0};                  ///< wall time of the simulation
};

/**
 * @ingroup ml-cluster
 * Simulates the training step of an experiment with other bandwidths and chunk schedulers than it
 * says, to be compared with what a BandwidthProblem predicts, or to be minimised by a
 * BandwidthRefiner.
 */
class DesignSimulation
{
  public:
    /**
     * @param config the experiment; the first of its backends is used, its bandwidths are not
     * @param argc number of arguments of main
     * @param argv arguments of main, whose attributes win over the experiment's; must outlive this
     */
    DesignSimulation(const ExperimentConfig& config, int argc, char* argv[]);

    /**
     * @param bandwidths per dimension, GB/s per NPU, rounded to bit/s; links of a dimension without
     * any get 1 bit/s
     * @param scheduler see ApplyScheduler; "": as the experiment says
     * @return the step, its time not taken apart; none if a signal came
     * @throw InputError as ExperimentRunner, or if the bandwidths are of another number
     */
    std::optional<SimulatedStep> Run(const std::vector<double>& bandwidths,
                                     const std::string& scheduler = "") const;

    /**
     * As Run, and takes the time apart by further runs: one without latency, and one of these with
     * four times as many chunks. With c chunks pipelines lose time as 1 / c, so that what the last
     * run saves is three quarters of what chunks cost.
     * @param bandwidths see Run
     * @param scheduler see Run
     * @return the step with its parts; none if a signal came
     */
    std::optional<SimulatedStep> Explain(const std::vector<double>& bandwidths,
                                         const std::string& scheduler = "") const;

  private:
    /// What a run leaves out to see what it costs.
    struct Change
    {
        bool hasLatency{true};   ///< of links and at their ends
        uint32_t chunksTimes{1}; ///< times as many chunks
    };

    /// @param bandwidths see Run @param scheduler see Run @param change what is other than the
    /// experiment says @return what happened
    RunReport Simulate(const std::vector<double>& bandwidths,
                       const std::string& scheduler,
                       const Change& change) const;
    /// @param run a run @return the step, its time not taken apart
    SimulatedStep Summarise(const RunReport& run) const;

    ExperimentConfig m_config;                ///< what to run
    int m_argc;                               ///< arguments of main
    char** m_argv;                            ///< arguments of main
    mutable std::set<std::string> m_warnings; ///< printed so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_SIMULATION_H
