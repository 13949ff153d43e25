/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NODE_STORE_H
#define ML_CLUSTER_NODE_STORE_H

#include "node-handle.h"
#include "node-page.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The nodes of an execution graph, in pages, of which those are in memory that GraphPagePool has
 * room for. Nodes are added one by one, sorted once, and immutable from then on. Until Seal this
 * also holds the ids, unless they follow each other without gaps.
 */
class NodeStore
{
  public:
    void Add(ExecutionNode node); ///< @param node becomes the last; throws InputError after 2^32-2
    void Sort();                  ///< Closes the last page and sorts by id, stably.
    void Seal();                  ///< Forgets what is needed only to tie nodes to each other.

    uint32_t GetSize() const;   ///< @return number of nodes
    uint32_t GetNPages() const; ///< @return number of pages of GraphPage::SIZE nodes

    /// @param index position @return the node
    NodeHandle Get(uint32_t index) const
    {
        return {*m_pages[index / GraphPage::SIZE].page, index % GraphPage::SIZE};
    }

    /// @param number number of a page @return it
    NodePage& GetPage(uint32_t number) const;
    /// @param number number of a page @param nodes take the place of its nodes, with equal ids
    void Replace(uint32_t number, std::vector<ExecutionNode> nodes);
    /// @param id an id @return whether a node added so far has it, as long as ids ascend; false if
    /// it cannot be told yet
    bool Knows(uint64_t id) const;
    /// @param id an id @return position of the first node with at least this id, once sorted
    uint32_t Find(uint64_t id) const;
    /// @param index position @param id an id @return whether the node there has it; not if the
    /// position is past the end
    bool Holds(uint32_t index, uint64_t id) const;

  private:
    /// Nodes that follow each other.
    struct Part
    {
        std::unique_ptr<NodePage> page; ///< the nodes
        uint64_t firstId;               ///< id of the first
        uint64_t lastId;                ///< id of the last
    };

    /// @param id of the node added next; notes it
    void NoteId(uint64_t id);
    /// @param index position, before Seal @return the id
    uint64_t GetId(uint32_t index) const;
    /// @param part a page @return whether its ids follow each other without gaps
    bool IsDense(const Part& part) const;

    std::vector<Part> m_pages;   ///< all full but for the last
    uint32_t m_size{0};          ///< number of nodes
    bool m_isAscending{true};    ///< whether each id is above the one before
    bool m_isDense{true};        ///< whether it is above by one
    std::vector<uint64_t> m_ids; ///< by node, if not dense; empty once sealed
    SharedTextPool m_groups;     ///< groups of nodes; likewise
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NODE_STORE_H
