/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "generator-cases.h"
#include "remote-moe-cases.h"

#include "ns3/memory-fusion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace ns3::mlcluster;

namespace
{

using Lines = std::vector<std::string>; ///< nodes, one a line

/// What the ranks of a model do in a step, by the formulas, in real numbers.
struct Formulas
{
    /// @param model a model whose sizes divide
    explicit Formulas(const RemoteMoeModel& model)
    {
        const double n = model.ranks;
        const double layers = model.layers;
        const double experts = n * model.expertsPerRank;
        const double parameters = static_cast<double>(model.parameters);
        const double delta =
            model.denseFraction > 0 ? model.denseFraction : 12 / (12 + 8 * experts);
        const double perLayer = parameters / layers;
        const double hidden = model.hiddenSize > 0 ? static_cast<double>(model.hiddenSize)
                                                   : std::sqrt(delta * perLayer / 12);
        const double tokens = static_cast<double>(model.tokens) * n;
        const double top = static_cast<double>(model.topExperts);
        const double element = static_cast<double>(model.elementBytes);
        loaded = parameters * (2 * element + static_cast<double>(model.optimizerBytes));
        stored = parameters * static_cast<double>(model.gradientBytes + model.optimizerBytes);
        gathered = 2 * delta * parameters * element;
        reduced = n * delta * parameters * static_cast<double>(model.gradientBytes);
        exchanged = 4 * layers * tokens * top * hidden * element;
        operations = 3 * layers * static_cast<double>(model.operations) * tokens * perLayer *
                     (delta + top * (1 - delta) / experts);
        weights = 3 * element * parameters * (delta * n + 1 - delta);
    }

    double loaded;     ///< bytes of memory loads
    double stored;     ///< bytes of memory stores
    double gathered;   ///< bytes of all-gathers, the part of each rank
    double reduced;    ///< bytes of reduce-scatters, whole buffers
    double exchanged;  ///< bytes of all-to-alls
    double operations; ///< of computation
    double weights;    ///< bytes of weights read
};

/// The same, counted in a graph.
struct Sums
{
    /// @param workload a workload
    explicit Sums(const ClusterWorkload& workload)
    {
        loaded = Sum(workload, NodeKind::MemoryLoad);
        stored = Sum(workload, NodeKind::MemoryStore);
        gathered = Sum(workload, CollectiveType::AllGather);
        reduced = Sum(workload, CollectiveType::ReduceScatter);
        exchanged = Sum(workload, CollectiveType::AllToAll);
        operations = SumUp(workload, [](const ExecutionNode& node) { return node.operations; });
        weights = Sum(workload, NodeKind::Compute);
    }

    uint64_t loaded;     ///< see Formulas
    uint64_t stored;     ///< see Formulas
    uint64_t gathered;   ///< see Formulas
    uint64_t reduced;    ///< see Formulas
    uint64_t exchanged;  ///< see Formulas
    uint64_t operations; ///< see Formulas
    uint64_t weights;    ///< see Formulas

  private:
    /// @return bytes of nodes of that kind
    static uint64_t Sum(const ClusterWorkload& workload, NodeKind kind)
    {
        return SumUp(workload, [kind](const ExecutionNode& node) {
            return node.kind == kind ? node.tensorBytes : 0;
        });
    }

    /// @return bytes of collectives of that type
    static uint64_t Sum(const ClusterWorkload& workload, CollectiveType type)
    {
        return SumUp(workload, [type](const ExecutionNode& node) {
            return node.kind == NodeKind::Collective && node.collective == type ? node.bytes : 0;
        });
    }
};

/// @param graph a graph @return its nodes by their names, which differ
std::map<std::string, ExecutionNode>
ByName(const ExecutionGraph& graph)
{
    std::map<std::string, ExecutionNode> nodes;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        EXPECT_TRUE(nodes.emplace(node.name, node).second) << node.name;
    }
    return nodes;
}

} // namespace

