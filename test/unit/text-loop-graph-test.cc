/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-cases.h"
#include "text-loop-oracle.h"

#include "ns3/text-scopes.h"

#include <limits>
#include <tuple>

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts
using Names = std::vector<std::string>;  ///< expected names
using Priorities = std::vector<int32_t>; ///< expected priorities
using Event = TextLoopOracle::Event;     ///< start of something
using Form = TextGraphOptions::Form;     ///< whose order of things

/// When the nodes of a graph run if a collective takes as many ns as it has bytes.
struct Schedule
{
    std::vector<Event> starts;                         ///< but those of updates
    int64_t end{0};                                    ///< of all, ns
    std::vector<std::pair<int64_t, int64_t>> computed; ///< computations, ns
};

/// @param graph a graph whose nodes come after what they wait for @return when its nodes run, each
/// as soon as what it waits for has ended
Schedule
RunGraph(const ExecutionGraph& graph)
{
    Schedule schedule;
    std::vector<int64_t> ends;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        int64_t start = 0;
        for (const uint64_t id : node.dependencies)
        {
            start = std::max(start, ends.at(id));
        }
        const bool isCompute = node.kind == NodeKind::Compute;
        ends.push_back(start +
                       (isCompute ? node.durationPs / 1000 : static_cast<int64_t>(node.bytes)));
        schedule.end = std::max(schedule.end, ends.back());
        if (isCompute && node.stream < 0)
        {
            schedule.computed.emplace_back(start, ends.back());
        }
        if (node.stream < 0)
        {
            schedule.starts.emplace_back(start, node.name);
        }
    }
    std::sort(schedule.starts.begin(), schedule.starts.end());
    return schedule;
}

/// @param graph a graph @return bytes of its collectives over more than one rank
uint64_t
CountBytes(const ExecutionGraph& graph)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        const auto& mask = node.involvedDimensions;
        const bool meets = mask.empty() || std::count(mask.begin(), mask.end(), true) > 0;
        bytes += node.kind == NodeKind::Collective && meets ? node.bytes : 0;
    }
    return bytes;
}

} // namespace

TEST(TextLoopGraphTest, RunsAsTheStateMachine)
{
    RandomTextWorkload random(7);
    std::vector<TextPolicy> policies{TextPolicy::WithoutOverlap};
    for (const std::string& word : GetTextPolicyWords())
    {
        policies.push_back(*ParseTextPolicy(word));
    }
    const Names notations{"R(4)",
                          "R(4)_SW(2)",
                          "R(2)_SW(2)_FC(2)",
                          "R(2)_FC(3)_SW(2)_R(2)",
                          "R(1)_SW(4)"};
    for (int i = 0; i < 4000; ++i)
    {
        const TextWorkload workload = random.Make(policies[random.Draw(policies.size())]);
        const std::string notation = notations[random.Draw(notations.size())];
        TextGraphOptions options;
        options.passes = 1 + random.Draw(3);
        const auto nDimensions = MakeTopology(notation).GetNDimensions();
        options.communicators.forward.assign(nDimensions, 1);
        options.communicators.forward.back() = 2;
        options.communicators.inputGradient = options.communicators.forward;
        options.communicators.weightGradient.assign(nDimensions, 1);
        const TextScopes scopes(workload, MakeTopology(notation), options.communicators);
        const bool isBlocking = random.Draw(2) == 1;
        options.inputGradients = isBlocking ? TextGraphOptions::InputGradients::Blocking
                                            : TextGraphOptions::InputGradients::Overlapped;
        TextLoopOracle oracle(
            workload,
            [&](std::size_t layer, TextLayer::Pass pass) { return scopes.Get(layer, pass).size; },
            isBlocking);
        oracle.Run(options.passes);
        const auto graphs = MakeGraphs(workload, notation, options);
        ASSERT_NE(graphs, nullptr);
        Schedule schedule = RunGraph(graphs->GetGraph(0));
        ASSERT_EQ(schedule.starts, oracle.GetStarts()) << FormatTextWorkload(workload) << notation;
        EXPECT_EQ(schedule.end, oracle.GetEnd());
        std::sort(schedule.computed.begin(), schedule.computed.end());
        for (std::size_t k = 1; k < schedule.computed.size(); ++k)
        {
            EXPECT_GE(schedule.computed[k].first, schedule.computed[k - 1].second);
        }
    }
}

