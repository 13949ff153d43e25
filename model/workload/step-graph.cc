/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-graph.h"

#include "graph-writer.h"
#include "rank-layout.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MAX_NODES = uint64_t{1} << 22;

} // namespace

std::shared_ptr<const ExecutionGraph>
MakeStepGraph(const LayerProgram& program, uint32_t steps, uint64_t nRanks)
{
    if (steps == 0 || uint64_t{steps} * program.steps.size() > MAX_NODES ||
        nRanks > std::numeric_limits<uint32_t>::max())
    {
        throw InputError(std::to_string(steps) + " training steps of " +
                         std::to_string(program.steps.size()) + " nodes on " +
                         std::to_string(nRanks) +
                         " ranks are asked for; allowed are steps from 1, " +
                         std::to_string(MAX_NODES) + " nodes in all, ranks below 2^32");
    }
    ParallelPlan plan;
    plan.data = static_cast<uint32_t>(nRanks);
    const RankLayout layout(plan);
    GraphWriter writer(layout, 0);
    GraphWriter::Ids last;
    for (uint32_t step = 0; step < steps; ++step)
    {
        GraphWriter::Ids ids;
        writer.SetScope("step " + std::to_string(step) + " ", static_cast<int32_t>(step));
        last = writer.Run(program, GraphWriter::Part::All, last, ids);
    }
    Diagnostics diagnostics;
    auto graph =
        std::make_shared<ExecutionGraph>(writer.TakeNodes(), DependencyRules(), "", diagnostics);
    diagnostics.ThrowIfErrors();
    return graph;
}

} // namespace mlcluster
} // namespace ns3
