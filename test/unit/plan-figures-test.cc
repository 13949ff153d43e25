/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-moe-cases.h"

#include "ns3/dlrm-figures.h"
#include "ns3/layered-figures.h"
#include "ns3/remote-moe-figures.h"
#include "ns3/workload-tally.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

using Bytes = std::map<WorkloadTally::Key, double>; ///< by family and operation

/// @param figures figures @return bytes of a rank that they tell
Bytes
SumUp(const PlanFigures& figures)
{
    Bytes bytes;
    for (const auto& term : figures.GetTraffic())
    {
        bytes[{term.family, term.operation}] += static_cast<double>(term.bytes);
    }
    return bytes;
}

/// @param workload a workload @return most bytes of a rank in its graphs
Bytes
SumUp(const ClusterWorkload& workload)
{
    Bytes bytes;
    for (const auto& [key, traffic] : WorkloadTally(workload, nullptr).GetTraffic())
    {
        if (traffic.bytesPerRank > 0)
        {
            bytes[key] = traffic.bytesPerRank;
        }
    }
    return bytes;
}

/// @param figures figures @param name of a part of the memory @return its bytes
uint64_t
GetPart(const PlanFigures& figures, const std::string& name)
{
    const auto& parts = figures.GetMemory();
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const MemoryPart& part) {
        return part.name == name;
    });
    return found == parts.end() ? 0 : found->bytes;
}

/// @return a DLRM with a table of each sharding
DlrmModel
MakeDlrm()
{
    using Sharding = DlrmModel::Sharding;
    DlrmModel model;
    model.name = "small";
    model.vectorSize = 4;
    model.tables = {{100, 3, Sharding::Table, 1, {}},
                    {50, 2, Sharding::Column, 2, {}},
                    {1001, 5, Sharding::Row, 1, {}},
                    {10, 1, Sharding::Data, 1, {}}};
    model.bottomWidths = {13, 4};
    model.topWidths = {8, 1};
    return model;
}

} // namespace

TEST(DlrmFigures, AgreeWithGraphsToTheByte)
{
    std::mt19937 random(21);
    for (int i = 0; i < 200; ++i)
    {
        DlrmModel model = MakeDlrm();
        model.tables.clear();
        const uint32_t nTables = 1 + random() % 9;
        for (uint32_t k = 0; k < nTables; ++k)
        {
            DlrmModel::Table table;
            table.rows = 1 + random() % 1000;
            table.pooling = 1 + random() % 20;
            table.sharding = static_cast<DlrmModel::Sharding>(random() % 4);
            const uint32_t shards = 1 + random() % 2;
            table.shards = table.sharding == DlrmModel::Sharding::Column ? shards : 1;
            model.tables.push_back(table);
        }
        DlrmPlan plan;
        plan.ranks = 2U << (random() % 4);
        plan.batch = plan.ranks * (1 + random() % 7);
        plan.bucketBytes = random() % 300;
        const auto figures = GetDlrmFigures(model, plan);
        const auto workload = MakeDlrmWorkload(model, plan);
        Bytes graphs = SumUp(workload);
        EXPECT_EQ(SumUp(figures), graphs) << i;
        double operations = 0;
        for (uint32_t rank = 0; rank < plan.ranks; ++rank)
        {
            const ExecutionGraph& graph = workload.GetGraph(rank);
            for (uint32_t k = 0; k < graph.GetNNodes(); ++k)
            {
                const std::string name = graph.GetNode(k)->name;
                const bool isProduct = name.find("bottom") != std::string::npos ||
                                       name.find("top") != std::string::npos ||
                                       name.find("interaction") != std::string::npos;
                operations += isProduct ? static_cast<double>(graph.GetNode(k)->operations) : 0;
            }
        }
        EXPECT_EQ(figures.modelOperations, operations) << i;
    }
}