TEST(RemoteMoeGeneratorTest, OneLayer)
{
    RemoteMoeModel model = MakeSmall();
    model.layers = 1;
    model.parameters = 22;
    model.optimizerBytes = 14;
    const auto workload = MakeRemoteMoeWorkload(model);
    EXPECT_EQ(CheckAll(workload), Lines{});
    EXPECT_EQ(&workload.GetGraph(0), &workload.GetGraph(1));
    // P_d = 2, P_e = 5, a dispatch has 7 x 3 tokens of 6 bytes
    const Lines expected = {"0 layer 0 load experts 0",
                            "1 layer 0 load dense 0",
                            "2 layer 0 gather dense 2 < 1",
                            "3 layer 0 dense 28 4 < 2",
                            "4 layer 0 dispatch 126 < 3",
                            "5 layer 0 experts 210 20 < 0 3 4",
                            "6 layer 0 combine 126 < 5",
                            "7 layer 0 backward load experts 0",
                            "8 layer 0 backward load dense 0",
                            "9 layer 0 backward gather dense 2 < 8",
                            "10 layer 0 backward combine dX 126 < 6",
                            "11 layer 0 backward experts 420 40 < 5 7 10",
                            "12 layer 0 backward dispatch dX 126 < 11",
                            "13 layer 0 backward dense 56 8 < 9 11 12",
                            "14 layer 0 backward reduce dense 8 < 13",
                            "15 layer 0 backward store dense 0 < 14",
                            "16 layer 0 backward store experts 0 < 11",
                            "17 layer 0 backward load optimizer 0 < 15 16",
                            "18 layer 0 backward store optimizer 0 < 17",
                            "19 end of the step 0 < 18"};
    EXPECT_EQ(ListNodes(workload.GetGraph(0)), expected);
    const std::map<uint32_t, uint64_t> bytes =
        {{0, 20}, {1, 2}, {7, 20}, {8, 2}, {15, 4}, {16, 40}, {17, 154}, {18, 154}};
    for (const auto& [index, size] : bytes)
    {
        EXPECT_EQ(workload.GetGraph(0).GetNode(index)->tensorBytes, size) << index;
    }
}

TEST(RemoteMoeGeneratorTest, TensorsLieWhereTheyArePlaced)
{
    RemoteMoeModel model = MakeSmall();
    model.optimizerBytes = 14;
    model.parameterLocation = 5;
    model.gradientLocation = 6;
    model.optimizerLocation = 7;
    model.activationLocation = 8;
    const auto workload = MakeRemoteMoeWorkload(model);
    EXPECT_EQ(CheckAll(workload), Lines{});
    const auto nodes = ByName(workload.GetGraph(0));
    const std::map<std::string, uint32_t> places = {{"load experts", 5},
                                                    {"load dense", 5},
                                                    {"store experts", 6},
                                                    {"store dense", 6},
                                                    {"load optimizer", 7},
                                                    {"store optimizer", 7},
                                                    {"store input", 8},
                                                    {"load input", 8}};
    uint32_t nAccesses = 0;
    for (const auto& [name, node] : nodes)
    {
        const bool isAccess =
            node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore;
        nAccesses += isAccess ? 1 : 0;
        const std::size_t blank = name.find_last_of(' ', name.find_last_of(' ') - 1);
        EXPECT_EQ(node.location, isAccess ? places.at(name.substr(blank + 1)) : 0) << name;
    }
    EXPECT_EQ(nAccesses, 2 * (2 * 2 + 4 + 2));
}

