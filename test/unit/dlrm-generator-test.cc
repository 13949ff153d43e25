/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "generator-cases.h"

#include "ns3/dlrm-generator.h"
#include "ns3/embedding-shards.h"

#include <random>

using namespace ns3::mlcluster;

namespace
{

using Lines = std::vector<std::string>; ///< nodes, one a line
using Sharding = DlrmModel::Sharding;   ///< how tables are divided
using Table = DlrmModel::Table;         ///< tables

/// @param tables of a model @return it: vectors of 4, bottom MLP 3-4, top MLP 1
DlrmModel
MakeModel(const std::vector<Table>& tables)
{
    DlrmModel model;
    model.name = "small";
    model.vectorSize = 4;
    model.tables = tables;
    model.bottomWidths = {3, 4};
    model.topWidths = {1};
    return model;
}

/// @param ranks n @param batch B @return a plan
DlrmPlan
MakePlan(uint32_t ranks, uint64_t batch)
{
    DlrmPlan plan;
    plan.ranks = ranks;
    plan.batch = batch;
    return plan;
}

/// @param model a model @param plan how it is trained @return its nodes on a rank
Lines
List(const DlrmModel& model, const DlrmPlan& plan, uint32_t rank = 0)
{
    const auto workload = MakeDlrmWorkload(model, plan);
    EXPECT_EQ(CheckAll(workload), Lines{});
    return ListNodes(workload.GetGraph(rank));
}

/// @param lines nodes @param name of one @return its line without the number, "" if there is none
std::string
Find(const Lines& lines, const std::string& name)
{
    for (const std::string& line : lines)
    {
        const std::string text = line.substr(line.find(' ') + 1);
        if (text.compare(0, name.size(), name) == 0)
        {
            return text;
        }
    }
    return "";
}

} // namespace

TEST(DlrmModelTest, PublishedModelsHaveTheirSizes)
{
    const DlrmModel mlperf = FindDlrmModel("dlrm-mlperf");
    EXPECT_EQ(mlperf.tables.size(), 26u);
    EXPECT_EQ(mlperf.GetTopInput(), 479u);
    EXPECT_EQ(mlperf.CountEmbeddingParameters(), uint64_t{187767399} * 128);
    EXPECT_EQ(mlperf.CountDenseParameters(), 2368897u);
    const DlrmModel kaggle = FindDlrmModel("dlrm-kaggle");
    EXPECT_EQ(kaggle.tables.size(), 26u);
    EXPECT_EQ(kaggle.GetTopInput(), 367u);
    EXPECT_EQ(kaggle.CountDenseParameters(), 475985u);
    EXPECT_EQ(kaggle.CountEmbeddingParameters(), uint64_t{33762577} * 16);
    EXPECT_EQ(GetDlrmModelNames().size(), 2u);
    EXPECT_EQ(ErrorOf([] { FindDlrmModel("dlrm"); }),
              "\"dlrm\" is no recommendation model; allowed are dlrm-kaggle, dlrm-mlperf");
}

TEST(DlrmGeneratorTest, BalancedTablesMakeTheStep)
{
    // 2 ranks, 8 samples, 4 of a rank; each rank has one table of vectors of 4, pooling 3
    const DlrmModel model = MakeModel({{100, 3}, {100, 3}});
    const auto workload = MakeDlrmWorkload(model, MakePlan(2, 8));
    EXPECT_EQ(CheckAll(workload), Lines{});
    EXPECT_EQ(&workload.GetGraph(0), &workload.GetGraph(1));
    EXPECT_EQ(ListNodes(workload.GetGraph(0)),
              (Lines{"0 lengths 64",                  // 8 x 4 to each of 2
                     "1 indices 192 < 0",             // 8 x 4 x 3 to each
                     "2 lookup 96 704 < 1",           // 8 x 3 x 4; 4 (96 + 32) + 8 x 24
                     "3 pooled 128 < 2",              // 4 x 4 x 4 to each
                     "4 bottom 0 96 80 < 2",          // 2 x 4 3 4; 2 (12 + 12 + 16)
                     "5 interaction 288 152 < 2 3 4", // 2 x 4 x 9 x 4; 2 x 4 (12 + 7)
                     "6 top 0 56 78 < 5",             // 2 x 4 7 1; 2 (28 + 7 + 4)
                     "7 loss 20 16 < 6",
                     "8 top 0 dW 56 92 < 7",
                     "9 top 0 dX 56 78 < 7 8",
                     "10 interaction dX 576 304 < 9",
                     "11 pooled gradients 128 < 10",
                     "12 bottom 0 dW 96 104 < 10",
                     "13 gradients 0 96 < 8 12",      // 4 (4 (3 + 1) + 1 (7 + 1))
                     "14 update 192 1152 < 10 11 12", // 2 x 96; 3 x 4 x 96
                     "15 optimizer 48 288 < 10 13 14"}));
}

