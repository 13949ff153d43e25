/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "generator-cases.h"

#include "ns3/layered-generator.h"

#include <random>

using namespace ns3::mlcluster;

namespace
{

using Lines = std::vector<std::string>; ///< nodes, one a line
using Kind = LayerParallelism;          ///< how layers are divided

/// @param widths of an MLP @return it
LayeredModel
MakeModel(const std::vector<uint64_t>& widths)
{
    LayeredModel model;
    model.name = "mlp";
    model.layers = LayeredModel::MakeMlp("fc", widths);
    return model;
}

/// @param ranks N @param tensor t @param batch B @param parallelism per layer @return a plan of 2
/// bytes an element and 4 a gradient
LayeredPlan
MakePlan(uint64_t ranks, uint64_t tensor, uint64_t batch, const std::vector<Kind>& parallelism)
{
    LayeredPlan plan;
    plan.setting.ranks = ranks;
    plan.setting.tensor = tensor;
    plan.setting.batch = batch;
    plan.parallelism = parallelism;
    return plan;
}

} // namespace

TEST(LayeredModelTest, ResNet50HasThePublishedSize)
{
    const LayeredModel model = FindLayeredModel("resnet-50");
    EXPECT_EQ(model.layers.size(), 54u);
    uint64_t normalised = 0;
    for (const auto& layer : model.layers)
    {
        normalised += layer.vectors == 2 ? 1 : 0;
    }
    EXPECT_EQ(normalised, 53u);
    EXPECT_EQ(model.CountParameters(), 25557032u);
    EXPECT_EQ(model.CountMacs(), 4089184256u);
    EXPECT_EQ(model.layers[0].positions, 112u * 112);
    EXPECT_EQ(model.layers[52].positions, 49u);
    EXPECT_FALSE(model.source.empty());
}

TEST(LayeredModelTest, Vgg16HasThePublishedSize)
{
    const LayeredModel model = FindLayeredModel("vgg-16");
    EXPECT_EQ(model.layers.size(), 16u);
    EXPECT_EQ(model.CountParameters(), 138357544u);
    EXPECT_EQ(model.CountMacs(), 15470264320u);
}

TEST(LayeredModelTest, ConvolutionsArePlacedOnTheImage)
{
    const auto layer = LayeredModel::MakeConvolution("c", {3, 8, 5, 2, 1, 10, false});
    EXPECT_EQ(layer.positions, 16u); // (10 + 2 - 5) / 2 + 1 = 4
    EXPECT_EQ(layer.inputs, 75u);
    EXPECT_EQ(layer.outputs, 8u);
    EXPECT_EQ(layer.inputElements, 300u);
    EXPECT_EQ(layer.GetParameters().Get(""), 608u);
    EXPECT_EQ(layer.GetMacs().Get(""), 9600u);
    const auto refuse = [](const LayeredModel::Convolution& shape) {
        return ErrorOf([&] { LayeredModel::MakeConvolution("c", shape); });
    };
    EXPECT_EQ(
        refuse({3, 8, 5, 2, 0, 4, false}),
        "layer \"c\" has a kernel of width 5 for an image of width 4 padded by 0; allowed are "
        "kernels that fit, paddings up to 2^32");
    EXPECT_EQ(refuse({3, 0, 5, 2, 0, 8, false}),
              "layer \"c\" has a size of 0; allowed are 1 to 2^32");
    EXPECT_EQ(ErrorOf([] { LayeredModel::MakeMlp("fc", {4, uint64_t{1} << 33}); }),
              "layer \"fc 0\" has a size of 8589934592; allowed are 1 to 2^32");
    EXPECT_EQ(ErrorOf([] { FindLayeredModel("resnet50"); }),
              "\"resnet50\" is no network, did you mean resnet-50?; allowed are resnet-50, vgg-16");
}

TEST(LayeredGeneratorTest, DataParallelStep)
{
    // 4 ranks, 8 samples: 2 each; fc 0: 3 x 5, fc 1: 5 x 2
    const auto workload = MakeLayeredWorkload(MakeModel({3, 5, 2}), MakePlan(4, 1, 8, {}));
    EXPECT_EQ(CheckAll(workload), Lines{});
    EXPECT_EQ(&workload.GetGraph(0), &workload.GetGraph(3));
    EXPECT_EQ(ListNodes(workload.GetGraph(0)),
              (Lines{"0 fc 0 60 62",     // 2 x 2 3 5; 2 (2 3 + 3 5 + 2 5)
                     "1 fc 1 40 48 < 0", // 2 x 2 5 2; 2 (2 5 + 5 2 + 2 2)
                     "2 loss 20 16 < 1", // 5 x 4; 2 x 2 x 4
                     "3 fc 1 dW 40 68 < 2",
                     "4 fc 1 dX 40 48 < 2 3",
                     "5 fc 0 dW 60 92 < 4",
                     "6 gradients 0 128 < 3 5", // 4 (5 (3 + 1) + 2 (5 + 1))
                     "7 optimizer 128 640 < 5 6"}));
}