TEST(RemoteMoeGeneratorTest, InputsOfLayersGoAndComeBack)
{
    RemoteMoeModel model = MakeSmall();
    model.activationLocation = MemoryLocation::REMOTE;
    const auto workload = MakeRemoteMoeWorkload(model);
    EXPECT_EQ(CheckAll(workload), Lines{});
    const auto nodes = ByName(workload.GetGraph(0));
    const auto get = [&](const std::string& name) { return nodes.at("step 0 layer " + name); };
    using Ids = std::vector<uint64_t>;
    for (const std::string layer : {"0 ", "1 "})
    {
        // 7 tokens of 3 elements of 2 bytes
        EXPECT_EQ(get(layer + "store input").tensorBytes, 42);
        EXPECT_EQ(get(layer + "backward load input").tensorBytes, 42);
        const auto waits = [&](const std::string& name, const std::string& other) {
            const Ids ids = get(layer + name).dependencies;
            return std::count(ids.begin(), ids.end(), get(layer + other).id) == 1;
        };
        EXPECT_TRUE(waits("backward load input", "store input"));
        EXPECT_TRUE(waits("backward dense", "backward load input"));
    }
    EXPECT_EQ(get("0 store input").dependencies, Ids{});
    EXPECT_EQ(get("1 store input").dependencies, Ids{get("0 combine").id});
    EXPECT_EQ(get("1 backward load input").dependencies.size(), 2);
    EXPECT_EQ(get("1 backward load input").dependencies.front(), get("0 combine").id);
}

TEST(RemoteMoeGeneratorTest, ComputationReadsAndWritesWhatIsLocal)
{
    RemoteMoeModel model = MakeSmall();
    model.layers = 1;
    model.parameters = 22;
    model.optimizerBytes = 14;
    model.parameterLocation = model.gradientLocation = MemoryLocation::LOCAL;
    model.optimizerLocation = MemoryLocation::LOCAL;
    for (const bool isSerial : {false, true})
    {
        model.isSerial = isSerial;
        const auto workload = MakeRemoteMoeWorkload(model);
        const auto nodes = ByName(workload.GetGraph(0));
        const std::string prefix = "step 0 layer 0 ";
        EXPECT_EQ(CheckAll(workload), Lines{});
        EXPECT_EQ(nodes.size(), 14);
        EXPECT_EQ(nodes.count(prefix + "load experts") + nodes.count(prefix + "load dense"), 0);
        const auto& load = nodes.at(prefix + "backward load optimizer");
        EXPECT_EQ(load.location, MemoryLocation::LOCAL);
        EXPECT_EQ(load.tensorBytes, 154);
        EXPECT_EQ(load.dependencies.back(), nodes.at(prefix + "backward reduce dense").id);
    }
}

TEST(RemoteMoeGeneratorTest, RecomputationAddsTheForwardProducts)
{
    RemoteMoeModel model = MakeSmall();
    auto nodes = ByName(MakeRemoteMoeWorkload(model).GetGraph(0));
    model.recompute = true;
    const auto more = ByName(MakeRemoteMoeWorkload(model).GetGraph(0));
    ASSERT_EQ(more.size(), nodes.size());
    for (const auto& [name, node] : more)
    {
        const bool isMore =
            node.kind == NodeKind::Compute && name.find("backward") != std::string::npos;
        EXPECT_EQ(node.operations * (isMore ? 2 : 1), nodes[name].operations * (isMore ? 3 : 1));
        EXPECT_EQ(node.tensorBytes * (isMore ? 2 : 1), nodes[name].tensorBytes * (isMore ? 3 : 1));
        EXPECT_EQ(node.bytes, nodes[name].bytes);
    }
}

