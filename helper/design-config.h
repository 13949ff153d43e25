/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_CONFIG_H
#define ML_CLUSTER_DESIGN_CONFIG_H

#include "experiment-config.h"

#include "ns3/bandwidth-problem.h"
#include "ns3/diagnostics.h"
#include "ns3/part-bandwidth.h"
#include "ns3/priced-network.h"
#include "ns3/workload-design.h"

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
 * What an experiment file with a section `design` says: which bandwidths to find for the network of
 * the experiment, and what for.
 */
struct DesignConfig
{
    /// A workload whose time counts.
    struct Workload
    {
        std::string name; ///< for tables
        double weight{1}; ///< of its time, not negative; with Worst 0 or not
        std::vector<ExperimentOverride> overrides; ///< values instead of the file's
        ExperimentConfig experiment; ///< what it runs; if the file gives no bandwidths, with some
    };

    /// A constraint, see ParseLinearConstraints.
    struct Constraint
    {
        std::string text;         ///< as written
        Diagnostics::Place place; ///< where
    };

    /// Least costs under time targets, which lie closer together the earlier they are.
    struct Pareto
    {
        uint32_t points{21}; ///< how many targets, at least 2
        double slowest{2};   ///< the last one over the least time, above 1
    };

    /// How answers are simulated.
    struct Simulation
    {
        std::vector<std::string> schedulers;     ///< as ExperimentStudy has them; none: its choice
        std::vector<ExperimentOverride> packets; ///< what makes an instance small enough for
                                                 ///< packets; none: there is none
    };

    /// @return what the network costs; 0 if there are no prices
    PricedNetwork::Costs GetCosts() const;
    /// @return the problem, but for the time @throw InputError if a constraint cannot be read
    BandwidthProblem MakeProblem() const;
    /// @return whether bandwidths cost anything
    bool HasPrices() const;

    std::string file;             ///< where it was read from
    Diagnostics::Place place;     ///< the section
    PricedNetwork network;        ///< shape, and tiers if they are given
    PricedNetwork::Prices prices; ///< of tiers; none: nothing costs anything
    BandwidthProblem::Objective objective{BandwidthProblem::Objective::Time}; ///< what is least
    std::optional<double> target;                                             ///< ns
    std::vector<Constraint> constraints;       ///< all of them are met
    std::vector<std::vector<double>> speeds;   ///< see BandwidthProblem
    PartBandwidth parts{PartBandwidth::Links}; ///< what groups have that are a part of a block
    std::vector<Workload> workloads;           ///< at least one
    WorkloadDesign::Combination combination{WorkloadDesign::Combination::Sum}; ///< of times
    bool hasLatency{true}; ///< whether that of links is told, which simulation needs
    std::string bandwidthKey{"cluster.bandwidth"}; ///< in which the file gives bandwidths
    std::vector<double> given;            ///< bandwidths of the file, GB/s; none: not given
    std::vector<Constraint> sweep;        ///< designs to make with these as well
    std::optional<Pareto> pareto;         ///< costs under targets
    std::optional<double> sensitivity;    ///< factor to prices and weights, above 1
    std::optional<Simulation> simulation; ///< of the answer
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_CONFIG_H
