/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/bandwidth-solver.h"
#include "ns3/libra-communicators-file.h"
#include "ns3/libra-network-file.h"
#include "ns3/network-prices-file.h"
#include "ns3/text-workload-reader.h"
#include "ns3/training-loop.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Numbers = std::vector<double>;

const LibraCommunicators GROUPS{{2, 1}, {2, 1}, {1, 4}}; ///< tensor inside, data outside

/// @return two layers: 1 ns a cycle, all-reduces of m bytes send m bytes
/// inside, 1.5 m outside
TextWorkload
MakeLayers()
{
    Diagnostics diagnostics;
    const std::string text = "a -1 10 ALLREDUCE 40 20 ALLREDUCE 60 30 ALLREDUCE 20 0\n"
                             "b -1 1 NONE 0 2 ALLREDUCE 80 3 NONE 0 0\n";
    auto workload = TextWorkloadReader(text, "w.txt", TextDialect::Libra, diagnostics).Read();
    diagnostics.ThrowIfErrors();
    return workload;
}

/// @param loop a formula @param bandwidths of two dimensions @return the time
/// of the layers, ns
double
GetTime(const std::string& loop, const Numbers& bandwidths)
{
    TimeExpression time(2);
    time.Add(TrainingLoop(loop).Make(MakeLayers(), GROUPS, 1, time));
    return time.Evaluate(bandwidths).total;
}

/// @param hidden numbers of a token @param tokens of a micro-batch @param nTensor tensor-parallel
/// ranks
/// @return two layers of a transformer with gradients that are summed one by one
TextWorkload
MakeTransformer(uint64_t hidden, uint64_t tokens, uint64_t nTensor)
{
    const std::string activations = "ALLREDUCE " + std::to_string(2 * hidden * tokens);
    const std::string shards = "ALLGATHER " + std::to_string(2 * hidden * tokens / nTensor);
    const std::string small = "ALLREDUCE " + std::to_string(2 * hidden * hidden / nTensor);
    const std::string large = "ALLREDUCE " + std::to_string(8 * hidden * hidden / nTensor);
    const auto line = [](const std::string& time,
                         const std::string& a,
                         const std::string& b,
                         const std::string& c) {
        return "l -1 " + time + " " + a + " " + time + " " + b + " " + time + " " + c + " 10\n";
    };
    const std::string none = "NONE 0";
    const auto compute = [&](uint64_t width) {
        constexpr double RATE = 60.0 * (1ULL << 40) / 1e9; // operations in a ns
        return std::to_string(std::llround(2.0 * tokens * hidden * width / nTensor / RATE));
    };
    const std::string square = compute(hidden);
    const std::string wide = compute(4 * hidden);
    std::string text;
    for (int layer = 0; layer < 2; ++layer)
    {
        text += line(square, none, activations, small) + line(square, none, none, small) +
                line(square, none, none, small) + line(compute(2048), none, none, none) +
                line(square, activations, shards, small) + line(wide, none, activations, large) +
                line(wide, activations, none, large) + line("12207", none, none, none);
    }
    Diagnostics diagnostics;
    auto workload = TextWorkloadReader(text, "w.txt", TextDialect::Libra, diagnostics).Read();
    diagnostics.ThrowIfErrors();
    return workload;
}

/// Writes files of the formats of LIBRA.
class TrainingLoopFilesTest : public FolderTest
{
  protected:
    /// @param text of a network file @param errors receives its errors @return
    /// the network
    PricedNetwork ReadNetwork(const std::string& text, std::vector<std::string>* errors = nullptr)
    {
        Diagnostics diagnostics;
        const auto network = ReadLibraNetwork(m_folder.Write("n.yml", text), diagnostics);
        Keep(diagnostics, errors);
        return network;
    }

    /// @param text of prices @param errors receives their errors @return the
    /// prices
    PricedNetwork::Prices ReadPrices(const std::string& text,
                                     std::vector<std::string>* errors = nullptr)
    {
        Diagnostics diagnostics;
        const auto prices = ReadNetworkPrices(m_folder.Write("p.yml", text), diagnostics);
        Keep(diagnostics, errors);
        return prices;
    }

    /// @param diagnostics of a reader @param errors receives its errors; none:
    /// there must be none
    void Keep(const Diagnostics& diagnostics, std::vector<std::string>* errors)
    {
        if (errors)
        {
            *errors = diagnostics.GetErrors();
        }
        else
        {
            EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
        }
    }

