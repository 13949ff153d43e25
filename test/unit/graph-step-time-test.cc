/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "graph-step-cases.h"

#include "ns3/workload-design.h"

#include <cmath>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective; ///< what is to be least

const std::vector<Objective> OBJECTIVES{Objective::Time, Objective::TimeTimesCost, Objective::Cost};

/// @param ranks nodes per rank @param notation of the topology @param bandwidths per dimension
/// @param groups groups @return the time of their step, ns
double
GetTime(const std::vector<Nodes>& ranks,
        const std::string& notation,
        const Numbers& bandwidths,
        const CommunicatorGroups& groups = {})
{
    auto step = MakeStepTime({MakeGraphs(ranks), groups}, notation);
    const double time = step.Evaluate(bandwidths);
    EXPECT_DOUBLE_EQ(GetKnown(step, bandwidths), time);
    return time;
}

/// @param objective an objective @param target for Cost, ns @return a problem of two dimensions
BandwidthProblem
MakeProblem(Objective objective, double target)
{
    BandwidthProblem problem(2);
    problem.objective = objective;
    problem.prices = {3, 11};
    problem.fixedCost = 5;
    problem.Constrain("total <= 30");
    problem.Constrain("b1 >= 0.01");
    problem.Constrain("b2 >= 0.01");
    if (objective == Objective::Cost)
    {
        problem.target = target;
    }
    return problem;
}

} // namespace

TEST(GraphStepTimeTest, WhatNodesWaitFor)
{
    const Nodes rest;
    const auto onOne = [&](const Nodes& nodes) { return GetTime({nodes, rest}, "SW(2)", {1}); };
    EXPECT_EQ(onOne({}), 0);
    EXPECT_EQ(onOne({Compute(0, 5), Compute(1, 7)}), 12) << "one accelerator";
    EXPECT_EQ(onOne({Compute(0, 5, {}, 1), Compute(1, 7)}), 7) << "a stream runs beside it";
    EXPECT_EQ(onOne({Compute(0, 5, {}, 1), Compute(1, 7, {}, 1)}), 12) << "in order on a stream";
    EXPECT_EQ(onOne({Compute(0, 5, {}, 1), Compute(1, 7, {}, 2)}), 7);
    EXPECT_EQ(onOne({Compute(0, 5, {}, 1), Compute(1, 7, {0}, 2)}), 12);
    ExecutionNode host = Compute(1, 7);
    host.onHost = true;
    EXPECT_EQ(onOne({Compute(0, 5), host}), 7) << "the host runs beside it";
    ExecutionNode load = Compute(2, 3);
    load.kind = NodeKind::MemoryLoad;
    ExecutionNode store = Compute(3, 4);
    store.kind = NodeKind::MemoryStore;
    EXPECT_EQ(onOne({host, load, store}), 7) << "one access to remote memory at once";
    load.location = store.location = MemoryLocation::LOCAL;
    EXPECT_EQ(onOne({load, store}), 4) << "local memory serves both";
    GraphStepTime::Options options;
    options.resources = {false, 2};
    ExecutionNode other = Compute(4, 8);
    other.onHost = true;
    const ClusterWorkload workload(MakeGraphs({{Compute(0, 5, {}, 1), Compute(2, 1), host, other}}),
                                   {});
    EXPECT_EQ(MakeStepTime(workload, "SW(1)", options).Evaluate({1}), 8) << "two host threads";
    EXPECT_EQ(MakeStepTime(workload, "SW(1)").Evaluate({1}), 15);
}