TEST(DlrmFigures, CountTheMemoryOfTheFullestRank)
{
    DlrmPlan plan;
    plan.ranks = 2;
    plan.batch = 10;
    const auto figures = GetDlrmFigures(MakeDlrm(), plan);
    // rank 0: whole table and half a column-wise one; rank 1: the other half
    EXPECT_EQ(GetPart(figures, "tables"), 4 * (100 * 4 + 50 * 2 + 1001 * 4 / 2 + 10 * 4U));
    EXPECT_EQ(GetPart(figures, "gradients of tables"), 4 * 10 * 4U);
    const uint64_t parameters = 13 * 4 + 4 + (14 * 8 + 8) + (8 + 1);
    EXPECT_EQ(GetPart(figures, "weights"), 2 * parameters);
    EXPECT_EQ(GetPart(figures, "gradients"), 4 * parameters);
    EXPECT_EQ(GetPart(figures, "master copy"), 4 * parameters);
    EXPECT_EQ(GetPart(figures, "indices"), 8 * (10 * (3 + 2) + 5 * (5 + 1U)));
    EXPECT_EQ(GetPart(figures, "vectors looked up"), 4 * 10 * (4 + 2 + 4U));
    EXPECT_EQ(GetPart(figures, "vectors of own samples"), 4 * 5 * 4 * 4U);
    EXPECT_EQ(GetPart(figures, "activations"), 2 * 5 * (13 + 14 + 8U));
    plan.elementBytes = 4;
    EXPECT_EQ(GetPart(GetDlrmFigures(MakeDlrm(), plan), "master copy"), 0U);
    plan.ranks = 1;
    DlrmModel model = MakeDlrm();
    model.tables[1].shards = 1;
    EXPECT_TRUE(GetDlrmFigures(model, plan).GetTraffic().empty());
}

TEST(RemoteMoeFigures, AgreeWithGraphsToTheByte)
{
    std::mt19937 random(23);
    for (int i = 0; i < 200; ++i)
    {
        RemoteMoeModel model = MakeSmall();
        model.ranks = 1 + random() % 5;
        model.layers = 1 + random() % 4;
        model.parameters = 1000 + random() % 1000;
        model.optimizerBytes = random() % 2 * 14;
        model.parameterLocation = 1 + random() % 3;
        model.gradientLocation = 1 + random() % 3;
        model.optimizerLocation = 1 + random() % 3;
        model.activationLocation = 1 + random() % 3;
        model.topExperts = 1 + random() % 2;
        const auto figures = RemoteMoeFigures(model).Count();
        const auto workload = MakeRemoteMoeWorkload(model);
        EXPECT_EQ(SumUp(figures), SumUp(workload)) << i;
        double operations = 0;
        for (uint32_t k = 0; k < workload.GetGraph(0).GetNNodes(); ++k)
        {
            operations += static_cast<double>(workload.GetGraph(0).GetNode(k)->operations);
        }
        EXPECT_EQ(figures.modelOperations, model.ranks * operations) << i;
    }
}

TEST(RemoteMoeFigures, CountMemoryWhereItIs)
{
    RemoteMoeModel model = MakeSmall(); // P_d = 2, s = 1, P_e = 5, e = 2, two layers
    model.optimizerBytes = 14;
    model.prefetch = 0;
    PlanFigures figures = RemoteMoeFigures(model).Count();
    EXPECT_EQ(GetPart(figures, "weights of layers at hand"), 2 * (10 + 2U));
    EXPECT_EQ(GetPart(figures, "gradients of a layer"), 4 * (10 + 2U));
    EXPECT_EQ(GetPart(figures, "inputs of layers"), 2 * 42U);
    EXPECT_EQ(GetPart(figures, "tokens for experts"), 2 * 126U);
    EXPECT_EQ(figures.GetMemoryBytes(), 24 + 48 + 84 + 252);
    model.prefetch = 7;
    EXPECT_EQ(GetPart(RemoteMoeFigures(model).Count(), "weights of layers at hand"), 48);
    auto placed = RemoteMoeFigures(model).GetPlaced();
    ASSERT_EQ(placed.size(), 1);
    ASSERT_EQ(placed[MemoryLocation::REMOTE].size(), 3);
    EXPECT_EQ(placed[MemoryLocation::REMOTE][0].bytes, 2 * 2 * 11);
    EXPECT_EQ(placed[MemoryLocation::REMOTE][1].bytes, 2 * 4 * 11);
    EXPECT_EQ(placed[MemoryLocation::REMOTE][2].bytes, 2 * 14 * 11);
    model.parameterLocation = model.gradientLocation = model.optimizerLocation =
        MemoryLocation::LOCAL;
    model.activationLocation = 4;
    figures = RemoteMoeFigures(model).Count();
    EXPECT_EQ(GetPart(figures, "weights"), 2 * 2 * 11);
    EXPECT_EQ(GetPart(figures, "gathered weights"), 2 * 2 * 2);
    EXPECT_EQ(GetPart(figures, "gradients"), 2 * 4 * 11);
    EXPECT_EQ(GetPart(figures, "optimizer states"), 2 * 14 * 11);
    EXPECT_EQ(GetPart(figures, "inputs of layers"), 0);
    placed = RemoteMoeFigures(model).GetPlaced();
    ASSERT_EQ(placed.size(), 1);
    EXPECT_EQ(placed[4][0].bytes, 84);
    EXPECT_EQ(RemoteMoeFigures(model).GetLayer().size(), 8);
}

