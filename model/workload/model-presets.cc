/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-presets.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// A GPT's sizes. @param name of it @param source of the sizes @param layers L @param hiddenSize h
/// @param heads a @return the model
TransformerModel
MakeGpt(const std::string& name,
        const std::string& source,
        uint32_t layers,
        uint32_t hiddenSize,
        uint32_t heads)
{
    TransformerModel model;
    model.name = name;
    model.source = source;
    model.layers = layers;
    model.hiddenSize = hiddenSize;
    model.heads = heads;
    model.vocabulary = 51200;
    model.sequenceLength = 2048;
    return model;
}

/// @param name of it @param layers L @param hiddenSize h @param heads a @return a model that
/// MosaicML benchmarked
TransformerModel
MakeMpt(const std::string& name, uint32_t layers, uint32_t hiddenSize, uint32_t heads)
{
    TransformerModel model = MakeGpt(name,
                                     "llm-foundry, configurations and table of the training "
                                     "benchmarks: with biases and learned positions, unlike the "
                                     "models released",
                                     layers,
                                     hiddenSize,
                                     heads);
    model.vocabulary = 50368;
    model.dropout = false;
    model.flashAttention = true;
    model.causal = true;
    return model;
}

/// @param name of it @param layers L @param hiddenSize h @param heads a @param ffnSize f @return a
/// Llama 3
TransformerModel
MakeLlama(const std::string& name,
          uint32_t layers,
          uint32_t hiddenSize,
          uint32_t heads,
          uint32_t ffnSize)
{
    TransformerModel model = MakeGpt(name,
                                     "Llama team, The Llama 3 herd of models (2024), table 3; "
                                     "vocabulary as released",
                                     layers,
                                     hiddenSize,
                                     heads);
    model.family = TransformerModel::Family::Llama;
    model.kvHeads = 8;
    model.ffnSize = ffnSize;
    model.vocabulary = 128256;
    model.sequenceLength = 8192;
    model.flashAttention = true;
    model.causal = true;
    return model;
}

/// @return models of Narayanan et al.
std::vector<TransformerModel>
MakeMegatron()
{
    const std::string source = "Narayanan et al., SC 2021, table 1";
    return {MakeGpt("megatron-1.7b", source, 24, 2304, 24),
            MakeGpt("megatron-3.6b", source, 30, 3072, 32),
            MakeGpt("megatron-7.5b", source, 36, 4096, 32),
            MakeGpt("megatron-18.4b", source, 40, 6144, 48),
            MakeGpt("megatron-39.1b", source, 48, 8192, 64),
            MakeGpt("megatron-76.1b", source, 60, 10240, 80),
            MakeGpt("megatron-145.6b", source, 80, 12288, 96),
            MakeGpt("megatron-310.1b", source, 96, 16384, 128),
            MakeGpt("megatron-529.6b", source, 105, 20480, 128),
            MakeGpt("megatron-1008b", source, 128, 25600, 160)};
}

/// @return models of Korthikanti et al.
std::vector<TransformerModel>
MakeKorthikanti()
{
    const std::string source = "Korthikanti et al. 2022, table 3";
    return {MakeGpt("korthikanti-22b", source, 48, 6144, 64),
            MakeGpt("korthikanti-175b", source, 96, 12288, 96),
            MakeGpt("korthikanti-530b", source, 105, 20480, 128),
            MakeGpt("korthikanti-1t", source, 128, 25600, 160)};
}

/// @return models of simulation studies, of which not all sizes are published
std::vector<TransformerModel>
MakeStudied()
{
    TransformerModel turing = MakeGpt("turing-nlg-17b",
                                      "Rosset, Turing-NLG (2020): layers, hidden size, heads; "
                                      "sequences of 1024",
                                      78,
                                      4256,
                                      28);
    turing.sequenceLength = 1024;
    TransformerModel trillion =
        MakeGpt("transformer-1t",
                "public workload of ASTRA-sim's studies: hidden size and tokens; our own: heads of "
                "128, sequences of 1024, and 138 layers, which make 10^12 parameters",
                138,
                24576,
                192);
    trillion.sequenceLength = 1024;
    TransformerModel experts = MakeLlama("moe-1t", 64, 8192, 64, 0);
    experts.source = "our own stand-in for a mixture of experts of 10^12 parameters, of no "
                     "published model";
    experts.experts = 128;
    experts.topExperts = 8;
    experts.expertFfnSize = 4928;
    return {turing, trillion, experts};
}

/// @param name of a model @return its letters and digits, small
std::string
Simplify(const std::string& name)
{
    std::string simple;
    for (const unsigned char c : name)
    {
        if (std::isalnum(c))
        {
            simple += static_cast<char>(std::tolower(c));
        }
    }
    return simple;
}

/// @return all models
const std::vector<TransformerModel>&
GetModels()
{
    static const std::vector<TransformerModel> MODELS = [] {
        std::vector<TransformerModel> models{
            MakeGpt("gpt3-175b", "Brown et al., NeurIPS 2020, table 2.1", 96, 12288, 96)};
        const std::vector<TransformerModel> others{MakeLlama("llama3-8b", 32, 4096, 32, 14336),
                                                   MakeLlama("llama3-70b", 80, 8192, 64, 28672),
                                                   MakeLlama("llama3-405b", 126, 16384, 128, 53248),
                                                   MakeMpt("mpt-7b", 32, 4096, 32),
                                                   MakeMpt("mpt-13b", 40, 5120, 40),
                                                   MakeMpt("mpt-30b", 48, 7168, 64),
                                                   MakeMpt("mpt-70b", 80, 8192, 64)};
        for (const auto& more : {MakeMegatron(), MakeKorthikanti(), others, MakeStudied()})
        {
            models.insert(models.end(), more.begin(), more.end());
        }
        return models;
    }();
    return MODELS;
}

/// @param name of no model @return models whose names contain it or that it contains, or else the
/// nearest one, if any is near, all without regard to case and signs
std::vector<std::string>
FindAlike(const std::string& name)
{
    const std::string typed = Simplify(name);
    std::vector<std::string> alike;
    std::vector<std::string> simple;
    for (const auto& model : GetModels())
    {
        simple.push_back(Simplify(model.name));
        const bool isPart = simple.back().find(typed) != std::string::npos ||
                            typed.find(simple.back()) != std::string::npos;
        if (isPart && !typed.empty())
        {
            alike.push_back(model.name);
        }
    }
    const auto nearest = std::find(simple.begin(), simple.end(), NearestWord(typed, simple));
    if (alike.empty() && nearest != simple.end())
    {
        alike.push_back(GetModels()[nearest - simple.begin()].name);
    }
    return alike;
}

} // namespace

TransformerModel
FindModel(const std::string& name)
{
    const auto& models = GetModels();
    const auto found = std::find_if(models.begin(), models.end(), [&](const auto& model) {
        return Simplify(model.name) == Simplify(name);
    });
    if (found == models.end())
    {
        const auto alike = FindAlike(name);
        throw InputError("\"" + name + "\" is no model" +
                         (alike.empty() ? "" : ", did you mean " + JoinWords(alike) + "?") +
                         "; allowed are " + JoinWords(GetModelNames()));
    }
    return *found;
}

std::vector<std::string>
GetModelNames()
{
    std::vector<std::string> names;
    for (const auto& model : GetModels())
    {
        names.push_back(model.name);
    }
    return names;
}

} // namespace mlcluster
} // namespace ns3
