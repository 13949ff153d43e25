/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_WORKLOAD_H
#define ML_CLUSTER_TEXT_WORKLOAD_H

#include "ns3/collective-type.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How the layers of a text workload are parallelised, which decides its training loop.
 */
enum class TextPolicy
{
    Data,                         ///< DATA
    Model,                        ///< MODEL
    HybridDataModel,              ///< HYBRID_DATA_MODEL
    HybridModelData,              ///< HYBRID_MODEL_DATA
    HybridCustomized,             ///< HYBRID_CUSTOMIZED: each layer has a policy of its own
    HybridTransformer,            ///< HYBRID_TRANSFORMER
    HybridTransformerRecomputing, ///< HYBRID_TRANSFORMER_FWD_IN_BCKWD
    HybridDlrm,                   ///< HYBRID_DLRM
    HybridDlrmEnhanced,           ///< HYBRID_DLRM_ENHANCED
    DistributedInference,         ///< DISTRIBUTED_INFERENCE
    Micro,                        ///< MICRO
    WithoutOverlap                ///< LIBRA's, which its files do not name
};

/**
 * @ingroup ml-cluster
 * Who wrote a text workload.
 */
enum class TextDialect
{
    AstraSim, ///< ASTRA-sim 1.0: policy, number of layers, layers; ALLGATHER counts one rank's
              ///< shard
    Libra,    ///< LIBRA: layers only; times may have decimals
    SimAi     ///< SimAI and AICB: more header keys, groups as suffixes; ALLGATHER counts the whole
};

/// @ingroup ml-cluster
/// @param policy a policy @return its word in a file, "" for WithoutOverlap
std::string ToString(TextPolicy policy);
/// @ingroup ml-cluster
/// @param word a word of a file @return the policy, if it is one
std::optional<TextPolicy> ParseTextPolicy(const std::string& word);
/// @ingroup ml-cluster
/// @return the words of all policies
std::vector<std::string> GetTextPolicyWords();

/// @ingroup ml-cluster
/// @param type what a pass communicates @return "ALLREDUCE", ..., "NONE"
std::string ToTextWord(const std::optional<CollectiveType>& type);

/**
 * @ingroup ml-cluster
 * One pass of a layer: compute, then communicate.
 */
struct TextPass
{
    /// Which group a collective's suffix names, in SimAI's dialect.
    enum class Suffix
    {
        None,      ///< none: as the policy says
        Expert,    ///< _EP: the expert group
        ExpertData ///< _DP_EP: the ranks that hold the same experts
    };

    double cycles{0};                   ///< compute time, cycles, at least 0
    std::optional<CollectiveType> type; ///< what is communicated, if anything
    Suffix suffix{Suffix::None};        ///< see there
    uint64_t bytes{0};                  ///< size as the file has it
};

/**
 * @ingroup ml-cluster
 * One layer of a text workload.
 */
struct TextLayer
{
    /// Passes of a layer.
    enum class Pass
    {
        Forward,
        InputGradient,
        WeightGradient
    };

    /// @param pass a pass @return it
    const TextPass& Get(Pass pass) const
    {
        return pass == Pass::Forward         ? forward
               : pass == Pass::InputGradient ? inputGradient
                                             : weightGradient;
    }

    std::string name;                    ///< without blanks
    TextPass forward;                    ///< FWD
    TextPass inputGradient;              ///< IG
    TextPass weightGradient;             ///< WG
    double updateCycles{0};              ///< UPD_T, after each of the layer's collectives, cycles
    TextPolicy policy{TextPolicy::Data}; ///< the layer's own under HYBRID_CUSTOMIZED: Data, Model,
                                         ///< HybridDataModel or HybridModelData
};

/**
 * @ingroup ml-cluster
 * What a text workload of ASTRA-sim 1.0, LIBRA, SimAI or AICB says, as it says it. MakeTextWorkload
 * makes execution graphs of it.
 */
struct TextWorkload
{
    std::string file;                           ///< where it is from, for messages
    TextDialect dialect{TextDialect::AstraSim}; ///< who wrote it
    TextPolicy policy{TextPolicy::Data};        ///< policy
    std::vector<TextLayer> layers;              ///< at least one

    uint64_t modelGroup{1};               ///< transformers: ranks of a model-parallel group
    std::vector<uint64_t> checkpoints;    ///< layers whose input is kept
    std::vector<uint64_t> recomputations; ///< layers at whose backward pass those below, from the
                                          ///< nearest checkpoint on, run forward again
    uint64_t lastBottomLayer{0};          ///< DLRM: last layer of the bottom MLP

    uint64_t expertGroup{1};   ///< SimAI: ranks of an expert group
    uint64_t pipeline{1};      ///< SimAI: stages
    uint64_t virtualStages{1}; ///< SimAI: as the header says; nothing depends on it
    uint64_t microBatches{1};  ///< SimAI: gradient accumulation; the layers hold all of them
    uint64_t ranks{0};         ///< SimAI: number of ranks; 0: not said
    uint64_t pipelineBytes{0}; ///< SimAI: bytes between stages, a micro-batch and direction
};

/**
 * @ingroup ml-cluster
 * Checks what a workload says about itself: layers there, times finite and not negative, layers
 * that the header names, degrees of parallelism.
 * @param workload the workload
 * @param diagnostics receives all problems
 */
void CheckTextWorkload(const TextWorkload& workload, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Where a transformer that recomputes begins to run forward again.
 * @param workload the workload, checked
 * @param layer a layer whose backward pass is next
 * @return the nearest checkpoint below it, from which the layers up to the one below run again;
 * none if the layer is not one of `recomputations`
 */
std::optional<uint64_t> FindRecomputationStart(const TextWorkload& workload, uint64_t layer);

/**
 * @ingroup ml-cluster
 * Writes a text workload in its dialect, which the reader reads as the same.
 * @param workload the workload
 * @return the text
 */
std::string FormatTextWorkload(const TextWorkload& workload);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_WORKLOAD_H
