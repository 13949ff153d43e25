/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-queues.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

MemoryQueues::MemoryQueues(uint64_t bitRate,
                           int64_t latencyPs,
                           uint32_t npusPerMemory,
                           MemoryRounding rounding)
    : m_bitRate(bitRate),
      m_latencyPs(latencyPs),
      m_npusPerMemory(npusPerMemory),
      m_rounding(rounding)
{
}

int64_t
MemoryQueues::Book(uint32_t rank, uint64_t bytes, int64_t nowPs)
{
    int64_t& freePs = m_freePs[m_npusPerMemory == ALL ? 0 : rank / m_npusPerMemory];
    const auto describe = [&] {
        return "the access of rank " + std::to_string(rank) + " to " + FormatBytes(bytes) +
               " of remote memory at " + FormatBitRate(m_bitRate);
    };
    const int64_t begun = GetEnd(std::max(freePs, nowPs), m_latencyPs, describe);
    freePs = GetEnd(begun, GetTransfer(bytes), describe);
    return freePs;
}

int64_t
MemoryQueues::GetTransfer(uint64_t bytes) const
{
    if (m_rounding == MemoryRounding::UpPicosecond)
    {
        return SerialisationPicoseconds(bytes, m_bitRate);
    }
    __extension__ typedef unsigned __int128 Wide;
    constexpr int64_t LARGEST = std::numeric_limits<int64_t>::max();
    const Wide nanoseconds = Wide{bytes} * 8'000'000'000 / m_bitRate;
    return nanoseconds > LARGEST / 1000 ? LARGEST : static_cast<int64_t>(nanoseconds) * 1000;
}

} // namespace mlcluster
} // namespace ns3
