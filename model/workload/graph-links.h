/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_LINKS_H
#define ML_CLUSTER_GRAPH_LINKS_H

#include "link-page.h"
#include "shared-text.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How the nodes of an execution graph are tied to each other, in pages, and what is summed up over
 * them.
 */
struct GraphLinks
{
    /// Sums over all nodes; compute nodes on the host are not those of the accelerator.
    struct Totals
    {
        bool hasPeerBytes{false};         ///< whether any node has sizes for each member
        uint64_t nCompute{0};             ///< compute nodes of the accelerator
        long double operations{0};        ///< of these
        long double tensorBytes{0};       ///< likewise
        uint64_t locations{0};            ///< bit k: a memory node has MemoryLocation k
        long double acceleratorTimePs{0}; ///< sum of their durations
        long double hostTimePs{0};        ///< sum of the durations of those on the host
    };

    std::vector<std::unique_ptr<LinkPage>> pages; ///< of GraphPage::SIZE nodes each
    std::vector<uint32_t> roots;                  ///< nodes that wait for nothing, ascending
    std::vector<SharedText> groups;               ///< that collectives name, as first met
    bool isForward{true}; ///< whether nodes wait for such of lower positions only
    Totals totals;        ///< over all nodes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_LINKS_H
