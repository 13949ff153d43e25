/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "binomial-tree-algorithm.h"

#include "rooted-tree.h"

namespace ns3
{
namespace mlcluster
{

std::string
BinomialTreeAlgorithm::GetName() const
{
    return "binomial-tree";
}

std::string
BinomialTreeAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(type,
                      {CollectiveType::Broadcast,
                       CollectiveType::Reduce,
                       CollectiveType::Gather,
                       CollectiveType::Scatter});
}

RankSchedule
BinomialTreeAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    RootedTree::MakeBinomial(request.size, request.root, position)
        .AddSteps(schedule, request, request.type, {}, 0);
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