TEST(LayeredFigures, AgreeWithGraphsToTheByte)
{
    std::mt19937 random(22);
    for (int i = 0; i < 200; ++i)
    {
        LayeredModel model;
        std::vector<uint64_t> widths;
        const uint32_t nLayers = 1 + random() % 6;
        for (uint32_t k = 0; k <= nLayers; ++k)
        {
            widths.push_back(1 + random() % 50);
        }
        model.layers = LayeredModel::MakeMlp("fc", widths);
        LayeredPlan plan;
        plan.setting.ranks = uint64_t{1} << (random() % 5);
        plan.setting.tensor = uint64_t{1} << (random() % 3);
        plan.setting.tensor = std::min(plan.setting.tensor, plan.setting.ranks);
        plan.setting.batch = plan.setting.ranks * (1 + random() % 4);
        plan.bucketBytes = random() % 500;
        bool isData = true;
        for (uint32_t k = 0; k < nLayers; ++k)
        {
            plan.parallelism.push_back(static_cast<LayerParallelism>(random() % 3));
            isData = isData && plan.parallelism.back() == LayerParallelism::Data;
        }
        const auto figures = GetLayeredFigures(model, plan);
        const auto workload = MakeLayeredWorkload(model, plan);
        EXPECT_EQ(SumUp(figures), SumUp(workload)) << i;
        const uint64_t first = model.layers[0].GetMacs().Get("");
        EXPECT_EQ(figures.modelOperations,
                  static_cast<double>(plan.setting.batch * (6 * model.CountMacs() - 2 * first)));
        if (isData)
        {
            EXPECT_EQ(GetPart(figures, "gradients"), 4 * model.CountParameters());
        }
    }
}

TEST(LayeredFigures, CountMemory)
{
    LayeredModel model;
    model.layers = LayeredModel::MakeMlp("fc", {10, 20, 7});
    LayeredPlan plan;
    plan.setting = {4, 2, 8, 2, 4};
    plan.parallelism = {LayerParallelism::Hybrid, LayerParallelism::Tensor};
    const auto figures = GetLayeredFigures(model, plan);
    const uint64_t parameters = 10 * (10 + 1) + 2 * (20 + 1);
    EXPECT_EQ(GetPart(figures, "weights"), 2 * parameters);
    EXPECT_EQ(GetPart(figures, "gradients"), 4 * parameters);
    EXPECT_EQ(GetPart(figures, "momentum"), 4 * parameters);
    EXPECT_EQ(GetPart(figures, "master copy"), 4 * parameters);
    EXPECT_EQ(GetPart(figures, "activations"), 2 * (4 * 10 + 8 * 20 + 2 * 7U));
    EXPECT_EQ(figures.GetMemoryBytes(), 14 * parameters + 2 * 214);
    plan.setting.gradientBytes = 2;
    EXPECT_EQ(GetPart(GetLayeredFigures(model, plan), "master copy"), 0U);
}

TEST(PlanFigures, PrintsFormulasAndMemory)
{
    PlanFigures figures;
    figures.AddTraffic("", "all-reduce", "gamma P", 4000);
    figures.AddTraffic("data", "all-gather", "nothing", 0);
    figures.AddMemory("weights", "beta P", 2000);
    figures.AddMemory("gradients", "gamma P", 4000);
    figures.symbols = "P parameters\n";
    std::ostringstream os;
    figures.Print(os, 8000);
    EXPECT_EQ(os.str(),
              "Most of a rank, by formula\n"
              "family     operation   formula  bytes of a rank\n"
              "all ranks  all-reduce  gamma P         4.000 kB\n"
              "\n"
              "Memory of the fullest rank\n"
              "part       formula     bytes\n"
              "weights    beta P   2.000 kB\n"
              "gradients  gamma P  4.000 kB\n"
              "All: 6.000 kB, 75.0 % of 8kB\n"
              "\n"
              "P parameters\n");
    std::ostringstream unknown;
    figures.Print(unknown, 0);
    EXPECT_NE(unknown.str().find("All: 6.000 kB\n"), std::string::npos);
}
