/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-simulation.h"

#include "experiment-attributes.h"
#include "experiment-runner.h"

#include "ns3/collective-planner.h"
#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double PS_PER_NS = 1e3;
constexpr double BIT_PER_GB = 8e9;
constexpr uint32_t MORE_CHUNKS = 4;

/// Takes a time apart. @param time of a run @param instant without latency @param fine likewise,
/// with more chunks @param ratio how many times as many @return its parts
SimulatedStep::Parts
TakeApart(double time, double instant, double fine, double ratio)
{
    SimulatedStep::Parts parts;
    parts.latency = time - instant;
    parts.chunks = ratio > 1 ? (instant - fine) * ratio / (ratio - 1) : 0;
    parts.rest = time - parts.latency - parts.chunks;
    return parts;
}

} // namespace

DesignSimulation::DesignSimulation(const ExperimentConfig& config, int argc, char* argv[])
    : m_config(config),
      m_argc(argc),
      m_argv(argv)
{
    m_config.backends.resize(1);
}

RunReport
DesignSimulation::Simulate(const std::vector<double>& bandwidths,
                           const std::string& scheduler,
                           const Change& change) const
{
    ExperimentConfig config = m_config;
    if (bandwidths.size() != config.dimensions.size())
    {
        throw InputError(std::to_string(bandwidths.size()) + " bandwidths are given for " +
                         std::to_string(config.dimensions.size()) + " dimensions");
    }
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        auto& dimension = config.dimensions[d];
        const auto bitRate = static_cast<uint64_t>(std::llround(bandwidths[d] * BIT_PER_GB));
        dimension.SetMemberBitRate(std::max<uint64_t>({1, bitRate, dimension.GetLinksPerMember()}));
        dimension.latencyPs = change.hasLatency ? dimension.latencyPs : 0;
        dimension.inNetwork.processingPs = change.hasLatency ? dimension.inNetwork.processingPs : 0;
    }
    Config::Reset();
    ApplyAttributes(config, m_argc, m_argv);
    if (!scheduler.empty())
    {
        ApplyScheduler(scheduler);
    }
    if (!change.hasLatency)
    {
        Config::SetDefault(MODULE_PREFIX + "NpuApplication::EndpointDelay", TimeValue(Time()));
    }
    const uint32_t chunks = CreateObject<CollectivePlanner>()->GetOptions().chunks;
    Config::SetDefault(MODULE_PREFIX + "CollectivePlanner::Chunks",
                       UintegerValue(chunks * change.chunksTimes));
    return ExperimentRunner(config, &m_warnings).Run().at(0);
}

SimulatedStep
DesignSimulation::Summarise(const RunReport& run) const
{
    using Key = std::tuple<CollectiveType, std::string, uint64_t, uint32_t>;
    SimulatedStep step;
    step.time = run.finishTimePs / PS_PER_NS;
    step.events = run.events;
    step.wallSeconds = run.wallSeconds;
    step.busy.resize(m_config.dimensions.size());
    for (const auto& link : run.links)
    {
        if (link.dimension < step.busy.size())
        {
            double& busy = step.busy[link.dimension];
            busy = std::max(busy, link.busyPs / PS_PER_NS);
        }
    }
    std::map<Key, SimulatedStep::Collectives> kinds;
    std::map<Key, std::set<std::string>> groups;
    for (const auto& report : run.collectives)
    {
        const std::string group = report.group;
        const Key key{report.type, GetGroupFamily(group), report.bytes, report.ranks};
        auto& kind = kinds[key];
        std::tie(kind.type, kind.family, kind.bytes, kind.ranks) = key;
        ++kind.count;
        kind.time += (report.endPs - report.startPs) / PS_PER_NS;
        groups[key].insert(group);
    }
    for (auto& [key, kind] : kinds)
    {
        kind.time /= kind.count;
        kind.count /= groups[key].size();
        step.collectives.push_back(kind);
    }
    std::stable_sort(step.collectives.begin(), step.collectives.end(), [](auto& a, auto& b) {
        return a.time * a.count > b.time * b.count;
    });
    return step;
}

std::optional<SimulatedStep>
DesignSimulation::Run(const std::vector<double>& bandwidths, const std::string& scheduler) const
{
    const RunReport run = Simulate(bandwidths, scheduler, {});
    return run.partial ? std::nullopt : std::optional<SimulatedStep>(Summarise(run));
}

std::optional<SimulatedStep>
DesignSimulation::Explain(const std::vector<double>& bandwidths, const std::string& scheduler) const
{
    auto step = Run(bandwidths, scheduler);
    const uint32_t chunks = CreateObject<CollectivePlanner>()->GetOptions().chunks;
    const uint32_t ratio = std::min(MORE_CHUNKS, CollectiveOptions::MAX_CHUNKS / chunks);
    const RunReport instant = step ? Simulate(bandwidths, scheduler, {false, 1}) : RunReport();
    if (!step || instant.partial)
    {
        return std::nullopt;
    }
    const RunReport fine = Simulate(bandwidths, scheduler, {false, ratio});
    if (fine.partial)
    {
        return std::nullopt;
    }
    const SimulatedStep without = Summarise(instant);
    const SimulatedStep finer = Summarise(fine);
    step->parts = TakeApart(step->time, without.time, finer.time, ratio);
    const auto find = [](const SimulatedStep& other, const SimulatedStep::Collectives& kind) {
        const auto found =
            std::find_if(other.collectives.begin(),
                         other.collectives.end(),
                         [&](const auto& candidate) {
                             return std::tie(candidate.type,
                                             candidate.family,
                                             candidate.bytes,
                                             candidate.ranks) ==
                                    std::tie(kind.type, kind.family, kind.bytes, kind.ranks);
                         });
        return found == other.collectives.end() ? kind.time : found->time;
    };
    for (auto& kind : step->collectives)
    {
        kind.parts = TakeApart(kind.time, find(without, kind), find(finer, kind), ratio);
    }
    return step;
}

} // namespace mlcluster
} // namespace ns3
