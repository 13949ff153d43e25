/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REMOTE_MOE_MODEL_H
#define ML_CLUSTER_REMOTE_MOE_MODEL_H

#include "execution-node.h"

#include "ns3/amount.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A mixture of experts whose parameters lie in remote memory, or where else they are placed, and
 * how a step of it is trained: n ranks, each with e experts of every layer and 1/n of the rest (the
 * dense part), which is gathered where it is needed. The defaults are 10^12 parameters on 256
 * ranks. It stands in for workloads that were never published: all of it is made up of the sizes
 * below.
 *
 * Of L layers with E = n e experts each,
 *
 * - P_d = floor(delta P / L) parameters are dense: 12 h^2 in a layer whose experts have 8 h^2;
 * - P_e = ceil((P - L P_d) / (L E)) are those of an expert, so that all experts are alike; the
 * model has P parameters, or up to L E more where that does not divide;
 * - h = sqrt(P_d / 12), rounded, unless it is given;
 * - a rank holds e P_e + ceil(P_d / n) parameters of a layer.
 */
struct RemoteMoeModel
{
    /// Tells where a member is given.
    using PlaceOf = std::function<Diagnostics::Place(const std::string& member)>;

    static constexpr uint32_t MAX_RANKS = uint32_t{1} << 24;            ///< most ranks
    static constexpr uint64_t MAX_PARAMETERS = uint64_t{1} << 53;       ///< largest P
    static constexpr uint32_t MAX_EXPERTS_PER_RANK = uint32_t{1} << 16; ///< largest e
    static constexpr uint32_t MAX_LAYERS = uint32_t{1} << 16;           ///< largest L

    uint32_t ranks{256};                    ///< n
    uint64_t parameters{1'000'000'000'000}; ///< P
    uint32_t layers{24};                    ///< L, each with experts
    uint32_t expertsPerRank{1};             ///< e
    double denseFraction{0};  ///< delta, part of P that is dense, above 0 and below 1; 0: as layers
                              ///< of 12 h^2 and experts of 8 h^2 have, 12 / (12 + 8 E)
    uint64_t hiddenSize{0};   ///< h, elements of a token that goes to an expert; 0: see above
    uint64_t tokens{2048};    ///< b, of a rank in a step
    uint64_t topExperts{2};   ///< k, experts a token goes to, at most E
    uint64_t elementBytes{2}; ///< beta, of weights and of tokens
    uint64_t gradientBytes{2};  ///< gamma, of gradients of weights
    uint64_t operations{2};     ///< floating-point operations of a token per weight, forward
    uint64_t optimizerBytes{0}; ///< o, of the optimizer's states per parameter, which it loads and
                                ///< stores again; 0: none
    uint32_t parameterLocation{MemoryLocation::REMOTE}; ///< where parameters lie
    uint32_t gradientLocation{MemoryLocation::REMOTE};  ///< where gradients of weights lie
    uint32_t optimizerLocation{MemoryLocation::REMOTE}; ///< where the optimizer's states lie
    uint32_t activationLocation{MemoryLocation::LOCAL}; ///< where inputs of layers lie from their
                                                        ///< forward to their backward pass
    bool recompute{false}; ///< whether the backward pass computes the products of the forward one
                           ///< again
    uint32_t prefetch{1};  ///< layers whose loads may begin before the one that is computed has
                           ///< ended; 0: none
    bool isSerial{false};  ///< whether each node waits for the one before it: nothing overlaps
    uint32_t steps{1};     ///< training steps, one after the other

    /**
     * Looks for values that make no workload.
     * @param placeOf where members such as "expertsPerRank" are given, for messages
     * @param diagnostics takes a problem for every bad value
     */
    void Check(const PlaceOf& placeOf, Diagnostics& diagnostics) const;
    /// @param member a member @return its name as the place, for callers without a file
    static Diagnostics::Place AtMember(const std::string& member);

    /// @return E = n e
    uint64_t GetExperts() const;
    /// @return P_d of a layer
    uint64_t GetDenseParameters() const;
    /// @return P_e of an expert
    uint64_t GetExpertParameters() const;
    /// @return h
    uint64_t GetHiddenSize() const;
    /// @return parameters of the model: P, or up to L E more
    Amount GetAllParameters() const;
    /// @return ceil(P_d / n), dense parameters of a layer on a rank
    uint64_t GetDenseShare() const;
    /// @return e P_e, parameters of experts of a layer on a rank
    Amount GetExpertShare() const;
    /// @return b k h beta, bytes of tokens that a rank sends to experts
    Amount GetDispatchBytes() const;
    /// @return b h beta, bytes of what comes into a layer on a rank
    Amount GetInputBytes() const;
    /// @return how often the products of the forward pass are computed in the backward pass: twice,
    /// and once more to recompute
    uint64_t GetBackwardFactor() const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REMOTE_MOE_MODEL_H
