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
 * Recursive halving for reduce-scatter (partners at distance n / 2, n / 4, ... 1 exchange S / 2, S
 * / 4, ... S / n bytes), recursive doubling for all-gather (the same backwards), and one after the
 * other for all-reduce (Rabenseifner 2004; Thakur, Rabenseifner and Gropp, 2005). Members are a
 * power of two.
 *
 * Without sharing of links 2 log2(n) a + 2 (n - 1) / n S / B for an all-reduce.
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
