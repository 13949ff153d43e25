/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PROGRAM_BUILDER_H
#define ML_CLUSTER_PROGRAM_BUILDER_H

#include "layer-program.h"
#include "rank-shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Writes a LayerProgram step by step, with the patterns that tensor parallelism repeats.
 *
 * A product of matrices M x K by K x N takes 2 M K N operations and moves beta (M K + K N + M N)
 * bytes; so does its gradient to the input (dX). That to the weights (dW) takes as many operations
 * and moves beta (M N + M K) + 2 gamma K N bytes, since gradients are summed up over micro-batches.
 *
 * Tensor parallelism (Megatron-LM; Korthikanti et al. 2022, figures 4 and 5): tokens are gathered
 * before a product that divides columns, and its parts summed after the one that divides rows. Both
 * are nothing and an all-reduce, or with sequence parallelism an all-gather and a reduce-scatter.
 * The backward pass gathers where the forward one sums up and vice versa. Collectives of one
 * member are left out.
 */
class ProgramBuilder
{
  public:
    using Steps = std::vector<uint32_t>; ///< steps to wait for; none: what comes into the layer

    /// A product of matrices.
    struct Product
    {
        std::string name;   ///< "qkv"
        Amount rows;        ///< M, tokens
        Amount inner;       ///< K
        Amount columns;     ///< N
        Amount matrices{1}; ///< matrices K x N, each multiplied with its own share of the rows

        /// @return 2 M K N
        Amount GetOperations() const;
    };

    /// Tokens divided over the members of a group.
    struct Division
    {
        std::string family; ///< "tensor" or "expert-tensor"
        Amount rows;        ///< tokens on this rank outside of the divided products
        bool gathersAgain;  ///< whether inputs are kept divided and gathered again for dW
    };

    /// @param shape sizes on the rank, must outlive this
    explicit ProgramBuilder(const RankShape& shape);

    const RankShape& GetShape() const; ///< @return sizes on the rank

    /// @param prefix put before the names of steps that follow, such as "recompute "
    void SetPrefix(const std::string& prefix);

    /// @param name what is computed @param operations floating-point operations @param bytes read
    /// and written @param after steps it waits for @return the step
    Steps Compute(const std::string& name, Amount operations, Amount bytes, const Steps& after);
    /// As Compute, of what gives gradients of weights; nothing waits for it.
    /// @param name what is computed @param operations floating-point operations @param bytes read
    /// and written @param after steps it waits for @return the step
    Steps ComputeWeightGradient(const std::string& name,
                                Amount operations,
                                Amount bytes,
                                const Steps& after);
    /// @param name name @param type operation @param family family of groups @param bytes size as
    /// Chakra has it @param after steps it waits for @return the step, or for one member `after`
    Steps Communicate(const std::string& name,
                      CollectiveType type,
                      const std::string& family,
                      Amount bytes,
                      const Steps& after);
    /// An all-to-all of unequal parts. @param name name @param peerBytes bytes for each member of
    /// the expert group @param after steps it waits for @return the step, or for one member `after`
    Steps Scatter(const std::string& name,
                  const std::vector<uint64_t>& peerBytes,
                  const Steps& after);
    /**
     * One step round a ring: a send to the next member and a receive of as much from the member
     * before, next to each other in the program. The k-th send of a program is received by the k-th
     * receive of the next member.
     * @param name name
     * @param family family of groups
     * @param bytes sent
     * @param after steps it waits for
     * @return the receive
     */
    Steps Exchange(const std::string& name,
                   const std::string& family,
                   Amount bytes,
                   const Steps& after);

    /// @param product a product @param after steps it waits for @return the step
    Steps Multiply(const Product& product, const Steps& after);
    /// The gradients of a product. @param product a product @param after steps it waits for
    /// @return the gradient to the input
    Steps MultiplyBackward(const Product& product, const Steps& after);
    /// The gradients of a product that divides rows: the output's gradient is gathered for both.
    /// @param product a product @param division of its output @param after steps it waits for
    /// @return the gradient to the input
    Steps MultiplyRowsBackward(const Product& product,
                               const Division& division,
                               const Steps& after);
    /// The gradients of a product that divides columns: that to the input is summed up while that
    /// to the weights is computed, for which the input is gathered again during the former.
    /// @param product a product @param division of its input @param after steps it waits for
    /// @return the gradient to the input
    Steps MultiplyColumnsBackward(const Product& product,
                                  const Division& division,
                                  const Steps& after);
    /// @param name of the collective @param division of tokens @param after steps it waits for
    /// @return whole tokens
    Steps Gather(const std::string& name, const Division& division, const Steps& after);
    /// @param name of the collective @param division of tokens @param after steps it waits for
    /// @return sums, divided again
    Steps Sum(const std::string& name, const Division& division, const Steps& after);

    /// @return tokens of norms and dropout, divided over the tensor group if sequence parallel
    Division GetTokenDivision() const;

    /// @param output the step whose end is what goes out @return the program; this is empty then
    LayerProgram Finish(const Steps& output);

  private:
    /// @param step a step but for name and dependencies @param name its name @param after steps it
    /// waits for @return the step
    Steps Add(ProgramStep step, const std::string& name, const Steps& after);
    /// @param product a product @return bytes read and written, forward or to the input
    Amount GetBytes(const Product& product) const;
    /// @param product a product @param after steps it waits for
    void ComputeWeightGradient(const Product& product, const Steps& after);

    const RankShape& m_shape; ///< sizes on the rank
    std::string m_prefix;     ///< put before names
    LayerProgram m_program;   ///< written so far
};

/// @ingroup ml-cluster
/// @param a steps @param b steps @return both, each once
ProgramBuilder::Steps Join(ProgramBuilder::Steps a, const ProgramBuilder::Steps& b);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PROGRAM_BUILDER_H