TEST(DlrmGeneratorTest, UnbalancedTablesGiveEachRankItsPart)
{
    // rank 0 has three tables, rank 1 one, rank 2 none; 2 samples of a rank
    const DlrmModel model = MakeModel({{9, 2, Sharding::Table, 1, {0}},
                                       {9, 1, Sharding::Table, 1, {0}},
                                       {9, 5, Sharding::Table, 1, {1}},
                                       {9, 1, Sharding::Table, 1, {0}}});
    const auto workload = MakeDlrmWorkload(model, MakePlan(3, 6));
    EXPECT_EQ(CheckAll(workload), Lines{});
    const Lines first = ListNodes(workload.GetGraph(0));
    const Lines last = ListNodes(workload.GetGraph(2));
    EXPECT_EQ(Find(first, "lengths"), "lengths 64 +48 +16 +0");
    EXPECT_EQ(Find(last, "lengths"), "lengths 64 +48 +16 +0");
    EXPECT_EQ(Find(first, "indices"), "indices 144 +64 +80 +0 < 0");
    EXPECT_EQ(Find(first, "pooled "), "pooled 288 +96 +96 +96 < 2");
    EXPECT_EQ(Find(last, "pooled "), "pooled 0 +0 +0 +0 < 1");
    EXPECT_EQ(Find(first, "pooled gradients"), "pooled gradients 128 +96 +32 +0 < 10");
    EXPECT_EQ(Find(last, "pooled gradients"), "pooled gradients 128 +96 +32 +0 < 9");
    EXPECT_EQ(Find(last, "lookup"), "");
    EXPECT_EQ(Find(last, "update"), "");
}

TEST(DlrmGeneratorTest, RowsAreSpreadOverAllRanks)
{
    // 2 ranks, 8 samples; one table of pooling 3: 12 indices of a rank, 6 to each
    const Lines lines = List(MakeModel({{100, 3, Sharding::Row}}), MakePlan(2, 8));
    EXPECT_EQ(Find(lines, "lengths"), "lengths 64");
    EXPECT_EQ(Find(lines, "indices"), "indices 96 < 0");
    EXPECT_EQ(Find(lines, "lookup"), "lookup 48 416 < 1"); // (96 x 4 + 24 x 8) / 2 + 8 x 4 x 4
    EXPECT_EQ(Find(lines, "row-wise sums"), "row-wise sums 128 < 2");
    EXPECT_EQ(Find(lines, "row-wise gradients"), "row-wise gradients 64 < 10");
    EXPECT_EQ(Find(lines, "update"), "update 96 576 < 10 11 12");
    EXPECT_EQ(Find(lines, "pooled"), "");
    const Lines odd = List(MakeModel({{100, 1, Sharding::Row}}), MakePlan(2, 6));
    EXPECT_EQ(Find(odd, "indices"), "indices 24 +16 +8 < 0");
}

TEST(DlrmGeneratorTest, ColumnsAreSmallTables)
{
    const Lines columns = List(MakeModel({{100, 3, Sharding::Column, 2}}), MakePlan(2, 8));
    EXPECT_EQ(Find(columns, "lengths"), "lengths 64");
    EXPECT_EQ(Find(columns, "indices"), "indices 192 < 0");
    EXPECT_EQ(Find(columns, "lookup"), "lookup 48 448 < 1"); // 4 (48 + 16) + 8 x 24
    EXPECT_EQ(Find(columns, "pooled"), "pooled 64 < 2");
}

