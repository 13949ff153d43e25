/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINE_PROGRAM_CACHE_H
#define ML_CLUSTER_LINE_PROGRAM_CACHE_H

#include "line-program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Programs of lines, each made once for all collectives that have the same phase at the same time.
 */
class LineProgramCache
{
  public:
    /// @param graph the network @param delayPs endpoint delay, ps
    LineProgramCache(std::shared_ptr<const LinkGraph> graph, int64_t delayPs);

    const LinkGraph& GetGraph() const; ///< @return the network
    /**
     * @param algorithm how
     * @param request what to do
     * @param dimension of the topology
     * @param peers the members of a line of it
     * @return the program, which holds for all lines of the dimension
     */
    std::shared_ptr<const LineProgram> Get(
        const std::shared_ptr<const CollectiveAlgorithm>& algorithm,
        const CollectiveRequest& request,
        uint32_t dimension,
        const std::vector<uint32_t>& peers);

  private:
    /// What makes programs differ; the program keeps the algorithm, so that its address is its own.
    using Key = std::tuple<const CollectiveAlgorithm*, uint32_t, CollectiveRequest>;

    void Forget(); ///< Drops entries whose program nobody holds, once there are many.

    std::shared_ptr<const LinkGraph> m_graph;                   ///< network
    int64_t m_delayPs;                                          ///< endpoint delay
    std::map<Key, std::weak_ptr<const LineProgram>> m_programs; ///< while somebody holds them
    std::size_t m_nextForget{64}; ///< entries at which Forget looks for dead ones
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINE_PROGRAM_CACHE_H
