/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_MODEL_H
#define ML_CLUSTER_DESIGN_MODEL_H

#include "design-config.h"
#include "design-report.h"

#include "ns3/bandwidth-solver.h"
#include "ns3/step-time.h"
#include "ns3/workload-design.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The workloads of a design with the times of their steps, for which best bandwidths can be found:
 * as the design says, or otherwise. A variant is its configuration with other prices, weights,
 * constraints, objective, target or speeds; network and workloads are the same.
 */
class DesignModel
{
  public:
    /**
     * Loads the workloads, each by its own attributes, the command line's over them.
     * @param config the design
     * @param argc number of arguments of main
     * @param argv arguments of main
     * @throw InputError with every problem found
     */
    DesignModel(const DesignConfig& config, int argc, char* argv[]);

    const DesignConfig& GetConfig() const; ///< @return the design
    /// @param workload index @return one line that says what it does
    const std::string& Describe(std::size_t workload) const;

    /**
     * @param variant of the design
     * @return the best bandwidths. With the combination Worst times are slowdowns
     * @throw InputError if there are none, naming the section of the file
     */
    BandwidthSolution Solve(const DesignConfig& variant) const;
    /// @param variant of the design @param workload index @return the least time that it can reach
    /// alone, whatever the objective is, ns @throw InputError as Solve
    double GetLeastTime(const DesignConfig& variant, std::size_t workload) const;
    /// @param variant of the design @param bandwidths GB/s @return what they mean
    DesignPoint Evaluate(const DesignConfig& variant, const std::vector<double>& bandwidths) const;
    /// @param variant of the design @return what is known of its time
    TimeExpression GetKnown(const DesignConfig& variant) const;

  private:
    /// @param variant of the design @return its times, weighted
    WorkloadDesign MakeDesign(const DesignConfig& variant) const;
    /// @param variant of the design @param design its times @return the best bandwidths
    BandwidthSolution Solve(const DesignConfig& variant, const WorkloadDesign& design) const;

    DesignConfig m_config;                              ///< the design
    std::vector<std::shared_ptr<StepTime>> m_steps;     ///< of workloads
    std::vector<bool> m_hasTraffic;                     ///< whether they send anything
    std::vector<std::string> m_descriptions;            ///< of workloads
    mutable std::map<std::string, double> m_leastTimes; ///< found so far, by what they depend on
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_MODEL_H
