/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PAGE_BUDGET_H
#define ML_CLUSTER_PAGE_BUDGET_H

#include "ns3/graph-page-pool.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster-tests
 * Memory for nodes as long as this exists; then there is enough for all.
 */
class PageBudget
{
  public:
    /// @param bytes of memory; 1 leaves none but what is in use
    explicit PageBudget(uint64_t bytes)
        : m_nFetches(GraphPagePool::Get().GetNFetches())
    {
        GraphPagePool::Get().SetBudget(bytes);
    }

    ~PageBudget()
    {
        GraphPagePool::Get().SetBudget(0);
    }

    PageBudget(const PageBudget&) = delete;            ///< not copied
    PageBudget& operator=(const PageBudget&) = delete; ///< not copied

    /// @return bytes in the file
    uint64_t GetBytesInFile() const
    {
        return GraphPagePool::Get().GetBytesInFile();
    }

    /// @return pages read back since this was made
    uint64_t GetNFetches() const
    {
        return GraphPagePool::Get().GetNFetches() - m_nFetches;
    }

  private:
    uint64_t m_nFetches; ///< pages read back before
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PAGE_BUDGET_H