TEST(DlrmGeneratorTest, ReplicatedTablesAreReduced)
{
    const Lines lines = List(MakeModel({{100, 3, Sharding::Data}}), MakePlan(2, 8));
    EXPECT_EQ(Find(lines, "lengths"), "");
    EXPECT_EQ(Find(lines, "pooled"), "");
    EXPECT_EQ(Find(lines, "replicated lookup"), "replicated lookup 48 352"); // 4 (48 + 16) + 8 x 12
    EXPECT_EQ(Find(lines, "replicated gradients"), "replicated gradients 48 1984 < 7");
    EXPECT_EQ(Find(lines, "replicated update"), "replicated update 800 4800 < 9 10");
    EXPECT_NE(std::find(lines.begin(), lines.end(), "9 replicated gradients 1600 < 8"),
              lines.end());
}

TEST(DlrmGeneratorTest, AllShardingsDoTheSameWork)
{
    std::mt19937 random(9);
    for (int i = 0; i < 200; ++i)
    {
        std::vector<Table> tables;
        uint64_t work = 0;
        for (uint32_t n = 1 + random() % 8; n > 0; --n)
        {
            Table table;
            table.rows = 1 + random() % 100;
            table.pooling = 4 * (1 + random() % 5);
            table.sharding = static_cast<Sharding>(random() % 4);
            table.shards = table.sharding == Sharding::Column ? 1 + random() % 2 : 1;
            work += table.pooling * 4;
            tables.push_back(table);
        }
        const uint32_t ranks = 2u << (random() % 2);
        const uint64_t batch = ranks * (1 + random() % 5);
        const auto workload = MakeDlrmWorkload(MakeModel(tables), MakePlan(ranks, batch));
        EXPECT_EQ(CheckAll(workload), Lines{});
        const auto sum = [&](const std::string& name, NodeKind kind) {
            return SumUp(workload, [&](const ExecutionNode& node) {
                const bool counts = Names(node, name) && node.kind == kind;
                return counts ? node.operations + node.bytes : 0;
            });
        };
        EXPECT_EQ(sum("lookup", NodeKind::Compute), batch * work);
        EXPECT_EQ(sum(" pooled gradients", NodeKind::Collective),
                  sum(" pooled", NodeKind::Collective) / 2);
        EXPECT_EQ(sum(" interaction", NodeKind::Compute),
                  3 * 2 * batch * (tables.size() + 1) * (tables.size() + 1) * 4);
    }
}

TEST(DlrmGeneratorTest, OneRankCommunicatesNothing)
{
    const auto workload = MakeDlrmWorkload(FindDlrmModel("dlrm-kaggle"), MakePlan(1, 128));
    EXPECT_EQ(SumUp(workload, [](const ExecutionNode& node) { return node.bytes; }), 0u);
}

TEST(DlrmGeneratorTest, MlPerfOnManyRanks)
{
    DlrmModel model = FindDlrmModel("dlrm-mlperf");
    auto plan = MakePlan(16, 65536);
    plan.steps = 2;
    const auto workload = MakeDlrmWorkload(model, plan);
    EXPECT_EQ(CheckAll(workload), Lines{});
    const uint64_t pooled = SumUp(workload, [](const ExecutionNode& node) {
        return Names(node, " pooled") && !Names(node, "gradients") ? node.bytes : 0;
    });
    EXPECT_EQ(pooled, uint64_t{2} * 65536 * 26 * 128 * 4);
    for (Table& table : model.tables)
    {
        table.sharding = table.rows < 20000     ? Sharding::Data
                         : table.rows < 1000000 ? Sharding::Column
                                                : Sharding::Row;
        table.shards = table.sharding == Sharding::Column ? 16 : 1;
    }
    const auto even = MakeDlrmWorkload(model, plan);
    EXPECT_EQ(CheckAll(even), Lines{});
    EXPECT_EQ(&even.GetGraph(0), &even.GetGraph(15));
}

