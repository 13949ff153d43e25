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
        Gpt,  ///< biases, layer norm, GeLU, learned positions, embedding and head tied
        Llama ///< no biases, RMS norm, gated FFN (SwiGLU), rotary positions, no dropout, embedding
              ///< and head apart
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
    bool dropout{true};         ///< of Gpt: trained with dropout
    bool flashAttention{false}; ///< attention core fused: scores are not written to memory
    bool causal{false};         ///< fused attention core counted at half, since it skips what is
                                ///< masked; one that is not fused computes all of it
    uint32_t experts{0};        ///< E of a layer with experts; 0: dense
    uint32_t topExperts{0};     ///< K, experts a token goes to
    uint32_t expertInterval{1}; ///< layers 0, i, 2i, ... have experts
    uint32_t expertFfnSize{0};  ///< FFN width of an expert; 0: f
    uint32_t sharedFfnSize{0};  ///< FFN width of the expert that all tokens take; 0: none

    uint64_t GetKvHeads() const;       ///< @return g
    uint64_t GetFfnSize() const;       ///< @return f
    uint64_t GetExpertFfnSize() const; ///< @return FFN width of an expert
    uint64_t GetHeadSize() const;      ///< @return d = h / a
    uint64_t GetKvSize() const;        ///< @return g d, width of all keys of a token
    /// @return matrices of that width that an FFN multiplies by: 1, or gated 2 (gate and up)
    uint64_t GetUpMatrices() const;
    /// @return parameters of a norm: h, with bias 2 h
    uint64_t GetNormSize() const;

    /// @param layer index of a layer @return whether it has experts
    bool HasExperts(uint32_t layer) const;
    /// @param first a layer @param end the layer after the last one @return those with experts
    uint32_t CountExpertLayers(uint32_t first, uint32_t end) const;

    bool HasBiases() const;           ///< @return whether products of matrices add a bias
    bool HasDropout() const;          ///< @return whether dropout is trained with
    bool HasLearnedPositions() const; ///< @return whether positions have an embedding
    bool HasRotaryPositions() const;  ///< @return whether queries and keys are rotated
    bool IsGated() const;             ///< @return whether the FFN is a SwiGLU
    bool IsTied() const;              ///< @return whether embedding and head are one matrix

    /// @param other whose sizes are taken where this has 0
    void TakeSizes(const TransformerModel& other);
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_MODEL_H
