/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_MODEL_H
#define ML_CLUSTER_TRANSFORMER_MODEL_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A decoder-only transformer, dense or with a mixture of experts. Symbols as in Narayanan et al.
 * (SC 2021) and Korthikanti et al. (2022).
 */
struct TransformerModel
{
    /// What layers are made of.
    enum class Family
    {
        Gpt,  ///< biases, layer norm, GeLU, learned positions, dropout, embedding and head tied
        Llama ///< no biases, RMS norm, gated FFN (SwiGLU), rotary positions, embedding and head
              ///< apart
    };

    std::string name;           ///< published name
    std::string source;         ///< where the sizes are from
    Family family{Family::Gpt}; ///< what layers are made of
    uint32_t layers{0};         ///< L
    uint32_t hiddenSize{0};     ///< h
    uint32_t heads{0};          ///< a
    uint32_t kvHeads{0};        ///< g, key-value heads; 0: a
    uint32_t ffnSize{0};        ///< f, width of the FFN; 0: 4 h
    uint32_t vocabulary{0};     ///< V, padded
    uint32_t sequenceLength{0}; ///< s
    bool flashAttention{false}; ///< attention core fused: scores are not written to memory
    bool causal{false};         ///< attention core counted at half, since half is masked
    uint32_t experts{0};        ///< E of a layer with experts; 0: dense
    uint32_t topExperts{0};     ///< K, experts a token goes to
    uint32_t expertInterval{1}; ///< every how many layers have experts
    uint32_t expertFfnSize{0};  ///< FFN width of an expert; 0: f
    uint32_t sharedFfnSize{0};  ///< FFN width of the expert that all tokens take; 0: none
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_MODEL_H