TEST(GraphStepTimeTest, CollectivesWaitForAllAndForEachOther)
{
    const auto sum = [](uint64_t id) { return Collective(id, "", 80); }; // 80 ns at 1 GB/s
    EXPECT_EQ(GetTime({{Compute(0, 5), After(sum(1), {0}), Compute(2, 1, {1})},
                       {Compute(0, 9), After(sum(1), {0}), Compute(2, 2, {1})}},
                      "SW(2)",
                      {1}),
              9 + 80 + 2);
    EXPECT_EQ(GetTime({{sum(0), sum(1)}, {sum(0), sum(1)}}, "SW(2)", {1}), 160);
    const CommunicatorGroups groups{{"a", {0, 1}}, {"b", {1, 0}}};
    const auto a = Collective(0, "a", 80);
    const auto b = Collective(1, "b", 40);
    EXPECT_EQ(GetTime({{a, b}, {a, b}}, "SW(2)", {1}, groups), 120)
        << "they overlap, but send 120 bytes";
    ExecutionNode inner = sum(0);
    inner.involvedDimensions = {true, false};
    ExecutionNode outer = sum(1);
    outer.involvedDimensions = {false, true};
    const Nodes both{inner, outer};
    EXPECT_EQ(GetTime({both, both, both, both}, "SW(2)_SW(2)", {1, 2}), 80)
        << "those of other dimensions are beside each other";
    const Nodes late{Compute(2, 7), After(inner, {2})};
    EXPECT_EQ(GetTime({late, {inner}, {inner}, {inner, Compute(1, 1, {0})}}, "SW(2)_SW(2)", {2, 1}),
              47)
        << "ranks 2 and 3 do not wait for rank 0";
}

TEST(GraphStepTimeTest, MessagesUseTheLinksTheyCan)
{
    const auto pass = [](const std::string& notation, uint32_t to, const Numbers& bandwidths) {
        std::vector<Nodes> ranks(MakeTopology(notation).GetNRanks());
        ranks[0] = {Compute(0, 3), After(Message(NodeKind::Send, 1, to, 0, 60), {0})};
        ranks[to] = {Message(NodeKind::Receive, 0, 0, 0, 60), Compute(1, 4, {0})};
        return GetTime(ranks, notation, bandwidths);
    };
    EXPECT_EQ(pass("SW(4)", 1, {1}), 3 + 60 + 4);
    EXPECT_EQ(pass("R(4)", 1, {1}), 3 + 120 + 4);
    EXPECT_EQ(pass("R(2)", 1, {1}), 3 + 60 + 4);
    EXPECT_EQ(pass("FC(4)", 1, {1}), 3 + 180 + 4);
    EXPECT_EQ(pass("FC(4)_SW(2)", 4, {1, 10}), 3 + 6 + 4);
    EXPECT_EQ(pass("FC(4)_SW(2)", 5, {100, 10}), 3 + 6 + 4) << "the slower dimension counts";
}

TEST(GraphStepTimeTest, ProportionalCollectivesAreOne)
{
    Nodes nodes;
    for (uint64_t id = 0; id < 30; ++id)
    {
        const auto type = id % 2 == 0 ? CollectiveType::AllReduce : CollectiveType::ReduceScatter;
        nodes.push_back(Collective(id, "", 8 * (id + 1), type));
    }
    auto step = MakeStepTime({MakeGraphs(std::vector<Nodes>(4, nodes)), {}}, "SW(2)_SW(2)");
    step.Evaluate({1, 1});
    step.Evaluate({1, 9});
    TimeExpression time(2);
    time.Add(step.Make(time));
    EXPECT_EQ(time.GetShapes(), (std::vector<Numbers>{{1, 0.5}}));
    EXPECT_TRUE(time.GetMaxima().empty()) << "the only path is what each rank sends, too";
    EXPECT_DOUBLE_EQ(time.GetTotal().collectives.at(0), 8 * (225 + 240 / 2.));
}

TEST(GraphStepTimeTest, PipelineOfStages)
{
    constexpr uint32_t N_STAGES = 4;
    constexpr uint64_t N_BATCHES = 6;
    std::vector<Nodes> ranks(N_STAGES);
    for (uint32_t stage = 0; stage < N_STAGES; ++stage)
    {
        for (uint64_t batch = 0; batch < N_BATCHES; ++batch)
        {
            const uint64_t id = 3 * batch;
            const bool isFirst = stage == 0;
            if (!isFirst)
            {
                ranks[stage].push_back(Message(NodeKind::Receive, id, stage - 1, batch, 40));
            }
            ranks[stage].push_back(
                Compute(id + 1, 10, isFirst ? std::vector<uint64_t>() : std::vector<uint64_t>{id}));
            if (stage + 1 < N_STAGES)
            {
                ranks[stage].push_back(
                    After(Message(NodeKind::Send, id + 2, stage + 1, batch, 40), {id + 1}));
            }
        }
    }
    for (const double bandwidth : {0.5, 4., 100.})
    {
        const double hop = 2 * 40 / bandwidth; // one of two links
        EXPECT_NEAR(GetTime(ranks, "R(4)", {bandwidth}),
                    std::max((N_BATCHES + N_STAGES - 1) * 10 + (N_STAGES - 1) * hop,
                             N_BATCHES * 40 / bandwidth),
                    1e-9);
    }
}