TEST(TextLoopGraphTest, CommunicatesAsManyBytesAsTheConvertersGraph)
{
    RandomTextWorkload random(11);
    for (const std::string& word : GetTextPolicyWords())
    {
        for (int i = 0; i < 50; ++i)
        {
            TextWorkload workload = random.Make(*ParseTextPolicy(word));
            workload.layers.resize(workload.policy == TextPolicy::Micro ? 1
                                                                        : workload.layers.size());
            TextGraphOptions options;
            options.passes = 2;
            const auto loop = MakeGraphs(workload, "R(4)_SW(2)", options);
            options.form = Form::Converter;
            const auto converted = MakeGraphs(workload, "R(4)_SW(2)", options);
            EXPECT_EQ(CountBytes(loop->GetGraph(0)), CountBytes(converted->GetGraph(0)))
                << FormatTextWorkload(workload);
        }
    }
}

TEST(TextLoopGraphTest, RunsAgainFromTheCheckpointBelow)
{
    std::string layers;
    for (int i = 0; i < 4; ++i)
    {
        layers += "l" + std::to_string(i) + " -1 1 NONE 0 1 NONE 0 1 NONE 0 0\n";
    }
    const auto graphs = MakeGraphs(ReadText("HYBRID_TRANSFORMER_FWD_IN_BCKWD "
                                            "model_parallel_NPU_group: 1 checkpoints: 2 0 2 "
                                            "checkpoint_initiates: 2 3 1\n4\n" +
                                            layers),
                                   "R(2)");
    EXPECT_EQ(GetNames(graphs->GetGraph(0)),
              (Names{"l0 FWD",
                     "l1 FWD",
                     "l2 FWD",
                     "l3 FWD",
                     "l2 REFWD",
                     "l3 IG",
                     "l3 WG",
                     "l2 IG",
                     "l2 WG",
                     "l0 REFWD",
                     "l1 IG",
                     "l1 WG",
                     "l0 IG",
                     "l0 WG"}));
}

TEST(TextLoopGraphTest, CollectivesHaveTheLoopsPriorities)
{
    const auto priorities = [](const std::string& text, TextGraphOptions::Scheduling scheduling) {
        TextGraphOptions options;
        options.scheduling = scheduling;
        const auto graphs = MakeGraphs(ReadText(text), "R(2)_SW(2)", options);
        Priorities found;
        for (uint32_t i = 0; i < graphs->GetGraph(0).GetNNodes(); ++i)
        {
            const ExecutionNode& node = *graphs->GetGraph(0).GetNode(i);
            if (node.kind == NodeKind::Collective)
            {
                found.push_back(node.priority);
            }
        }
        return found;
    };
    const int32_t top = std::numeric_limits<int32_t>::max();
    using Scheduling = TextGraphOptions::Scheduling;
    EXPECT_EQ(priorities("DATA 2 " + LAYER + LAYER, Scheduling::Lifo), (Priorities{1, 2}));
    EXPECT_EQ(priorities("DATA 2 " + LAYER + LAYER, Scheduling::Fifo), (Priorities{-1, -2}));
    EXPECT_EQ(
        priorities("HYBRID_TRANSFORMER model_parallel_NPU_group: 2 1 " + LAYER, Scheduling::Fifo),
        (Priorities{-1, 2, -3}));
    const std::string embedding = "e -1 1 ALLTOALL 8 2 ALLTOALL 16 3 NONE 0 0\n";
    EXPECT_EQ(priorities("HYBRID_DLRM 1 3 " + embedding + LAYER + LAYER, Scheduling::Lifo),
              (Priorities{top, 2, top, 4}));
}

