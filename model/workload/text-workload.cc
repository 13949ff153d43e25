/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-workload.h"

#include "message-tally.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Policies and their words.
const std::array<std::pair<TextPolicy, const char*>, 11> POLICIES{
    {{TextPolicy::Data, "DATA"},
     {TextPolicy::Model, "MODEL"},
     {TextPolicy::HybridDataModel, "HYBRID_DATA_MODEL"},
     {TextPolicy::HybridModelData, "HYBRID_MODEL_DATA"},
     {TextPolicy::HybridCustomized, "HYBRID_CUSTOMIZED"},
     {TextPolicy::HybridTransformer, "HYBRID_TRANSFORMER"},
     {TextPolicy::HybridTransformerRecomputing, "HYBRID_TRANSFORMER_FWD_IN_BCKWD"},
     {TextPolicy::HybridDlrm, "HYBRID_DLRM"},
     {TextPolicy::HybridDlrmEnhanced, "HYBRID_DLRM_ENHANCED"},
     {TextPolicy::DistributedInference, "DISTRIBUTED_INFERENCE"},
     {TextPolicy::Micro, "MICRO"}}};

/// @param key of a header @param layers a list of layers @return " key: n layer layer ..."
std::string
FormatLayerList(const std::string& key, const std::vector<uint64_t>& layers)
{
    std::string text = " " + key + ": " + std::to_string(layers.size());
    for (const uint64_t layer : layers)
    {
        text += " " + std::to_string(layer);
    }
    return text;
}

/// @param workload a workload of a transformer @return what follows the policy
std::string
FormatTransformerHeader(const TextWorkload& workload)
{
    std::string text = " model_parallel_NPU_group: " + std::to_string(workload.modelGroup);
    if (workload.dialect == TextDialect::SimAi)
    {
        text += " ep: " + std::to_string(workload.expertGroup) +
                " pp: " + std::to_string(workload.pipeline) +
                " vpp: " + std::to_string(workload.virtualStages) +
                " ga: " + std::to_string(workload.microBatches);
        text += workload.ranks > 0 ? " all_gpus: " + std::to_string(workload.ranks) : "";
    }
    if (workload.policy == TextPolicy::HybridTransformerRecomputing)
    {
        text += FormatLayerList("checkpoints", workload.checkpoints) +
                FormatLayerList("checkpoint_initiates", workload.recomputations);
    }
    return text + (workload.pipelineBytes > 0
                       ? " pp_comm: " + std::to_string(workload.pipelineBytes)
                       : "");
}

/// @param workload a workload @return its header with the number of layers
std::string
FormatHeader(const TextWorkload& workload)
{
    std::string text = ToString(workload.policy);
    switch (workload.policy)
    {
    case TextPolicy::HybridTransformer:
    case TextPolicy::HybridTransformerRecomputing:
        text += FormatTransformerHeader(workload);
        break;
    case TextPolicy::HybridDlrm:
    case TextPolicy::HybridDlrmEnhanced:
        text += workload.dialect == TextDialect::SimAi ? " DLRM_LAST_BOTTOM_LAYER: " : " ";
        text += std::to_string(workload.lastBottomLayer);
        break;
    default:
        break;
    }
    return text + "\n" + std::to_string(workload.layers.size()) + "\n";
}

/// @param cycles a time @return its token, in digits alone if it is whole
std::string
FormatCycles(double cycles)
{
    constexpr double LARGEST = 9007199254740992;
    return cycles <= LARGEST && std::floor(cycles) == cycles
               ? std::to_string(static_cast<uint64_t>(cycles))
               : FormatNumber(cycles);
}

/// @param pass a pass @return its three tokens, each after a blank
std::string
FormatPass(const TextPass& pass)
{
    const std::string suffix = pass.suffix == TextPass::Suffix::None     ? ""
                               : pass.suffix == TextPass::Suffix::Expert ? "_EP"
                                                                         : "_DP_EP";
    return " " + FormatCycles(pass.cycles) + " " + ToTextWord(pass.type) + suffix + " " +
           std::to_string(pass.bytes);
}

/// @param policy a policy @return whether it is a transformer's
bool
IsTransformer(TextPolicy policy)
{
    return policy == TextPolicy::HybridTransformer ||
           policy == TextPolicy::HybridTransformerRecomputing;
}

/// @param workload a workload @param diagnostics receives problems of its layers
void
CheckLayers(const TextWorkload& workload, Diagnostics& diagnostics)
{
    const auto isTime = [](double cycles) { return std::isfinite(cycles) && cycles >= 0; };
    constexpr std::array<TextPolicy, 4> OWN{TextPolicy::Data,
                                            TextPolicy::Model,
                                            TextPolicy::HybridDataModel,
                                            TextPolicy::HybridModelData};
    MessageTally tally(diagnostics);
    for (const TextLayer& layer : workload.layers)
    {
        const Diagnostics::Place place{workload.file, 0, "layer \"" + layer.name + "\""};
        if (!isTime(layer.forward.cycles) || !isTime(layer.inputGradient.cycles) ||
            !isTime(layer.weightGradient.cycles) || !isTime(layer.updateCycles))
        {
            tally.Error(place, "a time is negative or infinite; allowed are finite ones from 0");
        }
        if (std::find(OWN.begin(), OWN.end(), layer.policy) == OWN.end())
        {
            tally.Error(place,
                        "its own policy is " + ToString(layer.policy) +
                            "; allowed are DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA");
        }
    }
}

