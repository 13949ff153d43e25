/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_RUNNER_H
#define ML_CLUSTER_ASTRA_RUNNER_H

#include "astra-config.h"
#include "program-options.h"

#include "ns3/cluster-workload.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The options of ASTRA-sim's analytical front end, and ours.
 */
struct AstraOptions
{
    std::string workload; ///< --workload-configuration: prefix of the trace
    AstraFiles files;     ///< --network-, --system-, --remote-memory-, --comm-group-configuration
    std::string loggingConfiguration{"empty"}; ///< --logging-configuration: no effect
    std::string loggingFolder{"log"};          ///< --logging-folder: no effect
    uint32_t queuesPerDimension{1}; ///< --num-queues-per-dim: 1 to 1024; above 1 only with parity
    double computeScale{1};         ///< --compute-scale: no effect, as there
    double commScale{1};            ///< --comm-scale: no effect, as there
    double injectionScale{
        1}; ///< --injection-scale: multiplies endpoint-delay if the system file has it
    bool rendezvous{false};            ///< --rendezvous-protocol: only with parity
    bool congestionAware{false};       ///< --congestion-aware: its congestion-aware network
    bool parity{false};                ///< --parity: its state machine, to the nanosecond
    std::string backend{"analytical"}; ///< --backend: analytical or packet
    std::string outputDir;             ///< --outputDir: folder of result files; "" if none
};

/**
 * @ingroup ml-cluster
 * @param options receives what is given; must outlive the command line
 * @param cmd gets the options
 */
void AddAstraOptions(AstraOptions& options, ProgramOptions& cmd);

/**
 * @ingroup ml-cluster
 * @param options options
 * @return them as YAML, one a line, for summary.json
 */
std::string FormatAstraOptions(const AstraOptions& options);

/**
 * @ingroup ml-cluster
 * Runs a workload from ASTRA-sim's own input files, by the ordinary engine or, with parity, by
 * ParityExecutor.
 */
class AstraRunner
{
  public:
    /**
     * Reads and checks everything. Warnings go to the error stream.
     * @param options what to run; no input files at all: the shipped example
     * @throw InputError with every problem found
     */
    explicit AstraRunner(const AstraOptions& options);

    const AstraOptions& GetOptions() const; ///< @return options with the files that are read

    /**
     * Prints how the inputs are understood: versions, units, what options without effect are given.
     * @param os the stream
     */
    void PrintHeading(std::ostream& os) const;

    /**
     * Runs to the end and destroys the simulation. Prints, as ASTRA-sim does, one line per rank in
     * the order of finishing: "sys[R] finished, T cycles, exposed communication E cycles.", a cycle
     * being 1 ns. Without parity T and E are rounded to the nearest nanosecond, and E is the time
     * in which communication is pending without compute; with parity it is ASTRA-sim's figure, T
     * less all accelerator compute.
     * @param os the stream
     * @return what happened
     * @throw InputError if the run cannot finish
     */
    RunReport Run(std::ostream& os) const;

  private:
    /// Takes the shipped example if no input file is given. @param diagnostics receives files that
    /// are missing
    void ChooseFiles(Diagnostics& diagnostics);
    /// @param diagnostics receives options that do not fit
    void CheckOptions(Diagnostics& diagnostics) const;
    /// @param diagnostics receives what is wrong with the trace
    void ReadWorkload(Diagnostics& diagnostics);
    /// @param os receives the finish lines @return what happened
    RunReport RunEngine(std::ostream& os) const;

    AstraOptions m_options;                            ///< what to run
    AstraConfig m_config;                              ///< input files
    std::shared_ptr<const ClusterWorkload> m_workload; ///< trace
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_RUNNER_H
