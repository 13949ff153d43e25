/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERT_PROGRAM_H
#define ML_CLUSTER_EXPERT_PROGRAM_H

#include "expert-load.h"
#include "feed-forward-program.h"
#include "program-builder.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The mixture of experts in place of the FFN: router, top-K, exchange of counts (without capacity
 * factor), permutation, dispatch (all-to-all), experts, combine (all-to-all), weighted sum, beside
 * it the expert that all tokens take.
 *
 * Per rank with T tokens at the router: router 2 T h E operations, top-K 5 T E, permutation
 * 2 beta T K h bytes, all-to-alls beta T K h bytes, counts 4 E bytes, sum 2 T K h operations; of
 * tokens and their load see ExpertLoad. Experts divided over t_e ranks gather and sum up tokens in
 * the expert-tensor group; with sequence parallelism they keep what they gathered for the gradient
 * of the weights, as in Megatron-LM, where the token dispatcher gathers, so that the experts'
 * layers know of no sequence parallelism that would let them gather again. The backward pass
 * mirrors the steps, so that a layer has four all-to-alls of tokens. Bytes of top-K and sum (one
 * read and one write of each element) are our own, as is one addition per element for the
 * permutation's gradient.
 */
class ExpertProgram
{
  public:
    /// @param builder receives the steps, must outlive this @param position of the rank in its
    /// expert group
    ExpertProgram(ProgramBuilder& builder, uint32_t position);

    /// @param after norm's output @return outputs of the experts and of the shared one
    ProgramBuilder::Steps AddForward(const ProgramBuilder::Steps& after);
    /// @param after gradient of the output @return gradients of norm's output
    ProgramBuilder::Steps AddBackward(const ProgramBuilder::Steps& after);

  private:
    using Steps = ProgramBuilder::Steps; ///< steps to wait for

    /// An all-to-all to the members that hold the tokens' experts. @param name name
    /// @param after steps to wait for @return the step
    Steps AddToExperts(const std::string& name, const Steps& after);
    /// An all-to-all back to the members that the tokens are of. @param name name
    /// @param after steps to wait for @return the step
    Steps AddFromExperts(const std::string& name, const Steps& after);
    /// An all-to-all. @param name name @param tokens for each member, empty if as many for each
    /// @param after steps to wait for @return the step
    Steps AddAllToAll(const std::string& name,
                      const std::vector<uint64_t>& tokens,
                      const Steps& after);
    /// @return the experts on the rank
    FeedForwardProgram GetExperts();
    /// @return the expert that all tokens take
    FeedForwardProgram GetShared();

    ProgramBuilder& m_builder;        ///< receives the steps
    const RankShape& m_shape;         ///< sizes on the rank
    ExpertLoad m_load;                ///< tokens of members
    uint32_t m_position;              ///< of the rank in its expert group
    ProgramBuilder::Product m_router; ///< gives scores of experts
    Amount m_scores;                  ///< T E
    Amount m_elements;                ///< T K h
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERT_PROGRAM_H
