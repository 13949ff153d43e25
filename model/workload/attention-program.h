/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ATTENTION_PROGRAM_H
#define ML_CLUSTER_ATTENTION_PROGRAM_H

#include "program-builder.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The attention block between norm and residual: QKV, rotation, attention core, projection.
 *
 * The core of q queries of width w = h/t over k keys of a sequence (K in all sequences, of width
 * u = g d/t), a/t heads, takes 2 q k w operations for the scores and as many for the context, 5 per
 * score for the softmax (backward 4, the products twice); dropout, if there is some, reads and
 * writes scores once more, with a mask byte, in both passes. Fused (flash attention, Dao et al.
 * 2022) it takes 4 q k w and moves beta (2 q w + 2 K u) + 4 q a/t bytes; backward, where scores are
 * computed again, 10 q k w and beta (4 q w + 4 K u); half the operations if causal.
 *
 * Context parallelism cuts the sequence. "ring" (Liu et al. 2023): keys and values go round while
 * the block that came before is worked on, backward followed by their gradients, which come home
 * after c steps; a causal ring gives each rank an early and a late part of the sequence, so that
 * all have half of each block. "all-gather": keys and values are gathered, their gradients
 * reduce-scattered. "ulysses" (Jacobs et al. 2023): all-to-alls trade tokens for heads. Selective
 * recomputation repeats the core, without communication, before its backward pass.
 */
class AttentionProgram
{
  public:
    /// @param builder receives the steps, must outlive this
    explicit AttentionProgram(ProgramBuilder& builder);

    /// @param after norm's output @return output of the block, summed up
    ProgramBuilder::Steps AddForward(const ProgramBuilder::Steps& after);
    /// @param after gradient of the output @return gradient of norm's output
    ProgramBuilder::Steps AddBackward(const ProgramBuilder::Steps& after);

  private:
    using Steps = ProgramBuilder::Steps; ///< steps to wait for

    /// What the core works on at once.
    struct Block
    {
        Amount queries;     ///< tokens that ask
        Amount keyLength;   ///< keys of a sequence
        Amount keyTokens;   ///< keys of all sequences
        Amount queryWidth;  ///< width of a token's queries
        Amount keyWidth;    ///< width of a token's keys
        Amount heads;       ///< heads
        std::string suffix; ///< put after the names of steps
    };

    /// @return a block of all queries and keys of the rank, however these come together
    Block GetWhole() const;
    /// @param i position in the ring, from 0 @return the block
    Block GetRingBlock(uint32_t i) const;
    /// @param after queries, keys and values @return context
    Steps AddCoreForward(const Steps& after);
    /// @param after gradient of the context @return gradients of queries, keys and values
    Steps AddCoreBackward(const Steps& after);
    /// @param after queries, keys and values @return context
    Steps AddRingForward(const Steps& after);
    /// @param after gradient of the context @return gradients of queries, keys and values
    Steps AddRingBackward(const Steps& after);
    /// Trades tokens for heads, or back. @param what "query", "key", ... @param width of it
    /// @param after steps to wait for @return the all-to-all
    Steps AddTrade(const std::string& what, Amount width, const Steps& after);
    /// Trades queries, keys and values, or their gradients. @param what "" or "-gradient"
    /// @param after steps to wait for @return the last
    Steps AddTrades(const std::string& what, const Steps& after);
    /// @param block what is worked on @param after steps to wait for @return its context
    Steps AddBlockForward(const Block& block, const Steps& after);
    /// @param block what is worked on @param after steps to wait for @return its gradients, after
    /// computing the block again if recomputation is selective
    Steps AddBlockBackward(const Block& block, const Steps& after);
    /// Drops some of the scores, or of their gradients, if the model does. @param name of the step
    /// @param operations of it @param scores how many @param after steps to wait for @return the
    /// step
    Steps AddDropout(const std::string& name, Amount operations, Amount scores, const Steps& after);
    /// Rotates queries and keys, if positions are rotary. @param name of the step
    /// @param after steps to wait for @return the step
    Steps AddRotation(const std::string& name, const Steps& after);

    ProgramBuilder& m_builder;            ///< receives the steps
    const RankShape& m_shape;             ///< sizes on the rank
    ProgramBuilder::Product m_qkv;        ///< to queries, keys and values; divides columns
    ProgramBuilder::Product m_projection; ///< of the context; divides rows
    Amount m_keyBytes;                    ///< keys and values of the rank's tokens
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ATTENTION_PROGRAM_H
