/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_PAGE_POOL_H
#define ML_CLUSTER_GRAPH_PAGE_POOL_H

#include "page-file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class GraphPage;

/**
 * @ingroup ml-cluster
 * The pages of all execution graphs of the process, of which no more are in memory than a budget
 * allows. As long as all fit, nothing is packed or written. Beyond that, a page that was not asked
 * for of late is packed and appended to a temporary file, once, and unpacked when it is asked for
 * again, so that a run keeps the nodes that it works on.
 *
 * Which page goes is decided by the clock algorithm (F. J. Corbato, A Paging Experiment with the
 * Multics System, 1968), which comes near to the page used least recently and costs one flag where
 * pages are used. It has no bearing on results. Memory is the budget, and what little a pin holds
 * beyond it.
 */
class GraphPagePool
{
  public:
    static constexpr uint64_t LEAST_BUDGET = uint64_t{1} << 20; ///< of an experiment

    /// @return that of the process
    static GraphPagePool& Get();

    /// @param bytes of memory that pages may take; 0: half the memory of the machine
    void SetBudget(uint64_t bytes);
    uint64_t GetBytesHere() const;   ///< @return memory that pages take now
    uint64_t GetBytesInFile() const; ///< @return bytes in the file, of graphs that exist still or
                                     ///< did so beside them
    uint64_t GetNFetches() const;    ///< @return pages read from the file since the process began

  private:
    friend class GraphPage;

    GraphPagePool();

    void Add(GraphPage& page);    ///< @param page a page that is new
    void Remove(GraphPage& page); ///< @param page one that ends
    void Fetch(GraphPage& page);  ///< @param page one that is away
    void Enter(GraphPage& page);  ///< @param page is in memory now
    void Leave(GraphPage& page);  ///< @param page is no longer in memory
    void MakeRoom();              ///< Sends pages away until the others fit.
    void Send(GraphPage& page);   ///< @param page goes away

    uint64_t m_budget;               ///< bytes
    uint64_t m_bytes{0};             ///< memory that pages take
    uint64_t m_nFetches{0};          ///< pages read
    uint64_t m_nInFile{0};           ///< pages that have a place in the file
    std::size_t m_hand{0};           ///< of the clock: a place among the pages here
    std::vector<GraphPage*> m_pages; ///< those here, in no order
    PageFile m_file;                 ///< the others
    std::string m_packed;            ///< a page on its way
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_PAGE_POOL_H