TEST(LayeredGeneratorTest, BucketsAreReducedWhenFull)
{
    auto plan = MakePlan(4, 1, 8, {});
    plan.bucketBytes = 48;
    plan.steps = 2;
    const auto workload = MakeLayeredWorkload(MakeModel({3, 5, 2}), plan);
    const auto lines = ListNodes(workload.GetGraph(0));
    ASSERT_EQ(lines.size(), 18u);
    EXPECT_EQ(lines[4], "4 gradients 0 48 < 3");
    EXPECT_EQ(lines[7], "7 gradients 1 80 < 6");
    EXPECT_EQ(lines[8], "8 optimizer 128 640 < 4 6 7");
    EXPECT_EQ(lines[9], "9 fc 0 60 62 < 8");
    EXPECT_EQ(workload.GetGraph(0).GetNode(9)->repetition, 1);
    plan.bucketBytes = 0;
    EXPECT_EQ(ListNodes(MakeLayeredWorkload(MakeModel({3, 5, 2}), plan).GetGraph(0)).size(), 16u);
}

TEST(LayeredGeneratorTest, HybridLayersGatherAndScatterInTheTensorGroup)
{
    // 4 ranks, groups of 2, 8 samples; own samples 2, of a group 4. fc 0: 3 x 6 on all; fc 1: 6 x 4
    // and fc 2: 4 x 2 halved
    const auto workload =
        MakeLayeredWorkload(MakeModel({3, 6, 4, 2}),
                            MakePlan(4, 2, 8, {Kind::Data, Kind::Hybrid, Kind::Hybrid}));
    EXPECT_EQ(CheckAll(workload), Lines{});
    EXPECT_EQ(workload.GetGroup("tensor.1"), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(workload.GetGroup("data.1"), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(ListNodes(workload.GetGraph(0)),
              (Lines{"0 fc 0 72 72",
                     "1 fc 1 all-gather 24 tensor < 0", // 2 bytes x 2 samples x 6
                     "2 fc 1 96 88 < 0 1",              // 2 x 4 6 2; 2 (4 6 + 6 2 + 4 2)
                     "3 fc 2 all-gather 16 tensor < 2",
                     "4 fc 2 32 48 < 2 3",
                     "5 output all-to-all 8 tensor < 4",
                     "6 loss 20 16 < 4 5",
                     "7 output all-to-all back 8 tensor < 6",
                     "8 fc 2 dW 32 56 < 6 7",
                     "9 fc 2 dX 32 48 < 7 8",
                     "10 fc 2 reduce-scatter 32 tensor < 9",
                     "11 fc 1 dW 96 112 < 9 10",
                     "12 fc 1 dX 96 88 < 10 11",
                     "13 fc 1 reduce-scatter 48 tensor < 12",
                     "14 fc 0 dW 72 108 < 12 13",
                     "15 gradients 0 96 < 14",        // 4 x 6 (3 + 1), all ranks
                     "16 gradients 1 76 data < 8 11", // 4 (2 (6 + 1) + 1 (4 + 1))
                     "17 optimizer 172 860 < 14 15 16"}));
}

TEST(LayeredGeneratorTest, LayersOfDifferentDegreesExchangeSamples)
{
    const auto workload =
        MakeLayeredWorkload(MakeModel({4, 4, 4, 4}),
                            MakePlan(4, 2, 8, {Kind::Tensor, Kind::Hybrid, Kind::Tensor}));
    EXPECT_EQ(CheckAll(workload), Lines{});
    Lines collectives;
    for (const std::string& line : ListNodes(workload.GetGraph(0)))
    {
        const bool isCollective = line.find("all-") != std::string::npos ||
                                  line.find("scatter") != std::string::npos ||
                                  line.find("gradients") != std::string::npos;
        if (isCollective)
        {
            collectives.push_back(line.substr(line.find("fc") < line.size() ? line.find("fc") : 0));
        }
    }
    EXPECT_EQ(collectives,
              (Lines{"fc 1 all-to-all 16 < 0",
                     "fc 1 all-gather 16 tensor < 1",
                     "fc 2 all-to-all 16 tensor < 3",
                     "fc 2 all-gather 16 < 4",
                     "7 output all-to-all 16 < 6",
                     "9 output all-to-all back 16 < 8",
                     "fc 2 reduce-scatter 64 < 11",
                     "fc 2 all-to-all back 16 tensor < 12",
                     "fc 1 reduce-scatter 32 tensor < 15",
                     "fc 1 all-to-all back 16 < 16",
                     "19 gradients 0 40 data < 14"}));
}

TEST(LayeredGeneratorTest, AllPlansDoTheWorkOfTheModel)
{
    std::mt19937 random(5);
    for (int i = 0; i < 200; ++i)
    {
        std::vector<uint64_t> widths;
        for (uint32_t n = 2 + random() % 4; n > 0; --n)
        {
            widths.push_back(8 * (1 + random() % 9));
        }
        const LayeredModel model = MakeModel(widths);
        std::vector<Kind> parallelism;
        for (std::size_t k = 0; k < model.layers.size(); ++k)
        {
            parallelism.push_back(static_cast<Kind>(random() % 3));
        }
        const uint64_t ranks = uint64_t{1} << (random() % 4);
        const uint64_t tensor = std::min<uint64_t>(ranks, uint64_t{1} << (random() % 3));
        const uint64_t batch = ranks * (1 + random() % 4);
        const auto workload =
            MakeLayeredWorkload(model, MakePlan(ranks, tensor, batch, parallelism));
        EXPECT_EQ(CheckAll(workload), Lines{});
        const uint64_t operations = SumUp(workload, [](const ExecutionNode& node) {
            return Names(node, "fc") ? node.operations : 0;
        });
        const uint64_t first = model.layers[0].GetMacs().Get("");
        EXPECT_EQ(operations, 2 * batch * (3 * model.CountMacs() - first));
        uint64_t reduced = 0;
        uint64_t updated = 0;
        for (std::size_t k = 0; k < model.layers.size(); ++k)
        {
            const uint64_t degree = parallelism[k] == Kind::Data     ? 1
                                    : parallelism[k] == Kind::Hybrid ? tensor
                                                                     : ranks;
            const uint64_t held = model.layers[k].GetParameters().Get("") / degree * ranks;
            updated += held;
            reduced += degree < ranks ? held : 0;
        }
        EXPECT_EQ(SumUp(workload,
                        [](const ExecutionNode& node) {
                            return Names(node, "optimizer") ? node.operations / 4 : 0;
                        }),
                  updated);
        EXPECT_EQ(SumUp(workload,
                        [](const ExecutionNode& node) {
                            return Names(node, "gradients") ? node.bytes / 4 : 0;
                        }),
                  reduced);
    }
}

TEST(LayeredGeneratorTest, ResNet50OnManyRanks)
{
    const auto workload =
        MakeLayeredWorkload(FindLayeredModel("resnet-50"), MakePlan(64, 1, 64 * 32, {}));
    const uint64_t reduced = SumUp(workload, [](const ExecutionNode& node) {
        return node.kind == NodeKind::Collective ? node.bytes : 0;
    });
    EXPECT_EQ(reduced, 64 * uint64_t{4} * 25557032);
    EXPECT_EQ(CheckAll(workload), Lines{});
}

TEST(LayeredGeneratorTest, ContradictionsAreRefused)
{
    const auto refuse = [](const LayeredModel& model, const LayeredPlan& plan) {
        return ErrorOf([&] { MakeLayeredWorkload(model, plan); });
    };
    const LayeredModel model = MakeModel({3, 5, 2});
    const std::string groups = "; allowed are groups that divide the ranks, and ranks that divide "
                               "the batch";
    EXPECT_EQ(refuse(model, MakePlan(4, 3, 8, {})),
              "a tensor group has 3 of 4 ranks, a batch 8 samples" + groups);
    EXPECT_EQ(refuse(model, MakePlan(4, 2, 6, {})),
              "a tensor group has 2 of 4 ranks, a batch 6 samples" + groups);
    EXPECT_EQ(refuse(model, MakePlan(0, 1, 8, {})),
              "a tensor group has 1 of 0 ranks, a batch 8 samples" + groups);
    EXPECT_EQ(refuse(model, MakePlan(4, 2, 8, {Kind::Data})),
              "there are 2 layers, and 1 kinds of parallelism; allowed are at least one layer, and "
              "one kind each or none");
    EXPECT_EQ(refuse({}, MakePlan(4, 2, 8, {})),
              "there are 0 layers, and 0 kinds of parallelism; allowed are at least one layer, and "
              "one kind each or none");
    auto plan = MakePlan(4, 2, 8, {});
    plan.setting.gradientBytes = 0;
    EXPECT_EQ(refuse(model, plan),
              "elements have 2 bytes, gradients 0; allowed are numbers above 0");
    plan = MakePlan(4, 2, 8, {});
    plan.steps = 0;
    EXPECT_EQ(refuse(model, plan),
              "0 training steps of 8 nodes on 4 ranks are asked for; allowed are steps from 1, "
              "4194304 nodes in all, ranks below 2^32");
    plan = MakePlan(1, 1, uint64_t{1} << 62, {});
    EXPECT_NE(refuse(model, plan), "");
    plan = MakePlan(uint64_t{1} << 33, 1, uint64_t{1} << 33, {});
    EXPECT_NE(refuse(model, plan), "");
}