/// @param workload a workload that recomputes @param diagnostics receives problems of its layers
void
CheckRecomputations(const TextWorkload& workload, Diagnostics& diagnostics)
{
    const auto& initiating = workload.recomputations;
    for (const uint64_t layer : initiating)
    {
        const auto start = FindRecomputationStart(workload, layer);
        const bool isAmbiguous =
            start && std::any_of(initiating.begin(), initiating.end(), [&](uint64_t other) {
                return other >= *start && other < layer;
            });
        if (layer >= workload.layers.size() || !start || *start == layer || isAmbiguous)
        {
            diagnostics.Error(
                {workload.file, 0, "checkpoint_initiates"},
                "layer " + std::to_string(layer) +
                    " cannot run others again: it must be one of the " +
                    std::to_string(workload.layers.size()) +
                    " layers, no checkpoint itself, and above one of the checkpoints " +
                    JoinNumbers(workload.checkpoints) + " with no other initiating layer between");
        }
    }
}

/// @param workload a workload of a transformer @param diagnostics receives problems of its groups
void
CheckTransformer(const TextWorkload& workload, Diagnostics& diagnostics)
{
    const Diagnostics::Place place{workload.file, 0, "header"};
    if (workload.modelGroup == 0 || workload.expertGroup == 0 || workload.pipeline == 0 ||
        workload.microBatches == 0)
    {
        diagnostics.Error(place,
                          "model_parallel_NPU_group, ep, pp and ga are whole numbers from 1; given "
                          "are " +
                              JoinNumbers(std::vector<uint64_t>{workload.modelGroup,
                                                                workload.expertGroup,
                                                                workload.pipeline,
                                                                workload.microBatches}));
    }
    if ((workload.pipelineBytes > 0) != (workload.pipeline > 1))
    {
        diagnostics.Error(place,
                          "pp is " + std::to_string(workload.pipeline) + " and pp_comm is " +
                              std::to_string(workload.pipelineBytes) +
                              "; pp_comm, the bytes between stages, is above 0 if pp is above 1, "
                              "and else 0 or left out");
    }
    if (workload.policy == TextPolicy::HybridTransformerRecomputing)
    {
        CheckRecomputations(workload, diagnostics);
    }
}

} // namespace

std::string
ToString(TextPolicy policy)
{
    const auto found = std::find_if(POLICIES.begin(), POLICIES.end(), [&](const auto& entry) {
        return entry.first == policy;
    });
    return found == POLICIES.end() ? "" : found->second;
}

std::optional<TextPolicy>
ParseTextPolicy(const std::string& word)
{
    const auto found = std::find_if(POLICIES.begin(), POLICIES.end(), [&](const auto& entry) {
        return entry.second == word;
    });
    return found == POLICIES.end() ? std::nullopt : std::optional(found->first);
}

std::vector<std::string>
GetTextPolicyWords()
{
    std::vector<std::string> words;
    for (const auto& entry : POLICIES)
    {
        words.emplace_back(entry.second);
    }
    return words;
}

std::string
ToTextWord(const std::optional<CollectiveType>& type)
{
    std::string word = type ? ToString(*type) : "none";
    word.erase(std::remove(word.begin(), word.end(), '-'), word.end());
    std::transform(word.begin(), word.end(), word.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return word;
}

void
CheckTextWorkload(const TextWorkload& workload, Diagnostics& diagnostics)
{
    if (workload.layers.empty())
    {
        diagnostics.Error({workload.file, 0, "layers"}, "there is none; at least one is needed");
        return;
    }
    CheckLayers(workload, diagnostics);
    if (IsTransformer(workload.policy))
    {
        CheckTransformer(workload, diagnostics);
    }
    const bool isDlrm = workload.policy == TextPolicy::HybridDlrm ||
                        workload.policy == TextPolicy::HybridDlrmEnhanced;
    if (isDlrm && workload.lastBottomLayer >= workload.layers.size())
    {
        diagnostics.Error({workload.file, 0, "last bottom layer"},
                          std::to_string(workload.lastBottomLayer) +
                              " is no layer; allowed are 0 to " +
                              std::to_string(workload.layers.size() - 1));
    }
}

std::optional<uint64_t>
FindRecomputationStart(const TextWorkload& workload, uint64_t layer)
{
    const auto& initiating = workload.recomputations;
    std::optional<uint64_t> start;
    if (std::find(initiating.begin(), initiating.end(), layer) != initiating.end())
    {
        for (const uint64_t checkpoint : workload.checkpoints)
        {
            const bool isNearer = checkpoint <= layer && (!start || checkpoint > *start);
            start = isNearer ? checkpoint : start;
        }
    }
    return start;
}

std::string
FormatTextWorkload(const TextWorkload& workload)
{
    std::string text = workload.dialect == TextDialect::Libra ? "" : FormatHeader(workload);
    for (const TextLayer& layer : workload.layers)
    {
        text += layer.name + " -1" + FormatPass(layer.forward) + FormatPass(layer.inputGradient) +
                FormatPass(layer.weightGradient) + " " + FormatCycles(layer.updateCycles);
        text += workload.policy == TextPolicy::HybridCustomized ? " " + ToString(layer.policy) : "";
        text += "\n";
    }
    return text;
}

} // namespace mlcluster
} // namespace ns3
