/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATION_INDEX_H
#define ML_CLUSTER_COMMUNICATION_INDEX_H

#include "communication-key.h"
#include "execution-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The communication nodes of one graph, ordered by what they are matched by and then by issue
 * order. Goes through the nodes once, and costs some fifteen bytes for each of these: what is
 * asked most is known without the nodes, which may be away.
 */
class CommunicationIndex
{
  public:
    /// Nodes that are matched by the same, in issue order.
    struct Run
    {
        const uint32_t* begin; ///< position of the first in the graph
        const uint32_t* end;   ///< past the last
        const uint64_t* bytes; ///< size of the first, as the node has it; those of others follow
        /// @return number of nodes
        uint64_t GetSize() const;
    };

    /// @param graph the graph, must outlive this
    explicit CommunicationIndex(const ExecutionGraph& graph);

    uint32_t GetNRuns() const; ///< @return number of runs
    /// @param number index of a run @return it; runs ascend by key
    Run GetRun(uint32_t number) const;
    /// @param number index of a run @return what its nodes are matched by
    const CommunicationKey& GetKey(uint32_t number) const;
    /// @param key a key @return its run, maybe empty
    Run Find(const CommunicationKey& key) const;

  private:
    std::vector<CommunicationKey> m_keys; ///< by run, ascending
    std::vector<uint32_t> m_first;        ///< by run, offset of its nodes; one more than runs
    std::vector<uint32_t> m_positions;    ///< positions, run after run
    std::vector<uint64_t> m_bytes;        ///< sizes, likewise
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATION_INDEX_H
