/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "embedding-shards.h"

#include "ns3/amount.h"
#include "ns3/diagnostics.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ns3
{
namespace mlcluster
{

EmbeddingShards::EmbeddingShards(const DlrmModel& model, uint32_t nRanks)
    : m_loads(nRanks)
{
    std::vector<std::size_t> unplaced;
    for (std::size_t i = 0; i < model.tables.size(); ++i)
    {
        Check(model, i, nRanks);
        const DlrmModel::Table& table = model.tables[i];
        const uint64_t columns = model.vectorSize / table.shards;
        switch (table.sharding)
        {
        case DlrmModel::Sharding::Row:
            Add(m_rowWise, table, columns);
            break;
        case DlrmModel::Sharding::Data:
            Add(m_replicated, table, columns);
            break;
        case DlrmModel::Sharding::Table:
        case DlrmModel::Sharding::Column:
            for (const uint32_t rank : table.ranks)
            {
                Add(m_loads[rank], table, columns);
            }
            if (table.ranks.empty())
            {
                unplaced.push_back(i);
            }
            break;
        }
    }
    const auto getWork = [&](std::size_t i) {
        return model.tables[i].pooling * (model.vectorSize / model.tables[i].shards);
    };
    std::stable_sort(unplaced.begin(), unplaced.end(), [&](std::size_t a, std::size_t b) {
        return getWork(a) > getWork(b);
    });
    for (const std::size_t i : unplaced)
    {
        Place(model.tables[i], model.vectorSize / model.tables[i].shards);
    }
}

const EmbeddingShards::Load&
EmbeddingShards::Get(uint32_t rank) const
{
    return m_loads[rank];
}

const EmbeddingShards::Load&
EmbeddingShards::GetRowWise() const
{
    return m_rowWise;
}

const EmbeddingShards::Load&
EmbeddingShards::GetReplicated() const
{
    return m_replicated;
}

void
EmbeddingShards::Check(const DlrmModel& model, std::size_t index, uint32_t nRanks)
{
    const DlrmModel::Table& table = model.tables[index];
    const std::string name = "table " + std::to_string(index);
    const bool isColumns = table.sharding == DlrmModel::Sharding::Column;
    const bool isPlaced = isColumns || table.sharding == DlrmModel::Sharding::Table;
    const std::set<uint32_t> distinct(table.ranks.begin(), table.ranks.end());
    if (table.rows == 0 || table.pooling == 0)
    {
        throw InputError(name + " has " + std::to_string(table.rows) + " rows and a pooling of " +
                         std::to_string(table.pooling) + "; allowed are numbers above 0");
    }
    if (table.shards == 0 || (!isColumns && table.shards > 1) || table.shards > nRanks ||
        model.vectorSize % table.shards != 0)
    {
        throw InputError(name + " has " + std::to_string(table.shards) + " shards of " +
                         std::to_string(model.vectorSize) + " columns for " +
                         std::to_string(nRanks) +
                         " ranks; allowed is 1, column-wise a divisor of the columns up to the "
                         "number of ranks");
    }
    const bool fits = table.ranks.empty() ||
                      (isPlaced && table.ranks.size() == table.shards &&
                       distinct.size() == table.ranks.size() && *distinct.rbegin() < nRanks);
    if (!fits)
    {
        throw InputError(name + " is to be on ranks " + JoinNumbers(table.ranks) +
                         "; allowed are none, which are then chosen, or table- and column-wise " +
                         std::to_string(table.shards) + " different ones below " +
                         std::to_string(nRanks));
    }
}

void
EmbeddingShards::Add(Load& load, const DlrmModel::Table& table, uint64_t columns)
{
    const std::string what = "elements read for a sample";
    load.tables += 1;
    load.lookups = (Amount(load.lookups) + table.pooling).Get("rows looked up for a sample");
    load.columns = (Amount(load.columns) + columns).Get(what);
    load.work = (Amount(load.work) + Amount(table.pooling) * columns).Get(what);
    load.elements =
        (Amount(load.elements) + Amount(table.rows) * columns).Get("elements of tables");
}

void
EmbeddingShards::Place(const DlrmModel::Table& table, uint64_t columns)
{
    std::vector<uint32_t> ranks(m_loads.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::partial_sort(ranks.begin(),
                      ranks.begin() + table.shards,
                      ranks.end(),
                      [&](uint32_t a, uint32_t b) {
                          return m_loads[a].work != m_loads[b].work
                                     ? m_loads[a].work < m_loads[b].work
                                     : a < b;
                      });
    for (uint32_t i = 0; i < table.shards; ++i)
    {
        Add(m_loads[ranks[i]], table, columns);
    }
}

} // namespace mlcluster
} // namespace ns3