TEST(GraphStepTimeTest, RanksGoAheadRatherThanWaitForEver)
{
    const auto get = [](uint64_t id, uint32_t peer) {
        return Message(NodeKind::Receive, id, peer, 0, 8);
    };
    const auto put = [](uint64_t id, uint32_t peer) {
        return Message(NodeKind::Send, id, peer, 0, 8);
    };
    const Nodes first{get(0, 1), Compute(1, 5, {0}), Compute(2, 7), After(put(3, 1), {2})};
    const Nodes second{get(0, 0), Compute(1, 1, {0}), After(put(2, 0), {1})};
    EXPECT_EQ(GetTime({first, second}, "SW(2)", {1}), 7 + 8 + 1 + 8 + 5);
    EXPECT_EQ(ErrorOf([&] {
                  GetTime({{get(0, 1), After(put(1, 1), {0})}, {get(0, 0), After(put(1, 0), {0})}},
                          "SW(2)",
                          {1});
              }),
              "the step can never end: ranks wait for each other, among them rank 0 in node 0 of "
              "its graph (counted from 0, by ascending id)");
}

TEST(GraphStepTimeTest, RanksThatRunAlikeAreComputedOnce)
{
    const auto tensor = [](uint64_t id) { return Collective(id, "tensor", 64); };
    const auto data = [](uint64_t id) { return Collective(id, "data", 48); };
    const Nodes nodes{Compute(0, 5),
                      After(tensor(1), {0}),
                      Compute(2, 3, {1}),
                      After(data(3), {2}),
                      After(tensor(4), {2}),
                      Compute(5, 1, {3, 4})};
    CommunicatorGroups groups;
    GroupFamilies families;
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        groups["tensor." + std::to_string(rank / 4)].push_back(rank);
        groups["data." + std::to_string(rank % 4)].push_back(rank);
        families["tensor"].push_back(rank / 4);
        families["data"].push_back(rank % 4);
    }
    const auto shared = MakeGraphs({nodes}).front();
    const ClusterWorkload folded({16, shared}, groups, families);
    const ClusterWorkload whole(MakeGraphs(std::vector<Nodes>(16, nodes)), groups, families);
    const std::string notation = "R(4)_SW(4)";
    auto one = MakeStepTime(folded, notation);
    auto all = MakeStepTime(whole, notation);
    EXPECT_EQ(one.GetNClasses(), 1);
    EXPECT_EQ(all.GetNClasses(), 16);
    const auto isSlow = [](uint32_t rank, const ExecutionNode& node) {
        return GetDuration(rank, node) * (rank == 6 ? 2 : 1);
    };
    GraphStepTime slow(folded, MakeTopology(notation), isSlow, {});
    GraphStepTime slowWhole(whole, MakeTopology(notation), isSlow, {});
    EXPECT_EQ(slow.GetNClasses(), 4) << "rank 6, its tensor group, its data group, all others";
    for (const Numbers& bandwidths : {Numbers{1, 1}, Numbers{1, 9}, Numbers{20, 1}})
    {
        EXPECT_DOUBLE_EQ(one.Evaluate(bandwidths), all.Evaluate(bandwidths));
        EXPECT_DOUBLE_EQ(slow.Evaluate(bandwidths), slowWhole.Evaluate(bandwidths));
        EXPECT_DOUBLE_EQ(one.Evaluate(bandwidths),
                         5 + 96 / bandwidths[0] + 3 +
                             std::max(96 / bandwidths[0], 72 / bandwidths[1]) + 1);
    }
}

