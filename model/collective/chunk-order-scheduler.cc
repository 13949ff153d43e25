/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chunk-order-scheduler.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

const double MEBIBYTE = 1048576;
const double MAX_BYTES = 9e18;
const uint64_t SIGNIFICANT_PARTS = 16;

/// @param order dimensions @param participates which take part @return those that do, in order
std::vector<uint32_t>
Filter(const std::vector<uint32_t>& order, const std::vector<bool>& participates)
{
    std::vector<uint32_t> filtered;
    std::copy_if(order.begin(), order.end(), std::back_inserter(filtered), [&](uint32_t k) {
        return participates[k];
    });
    return filtered;
}

} // namespace

ChunkOrderScheduler::ChunkOrderScheduler(ChunkOrderPolicy policy,
                                         const std::vector<uint32_t>& sizes,
                                         const std::vector<double>& bandwidths)
    : m_policy(policy),
      m_sizes(sizes)
{
    for (uint32_t k = 0; k < sizes.size(); ++k)
    {
        m_speeds.push_back(bandwidths[k] / bandwidths[0]);
        m_accounts.push_back({k, 0});
    }
}

ChunkOrderScheduler::Choice
ChunkOrderScheduler::Next(CollectiveType type,
                          const std::vector<bool>& involved,
                          uint64_t chunkBytes,
                          uint64_t remainingBytes)
{
    const auto nDimensions = static_cast<uint32_t>(m_sizes.size());
    Request request{type == CollectiveType::AllGather,
                    std::vector<bool>(nDimensions),
                    chunkBytes,
                    std::min(chunkBytes, remainingBytes),
                    remainingBytes};
    bool hasWork = false;
    for (uint32_t k = 0; k < nDimensions; ++k)
    {
        request.participates[k] = m_sizes[k] > 1 && (k >= involved.size() || involved[k]);
        hasWork |= request.participates[k];
    }
    const bool isGreedy = m_policy == ChunkOrderPolicy::OfflineGreedy ||
                          m_policy == ChunkOrderPolicy::OfflineGreedyFlex;
    if (isGreedy && hasWork && type != CollectiveType::AllToAll)
    {
        return NextByLoad(request);
    }
    std::vector<uint32_t> order(nDimensions);
    std::iota(order.begin(), order.end(), 0);
    if (request.gathers)
    {
        std::reverse(order.begin(), order.end());
    }
    if (m_policy == ChunkOrderPolicy::RoundRobin)
    {
        std::rotate(order.begin(), order.begin() + m_turn, order.end());
        m_turn = (m_turn + 1) % nDimensions;
    }
    return {Filter(order, request.participates), request.bytes};
}

ChunkOrderScheduler::Choice
ChunkOrderScheduler::NextByLoad(const Request& request)
{
    std::stable_sort(m_accounts.begin(), m_accounts.end(), [](const auto& a, const auto& b) {
        return a.load < b.load;
    });
    if (request.gathers)
    {
        std::reverse(m_accounts.begin(), m_accounts.end());
    }
    const bool isFlexible = m_policy == ChunkOrderPolicy::OfflineGreedyFlex;
    const uint64_t least = isFlexible ? request.chunkBytes : request.chunkBytes / SIGNIFICANT_PARTS;
    const uint64_t levelling = GetLevellingBytes(request);
    const bool isSorted = levelling >= least;
    if (!isSorted)
    {
        std::sort(m_accounts.begin(), m_accounts.end(), [&](const auto& a, const auto& b) {
            return request.gathers ? a.dimension > b.dimension : a.dimension < b.dimension;
        });
    }
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < m_accounts.size(); ++i)
    {
        order.push_back(isSorted ? m_accounts[i].dimension : i);
    }
    const uint64_t flexible = isSorted ? levelling : request.bytes;
    const uint64_t bytes = isFlexible ? flexible : request.chunkBytes;
    AddLoads(request, bytes, order);
    return {Filter(order, request.participates), std::min(bytes, request.remainingBytes)};
}

uint64_t
ChunkOrderScheduler::GetLevellingBytes(const Request& request) const
{
    const auto takesPart = [&](const Account& account) {
        return request.participates[account.dimension];
    };
    const auto first = std::find_if(m_accounts.begin(), m_accounts.end(), takesPart);
    const auto last = std::find_if(m_accounts.rbegin(), m_accounts.rend(), takesPart);
    const double end = request.gathers ? last->load : m_accounts.back().load;
    const uint32_t dimension = request.gathers ? last->dimension : first->dimension;
    const double bytes = std::fabs(end - first->load) * m_speeds[dimension] /
                         GetShare(dimension, request.gathers) * MEBIBYTE;
    auto levelling = static_cast<uint64_t>(std::min(bytes, MAX_BYTES));
    for (auto account = first; request.gathers && account != last.base() - 1; ++account)
    {
        levelling /= takesPart(*account) ? m_sizes[account->dimension] : 1;
    }
    return levelling;
}

void
ChunkOrderScheduler::AddLoads(const Request& request,
                              uint64_t bytes,
                              const std::vector<uint32_t>& order)
{
    for (uint32_t i = 0; i < order.size(); ++i)
    {
        const uint32_t dimension = order[i];
        if (request.participates[dimension])
        {
            m_accounts[i].load += static_cast<double>(bytes) / MEBIBYTE *
                                  GetShare(dimension, request.gathers) / m_speeds[dimension];
            bytes = request.gathers ? bytes * m_sizes[dimension] : bytes / m_sizes[dimension];
        }
    }
}

double
ChunkOrderScheduler::GetShare(uint32_t dimension, bool gathers) const
{
    const double size = m_sizes[dimension];
    return gathers ? size - 1 : (size - 1) / size;
}

void
ChunkOrderScheduler::Reset()
{
    for (uint32_t k = 0; k < m_accounts.size(); ++k)
    {
        m_accounts[k] = {k, 0};
    }
}

double
ChunkOrderScheduler::GetLoad(uint32_t dimension) const
{
    return std::find_if(m_accounts.begin(),
                        m_accounts.end(),
                        [dimension](const auto& account) { return account.dimension == dimension; })
        ->load;
}

} // namespace mlcluster
} // namespace ns3
