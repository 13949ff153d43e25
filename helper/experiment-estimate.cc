/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-helper.h"
#include "event-rate.h"
#include "experiment-attributes.h"
#include "experiment-runner.h"
#include "repeat-skipper.h"

namespace ns3
{
namespace mlcluster
{

std::vector<RunEstimate>
ExperimentRunner::Estimate() const
{
    std::vector<RunEstimate> estimates;
    uint64_t earlierResults = 0;
    for (const auto& backend : m_config.backends)
    {
        RunEstimate estimate = EstimateBackend(backend);
        estimate.memory.process = m_processBytes;
        estimate.memory.results += earlierResults;
        earlierResults = estimate.memory.results;
        estimate.eventsPerSecond = MeasureEventRate(m_topology, backend);
        estimates.push_back(std::move(estimate));
    }
    return estimates;
}

RunEstimate
ExperimentRunner::EstimateBackend(const std::string& backend) const
{
    const auto estimate = [&](const std::shared_ptr<const ClusterWorkload>& workload) {
        ClusterHelper cluster(m_topology);
        cluster.SetBackend(backend);
        cluster.SetMemoryModel(m_config.memoryModel);
        Diagnostics diagnostics;
        FindAttributePlaces(m_config, diagnostics);
        RunEstimate told = cluster.Estimate(workload, diagnostics);
        PrintNewWarnings(diagnostics);
        return told;
    };
    if (!m_generator)
    {
        return estimate(m_workload);
    }
    const uint64_t nRepetitions = m_generator->GetNRepetitions();
    const RepeatSkipper skipper = GetSkipper();
    const auto runs = m_generator->SkipsRepeats() ? skipper.GetExpectedRuns()
                                                  : std::vector<uint64_t>{nRepetitions};
    const RunEstimate first = estimate(Generate(runs[0]));
    if (runs.size() == 1)
    {
        return first;
    }
    return CombineRepeats(first, estimate(Generate(runs[1])), runs, skipper.GetLongestRuns());
}

} // namespace mlcluster
} // namespace ns3
