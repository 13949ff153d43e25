/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NODE_PAGE_H
#define ML_CLUSTER_NODE_PAGE_H

#include "execution-node.h"
#include "graph-page.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Nodes that follow each other in an execution graph. Packed, a node is some 15 bytes beside its
 * name: numbers in base 128, only fields that differ from those of an empty node, ids and
 * dependencies as differences, each text once a page.
 */
class NodePage : public GraphPage
{
  public:
    NodePage() = default; ///< Has no nodes yet.
    /// @param nodes its nodes
    explicit NodePage(std::vector<ExecutionNode> nodes);

    /// @param node becomes the last; before Close only
    void Add(ExecutionNode node);

    /// @return the nodes, if it is here
    const std::vector<ExecutionNode>& GetNodes() const
    {
        return m_nodes;
    }

  protected:
    std::size_t CountBytes() const override;
    void Pack(std::string& bytes) const override;
    void Unpack(const std::string& bytes) override;
    void Clear() override;

  private:
    std::vector<ExecutionNode> m_nodes; ///< the nodes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NODE_PAGE_H
