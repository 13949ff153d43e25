/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NODE_CHILDREN_H
#define ML_CLUSTER_NODE_CHILDREN_H

#include "link-page.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Positions of the nodes that wait for one, ascending; good as long as this exists, which the graph
 * must outlive.
 */
class NodeChildren
{
  public:
    /// @param page the node's page @param index its place there
    NodeChildren(LinkPage& page, uint32_t index)
        : m_pin(page),
          m_begin(page.ChildrenBegin(index)),
          m_end(page.ChildrenEnd(index))
    {
    }

    /// @return the first
    const uint32_t* begin() const
    {
        return m_begin;
    }

    /// @return past the last
    const uint32_t* end() const
    {
        return m_end;
    }

  private:
    GraphPage::Pin m_pin;    ///< keeps them
    const uint32_t* m_begin; ///< the first
    const uint32_t* m_end;   ///< past the last
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NODE_CHILDREN_H
