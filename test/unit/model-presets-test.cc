/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/model-presets.h"
#include "ns3/parameter-counts.h"
#include "ns3/training-checker.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// A published number of parameters.
struct Published
{
    double number;   ///< as printed
    double rounding; ///< half of its last digit
};

constexpr double G = 1e9;

const std::map<std::string, Published> PUBLISHED{{"gpt3-175b", {175 * G, 0.5 * G}},
                                                 {"megatron-1.7b", {1.7 * G, 0.05 * G}},
                                                 {"megatron-3.6b", {3.6 * G, 0.05 * G}},
                                                 {"megatron-7.5b", {7.5 * G, 0.05 * G}},
                                                 {"megatron-18.4b", {18.4 * G, 0.05 * G}},
                                                 {"megatron-39.1b", {39.1 * G, 0.05 * G}},
                                                 {"megatron-76.1b", {76.1 * G, 0.05 * G}},
                                                 {"megatron-145.6b", {145.6 * G, 0.05 * G}},
                                                 {"megatron-310.1b", {310.1 * G, 0.05 * G}},
                                                 {"megatron-529.6b", {529.6 * G, 0.05 * G}},
                                                 {"megatron-1008b", {1008.0 * G, 0.05 * G}},
                                                 {"korthikanti-22b", {22 * G, 0.5 * G}},
                                                 {"korthikanti-175b", {175 * G, 0.5 * G}},
                                                 {"korthikanti-530b", {530 * G, 0.5 * G}},
                                                 {"korthikanti-1t", {1000 * G, 50 * G}},
                                                 {"llama3-8b", {8030261248, 0}},
                                                 {"llama3-70b", {70553706496, 0}},
                                                 {"llama3-405b", {405853388800, 0}},
                                                 {"mpt-7b", {6658859008, 0}},
                                                 {"mpt-13b", {12853954560, 0}},
                                                 {"mpt-30b", {29975214080, 0}},
                                                 {"mpt-70b", {64862437376, 0}},
                                                 {"turing-nlg-17b", {17 * G, 0.5 * G}},
                                                 {"transformer-1t", {1000 * G, 5 * G}},
                                                 {"moe-1t", {1000 * G, 5 * G}}};

} // namespace

TEST(ModelPresets, HaveThePublishedNumberOfParameters)
{
    const auto names = GetModelNames();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), PUBLISHED.size());
    for (const auto& name : names)
    {
        const Published& published = PUBLISHED.at(name);
        const auto counted = static_cast<double>(ParameterCounts::OfModel(FindModel(name)));
        EXPECT_NEAR(counted, published.number, published.rounding) << name;
    }
}

TEST(ModelPresets, CanBeTrainedAndNameTheirSource)
{
    for (const auto& name : GetModelNames())
    {
        const TransformerModel model = FindModel(name);
        Diagnostics diagnostics;
        TrainingChecker(model, {}, TrainingChecker::AtMember, diagnostics).Check();
        EXPECT_NO_THROW(diagnostics.ThrowIfErrors()) << name;
        EXPECT_TRUE(diagnostics.GetWarnings().empty()) << name;
        EXPECT_EQ(model.name, name);
        EXPECT_FALSE(model.source.empty()) << name;
    }
    EXPECT_NE(FindModel("moe-1t").source.find("our own stand-in"), std::string::npos);
}

TEST(ModelPresets, OfUnknownNameAreAnErrorWithTheNearest)
{
    EXPECT_EQ(FindModel("Llama-3 8B").layers, 32u);
    EXPECT_EQ(FindModel("GPT-3 175B").name, "gpt3-175b");
    const auto error = ErrorOf([] { FindModel("llama-3-8"); });
    EXPECT_NE(error.find("did you mean llama3-8b?"), std::string::npos) << error;
    EXPECT_NE(error.find("megatron-1008b"), std::string::npos) << error;
}

TEST(ModelPresets, OfUnknownNameSuggestThoseThatContainItOrAreContained)
{
    const auto suggest = [](const std::string& name) {
        const auto error = ErrorOf([&] { FindModel(name); });
        const std::string start = "\"" + name + "\" is no model";
        EXPECT_EQ(error.substr(0, start.size()), start);
        return error.substr(start.size(), error.find("; allowed are ") - start.size());
    };
    EXPECT_EQ(suggest("gpt3"), ", did you mean gpt3-175b?");
    EXPECT_EQ(suggest("gpt-3"), ", did you mean gpt3-175b?");
    EXPECT_EQ(suggest("Meta-Llama-3-70B"), ", did you mean llama3-70b?");
    EXPECT_EQ(suggest("Llama 3"), ", did you mean llama3-8b, llama3-70b, llama3-405b?");
    EXPECT_EQ(suggest("lama3-70b"), ", did you mean llama3-70b?");
    EXPECT_EQ(suggest("GTP3-175B"), ", did you mean gpt3-175b?");
    EXPECT_EQ(suggest("resnet50"), "");
    EXPECT_EQ(suggest("--"), "");
}
