/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_COSTS_H
#define ML_CLUSTER_TRANSFORMER_COSTS_H

#include "layer-program.h"
#include "parameter-counts.h"
#include "program-builder.h"
#include "rank-shape.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a rank does for each part of a transformer and one micro-batch: computation with its
 * operations and bytes, and the collectives of tensor, sequence, context and expert parallelism.
 * Pipeline and data parallelism, which act between parts and steps, are not in it.
 *
 * Layers: norm, attention (AttentionProgram), residual, norm, FFN (FeedForwardProgram) or experts
 * (ExpertProgram), residual. A norm takes 5 operations per element and moves 2 beta bytes
 * (backward 8 and 3 beta), a residual with bias and dropout 3 and 3 beta with a mask byte (backward
 * 2 and 2 beta). The backward pass includes what it has to compute again: with selective
 * recomputation the attention core, with full recomputation the whole forward pass of the layer.
 *
 * All ranks have the same programs, but for experts of unequal load, where that of a rank follows
 * from its position in its expert group.
 */
class TransformerCosts
{
  public:
    /// @param model the model @param plan how it is trained; both checked (see TrainingChecker)
    TransformerCosts(const TransformerModel& model, const ParallelPlan& plan);

    /// @param layer index of a layer @param expertPosition of the rank in its expert group
    /// @return its forward pass @throw InputError if a number is above 2^64 - 1
    LayerProgram GetForward(uint32_t layer, uint32_t expertPosition = 0) const;
    /// @param layer index of a layer @param expertPosition of the rank in its expert group
    /// @return its backward pass, including recomputation; what comes in is the output's gradient
    /// @throw InputError if a number is above 2^64 - 1
    LayerProgram GetBackward(uint32_t layer, uint32_t expertPosition = 0) const;

    /// @return token and position embedding of the first stage; nothing comes in
    LayerProgram GetEmbeddingForward() const;
    /// @return the embedding's gradients; nothing goes out, its output is its last step
    LayerProgram GetEmbeddingBackward() const;
    /// @return final norm, logits and vocabulary-parallel cross-entropy of the last stage: the
    /// maxima, the logits of the targets and the sums of exponentials are all-reduced, four bytes a
    /// token each; goes out: the loss
    LayerProgram GetHeadForward() const;
    /// @return the head's gradients; comes in: the loss
    LayerProgram GetHeadBackward() const;

    /**
     * Norm of the gradients (2 operations and gamma bytes per parameter), all-reduced (8 bytes)
     * over the ranks that hold different ones, the model family, or all ranks if gradients or
     * experts are spread over data parallel ranks; then Adam (12 operations; reads and writes four
     * bytes of master copy and two moments, reads a gradient of four, writes the weight: 28 + beta
     * bytes; or what the plan says, since others do more: Megatron-LM first copies, unscales and
     * clips gradients).
     * @param parameters on the rank; with ZeRO each rank works on its shard of them
     * @return the optimizer's step, when gradients are reduced
     * @throw InputError if a number is above 2^64 - 1
     */
    LayerProgram GetOptimizer(const ParameterCounts& parameters) const;

    /// @return sizes on the rank, for ParameterCounts
    const RankShape& GetShape() const;

    /// @return bytes of what goes from a stage to the next, and of its gradient back:
    /// beta S h, with sequence parallelism the rank's part of it
    uint64_t GetBoundaryBytes() const;

  private:
    using Steps = ProgramBuilder::Steps; ///< steps to wait for

    /// @param builder receives the steps of a layer's forward pass @param layer its index
    /// @param expertPosition of the rank @param after input @return output
    Steps AddForward(ProgramBuilder& builder,
                     uint32_t layer,
                     uint32_t expertPosition,
                     const Steps& after) const;
    /// @param builder receives the step @param name name @param after input @return output
    Steps AddNorm(ProgramBuilder& builder, const std::string& name, const Steps& after) const;
    /// @param builder receives the step @param name name @param after output's gradient
    /// @return input's gradient
    Steps AddNormBackward(ProgramBuilder& builder,
                          const std::string& name,
                          const Steps& after) const;
    /// @param builder receives the step @param name name @param after input @return output
    Steps AddResidual(ProgramBuilder& builder, const std::string& name, const Steps& after) const;
    /// @param builder receives the step @param name name @param after output's gradient
    /// @return input's gradient
    Steps AddResidualBackward(ProgramBuilder& builder,
                              const std::string& name,
                              const Steps& after) const;
    /// @return the product that gives logits
    ProgramBuilder::Product GetLogits() const;

    RankShape m_shape; ///< sizes on the rank
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_COSTS_H