    TemporaryFolder m_folder; ///< gone after the test
};

const std::string NETWORK = "Topology: [Ring, FullyConnected, Ring, Switch]\n"
                            "NpusCount: [4, 8, 4, 32]\n"
                            "CostDimension: [Chiplet, Package, Node, Pod]\n";
const std::string PRICES = "Chiplet: {Link: 2.00001}\n"
                           "Package: {Link: 4.00002, Switch: 13.00002}\n"
                           "Node: {Link: 4.00003, Switch: 13.00003}\n"
                           "Pod: {Link: 7.80004, Switch: 18.00004, Nic: 31.60004}\n";

} // namespace

TEST(TrainingLoopTest, Formulas)
{
    const Numbers slow{10, 5}; // a: 4, 6, 6 ns of communication; b: -, 8, -
    EXPECT_EQ(GetTime("no-overlap", slow), 66 + 24);
    EXPECT_EQ(GetTime("forward", slow), 11 + 4);
    EXPECT_EQ(GetTime("forward.compute + input-gradient.communication", slow), 11 + 14);
    EXPECT_EQ(GetTime("forward-in-backward", slow), 66 + 24 + 4);
    EXPECT_EQ(GetTime("overlap", slow), 11 + 4 + (20 + 30 + 6) + std::max(2 + 8, 2 + 3));
    EXPECT_EQ(GetTime("max(forward, 3 * weight-gradient)", slow), 3 * 39);
    EXPECT_EQ(GetTime("max(input-gradient, weight-gradient)", slow), 39);
    EXPECT_EQ(GetTime("layers(max(input-gradient, weight-gradient))", slow), 36 + 10);
    EXPECT_EQ(GetTime("2 (forward + layers(2 max(forward, input-gradient.compute)))", slow),
              2 * (15 + 2 * (20 + 2)));
    EXPECT_EQ(TrainingLoop("overlap").GetFormula().substr(0, 9), "forward +");
    for (const auto& name : TrainingLoop::GetNames())
    {
        EXPECT_GT(GetTime(name, slow), 0);
    }
}

TEST(TrainingLoopTest, SplitsOfTheEarlierArtifact)
{
    using Members = std::vector<uint32_t>;
    const auto gpt = MakeTransformer(12288, 32768, 16);
    const auto large = MakeTransformer(24576, 16384, 128);
    const auto one = MakeTransformer(4256, 8192, 1);
    const std::string twice = "forward-in-backward";
    const std::string overlap =
        "forward + forward.communication + "
        "layers(max(input-gradient, input-gradient.compute + weight-gradient))";

    const struct
    {
        TextWorkload workload;
        Members tensor;
        Members data;
        std::string loop;
        double total;
        Numbers split;
    } cases[] = {
        {gpt, {8, 2}, {1, 64}, twice, 100, {81.92, 18.08}},
        {gpt, {2, 8, 1, 1}, {1, 1, 8, 8}, twice, 100, {43.96, 38.47, 15.62, 1.95}},
        {large, {8, 8, 2}, {1, 1, 8}, twice, 100, {78.06, 9.76, 12.18}},
        {large, {2, 8, 8, 1}, {1, 1, 1, 8}, twice, 100, {44.28, 38.74, 4.84, 12.14}},
        {gpt, {2, 8, 1, 1}, {1, 1, 8, 8}, twice, 325, {142.88, 125.02, 50.76, 6.34}},
        {large, {2, 8, 8, 1}, {1, 1, 1, 8}, twice, 325, {143.90, 125.91, 15.74, 39.44}},
        {gpt, {2, 8, 1, 1}, {1, 1, 8, 8}, overlap, 325, {136.30, 119.26, 61.72, 7.72}},
        {large, {2, 8, 8, 1}, {1, 1, 1, 8}, overlap, 325, {144.04, 126.03, 15.75, 39.18}},
        {large, {8, 16}, {1, 8}, twice, 100, {87.18, 12.82}},
        {one, {1, 1}, {8, 128}, twice, 100, {87.58, 12.42}},
    };

    for (const auto& entry : cases)
    {
        BandwidthProblem problem(entry.tensor.size());
        problem.time.Add(
            TrainingLoop(entry.loop)
                .Make(entry.workload, {entry.tensor, entry.tensor, entry.data}, 1, problem.time));
        problem.Constrain("total = " + std::to_string(entry.total));
        const auto solution = BandwidthSolver::Solve(problem);
        EXPECT_LE(solution.GetGap(), 1e-9);
        for (std::size_t d = 0; d < entry.split.size(); ++d)
        {
            EXPECT_NEAR(solution.bandwidths[d], entry.split[d], 0.0101)
                << entry.loop << " in " << entry.split.size() << " dimensions, b" << d + 1;
        }
    }
}