TEST(TextLoopGraphTest, ScalesTimesAndSizes)
{
    const auto workload = ReadText("DATA 1 a -1 10 NONE 0 1 NONE 0 3 ALLREDUCE 100 7");
    TextGraphOptions options;
    options.computeScale = 0.25;
    options.communicationScale = 1.5;
    options.cyclePs = 500;
    const auto graphs = MakeGraphs(workload, "R(2)", options);
    const auto& graph = graphs->GetGraph(0);
    ASSERT_EQ(graph.GetNNodes(), 4u);
    EXPECT_EQ(graph.GetNode(0)->durationPs, 1250);
    EXPECT_EQ(graph.GetNode(1)->durationPs, 375);
    EXPECT_EQ(graph.GetNode(2)->bytes, 150u);
    EXPECT_EQ(graph.GetNode(3)->durationPs, 3500);
    EXPECT_GE(graph.GetNode(3)->stream, 0);
    EXPECT_EQ(graph.GetNode(3)->repetition, 0);
    options.communicationScale = 0;
    EXPECT_EQ(MakeGraphs(workload, "R(2)", options)->GetGraph(0).GetNNodes(), 2u);
}

TEST(TextLoopGraphTest, OptionsAreChecked)
{
    const auto workload = ReadText("DATA 1 " + LAYER);
    const auto refuse = [&](const TextGraphOptions& options) {
        return GetGraphErrors(workload, "R(2)", options);
    };
    TextGraphOptions options;
    options.passes = 0;
    EXPECT_EQ(
        refuse(options),
        (Errors{"w.txt: graphs: 0 passes over 1 layers and 0 micro-batches between stages are "
                "asked for; allowed is at least one pass, and 1000000 layers or micro-batches "
                "in all"}));
    options.passes = 1000001;
    EXPECT_EQ(refuse(options).size(), 1u);
    options = {};
    options.cyclePs = 0;
    EXPECT_EQ(refuse(options),
              (Errors{"w.txt: graphs: the compute scale is 1, the communication scale 1, a cycle 0 "
                      "ps; allowed are finite scales from 0 and cycles from 1 ps"}));
    options = {};
    options.computeScale = -1;
    EXPECT_EQ(refuse(options).size(), 1u);
    options.computeScale = 1e300;
    EXPECT_EQ(refuse(options),
              (Errors{"w.txt: graphs: w.txt: node 0 \"a FWD\" ends later than time can be counted "
                      "(106 days): check durations, sizes, rates and delays"}));
    options = {};
    options.communicationScale = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refuse(options).size(), 1u);
    options.communicationScale = 1e18;
    EXPECT_EQ(
        refuse(options),
        (Errors{"w.txt: graphs: 32 bytes times 1e+18 are no size; allowed are sizes below 2^63 "
                "bytes"}));
}

TEST(TextLoopGraphTest, WorkloadsMadeByHandAreChecked)
{
    TextWorkload workload = ReadText("HYBRID_CUSTOMIZED 1 a -1 1 NONE 0 1 NONE 0 1 NONE 0 1 DATA");
    workload.file = "";
    workload.layers[0].policy = TextPolicy::Micro;
    workload.layers[0].forward.cycles = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(GetGraphErrors(workload, "R(2)"),
              (Errors{"layer \"a\": a time is negative or infinite; allowed are finite ones from 0",
                      "layer \"a\": its own policy is MICRO; allowed are DATA, MODEL, "
                      "HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}));
}

TEST(TextLoopGraphTest, MicroWarnsOfLayersLeftOut)
{
    Diagnostics diagnostics;
    const auto workload = ReadText("MICRO 2 " + LAYER + LAYER);
    const auto graphs = MakeTextWorkload(workload, MakeTopology("R(2)"), {}, diagnostics);
    EXPECT_EQ(graphs->GetGraph(0).GetNNodes(), 1u);
    EXPECT_EQ(diagnostics.GetWarnings(),
              (Errors{"w.txt: MICRO: the loop of this policy runs the first layer only; 1 more are "
                      "left out (the converter's graph has them all)"}));
}
