/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "closed-loop.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

double
ClosedLoop::Row::GetDifference() const
{
    return step.time / predicted - 1;
}

double
ClosedLoop::Row::GetUnexplained() const
{
    return step.parts.rest - predicted;
}

ClosedLoop::ClosedLoop(const std::vector<Workload>& workloads,
                       WorkloadDesign::Combination combination,
                       int argc,
                       char* argv[])
    : m_workloads(workloads),
      m_combination(combination)
{
    for (const Workload& workload : workloads)
    {
        m_simulations.emplace_back(workload.config, argc, argv);
    }
}

bool
ClosedLoop::Run(const std::vector<Network>& networks, const std::vector<std::string>& schedulers)
{
    for (std::size_t i = 0; i < m_workloads.size(); ++i)
    {
        const std::size_t first = m_rows.size();
        for (const Network& network : networks)
        {
            for (std::size_t k = 0; k < schedulers.size(); ++k)
            {
                const auto step = m_simulations[i].Explain(network.bandwidths, schedulers[k]);
                if (!step)
                {
                    return false;
                }
                m_rows.push_back({m_workloads[i].name,
                                  network.name,
                                  schedulers[k],
                                  m_workloads[i].predict(network.bandwidths),
                                  *step});
                const Row& reference = m_rows[first + k];
                Row& row = m_rows.back();
                row.predictedGain = reference.predicted / row.predicted;
                row.simulatedGain = reference.step.time / row.step.time;
            }
        }
    }
    return true;
}

const std::vector<ClosedLoop::Row>&
ClosedLoop::GetRows() const
{
    return m_rows;
}

BandwidthRefiner::Result
ClosedLoop::Refine(const BandwidthProblem& problem,
                   const std::vector<double>& start,
                   const std::string& scheduler,
                   const BandwidthRefiner::Options& options) const
{
    const auto simulate = [&](const std::vector<double>& bandwidths) -> std::optional<double> {
        double time = 0;
        for (std::size_t i = 0; i < m_workloads.size(); ++i)
        {
            const auto step = m_simulations[i].Run(bandwidths, scheduler);
            if (!step)
            {
                return std::nullopt;
            }
            const double part = m_workloads[i].weight * step->time;
            time = m_combination == WorkloadDesign::Combination::Worst ? std::max(time, part)
                                                                       : time + part;
        }
        return time;
    };
    return BandwidthRefiner(problem, simulate, options).Refine(start);
}

} // namespace mlcluster
} // namespace ns3
