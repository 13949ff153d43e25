/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-step-cases.h"

#include "ns3/training-loop.h"
#include "ns3/workload-design.h"

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts

const std::string NOTATION = "R(2)_SW(2)_FC(3)"; ///< tensor, tensor, data
const LibraCommunicators GROUPS{{2, 2, 1}, {2, 2, 1}, {1, 1, 3}};

/// @param random random numbers @param nLayers how many @return layers of LIBRA's whose sizes
/// divide well
TextWorkload
MakeLayers(std::mt19937& random, uint64_t nLayers)
{
    const std::vector<std::string> words{"NONE",
                                         "ALLREDUCE",
                                         "ALLGATHER",
                                         "REDUCESCATTER",
                                         "ALLTOALL"};
    std::string text;
    for (uint64_t i = 0; i < nLayers; ++i)
    {
        text += "l" + std::to_string(i) + " -1";
        for (int pass = 0; pass < 3; ++pass)
        {
            text += " " + std::to_string(random() % 40) + " " + words[random() % words.size()] +
                    " " + std::to_string(12 * (1 + random() % 50));
        }
        text += " 10\n";
    }
    return ReadText(text, TextDialect::Libra);
}

/// @param random random numbers @param depth levels of brackets at most @param inLayers whether it
/// stands in layers() @return a formula
std::string
MakeFormula(std::mt19937& random, int depth, bool inLayers)
{
    const std::vector<std::string> phases{"forward", "input-gradient", "weight-gradient"};
    const std::vector<std::string> parts{"", "", ".compute", ".communication"};
    std::string sum;
    for (uint32_t i = 1 + random() % 2; i > 0; --i)
    {
        sum += std::string(sum.empty() ? "" : " + ") + (random() % 3 == 0 ? "3 " : "");
        const uint32_t kind = depth > 0 ? random() % 4 : 0;
        if (kind == 0 || (kind == 3 && inLayers))
        {
            sum += phases[random() % 3] + parts[random() % 4];
        }
        else if (kind == 1)
        {
            sum += "(" + MakeFormula(random, depth - 1, inLayers) + ")";
        }
        else if (kind == 2)
        {
            sum += "max(" + MakeFormula(random, depth - 1, inLayers) + ", " +
                   MakeFormula(random, depth - 1, inLayers) + ")";
        }
        else
        {
            sum += "layers(" + MakeFormula(random, depth - 1, true) + ")";
        }
    }
    return sum;
}

/// @param loop a formula @return how to read it
TextGraphOptions
MakeOptions(const std::string& loop)
{
    TextGraphOptions options;
    options.communicators = GROUPS;
    options.trainingLoop.emplace(loop);
    return options;
}

/// @param graph a graph @param bandwidths per dimension @return when the last node ends if each
/// starts as soon as what it waits for has ended, and the node before it on its stream
double
RunGraph(const ExecutionGraph& graph, const Numbers& bandwidths)
{
    std::vector<double> ends;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        double end = 0;
        for (const uint64_t id : node->dependencies)
        {
            end = std::max(end, ends.at(id));
        }
        const uint32_t before = graph.GetPreviousOnStream(i);
        end = std::max(end, before < graph.GetNNodes() ? ends.at(before) : 0);
        if (node->kind == NodeKind::Compute)
        {
            end += static_cast<double>(node->durationPs) / 1000;
        }
        else
        {
            const bool isData =
                node->involvedDimensions == RareList<bool>{false, false, true}.Get();
            const auto bytes =
                GetCollectiveTraffic(node->collective,
                                     node->bytes,
                                     isData ? GROUPS.weightGradient : GROUPS.forward);
            double longest = 0;
            for (std::size_t d = 0; d < bytes.size(); ++d)
            {
                longest = std::max(longest, bytes[d] / bandwidths[d]);
            }
            end += longest;
        }
        ends.push_back(end);
    }
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

} // namespace

