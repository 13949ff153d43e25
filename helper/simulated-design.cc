/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simulated-design.h"

#include "closed-loop-tables.h"
#include "design-file.h"

#include "ns3/cluster-topology.h"
#include "ns3/config.h"

#include <algorithm>
#include <iostream>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param config a design @return the schedulers to simulate by
std::vector<std::string>
GetSchedulers(const DesignConfig& config)
{
    const bool isGiven = config.simulation && !config.simulation->schedulers.empty();
    return isGiven ? config.simulation->schedulers
                   : std::vector<std::string>{"baseline", "themis/smallest-first"};
}

} // namespace

SimulatedDesign::SimulatedDesign(const ChosenDesign& chosen,
                                 const DesignReport& report,
                                 int argc,
                                 char* argv[])
    : m_chosen(chosen),
      m_report(report)
{
    const DesignConfig& config = chosen.model->GetConfig();
    if (!config.hasLatency)
    {
        Diagnostics diagnostics;
        diagnostics.Error({config.file, 0, "cluster.latency"},
                          "is missing; a simulation needs the propagation delay of one link, for "
                          "example 500ns");
        diagnostics.ThrowIfErrors();
    }
    m_isSlowdown = config.combination == WorkloadDesign::Combination::Worst;
    m_loop = MakeLoop(*chosen.model, argc, argv);
    MakePackets(chosen, argc, argv);
    Config::Reset();
}

void
SimulatedDesign::Run(uint32_t mostTrials)
{
    const DesignConfig& config = m_chosen.model->GetConfig();
    const auto schedulers = GetSchedulers(config);
    Networks networks;
    for (const DesignPoint& point : m_report.networks)
    {
        networks.push_back({point.name, point.bandwidths});
    }
    const auto equal = std::find_if(networks.begin(), networks.end(), [](const auto& network) {
        return network.name == "equal";
    });
    std::rotate(networks.begin(), equal, equal == networks.end() ? equal : equal + 1);
    if (mostTrials > 0)
    {
        BandwidthRefiner::Options options;
        options.mostTrials = mostTrials;
        Diagnostics diagnostics;
        diagnostics.Collect(config.place, [&] {
            m_refined = m_loop->Refine(config.MakeProblem(),
                                       m_report.solution.bandwidths,
                                       schedulers.front(),
                                       options);
        });
        diagnostics.ThrowIfErrors();
        networks.push_back({"refined", m_refined.best.bandwidths});
    }
    m_isWhole = (mostTrials == 0 || !m_refined.trials.empty()) &&
                m_loop->Run(networks, schedulers) &&
                (!m_packets || m_packets->Run(m_smallNetworks, schedulers));
    Config::Reset();
}

std::unique_ptr<ClosedLoop>
SimulatedDesign::MakeLoop(const DesignModel& model, int argc, char* argv[]) const
{
    const DesignConfig& config = model.GetConfig();
    const bool isWorst = config.combination == WorkloadDesign::Combination::Worst;
    std::vector<ClosedLoop::Workload> workloads;
    for (std::size_t i = 0; i < config.workloads.size(); ++i)
    {
        const auto& workload = config.workloads[i];
        const auto predict = [&model, &config, i](const std::vector<double>& bandwidths) {
            return model.Evaluate(config, bandwidths).times[i];
        };
        const double weight =
            isWorst && workload.weight > 0 ? 1 / model.GetLeastTime(config, i) : workload.weight;
        workloads.push_back({workload.name, workload.experiment, predict, weight});
    }
    return std::make_unique<ClosedLoop>(workloads, config.combination, argc, argv);
}

void
SimulatedDesign::MakePackets(const ChosenDesign& chosen, int argc, char* argv[])
{
    const DesignConfig& config = chosen.model->GetConfig();
    if (!config.simulation || config.simulation->packets.empty())
    {
        return;
    }
    auto overrides = chosen.overrides;
    const auto& packets = config.simulation->packets;
    overrides.insert(overrides.end(), packets.begin(), packets.end());
    overrides.push_back({{config.file, 0, "backends.run"}, "[packet]"});
    Diagnostics diagnostics;
    const DesignConfig small = ReadDesignConfig(config.file, diagnostics, overrides);
    diagnostics.ThrowIfErrors();
    if (small.network.dimensions.size() != config.network.dimensions.size())
    {
        diagnostics.Error(
            packets.front().place,
            "the instance for packets has " + std::to_string(small.network.dimensions.size()) +
                " dimensions, the design has " + std::to_string(config.network.dimensions.size()));
    }
    diagnostics.ThrowIfErrors();
    m_small = std::make_unique<DesignModel>(small, argc, argv);
    m_packets = MakeLoop(*m_small, argc, argv);
    const auto designed = m_small->Solve(small).bandwidths;
    const double total = std::accumulate(designed.begin(), designed.end(), 0.0);
    const std::vector<double> equal(designed.size(), total / static_cast<double>(designed.size()));
    m_smallNetworks = {{"equal", equal}, {"designed", designed}};
}

void
SimulatedDesign::Print(std::ostream& os) const
{
    if (!m_isWhole)
    {
        std::cerr << "warning: interrupted, what follows is incomplete\n";
    }
    if (!m_refined.trials.empty())
    {
        os << "\nrefined by simulation\n";
        PrintRefinement(os, m_refined, m_isSlowdown);
    }
    os << "\nsimulated\n";
    PrintSimulatedSteps(os, *m_loop);
    os << "\n";
    PrintSimulatedCollectives(os, *m_loop);
    if (m_packets)
    {
        const auto& dimensions = m_small->GetConfig().workloads.front().experiment.dimensions;
        os << "\nin packets, on " << ClusterTopology(dimensions).GetNotation() << "\n";
        PrintSimulatedSteps(os, *m_packets);
    }
}

void
SimulatedDesign::Write(ResultFolder& folder) const
{
    const auto write = [&](const std::string& name, const ClosedLoop& loop) {
        folder.Write(name, [&](std::ostream& os) { WriteSimulatedSteps(os, loop); });
    };
    write("simulated.csv", *m_loop);
    if (m_packets)
    {
        write("packets.csv", *m_packets);
    }
    if (!m_refined.trials.empty())
    {
        folder.Write("refined.csv",
                     [&](std::ostream& os) { WriteRefinement(os, m_refined, m_isSlowdown); });
    }
}

bool
SimulatedDesign::IsWhole() const
{
    return m_isWhole;
}

} // namespace mlcluster
} // namespace ns3
