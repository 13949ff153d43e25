/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_OUTLINE_H
#define ML_CLUSTER_GRAPH_OUTLINE_H

#include "ns3/communication-key.h"
#include "ns3/execution-graph.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What of one execution graph decides when its nodes run, whatever they take: what each waits for
 * within the graph, what runs it, and what ties it to other ranks. A node waits for what it
 * depends on, the node before it on its stream, and, if collectives are serialised, the one before
 * it in its channel.
 */
class GraphOutline
{
  public:
    /// What runs a node.
    enum class Kind : uint8_t
    {
        Accelerator,  ///< one at a time
        Host,         ///< one at a time
        RemoteMemory, ///< one at a time
        Free,         ///< whenever it is ready: nothing, on a stream, or in local memory
        Send,         ///< the network
        Receive,      ///< ends with its send
        Collective    ///< the network, together with other ranks
    };

    static constexpr uint32_t N_LANES = 3; ///< kinds that run one node at a time, the first ones

    /// How the executor runs nodes, see NodeResources.
    struct Resources
    {
        bool hasConcurrentStreams{true};  ///< whether nodes on different streams run at once
        uint32_t nHostThreads{1};         ///< host operations at once; two and more: any number
        bool serialisesCollectives{true}; ///< whether a collective waits for the end of the one
                                          ///< before it in its channel
    };

    /// Communication nodes that are matched by the same, the k-th with the k-th of other ranks.
    struct Channel
    {
        CommunicationKey key;        ///< group, or peer and tag
        std::vector<bool> involved;  ///< dimensions, as collectives have them; empty: all
        std::vector<uint32_t> nodes; ///< in issue order
    };

    /// Positions of nodes that one waits for.
    struct Range
    {
        const uint32_t* first; ///< of them
        const uint32_t* last;  ///< past them

        /// @return first one
        const uint32_t* begin() const
        {
            return first;
        }

        /// @return past the last one
        const uint32_t* end() const
        {
            return last;
        }
    };

    /// @param graph the graph @param resources how its nodes run
    GraphOutline(const ExecutionGraph& graph, const Resources& resources);

    uint32_t GetNNodes() const; ///< @return number of nodes
    /// @param index position of a node @return what runs it
    Kind GetKind(uint32_t index) const;
    /// @param index position of a node @return what it waits for; one may be told twice
    Range GetBefore(uint32_t index) const;
    /// @return channels, in the order of their first nodes
    const std::vector<Channel>& GetChannels() const;
    /// @param kind one that runs one node at a time @return its nodes in issue order
    const std::vector<uint32_t>& GetLane(Kind kind) const;
    /// @return per node what waits for it, the reverse of GetBefore: offsets, and positions
    std::pair<std::vector<uint32_t>, std::vector<uint32_t>> MakeAfter() const;

  private:
    /// @param node a node @param resources how it runs @return its kind
    static Kind FindKind(const ExecutionNode& node, const Resources& resources);
    /// @param graph the graph @param resources how its nodes run; fills in kinds, lanes, channels
    void AddNodes(const ExecutionGraph& graph, const Resources& resources);
    /// @param graph the graph @param serialises whether collectives of a channel wait for each
    /// other; fills in what nodes wait for
    void AddLinks(const ExecutionGraph& graph, bool serialises);

    std::vector<Kind> m_kinds;                          ///< by node
    std::vector<uint32_t> m_first;                      ///< by node, offset of what it waits for
    std::vector<uint32_t> m_before;                     ///< positions
    std::vector<Channel> m_channels;                    ///< see GetChannels
    std::array<std::vector<uint32_t>, N_LANES> m_lanes; ///< by kind
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_OUTLINE_H