TEST(TextFormulaGraphTest, TakesTheTimeOfItsFormula)
{
    std::mt19937 random(11);
    for (int i = 0; i < 500; ++i)
    {
        const TextWorkload workload = MakeLayers(random, 1 + random() % 4);
        const std::string loop = MakeFormula(random, 3, false);
        TimeExpression time(3);
        time.Add(TrainingLoop(loop).Make(workload, GROUPS, 1, time));
        const auto graphs = MakeGraphs(workload, NOTATION, MakeOptions(loop));
        ASSERT_NE(graphs, nullptr);
        for (const Numbers& bandwidths : {Numbers{8, 4, 2}, Numbers{1, 16, 2}, Numbers{4, 2, 32}})
        {
            const double expected = time.Evaluate(bandwidths).total;
            ASSERT_NEAR(RunGraph(graphs->GetGraph(0), bandwidths), expected, 1e-9 * expected)
                << loop;
        }
    }
}

TEST(TextFormulaGraphTest, BestBandwidthsAreThoseOfTheFormula)
{
    using Objective = BandwidthProblem::Objective;
    std::mt19937 random(12);
    for (const auto& loop : TrainingLoop::GetNames())
    {
        for (int i = 0; i < 6; ++i)
        {
            const TextWorkload workload = MakeLayers(random, 2 + random() % 5);
            BandwidthProblem problem(3);
            problem.prices = {2, 3, 20};
            problem.time.Add(TrainingLoop(loop).Make(workload, GROUPS, 1, problem.time));
            problem.Constrain("total = 60");
            const auto graphs = MakeGraphs(workload, NOTATION, MakeOptions(loop));
            const auto step = std::make_shared<GraphStepTime>(MakeStepTime(*graphs, NOTATION));
            EXPECT_EQ(step->GetNClasses(), 1);
            for (const Objective objective :
                 {Objective::Time, Objective::TimeTimesCost, Objective::Cost})
            {
                problem.objective = objective;
                problem.target.reset();
                if (objective == Objective::Cost)
                {
                    problem.target = 1.05 * problem.time.Evaluate({20, 20, 20}).total;
                }
                const auto expected = BandwidthSolver::Solve(problem);
                const auto solution = WorkloadDesign({{step}}).Solve(problem);
                EXPECT_NEAR(solution.value, expected.value, 1e-7 * expected.value) << loop;
                EXPECT_LE(solution.GetGap(), 1e-6) << loop;
            }
        }
    }
}

TEST(TextFormulaGraphTest, PartsOfBlocksHaveTheirLinks)
{
    std::mt19937 random(13);
    const std::string notation = "FC(8)_SW(4)";
    const ClusterTopology topology = MakeTopology(notation);
    TextGraphOptions options = MakeOptions("no-overlap");
    options.communicators = {{4, 1}, {2, 4}, {2, 4}};
    GraphStepTime::Options links;
    links.partBandwidth = PartBandwidth::Links;
    for (int i = 0; i < 20; ++i)
    {
        const TextWorkload workload = MakeLayers(random, 3);
        const auto graphs = MakeGraphs(workload, notation, options);
        const TrainingLoop loop("no-overlap");
        TimeExpression all(2);
        all.Add(loop.Make(workload, options.communicators, 1, all));
        TimeExpression linked(2);
        linked.Add(loop.Make(workload, options.communicators, 1, linked, &topology));
        for (const Numbers& bandwidths : {Numbers{8, 4}, Numbers{50, 1}})
        {
            EXPECT_NEAR(MakeStepTime(*graphs, notation).Evaluate(bandwidths),
                        all.Evaluate(bandwidths).total,
                        1e-6);
            EXPECT_NEAR(MakeStepTime(*graphs, notation, links).Evaluate(bandwidths),
                        linked.Evaluate(bandwidths).total,
                        1e-6);
        }
    }
    TimeExpression time(2);
    time.Add(TrainingLoop("forward").Make(
        ReadText("a -1 5 ALLREDUCE 28 2 NONE 0 4 NONE 0 10\n", TextDialect::Libra),
        options.communicators,
        1,
        time,
        &topology));
    EXPECT_DOUBLE_EQ(time.Evaluate({1, 1}).total, 5 + 42 * 7. / 3);
}

