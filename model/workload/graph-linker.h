/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_LINKER_H
#define ML_CLUSTER_GRAPH_LINKER_H

#include "communication-key.h"
#include "dependency-rules.h"
#include "graph-links.h"
#include "message-tally.h"
#include "node-store.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Ties the nodes of one execution graph to each other: finds who waits for whom, the neighbours on
 * streams, what is matched by the same, and cycles. Goes through the nodes once, page by page, and
 * holds some thirty bytes for each while it works.
 */
class GraphLinker
{
  public:
    /// Positions that follow each other in memory.
    struct Range
    {
        const uint32_t* first; ///< the first
        const uint32_t* last;  ///< past the last

        /// @return the first
        const uint32_t* begin() const
        {
            return first;
        }

        /// @return past the last
        const uint32_t* end() const
        {
            return last;
        }
    };

    /**
     * @param nodes the nodes, sorted; those with dependencies that are dropped change
     * @param file name of the source for messages
     * @param rules what is done about missing nodes
     * @param tally receives problems
     */
    GraphLinker(NodeStore& nodes,
                const std::string& file,
                const DependencyRules& rules,
                MessageTally& tally);

    GraphLinks Link(); ///< @return the links; unusable after errors

    uint32_t GetNNodes() const; ///< @return number of nodes
    /// @param index position @return number of distinct dependencies that exist
    uint32_t GetNDependencies(uint32_t index) const;
    /// @param index position @return positions of the nodes that wait for it
    Range GetChildren(uint32_t index) const;
    /// @param index position @return the node before it on its stream, or the number of nodes
    uint32_t GetPreviousOnStream(uint32_t index) const;
    /// @param index position @return the node behind it on its stream, or the number of nodes
    uint32_t GetNextOnStream(uint32_t index) const;

  private:
    void ReadNodes(); ///< Goes through all nodes.
    /// @param number a page; goes through its nodes @return the nodes if any changes, else none
    std::vector<ExecutionNode> ReadPage(uint32_t number);
    /// @param index position of a node, all before it were read @param node it @return dependencies
    /// to be dropped
    std::vector<uint64_t> ReadDependencies(uint32_t index, const ExecutionNode& node);
    /// @param node a node @param id one that does not exist @return whether the dependency is
    /// dropped, of which the rules' handler is told
    bool Drops(const ExecutionNode& node, uint64_t id);
    /// @param index position @param node it; finds the one before it on its stream
    void ReadStream(uint32_t index, const ExecutionNode& node);
    /// @param index position @param node it; finds what it is matched by
    void ReadKey(uint32_t index, const ExecutionNode& node);
    /// @param node a node, added to the sums
    void Count(const ExecutionNode& node);
    void FindChildren(); ///< Turns parents into children.
    void FindOrdinals(); ///< Numbers what is matched by the same; finds cycles.
    void MakePages();    ///< Makes the pages.
    /// @param unmet per node, what it waits for that was never met @return the nodes of one cycle
    std::vector<uint32_t> FindCycle(const std::vector<uint32_t>& unmet) const;
    /// @param cycle as FindCycle gives it @return the message for its first node
    std::string DescribeCycle(const std::vector<uint32_t>& cycle) const;
    /// @param node a node @return where it is, for messages
    Diagnostics::Place GetPlace(const ExecutionNode& node) const;

    NodeStore& m_nodes;             ///< the nodes
    std::string m_file;             ///< their source
    const DependencyRules& m_rules; ///< about missing nodes
    MessageTally& m_tally;          ///< problems
    GraphLinks m_links;             ///< what was found

    std::vector<uint32_t> m_firstParent{0};    ///< offsets into m_parents, one more than nodes
    std::vector<uint32_t> m_parents;           ///< positions that nodes wait for, ascending
    std::vector<uint32_t> m_firstChild;        ///< offsets into m_children, one more than nodes
    std::vector<uint32_t> m_children;          ///< positions
    std::vector<LinkPage::OnStream> m_streams; ///< by node; empty if none is on a stream
    std::unordered_map<int64_t, uint32_t> m_lastOnStream;                        ///< by stream
    std::unordered_map<CommunicationKey, uint32_t, CommunicationKeyHash> m_keys; ///< numbers
    std::vector<uint32_t> m_groupOfKey;     ///< by number of key: that of the group, if collectives
    std::vector<uint32_t> m_keyOf;          ///< by node; empty if none communicates
    std::vector<LinkPage::Match> m_matches; ///< by node; likewise
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_LINKER_H
