/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_HALVING_DOUBLING_ALGORITHM_H
#define ML_CLUSTER_HALVING_DOUBLING_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Few steps and few bytes: ceil(log2(n)) steps and (n - 1) / n S bytes for a reduce-scatter or an
 * all-gather, whatever n is; an all-reduce is both.
 *
 * With n a power of two, partners at distance n / 2, n / 4, ... 1 exchange S / 2, S / 4, ... S / n
 * bytes in a reduce-scatter (Rabenseifner, 2004; Thakur, Rabenseifner and Gropp, 2005). Otherwise
 * the circulant form: with s = n, ceil(n / 2), ceil(n / 4), ... 1 a member sends the pieces of
 * those s' ... s - 1 ahead to the one s' ahead, s' the next s, and gets as many from the one s'
 * behind (Bruck et al., 1997; Traeff, 2024, arXiv:2410.14234). An all-gather does the same
 * backwards. Each step is a permutation of the members, so that no two messages meet on a Switch.
 *
 * Without sharing of links ceil(log2(n)) a + (n - 1) / n S / B, twice that for an all-reduce.
 *
 * For long buffers a broadcast is a scatter over a binomial tree and an all-gather of what members
 * lack after it (Barnett et al., 1994; van de Geijn), a reduce a reduce-scatter and a gather over a
 * binomial tree (Rabenseifner, 2004): 2 ceil(log2(n)) a + 2 (n - 1) / n S / B.
 */
class HalvingDoublingAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_HALVING_DOUBLING_ALGORITHM_H
