/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DEPENDENCY_RULES_H
#define ML_CLUSTER_DEPENDENCY_RULES_H

#include "execution-node.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What is done about dependencies on nodes that do not exist: they are errors, or are dropped.
 */
struct DependencyRules
{
    bool dropsData{false};                             ///< data dependencies are dropped
    bool dropsControl{false};                          ///< control dependencies are dropped
    std::set<std::pair<uint64_t, uint64_t>> control{}; ///< ids of a node and of one it depends on
                                                       ///< by control only, where that one may not
                                                       ///< exist
    std::function<void(const ExecutionNode& node, uint64_t id, bool isControl)>
        dropped{}; ///< told of each that is dropped
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DEPENDENCY_RULES_H