TEST(TrainingLoopTest, BetterThanTheEarlierArtifactsSplitOf17B)
{
    const auto one = MakeTransformer(4256, 8192, 1);
    BandwidthProblem problem(3);
    problem.time.Add(TrainingLoop("forward-in-backward")
                         .Make(one, {{1, 1, 1}, {1, 1, 1}, {8, 8, 16}}, 1, problem.time));
    problem.Constrain("total = 100");
    const auto solution = BandwidthSolver::Solve(problem);
    const Numbers bytes{7. / 8, 7. / 64, 15. / 1024}; // of one collective: the best split
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        EXPECT_NEAR(solution.bandwidths[d], 100 * bytes[d] / (1023. / 1024), 1e-4);
    }
    EXPECT_LT(solution.time, problem.time.Evaluate({87.55, 10.96, 1.49}).total);
}

TEST(TrainingLoopTest, Refusals)
{
    for (const std::string text : {"",
                                   "forwards",
                                   "forward +",
                                   "max()",
                                   "max(forward",
                                   "forward)",
                                   "layers(layers(forward))",
                                   "layers(forward, forward)",
                                   "3",
                                   "forward.compute.compute",
                                   "forward - forward",
                                   "1e400 forward",
                                   "max forward",
                                   "forward forward",
                                   "2 2 forward"})
    {
        EXPECT_NE(ErrorOf([&] { TrainingLoop loop(text); }), "") << text;
    }
    EXPECT_EQ(ErrorOf([] { TrainingLoop loop("forward + backward"); }),
              "\"backward\" stands in the loop \"forward + backward\" where "
              "forward, input-gradient "
              "or weight-gradient (with .compute or .communication for a part of "
              "it), max(...) or "
              "layers(...) is needed");
    EXPECT_NE(ErrorOf([] { TrainingLoop loop(std::string(200, '(') + "forward"); }).find("levels"),
              std::string::npos);
    TimeExpression time(3);
    EXPECT_EQ(ErrorOf([&] { TrainingLoop("no-overlap").Make(MakeLayers(), GROUPS, 1, time); }),
              "the communicators have 2 dimensions, the network has 3");
}

TEST_F(TrainingLoopFilesTest, WorkedExampleFromFiles)
{
    Diagnostics diagnostics;
    std::string text;
    for (int layer = 0; layer < 2; ++layer)
    {
        text += "Q" + std::to_string(layer) +
                " -1 114074707 NONE 0 114074707 ALLREDUCE 805306368 114074707 " +
                (layer == 0 ? "ALLREDUCE 452984832" : "NONE 0") + " 10\n";
        for (const std::string name : {"o", "f"})
        {
            text += name + std::to_string(layer) + " -1 0 ALLREDUCE 805306368 0 " +
                    (name == "o" ? "ALLREDUCE 805306368" : "NONE 0") + " 0 NONE 0 10\n";
        }
        text += "e" + std::to_string(layer) + " -1 0 ALLGATHER 50331648 0 NONE 0 0 NONE 0 10\n";
    }
    const auto workload =
        ReadTextWorkload(m_folder.Write("w.txt", text), TextDialect::Libra, diagnostics);
    const auto communicators =
        ReadLibraCommunicators(m_folder.Write("c.yml",
                                              "Forward: [4, 4, -1, -1]\nInputGrad: [4, 4, -1, -1]\n"
                                              "WeightGrad: [-1, 2, 4, 32]\n"),
                               diagnostics);
    const auto costs = ReadNetwork(NETWORK).GetCosts(ReadPrices(PRICES), diagnostics);
    diagnostics.ThrowIfErrors();
    BandwidthProblem problem(4);
    problem.prices = costs.prices;
    problem.time.Add(TrainingLoop("no-overlap").Make(workload, communicators, 1, problem.time));
    EXPECT_EQ(problem.time.GetShapes().size(), 2) << "60 collectives are two shapes";
    for (const std::string constraint :
         {"total = 1000", "b1 = 500", "b1 >= b2", "b2 >= b3", "b3 + b4 = 200"})
    {
        problem.Constrain(constraint);
    }
    const auto solution = BandwidthSolver::Solve(problem);
    EXPECT_NEAR(solution.time, 708438743, 1);
    EXPECT_NEAR(solution.cost, 22966069, 1);
    EXPECT_NEAR(solution.bandwidths[3], 48.818898, 1e-6);
}