TEST(GraphStepTimeTest, PartsOfBlocks)
{
    GraphStepTime::Options links;
    links.partBandwidth = PartBandwidth::Links;
    const auto compare = [&](const std::string& notation, const std::vector<uint32_t>& ranks) {
        const Nodes nodes{Collective(0, "part", 60)};
        std::vector<Nodes> all(MakeTopology(notation).GetNRanks());
        for (const uint32_t rank : ranks)
        {
            all[rank] = nodes;
        }
        const ClusterWorkload workload(MakeGraphs(all), {{"part", ranks}});
        return MakeStepTime(workload, notation, links).Evaluate({1}) /
               MakeStepTime(workload, notation).Evaluate({1});
    };
    EXPECT_DOUBLE_EQ(compare("FC(8)", {0, 1, 2, 3}), 7. / 3);
    EXPECT_DOUBLE_EQ(compare("FC(8)", {0, 1, 2, 3, 4, 5, 6, 7}), 1);
    EXPECT_DOUBLE_EQ(compare("SW(8)", {0, 1, 2}), 1);
    EXPECT_DOUBLE_EQ(compare("R(8)", {0, 2, 4, 6}), 1) << "a ring of every other";
    EXPECT_DOUBLE_EQ(compare("R(8)", {0, 1, 2, 3}), 2) << "two messages on a link";
    EXPECT_DOUBLE_EQ(compare("R(8)", {0, 4}), 2) << "one of two links";
    const ClusterTopology topology = MakeTopology("FC(8)_SW(8)_R(8)");
    EXPECT_EQ(GetLinkShares(topology, {4, 4, 4}, false), (Numbers{3. / 7, 1, 0.5}));
    EXPECT_EQ(GetLinkShares(topology, {2, 8, 4}, true), (Numbers{1. / 7, 1, 1}));
    EXPECT_EQ(GetLinkShares(topology, {8, 8, 8}, true), (Numbers{1, 1, 1}));
    EXPECT_NE(ErrorOf([&] { GetLinkShares(topology, {3, 8, 4}, true); }), "");
    EXPECT_NE(ErrorOf([&] { GetLinkShares(topology, {2, 8}, true); }), "");
}

TEST(GraphStepTimeTest, OtherCollectives)
{
    const auto getTime = [](CollectiveType type, const Numbers& bandwidths) {
        ExecutionNode node = Collective(0, "", 24, type);
        return GetTime(std::vector<Nodes>(8, {node}), "SW(2)_SW(4)", bandwidths);
    };
    const double fast = 1e9;
    EXPECT_NEAR(getTime(CollectiveType::Broadcast, {1, fast}), 24, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::Reduce, {fast, 1}), 24, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::Gather, {1, fast}), 24, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::Gather, {fast, 1}), 24 * 2 * 3, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::Scatter, {fast, 1}), 18, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::Scatter, {1, fast}), 3, 1e-6);
    EXPECT_NEAR(getTime(CollectiveType::ReduceScatterBlock, {1, fast}), 12, 1e-6);
    EXPECT_EQ(getTime(CollectiveType::Barrier, {1, 1}), 0);
    const CommunicatorGroups odd{{"odd", {0, 1, 2, 4, 7}}};
    const Nodes member{Collective(0, "odd", 50)};
    EXPECT_EQ(
        GetTime({member, member, member, {}, member, {}, {}, member}, "SW(2)_SW(4)", {2, 4}, odd),
        40)
        << "80 bytes of a flat group, in the slowest dimension";
    std::vector<Nodes> ranks(4);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        ExecutionNode node = Collective(0, "", 0, CollectiveType::AllToAll);
        node.peerBytes = std::vector<uint64_t>{1, 10, 100, 1000 * (rank + 1UL)};
        ranks[rank] = {node};
    }
    EXPECT_NEAR(GetTime(ranks, "SW(2)_SW(2)", {1, fast}), 3010, 1e-6)
        << "rank 2 sends to the odd ranks";
    EXPECT_NEAR(GetTime(ranks, "SW(2)_SW(2)", {fast, 1}), 2100, 1e-6)
        << "rank 1 sends to ranks 2 and 3";
}