TEST(RemoteMoeGeneratorTest, EverySizeOfTheCaseStudy)
{
    RemoteMoeModel model;
    model.optimizerBytes = 14;
    const auto workload = MakeRemoteMoeWorkload(model);
    EXPECT_EQ(CheckAll(workload), Lines{});
    EXPECT_EQ(workload.GetNRanks(), 256);
    auto nodes = ByName(workload.GetGraph(17));
    const uint64_t dense = 242'718'446;  // 12e12 / (2060 x 24)
    const uint64_t expert = 161'812'298; // (1e12 - 24 dense) / (24 x 256), rounded up
    const uint64_t share = 948'119;      // of dense on each of 256
    const uint64_t tokens = 2048;
    ASSERT_EQ(model.GetDenseParameters(), dense);
    ASSERT_EQ(model.GetExpertParameters(), expert);
    std::size_t nFound = 0;
    const auto get = [&](const std::string& name) {
        ++nFound;
        return nodes.at("step 0 layer " + name);
    };
    for (uint32_t layer = 0; layer < 24; ++layer)
    {
        for (const std::string pass : {" ", " backward "})
        {
            const uint64_t factor = pass == " " ? 1 : 2;
            const std::string prefix = std::to_string(layer) + pass;
            const std::string suffix = factor == 1 ? "" : " dX";
            EXPECT_EQ(get(prefix + "load experts").tensorBytes, 2 * expert);
            EXPECT_EQ(get(prefix + "load dense").tensorBytes, 2 * share);
            EXPECT_EQ(get(prefix + "gather dense").bytes, 2 * share);
            EXPECT_EQ(get(prefix + "dense").operations, factor * 2 * tokens * dense);
            EXPECT_EQ(get(prefix + "dense").tensorBytes, factor * 2 * dense);
            EXPECT_EQ(get(prefix + "experts").operations, factor * 2 * tokens * 2 * expert);
            EXPECT_EQ(get(prefix + "experts").tensorBytes, factor * 2 * expert);
            EXPECT_EQ(get(prefix + "dispatch" + suffix).bytes, tokens * 2 * 4497 * 2);
            EXPECT_EQ(get(prefix + "combine" + suffix).bytes, tokens * 2 * 4497 * 2);
            nFound -= 2;
        }
        const std::string prefix = std::to_string(layer) + " backward ";
        EXPECT_EQ(get(prefix + "reduce dense").bytes, 256 * 2 * share);
        EXPECT_EQ(get(prefix + "store dense").tensorBytes, 2 * share);
        EXPECT_EQ(get(prefix + "store experts").tensorBytes, 2 * expert);
        EXPECT_EQ(get(prefix + "load optimizer").tensorBytes, 14 * (share + expert));
        EXPECT_EQ(get(prefix + "store optimizer").tensorBytes, 14 * (share + expert));
    }
    EXPECT_EQ(nFound + 1, nodes.size());
}

TEST(RemoteMoeGeneratorTest, TotalsAreThoseOfTheFormulasWhereSizesDivide)
{
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i)
    {
        RemoteMoeModel model;
        model.ranks = 2 << random() % 4;
        model.expertsPerRank = 1 + random() % 3;
        model.layers = 1 + random() % 6;
        const uint64_t hidden = 8 * (1 + random() % 50);
        model.parameters = model.layers * (12 + 8 * model.GetExperts()) * hidden * hidden;
        model.hiddenSize = random() % 2 == 0 ? 0 : 1 + random() % 100;
        model.tokens = 1 + random() % 1000;
        model.topExperts = 1 + random() % model.GetExperts();
        model.elementBytes = 1 + random() % 4;
        model.gradientBytes = 1 + random() % 4;
        model.operations = 1 + random() % 3;
        model.optimizerBytes = random() % 2 * 14;
        model.prefetch = random() % 4;
        model.isSerial = random() % 2 == 0;
        const auto workload = MakeRemoteMoeWorkload(model);
        ASSERT_EQ(CheckAll(workload), Lines{});
        ASSERT_EQ(model.GetAllParameters().Get("all"), model.parameters);
        const Sums sums(workload);
        const Formulas formulas(model);
        const auto near = [](uint64_t sum, double formula) {
            return std::abs(static_cast<double>(sum) / formula - 1) < 1e-12;
        };
        EXPECT_TRUE(near(sums.loaded, formulas.loaded)) << i;
        EXPECT_TRUE(near(sums.stored, formulas.stored)) << i;
        EXPECT_TRUE(near(sums.gathered, formulas.gathered)) << i;
        EXPECT_TRUE(near(sums.reduced, formulas.reduced)) << i;
        EXPECT_TRUE(near(sums.exchanged, formulas.exchanged)) << i;
        EXPECT_TRUE(near(sums.operations, formulas.operations)) << i;
        EXPECT_TRUE(near(sums.weights, formulas.weights)) << i;
    }
}