TEST_F(TrainingLoopFilesTest, PricesOfBlocks)
{
    const auto network = ReadNetwork(NETWORK);
    ASSERT_EQ(network.dimensions.size(), 4);
    EXPECT_EQ(network.GetNRanks(), 4096);
    EXPECT_EQ(network.dimensions[1].block, BuildingBlock::FullyConnected);
    Diagnostics diagnostics;
    auto prices = ReadPrices(PRICES);
    auto costs = network.GetCosts(prices, diagnostics);
    const Numbers expected{8192.04096, 16384.08192, 16384.12288, 235110.89152};
    for (std::size_t d = 0; d < 4; ++d)
    {
        EXPECT_NEAR(costs.prices[d], expected[d], 1e-6);
    }
    EXPECT_EQ(costs.fixedCost, 0);
    for (auto& entry : prices)
    {
        entry.second.port = 3;
    }
    costs = network.GetCosts(prices, diagnostics);
    EXPECT_EQ(costs.fixedCost, 3 * 4096 * (2 + 7 + 2 + 2.));
    EXPECT_FALSE(diagnostics.HasErrors());
}

TEST_F(TrainingLoopFilesTest, Refusals)
{
    std::vector<std::string> errors;
    const auto wrong = [&](const std::string& network, const std::string& prices) {
        Diagnostics diagnostics;
        ReadNetwork(network).GetCosts(ReadPrices(prices), diagnostics);
        std::string all;
        for (const auto& error : diagnostics.GetErrors())
        {
            all += error + "\n";
        }
        return all;
    };
    EXPECT_NE(wrong(NETWORK,
                    "Chiplet: {Link: 1}\nPackage: {Link: 1}\nNode: "
                    "{Link: 1}\nPods: {Link: 1}\n")
                  .find("n.yml:3: CostDimension[3]: tier \"Pod\" has no prices "
                        "(nearest: Pods); there "
                        "are prices of Chiplet, Node, Package, Pods"),
              std::string::npos);
    const std::string lacking = wrong("Topology: [Switch]\nNpusCount: [4]\nCostDimension: [A]\n",
                                      "B: {Link: 1}\nA:\n  Link: 1\n  Switch: 2\n");
    EXPECT_NE(lacking.find("p.yml:2: A.Nic: is missing; tier \"A\" needs a price "
                           "of Nic in $ per GB/s, "
                           "since a Switch is made of it"),
              std::string::npos)
        << lacking;
    ReadPrices("A: {Link: -1}\nB: 3\nC: {Link: x, Port: -2}\n", &errors);
    ASSERT_EQ(errors.size(), 4);
    EXPECT_NE(errors[0].find("p.yml:1: A.Link: '-1' is given; needed is a price"),
              std::string::npos)
        << errors[0];
    ReadNetwork("Topology: [Ring, Rong, Ring]\nNpusCount: [4, 2.5]\n", &errors);
    ASSERT_EQ(errors.size(), 4);
    ReadNetwork("Topology: [Ring]\nNpusCount: [1]\nCostDimension: [A]\n", &errors);
    ASSERT_EQ(errors.size(), 1);
    ReadNetwork("Topology: [Ring, Ring]\nNpusCount: [65536, "
                "65536]\nCostDimension: [A, A]\n",
                &errors);
    ASSERT_EQ(errors.size(), 1);
    Diagnostics diagnostics;
    ReadNetwork(NETWORK).GetCosts({{"Chiplet", {-1, {}, {}, 0, {"x", 1, "Chiplet"}}}}, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors()[0],
              "x:1: Chiplet.Link: -1 is given; needed is a price in $ per GB/s, "
              "not negative");
}
