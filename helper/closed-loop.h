/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLOSED_LOOP_H
#define ML_CLUSTER_CLOSED_LOOP_H

#include "design-simulation.h"

#include "ns3/bandwidth-refiner.h"
#include "ns3/workload-design.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Simulates what a design promises: the training steps of its workloads on several networks, which
 * differ in their bandwidths, by several chunk schedulers, beside the times that are predicted; and
 * refines bandwidths with the simulated times.
 */
class ClosedLoop
{
  public:
    /// A workload of the design.
    struct Workload
    {
        std::string name;        ///< what it is called
        ExperimentConfig config; ///< one step of it; its bandwidths are not used
        std::function<double(const std::vector<double>&)>
            predict;      ///< bandwidths in GB/s to the time of a step in ns
        double weight{1}; ///< see WorkloadDesign
    };

    /// What is compared.
    struct Network
    {
        std::string name;               ///< what it is called
        std::vector<double> bandwidths; ///< per dimension, GB/s
    };

    /// A workload on a network.
    struct Row
    {
        std::string workload;    ///< which
        std::string network;     ///< which
        std::string scheduler;   ///< which
        double predicted{0};     ///< ns
        SimulatedStep step;      ///< simulated, its time taken apart
        double predictedGain{1}; ///< speed-up over the first network
        double simulatedGain{1}; ///< likewise, by the same scheduler

        double GetDifference() const; ///< @return simulated over predicted, less 1
        /// @return what neither latency nor chunks explain, ns: sharing of links, above all
        double GetUnexplained() const;
    };

    /**
     * @param workloads at least one
     * @param combination of their times, for refinement
     * @param argc number of arguments of main
     * @param argv arguments of main, see DesignSimulation; must outlive this
     */
    ClosedLoop(const std::vector<Workload>& workloads,
               WorkloadDesign::Combination combination,
               int argc,
               char* argv[]);

    /**
     * Simulates every workload on every network by every scheduler.
     * @param networks speed-ups are over the first of them
     * @param schedulers see ApplyScheduler
     * @return false if a signal came
     * @throw InputError as DesignSimulation
     */
    bool Run(const std::vector<Network>& networks, const std::vector<std::string>& schedulers);
    const std::vector<Row>& GetRows() const; ///< @return what was simulated, in order

    /**
     * Looks for better bandwidths with simulations, whose times are combined as the problem's are.
     * @param problem objective, prices, target and constraints
     * @param start bandwidths that meet the constraints
     * @param scheduler see ApplyScheduler
     * @param options how far to look
     * @return what came out; less than it could be if a signal came
     * @throw InputError as BandwidthRefiner and DesignSimulation
     */
    BandwidthRefiner::Result Refine(const BandwidthProblem& problem,
                                    const std::vector<double>& start,
                                    const std::string& scheduler,
                                    const BandwidthRefiner::Options& options) const;

  private:
    std::vector<Workload> m_workloads;           ///< what is simulated
    std::vector<DesignSimulation> m_simulations; ///< of each
    WorkloadDesign::Combination m_combination;   ///< of their times
    std::vector<Row> m_rows;                     ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLOSED_LOOP_H