TEST(GraphStepTimeTest, AllPathsOfRandomGraphs)
{
    uint32_t nPaths = 0;
    for (uint32_t seed = 0; seed < 300; ++seed)
    {
        RandomStep random(seed, 14);
        auto step = MakeStepTime(random.MakeWorkload(), "R(2)_SW(2)");
        TimeExpression paths(2);
        paths.Add(random.MakeExpression(paths));
        Numbers before{1, 1};
        for (int i = 0; i < 8; ++i)
        {
            const Numbers at = random.DrawBandwidths();
            const double expected = paths.Evaluate(at).total;
            EXPECT_LE(GetKnown(step, at), expected * (1 + 1e-12)) << seed;
            ASSERT_NEAR(step.Evaluate(at), expected, expected * 1e-12) << seed;
            EXPECT_NEAR(GetKnown(step, at), expected, expected * 1e-12) << seed;
            const Numbers middle{(at[0] + before[0]) / 2, (at[1] + before[1]) / 2};
            EXPECT_LE(step.Evaluate(middle),
                      (step.Evaluate(at) + step.Evaluate(before)) / 2 * (1 + 1e-12))
                << seed << " is not convex";
            before = at;
        }
        nPaths = std::max(nPaths, step.GetNPaths());
    }
    EXPECT_GT(nPaths, 4) << "the graphs are too simple";
}

TEST(GraphStepTimeTest, BestBandwidthsOfRandomGraphs)
{
    uint32_t nSolved = 0;
    for (uint32_t seed = 0; seed < 60; ++seed)
    {
        RandomStep random(seed, 14);
        for (const Objective objective : OBJECTIVES)
        {
            TimeExpression paths(2);
            paths.Add(random.MakeExpression(paths));
            BandwidthProblem problem = MakeProblem(objective, 1.3 * paths.Evaluate({15, 15}).total);
            problem.time = paths;
            BandwidthSolution expected;
            if (!ErrorOf([&] { expected = BandwidthSolver::Solve(problem); }).empty())
            {
                continue;
            }
            const auto step =
                std::make_shared<GraphStepTime>(MakeStepTime(random.MakeWorkload(), "R(2)_SW(2)"));
            const auto solution = WorkloadDesign({{step}}).Solve(problem);
            EXPECT_NEAR(solution.value, expected.value, 1e-6 * expected.value) << seed;
            EXPECT_LE(solution.GetGap(), 1e-6) << seed;
            ++nSolved;
        }
    }
    EXPECT_GT(nSolved, 150);
}

TEST(GraphStepTimeTest, Refusals)
{
    const ClusterWorkload workload(MakeGraphs({{Compute(0, 5)}, {}}), {});
    EXPECT_EQ(ErrorOf([&] { MakeStepTime(workload, "SW(4)"); }),
              "the workload has 2 ranks, topology Switch(4) has 4");
    const auto negative = [](uint32_t, const ExecutionNode&) { return -1.; };
    EXPECT_EQ(ErrorOf([&] { GraphStepTime(workload, MakeTopology("SW(2)"), negative, {}); }),
              "rank 0 node 0 \"w0\": a time of -1 ns; allowed is a finite one, not negative");
    EXPECT_EQ(ErrorOf([&] { MakeStepTime(workload, "SW(2)").Evaluate({1, 2}); }),
              "2 bandwidths are given for 1 dimensions");
    const auto collective = Collective(0, "", 8);
    EXPECT_NE(ErrorOf([&] { GetTime({{collective}, {}}, "SW(2)", {1}); }).find("fit together"),
              std::string::npos);
    const auto second = Collective(1, "", 8);
    EXPECT_NE(ErrorOf([&] { GetTime({{collective, second}, {collective}}, "SW(2)", {1}); }), "");
    EXPECT_NE(ErrorOf([&] { GetTime({{Message(NodeKind::Send, 0, 5, 0, 8)}, {}}, "SW(2)", {1}); }),
              "");
    EXPECT_NE(ErrorOf([&] { GetTime({{Message(NodeKind::Send, 0, 1, 0, 8)}, {}}, "SW(2)", {1}); }),
              "");
}
