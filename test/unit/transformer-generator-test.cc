/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "list-scheduler.h"
#include "plan-cases.h"

#include "ns3/model-flops.h"
#include "ns3/plan-traffic.h"
#include "ns3/transformer-generator.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// @param name of a compute node @return whether it is a product of matrices
bool
IsProduct(std::string name)
{
    for (const char* suffix : {" dX", " dW", " backward"})
    {
        const auto at = name.find(suffix);
        name = at == std::string::npos ? name : name.substr(0, at);
    }
    name = name.substr(0, name.find(" of block"));
    for (const char* product : {"qkv",
                                "projection",
                                "ffn-up",
                                "ffn-down",
                                "logits",
                                " scores",
                                " context",
                                "flash attention",
                                "router",
                                "expert-up",
                                "expert-down"})
    {
        const std::string text = product;
        if (name.size() >= text.size() &&
            name.compare(name.size() - text.size(), text.size(), text) == 0)
        {
            return true;
        }
    }
    return false;
}

/// @param workload a workload @return its distinct graphs with the number of their ranks
std::map<const ExecutionGraph*, uint32_t>
CountGraphs(const ClusterWorkload& workload)
{
    std::map<const ExecutionGraph*, uint32_t> graphs;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        ++graphs[&workload.GetGraph(rank)];
    }
    return graphs;
}

/// What is communicated, by family and operation.
using Traffic = std::map<std::pair<std::string, std::string>, uint64_t>;

/// @param workload a workload @param rank a rank @param isCount whether to count nodes instead of
/// bytes @return what its graph communicates
Traffic
CountTraffic(const ClusterWorkload& workload, uint32_t rank, bool isCount)
{
    Traffic traffic;
    const auto& graph = workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const auto& node = graph.GetNode(i);
        const bool isGather =
            node.kind == NodeKind::Collective && node.collective == CollectiveType::AllGather;
        const uint64_t parts =
            isGather ? workload.GetGroup(workload.ResolveGroup(rank, node.group)).size() : 1;
        if (node.kind == NodeKind::Collective || node.kind == NodeKind::Send)
        {
            const std::string operation =
                node.kind == NodeKind::Send ? "send" : ToString(node.collective);
            traffic[{node.group, operation}] += isCount ? 1 : parts * node.bytes;
        }
    }
    return traffic;
}

} // namespace

TEST(TransformerGeneratorTest, RandomPlansFitTogetherAndDoTheModelsOperations)
{
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        SCOPED_TRACE(drawn.Describe());
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        Diagnostics diagnostics;
        workload.Check(diagnostics);
        EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
        const auto graphs = CountGraphs(workload);
        EXPECT_EQ(graphs.size(),
                  drawn.plan.pipeline * (drawn.plan.expertSkew > 0 ? drawn.plan.expert : 1));
        double operations = 0;
        for (const auto& [graph, nRanks] : graphs)
        {
            for (uint32_t k = 0; k < graph->GetNNodes(); ++k)
            {
                const auto& node = graph->GetNode(k);
                const bool isShared =
                    !drawn.plan.sequenceParallel && node.name.find("router") != std::string::npos;
                const double copies = isShared ? drawn.plan.tensor : 1;
                operations += IsProduct(node.name) ? node.operations / copies * nRanks : 0;
                EXPECT_EQ(node.stream, -1);
            }
        }
        EXPECT_DOUBLE_EQ(operations, ModelFlops(drawn.model, drawn.plan).GetHardware());
        EXPECT_GT(
            ListScheduler(workload, [](const ExecutionNode& n) { return n.operations; }).Run(),
            0u);
    }
}

TEST(TransformerGeneratorTest, RandomPlansCommunicateWhatTheFormulasSay)
{
    std::mt19937 random(2);
    for (int i = 0; i < 200; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        SCOPED_TRACE(drawn.Describe());
        const RankShape shape(drawn.model, drawn.plan);
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
        {
            const auto at = shape.layout.GetCoordinates(rank);
            Traffic expected;
            const PlanTraffic formulas(shape, at.pipeline, at.expert);
            for (const auto& term : formulas.GetTerms())
            {
                expected[{term.family, term.operation}] += term.bytes;
            }
            Traffic counted = CountTraffic(workload, rank, false);
            for (const auto& [key, number] : CountTraffic(workload, rank, true))
            {
                const bool isPadded = key.second == "all-gather" && key.first != "tensor";
                const uint64_t padding =
                    isPadded ? number * shape.layout.GetGroupSize(key.first) * 2 : 0;
                EXPECT_GE(counted[key], expected[key]) << key.first << " " << key.second;
                EXPECT_LE(counted[key] - expected[key], padding) << key.first << " " << key.second;
                counted[key] = expected[key];
            }
            EXPECT_EQ(counted, expected);
        }
    }
}
