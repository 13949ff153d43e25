/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NODE_HANDLE_H
#define ML_CLUSTER_NODE_HANDLE_H

#include "node-page.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A node of an execution graph, in memory as long as this exists; the graph must outlive it. To be
 * held while something is done with the node, not longer: nodes that are held cannot make room for
 * others. References into the node are good as long as the handle, so a handle that has no name
 * serves for one expression only.
 */
class NodeHandle
{
  public:
    /// @param page the node's page @param index its place there
    NodeHandle(NodePage& page, uint32_t index)
        : m_pin(page),
          m_node(&page.GetNodes()[index])
    {
    }

    /// @return the node
    const ExecutionNode* operator->() const
    {
        return m_node;
    }

    /// @return the node
    const ExecutionNode& operator*() const&
    {
        return *m_node;
    }

    /// @return a copy of the node, since the handle ends
    ExecutionNode operator*() const&&
    {
        return *m_node;
    }

  private:
    GraphPage::Pin m_pin;        ///< keeps it
    const ExecutionNode* m_node; ///< the node
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NODE_HANDLE_H