TEST(EmbeddingShardsTest, TablesGoWhereThereIsLeastWork)
{
    const EmbeddingShards shards(MakeModel({{1, 1}, {1, 7}, {1, 3}, {1, 5}, {1, 4}}), 2);
    // work 28, 20, 16, 12, 4: ranks 0, 1, 1, 0, 1
    EXPECT_EQ(shards.Get(0).work, 40u);
    EXPECT_EQ(shards.Get(1).work, 40u);
    EXPECT_EQ(shards.Get(0).tables, 2u);
    EXPECT_EQ(shards.Get(1).lookups, 10u);
    const EmbeddingShards columns(
        MakeModel({{1, 2}, {1, 6, Sharding::Column, 4}, {1, 1, Sharding::Table, 1, {3}}}),
        4);
    EXPECT_EQ(columns.Get(0).work, 14u);
    EXPECT_EQ(columns.Get(1).work, 6u);
    EXPECT_EQ(columns.Get(3).work, 10u);
    EXPECT_EQ(columns.Get(3).tables, 2u);
}

TEST(DlrmGeneratorTest, ContradictionsAreRefused)
{
    const auto refuse = [](const Table& table) {
        return ErrorOf([&] { MakeDlrmWorkload(MakeModel({table}), MakePlan(4, 8)); });
    };
    EXPECT_EQ(refuse({0, 1}), "table 0 has 0 rows and a pooling of 1; allowed are numbers above 0");
    EXPECT_EQ(refuse({1, 0}), "table 0 has 1 rows and a pooling of 0; allowed are numbers above 0");
    const std::string shards = " columns for 4 ranks; allowed is 1, column-wise a divisor of the "
                               "columns up to the number of ranks";
    EXPECT_EQ(refuse({1, 1, Sharding::Column, 3}), "table 0 has 3 shards of 4" + shards);
    EXPECT_EQ(refuse({1, 1, Sharding::Row, 2}), "table 0 has 2 shards of 4" + shards);
    EXPECT_EQ(refuse({1, 1, Sharding::Column, 0}), "table 0 has 0 shards of 4" + shards);
    const std::string ranks =
        "; allowed are none, which are then chosen, or table- and column-wise ";
    EXPECT_EQ(refuse({1, 1, Sharding::Table, 1, {4}}),
              "table 0 is to be on ranks 4" + ranks + "1 different ones below 4");
    EXPECT_EQ(refuse({1, 1, Sharding::Column, 2, {1, 1}}),
              "table 0 is to be on ranks 1, 1" + ranks + "2 different ones below 4");
    EXPECT_EQ(refuse({1, 1, Sharding::Row, 1, {1}}),
              "table 0 is to be on ranks 1" + ranks + "1 different ones below 4");
    const auto refusePlan = [](const DlrmPlan& plan) {
        return ErrorOf([&] { MakeDlrmWorkload(MakeModel({{1, 1}}), plan); });
    };
    EXPECT_EQ(refusePlan(MakePlan(4, 6)),
              "a batch of 6 samples is for 4 ranks; allowed are 1 to 2^24 ranks, which divide the "
              "batch");
    auto plan = MakePlan(4, 8);
    plan.indexBytes = 0;
    EXPECT_EQ(refusePlan(plan),
              "elements of tables have 4 bytes, indices 0; allowed are numbers above 0");
    EXPECT_EQ(refusePlan(MakePlan(8192, 8192)),
              "tables lie unevenly on 8192 ranks; allowed are up to 4096, or tables that give all "
              "ranks equal parts");
    DlrmModel model = MakeModel({{1, 1}});
    model.bottomWidths = {3, 5};
    EXPECT_EQ(
        ErrorOf([&] { MakeDlrmWorkload(model, MakePlan(4, 8)); }),
        "\"small\" has 1 tables of 4 columns, widths of the bottom MLP 3, 5, of the top MLP 1; "
        "allowed are at least one table and one layer each, the last of the bottom as wide as "
        "tables have columns, that of the top 1");
    model = MakeModel({{1, uint64_t{1} << 62}});
    EXPECT_NE(ErrorOf([&] { MakeDlrmWorkload(model, MakePlan(4, 8)); }), "");
}
