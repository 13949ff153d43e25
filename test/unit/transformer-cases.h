/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_CASES_H
#define ML_CLUSTER_TRANSFORMER_CASES_H

#include "ns3/layer-program.h"
#include "ns3/parallel-plan.h"
#include "ns3/transformer-model.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// @return GPT-3 175B, one layer's sizes as in its paper, vocabulary padded for t = 8
inline TransformerModel
MakeGpt3()
{
    TransformerModel model;
    model.layers = 96;
    model.hiddenSize = 12288;
    model.heads = 96;
    model.vocabulary = 51200;
    model.sequenceLength = 2048;
    return model;
}

/// @return a model small enough to count by hand, 8 layers
inline TransformerModel
MakeSmall()
{
    TransformerModel model;
    model.layers = 8;
    model.hiddenSize = 256;
    model.heads = 8;
    model.vocabulary = 1024;
    model.sequenceLength = 128;
    return model;
}

/// @return a small model of the Llama family with grouped queries, fused causal attention
inline TransformerModel
MakeSmallLlama()
{
    TransformerModel model = MakeSmall();
    model.family = TransformerModel::Family::Llama;
    model.kvHeads = 4;
    model.ffnSize = 640;
    model.flashAttention = true;
    model.causal = true;
    return model;
}

/// @return the small Llama with 8 experts in every other layer, two for each token, and a shared
/// one
inline TransformerModel
MakeSmallExperts()
{
    TransformerModel model = MakeSmallLlama();
    model.experts = 8;
    model.topExperts = 2;
    model.expertInterval = 2;
    model.expertFfnSize = 320;
    model.sharedFfnSize = 64;
    return model;
}

/// @param program a program @param name of a step @return the steps of that name
inline std::vector<ProgramStep>
FindSteps(const LayerProgram& program, const std::string& name)
{
    std::vector<ProgramStep> found;
    std::copy_if(program.steps.begin(),
                 program.steps.end(),
                 std::back_inserter(found),
                 [&](const ProgramStep& step) { return step.name == name; });
    return found;
}

/// @param program a program @return names of its steps, in order
inline std::vector<std::string>
GetNames(const LayerProgram& program)
{
    std::vector<std::string> names;
    for (const auto& step : program.steps)
    {
        names.push_back(step.name);
    }
    return names;
}

/// @param step a step @return whether it is a product of matrices, or of fused ones
inline bool
IsProduct(const ProgramStep& step)
{
    static const std::vector<std::string> PRODUCTS{"qkv",
                                                   "scores",
                                                   "context",
                                                   "flash",
                                                   "projection",
                                                   "-up",
                                                   "-down",
                                                   "router",
                                                   "logits"};
    return step.kind == NodeKind::Compute &&
           std::any_of(PRODUCTS.begin(), PRODUCTS.end(), [&](const std::string& product) {
               return step.name.find(product) != std::string::npos;
           });
}

/// @param program a program @return operations of its products of matrices
inline uint64_t
CountProducts(const LayerProgram& program)
{
    uint64_t operations = 0;
    for (const auto& step : program.steps)
    {
        operations += IsProduct(step) ? step.operations : 0;
    }
    return operations;
}

/// @param program a program @param name of its only step of that name @return its operations
inline uint64_t
GetOperations(const LayerProgram& program, const std::string& name)
{
    const auto steps = FindSteps(program, name);
    EXPECT_EQ(steps.size(), 1U) << name;
    return steps.empty() ? 0 : steps.front().operations;
}

/// @param program a program @param name of its only step of that name @return bytes it moves or
/// sends
inline uint64_t
GetBytes(const LayerProgram& program, const std::string& name)
{
    const auto steps = FindSteps(program, name);
    EXPECT_EQ(steps.size(), 1U) << name;
    return steps.empty() ? 0 : steps.front().bytes + steps.front().tensorBytes;
}

/// @param program a program @param name of its only step of that name @return names of those it
/// waits for
inline std::vector<std::string>
GetDependencies(const LayerProgram& program, const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& step : FindSteps(program, name))
    {
        for (const uint32_t i : step.dependencies)
        {
            names.push_back(program.steps[i].name);
        }
    }
    return names;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_CASES_H
