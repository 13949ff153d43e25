/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERT_LOAD_H
#define ML_CLUSTER_EXPERT_LOAD_H

#include "rank-shape.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How many tokens go to which member of an expert group. A rank has T tokens at the router, of
 * which each goes to K of E experts; member j of e holds experts j E/e ... (j+1) E/e - 1.
 *
 * Without skew all experts get as many. With skew sigma expert k gets a share as 1 / (k+1)^sigma
 * (Zipf), but no more than T tokens, since a token goes to different experts: what is above goes to
 * the next ones in proportion. All ranks send alike, so that rank i gets from each member what it
 * sends to itself; the share of a member is rounded to whole tokens by largest remainders, so that
 * it is off by less than one. With a capacity factor kappa each expert gets room for C = ceil(kappa
 * T K / E) tokens of each rank, and the whole room is sent and computed on, filled or not.
 */
class ExpertLoad
{
  public:
    /// @param shape sizes on the rank, of a model with experts
    explicit ExpertLoad(const RankShape& shape);

    Amount GetSent() const; ///< @return tokens a rank sends, once for each expert they go to
    /// @param position of a member in its group @return tokens that it gets from all
    Amount GetReceived(uint32_t position) const;
    /// @return tokens a rank sends to each member; empty if all get as many
    const std::vector<uint64_t>& GetTokensOfMembers() const;

  private:
    /// @param shape sizes on the rank; fills in the tokens of members
    void Spread(const RankShape& shape);

    Amount m_sent;                  ///< tokens sent
    std::vector<uint64_t> m_tokens; ///< per member, if unequal
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERT_LOAD_H