TEST(RemoteMoeGeneratorTest, LoadsBeginSoManyLayersBefore)
{
    for (const uint32_t prefetch : {0, 1, 2, 5, 100})
    {
        RemoteMoeModel model = MakeSmall();
        model.layers = 3;
        model.parameters = 66;
        model.prefetch = prefetch;
        const auto workload = MakeRemoteMoeWorkload(model);
        auto nodes = ByName(workload.GetGraph(0));
        const Lines loads = {"0 ", "1 ", "2 ", "2 backward ", "1 backward ", "0 backward "};
        const Lines ends = {"0 combine",
                            "1 combine",
                            "2 combine",
                            "2 backward dense",
                            "1 backward dense"};
        for (std::size_t i = 0; i < loads.size(); ++i)
        {
            std::vector<uint64_t> expected;
            if (i > prefetch)
            {
                expected = {nodes.at("step 0 layer " + ends[i - prefetch - 1]).id};
            }
            for (const std::string what : {"load experts", "load dense"})
            {
                EXPECT_EQ(nodes.at("step 0 layer " + loads[i] + what).dependencies, expected)
                    << prefetch << " " << i;
            }
        }
    }
}

TEST(RemoteMoeGeneratorTest, SerialStepsAreChains)
{
    RemoteMoeModel model = MakeSmall();
    model.isSerial = true;
    model.steps = 3;
    for (const uint64_t optimizer : {0, 14})
    {
        model.optimizerBytes = optimizer;
        const auto workload = MakeRemoteMoeWorkload(model);
        const auto& graph = workload.GetGraph(0);
        for (uint32_t i = 1; i < graph.GetNNodes(); ++i)
        {
            EXPECT_EQ(graph.GetNode(i)->dependencies.back(), i - 1);
        }
    }
}

TEST(RemoteMoeGeneratorTest, StepsFollowEachOther)
{
    RemoteMoeModel model = MakeSmall();
    const uint32_t nNodes = MakeRemoteMoeWorkload(model).GetGraph(0).GetNNodes();
    EXPECT_EQ(nNodes, 2 * 7 + 2 * 10 + 1);
    model.steps = 2;
    const auto workload = MakeRemoteMoeWorkload(model);
    const auto& graph = workload.GetGraph(0);
    ASSERT_EQ(graph.GetNNodes(), 2 * nNodes);
    const ExecutionNode& end = *graph.GetNode(nNodes - 1);
    EXPECT_EQ(std::string(end.name), "step 0 end of the step");
    uint32_t nStores = 0;
    for (const uint64_t id : end.dependencies)
    {
        nStores += graph.GetNode(id)->kind == NodeKind::MemoryStore ? 1 : 0;
    }
    EXPECT_EQ(nStores, 4);
    EXPECT_EQ(graph.GetNode(nNodes)->dependencies, std::vector<uint64_t>{end.id});
}

TEST(RemoteMoeGeneratorTest, OneRankCommunicatesNothing)
{
    RemoteMoeModel model = MakeSmall();
    model.ranks = 1;
    model.topExperts = 2;
    const auto workload = MakeRemoteMoeWorkload(model);
    EXPECT_EQ(SumUp(workload, [](const ExecutionNode& node) { return node.bytes; }), 0);
    EXPECT_EQ(CheckAll(workload), Lines{});
}

TEST(RemoteMoeGeneratorTest, PoolsFuseAllGathersAndReductions)
{
    MemoryPoolShape pool;
    pool.nodes = 16;
    pool.gpusPerNode = 16;
    for (const bool isSerial : {false, true})
    {
        RemoteMoeModel model;
        model.isSerial = isSerial;
        const auto workload = MakeRemoteMoeWorkload(model);
        const MemoryFusion fusion(workload, pool, true);
        ASSERT_EQ(fusion.GetFindings().size(), 1);
        const auto& finding = fusion.GetFindings().at(FusionObstacle::None);
        EXPECT_EQ(finding.loads, 256 * 24 * 2);
        EXPECT_EQ(finding.stores, 256 * 24);
        EXPECT_EQ(fusion.GetAccess(0, 1).uniqueBytes, 256 * 2 * model.GetDenseShare());
    }
}
