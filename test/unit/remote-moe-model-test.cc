/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "remote-moe-cases.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Lines = std::vector<std::string>; ///< errors

/// @param change of the small model @return its errors
Lines
ErrorsOf(const std::function<void(RemoteMoeModel&)>& change)
{
    RemoteMoeModel model = MakeSmall();
    change(model);
    Diagnostics diagnostics;
    model.Check(RemoteMoeModel::AtMember, diagnostics);
    EXPECT_NE(ErrorOf([&] { MakeRemoteMoeWorkload(model); }), "");
    return diagnostics.GetErrors();
}

} // namespace

TEST(RemoteMoeModelTest, NaturalSizesOfTheCaseStudy)
{
    const RemoteMoeModel model;
    EXPECT_EQ(model.GetExperts(), 256);
    EXPECT_EQ(model.GetHiddenSize(), 4497);
    EXPECT_NEAR(model.GetDenseParameters(), 242.7e6, 0.05e6);
    EXPECT_NEAR(model.GetExpertParameters(), 161.8e6, 0.05e6);
    EXPECT_NEAR(model.GetDenseParameters() * 24 / 1e12, 0.00583, 0.000005);
    EXPECT_NEAR(model.GetExpertShare().GetReal() * 2, 323.6e6, 0.05e6);
    EXPECT_NEAR(model.GetDenseParameters() * 2, 485.4e6, 0.05e6);
    EXPECT_NEAR(model.GetDispatchBytes().GetReal() * 255 / 256, 36.7e6, 0.05e6);
    EXPECT_GE(model.GetAllParameters().GetReal(), 1e12);
    EXPECT_LT(model.GetAllParameters().GetReal(), 1e12 + 24 * 256);
}

TEST(RemoteMoeModelTest, PartsAddUpToAllParameters)
{
    std::mt19937 random(5);
    for (int i = 0; i < 500; ++i)
    {
        RemoteMoeModel model;
        model.ranks = 1 + random() % 40;
        model.expertsPerRank = 1 + random() % 4;
        model.layers = 1 + random() % 30;
        model.topExperts = 1;
        model.denseFraction = random() % 2 == 0 ? 0 : (1 + random() % 99) / 100.0;
        model.parameters = 1'000'000 + random() % 1'000'000'000;
        const uint64_t slots = model.GetExperts() * model.layers;
        const uint64_t all = model.GetAllParameters().Get("parameters");
        ASSERT_GE(all, model.parameters);
        ASSERT_LT(all, model.parameters + slots);
        ASSERT_GE(uint64_t{model.ranks} * model.GetDenseShare(), model.GetDenseParameters());
        ASSERT_LT(uint64_t{model.ranks} * (model.GetDenseShare() - 1), model.GetDenseParameters());
    }
}

TEST(RemoteMoeModelTest, ErrorsTellWhatIsAllowed)
{
    using Model = RemoteMoeModel;
    EXPECT_EQ(ErrorsOf([](Model& m) { m.ranks = 0; }),
              Lines{"ranks: 0; allowed are whole numbers from 1 to 16777216"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.ranks = (1 << 24) + 1; }),
              Lines{"ranks: 16777217; allowed are whole numbers from 1 to 16777216"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.parameters = 0; }),
              Lines{"parameters: 0; allowed are whole numbers from 1 to 9007199254740992"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.parameters = UINT64_MAX; }),
              Lines{"parameters: 18446744073709551615; allowed are whole numbers from 1 to "
                    "9007199254740992"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.layers = 0; }),
              Lines{"layers: 0; allowed are whole numbers from 1 to 65536"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.layers = 65537; }),
              Lines{"layers: 65537; allowed are whole numbers from 1 to 65536"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.expertsPerRank = 0; }),
              Lines{"expertsPerRank: 0; allowed are whole numbers from 1 to 65536"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.expertsPerRank = 65537; }),
              Lines{"expertsPerRank: 65537; allowed are whole numbers from 1 to 65536"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.tokens = 0; }),
              Lines{"tokens: 0; allowed are whole numbers from 1"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.elementBytes = 0; }),
              Lines{"elementBytes: 0; allowed are whole numbers from 1"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.gradientBytes = 0; }),
              Lines{"gradientBytes: 0; allowed are whole numbers from 1"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.operations = 0; }),
              Lines{"operations: 0; allowed are whole numbers from 1"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.steps = 0; }),
              Lines{"steps: 0; allowed are whole numbers from 1"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.topExperts = 0; }),
              Lines{"topExperts: 0; allowed are 1 to the 4 experts of a layer"});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.topExperts = 5; }),
              Lines{"topExperts: 5; allowed are 1 to the 4 experts of a layer"});
    const std::string fractions =
        "; allowed are numbers from 0 to below 1, such as 0.01 (0: 12 / (12 + 8 E) of E experts in "
        "a layer)";
    EXPECT_EQ(ErrorsOf([](Model& m) { m.denseFraction = 1; }),
              Lines{"denseFraction: 1" + fractions});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.denseFraction = -0.5; }),
              Lines{"denseFraction: -0.5" + fractions});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.denseFraction = NAN; }),
              Lines{"denseFraction: no number" + fractions});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.denseFraction = INFINITY; }),
              Lines{"denseFraction: no number" + fractions});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.denseFraction = 0.01; }),
              Lines{"parameters: 44 leave 0 dense ones for each of 2 layers, and 44 for 4 "
                    "experts in each; needed is at least one for every layer and expert: more "
                    "parameters, or fewer layers or experts"});
    const std::string places = ": memory 64; allowed are 1, the NPU's own, to 63";
    EXPECT_EQ(ErrorsOf([](Model& m) { m.parameterLocation = 64; }),
              Lines{"parameterLocation" + places});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.gradientLocation = 64; }),
              Lines{"gradientLocation" + places});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.optimizerLocation = 64; }),
              Lines{"optimizerLocation" + places});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.activationLocation = 64; }),
              Lines{"activationLocation" + places});
    EXPECT_EQ(ErrorsOf([](Model& m) { m.parameters = 7; }).size(), 1);
    EXPECT_EQ(ErrorsOf([](Model& m) { m.ranks = m.tokens = m.steps = 0; }).size(), 3);
}

TEST(RemoteMoeModelTest, NumbersThatDoNotFitAreErrors)
{
    const auto error = [](const std::function<void(RemoteMoeModel&)>& change) {
        RemoteMoeModel model = MakeSmall();
        change(model);
        return ErrorOf([&] { MakeRemoteMoeWorkload(model); });
    };
    using Model = RemoteMoeModel;
    EXPECT_NE(error([](Model& m) { m.tokens = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.hiddenSize = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.elementBytes = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.gradientBytes = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.operations = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.optimizerBytes = UINT64_MAX; }), "");
    EXPECT_NE(error([](Model& m) { m.steps = UINT32_MAX; }), "");
}
