/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EMBEDDING_SHARDS_H
#define ML_CLUSTER_EMBEDDING_SHARDS_H

#include "dlrm-model.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which rank has which embedding tables, or columns of them. Tables without ranks are placed by
 * work, the most first, each on the rank with the least so far (longest processing time, Graham
 * 1969; the lowest such rank, for columns those that do not have the table yet), where the work is
 * the elements read for a sample, pooling times columns.
 */
class EmbeddingShards
{
  public:
    /// Sums over the table- and column-wise tables of a rank, or over all tables of a kind.
    struct Load
    {
        uint64_t tables{0};   ///< tables, or shards of tables
        uint64_t lookups{0};  ///< rows looked up for a sample
        uint64_t columns{0};  ///< elements of all vectors of a sample
        uint64_t work{0};     ///< elements read for a sample
        uint64_t elements{0}; ///< of all tables
    };

    /**
     * @param model the model
     * @param nRanks ranks, at least 1
     * @throw InputError if a table has no rows or pooling, ranks that are none, not one rank per
     * shard or one twice, shards that do not divide its columns or are more than ranks, or if a sum
     * does not fit
     */
    EmbeddingShards(const DlrmModel& model, uint32_t nRanks);

    const Load& Get(uint32_t rank) const; ///< @param rank a rank @return its load
    const Load& GetRowWise() const;       ///< @return all row-wise tables
    const Load& GetReplicated() const;    ///< @return all tables that every rank has

  private:
    /// @param model the model @param index of a table @param nRanks ranks; checks it
    static void Check(const DlrmModel& model, std::size_t index, uint32_t nRanks);
    /// @param load receives a table @param table the table @param columns of it
    static void Add(Load& load, const DlrmModel::Table& table, uint64_t columns);
    /// @param table a table without ranks @param columns of a shard; finds ranks for its shards
    void Place(const DlrmModel::Table& table, uint64_t columns);

    std::vector<Load> m_loads; ///< per rank
    Load m_rowWise;            ///< row-wise tables
    Load m_replicated;         ///< tables on every rank
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EMBEDDING_SHARDS_H