TEST(TextFormulaGraphTest, LayersStreamsAndPriorities)
{
    const TextWorkload workload = ReadText("a -1 1 ALLREDUCE 12 2 NONE 0 4 ALLREDUCE 24 10\n"
                                           "b -1 8 NONE 0 16 ALLREDUCE 36 32 ALLREDUCE 7 10\n",
                                           TextDialect::Libra);
    TextGraphOptions options = MakeOptions("forward + layers(max(input-gradient, 1.5 "
                                           "weight-gradient))");
    options.passes = 2;
    const auto graphs = MakeGraphs(workload, NOTATION, options);
    const ExecutionGraph& graph = graphs->GetGraph(5);
    const std::vector<std::string> names{"a FWD",
                                         "a FWD ALLREDUCE",
                                         "b FWD",
                                         "b IG",
                                         "b IG ALLREDUCE",
                                         "b WG",
                                         "b WG ALLREDUCE",
                                         "a IG",
                                         "a WG",
                                         "a WG ALLREDUCE"};
    auto twice = names;
    twice.insert(twice.end(), names.begin(), names.end());
    EXPECT_EQ(GetNames(graph), twice);
    EXPECT_EQ(graph.GetNode(5)->durationPs, 48000);
    EXPECT_EQ(graph.GetNode(5)->stream, 0);
    EXPECT_EQ(graph.GetNode(3)->stream, -1);
    EXPECT_EQ(graph.GetNode(6)->bytes, 11) << "10.5, rounded";
    EXPECT_EQ(graph.GetNode(7)->dependencies, (std::vector<uint64_t>{4, 6}));
    EXPECT_EQ(graph.GetNode(8)->dependencies, (std::vector<uint64_t>{4, 6}));
    EXPECT_EQ(graph.GetNode(6)->priority, 3);
    EXPECT_EQ(graph.GetNode(10)->repetition, 1);
    options.scheduling = TextGraphOptions::Scheduling::Fifo;
    EXPECT_EQ(MakeGraphs(workload, NOTATION, options)->GetGraph(0).GetNode(6)->priority, -3);
}

TEST(TextFormulaGraphTest, OtherDialects)
{
    const TextWorkload workload =
        ReadText("HYBRID_TRANSFORMER model_parallel_NPU_group: 4 1 "
                 "a -1 1 ALLREDUCE 12 2 ALLREDUCE 12 4 ALLREDUCE 24 10\n");
    Diagnostics diagnostics;
    const auto graphs =
        MakeTextWorkload(workload, MakeTopology(NOTATION), MakeOptions("overlap"), diagnostics);
    ASSERT_NE(graphs, nullptr);
    EXPECT_EQ(diagnostics.GetWarnings(),
              (Errors{"w.txt: UPD_T: a training loop that is given has no update times: they are "
                      "left out"}));
    EXPECT_EQ(RunGraph(graphs->GetGraph(0), {1, 1, 1}), 1 + 12 + std::max(2 + 12, 2 + 4 + 32));
    TextGraphOptions options = MakeOptions("overlap");
    options.form = TextGraphOptions::Form::Converter;
    EXPECT_EQ(GetGraphErrors(workload, NOTATION, options),
              (Errors{"w.txt: graphs: a training loop is given, which knows no pipeline and needs "
                      "the form loop; pp is 1, the form is converter"}));
    TextWorkload stages = workload;
    stages.pipeline = 3;
    stages.pipelineBytes = 8;
    EXPECT_EQ(GetGraphErrors(stages, NOTATION, MakeOptions("overlap")),
              (Errors{"w.txt: graphs: a training loop is given, which knows no pipeline and needs "
                      "the form loop; pp is 3"}));
    options = MakeOptions("1000000000000000000 forward");
    EXPECT_EQ(GetGraphErrors(workload, NOTATION, options).size(), 1);
    std::string much = "forward";
    for (int i = 0; i < 100; ++i)
    {
        much += " + forward";
    }
    options = MakeOptions(much);
    options.passes = 100000;
    EXPECT_NE(GetGraphErrors(workload, NOTATION, options)[0].find("29411 layers"),
              std::string::npos);
}
