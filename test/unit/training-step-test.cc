/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/training-step.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::mlcluster;
namespace fs = std::filesystem;

namespace
{

std::string
Read(const fs::path& path)
{
    std::ifstream is(path, std::ios::binary);
    EXPECT_TRUE(is) << path;
    std::ostringstream os;
    os << is.rdbuf();
    return os.str();
}

} // namespace

TEST(TrainingStep, GroupsAreTheRowsAndColumnsOfTheRanks)
{
    TrainingStep step;
    step.tensorParallel = 4;
    step.dataParallel = 2;
    const CommunicatorGroups expected{{"tensor.0", {0, 1, 2, 3}},
                                      {"tensor.1", {4, 5, 6, 7}},
                                      {"data.0", {0, 4}},
                                      {"data.1", {1, 5}},
                                      {"data.2", {2, 6}},
                                      {"data.3", {3, 7}}};
    EXPECT_EQ(step.GetGroups(), expected);
}

/// h = 1024, s = 2048, t = 4: activations 2 s h = 4 MiB, gradients of a layer 24 h^2 / t = 6 MiB.
TEST(TrainingStep, SizesFollowFromTheModel)
{
    const TrainingStep step;
    uint32_t activations = 0;
    uint32_t gradients = 0;
    for (const auto& node : step.GetNodes(5))
    {
        if (node.kind == NodeKind::Collective && node.group == "tensor.1")
        {
            EXPECT_EQ(node.bytes, 4U << 20);
            ++activations;
        }
        else if (node.kind == NodeKind::Collective)
        {
            EXPECT_EQ(node.group, "data.1");
            EXPECT_EQ(node.bytes, 6U << 20);
            ++gradients;
        }
    }
    EXPECT_EQ(activations, 4 * step.layers);
    EXPECT_EQ(gradients, step.layers);
}

/// All of 3 x 24 s h^2 (1 + s / (6 h)) operations per layer, forward and backward, over t ranks.
TEST(TrainingStep, OperationsAddUpToThoseOfATransformer)
{
    const TrainingStep step;
    const double s = step.sequenceLength;
    const double h = step.hiddenSize;
    uint64_t operations = 0;
    for (const auto& node : step.GetNodes(0))
    {
        operations += node.name == "optimizer" ? 0 : node.operations;
    }
    EXPECT_DOUBLE_EQ(operations,
                     step.layers * 72 * s * h * h * (1 + s / (6 * h)) / step.tensorParallel);
}

TEST(TrainingStep, RanksFitTogetherAndComputeGoesOnDuringGradients)
{
    const TrainingStep step;
    Diagnostics diagnostics;
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (uint32_t rank = 0; rank < step.GetNRanks(); ++rank)
    {
        graphs.push_back(
            std::make_shared<ExecutionGraph>(step.GetNodes(rank), "step", diagnostics));
    }
    ClusterWorkload(graphs, step.GetGroups()).Check(diagnostics);
    EXPECT_TRUE(diagnostics.GetErrors().empty()) << JoinWords(diagnostics.GetErrors());
    uint64_t waiters = 0;
    for (const auto& node : step.GetNodes(0))
    {
        for (const uint64_t dependency : node.dependencies)
        {
            waiters += graphs[0]->GetNode(dependency).name == "gradients.3" ? 1 : 0;
        }
    }
    EXPECT_EQ(waiters, 1U) << "only the optimizer waits for gradients";
}

TEST(TrainingStep, ImpossibleSizesAreAllNamed)
{
    TrainingStep step;
    EXPECT_NO_THROW(step.Check());
    step.hiddenSize = 1026;
    step.layers = 0;
    step.memoryRate = -1;
    try
    {
        step.Check();
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "layers: must be above 0\nmemoryRate: must be above 0\n"
                     "hiddenSize: 1026 cannot be divided among 4 tensor-parallel ranks");
    }
}

TEST(TrainingStep, ShippedTraceIsWhatTheProgramWrites)
{
    const fs::path root = fs::path(ML_CLUSTER_TEST_DATA).parent_path().parent_path();
    const fs::path shipped = root / "configs" / "traces";
    std::string folder = fs::temp_directory_path() / "ml-cluster-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const TrainingStep step;
    step.Write(folder + "/training-step");
    uint32_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        const fs::path name = entry.path().filename();
        EXPECT_TRUE(Read(entry.path()) == Read(shipped / name)) << name << " differs";
        ++files;
    }
    EXPECT_EQ(files, step.GetNRanks() + 1);
    fs::remove_all(folder);
}
