/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "equal-requests.h"

#include "ns3/amount.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

void
EqualRequests::Add(uint32_t rank, bool isStore, uint64_t bytes, uint64_t cookie)
{
    auto kind = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& known) {
        return known.isStore == isStore && known.bytes == bytes && !HasRank(known, rank);
    });
    if (kind == m_kinds.end())
    {
        kind = m_kinds.insert(kind, {isStore, bytes});
    }
    kind->requests.emplace_back(rank, cookie);
    kind->hasRank.resize(std::max<std::size_t>(kind->hasRank.size(), rank + 1));
    kind->hasRank[rank] = true;
    ++m_count;
}

std::vector<EqualRequests::Batch>
EqualRequests::Take(const MemoryPoolShape& shape)
{
    std::vector<Batch> batches;
    for (const Kind& kind : std::exchange(m_kinds, {}))
    {
        std::vector<uint32_t> ranks;
        std::vector<uint64_t> cookies;
        for (const auto& [rank, cookie] : kind.requests)
        {
            ranks.push_back(rank);
            cookies.push_back(cookie);
        }
        if (auto access = MemoryPoolAccess::OfBlock(shape, ranks))
        {
            access->isStore = kind.isStore;
            access->uniqueBytes =
                (Amount(kind.bytes) * ranks.size()).Get("bytes of equal memory accesses");
            access->nodeCopies = access->gpuCopies = 1;
            batches.push_back({*access, cookies});
            continue;
        }
        for (const auto& [rank, cookie] : kind.requests)
        {
            batches.push_back(
                {MemoryPoolAccess::OfRank(shape, kind.isStore, kind.bytes, rank), {cookie}});
        }
    }
    m_count = 0;
    return batches;
}

} // namespace mlcluster
} // namespace ns3
