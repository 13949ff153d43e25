/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reduction-unit.h"

#include "ns3/quantity.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

ReductionUnit::ReductionUnit(uint64_t bitRate)
    : m_bitRate(bitRate)
{
}

int64_t
ReductionUnit::Book(uint64_t bytes, int64_t readyPs)
{
    if (m_bitRate == 0)
    {
        return readyPs;
    }
    m_freePs = GetEnd(std::max(m_freePs, readyPs),
                      SerialisationPicoseconds(3 * bytes, m_bitRate),
                      [=] { return "the reduction of " + FormatBytes(bytes); });
    return m_freePs;
}

} // namespace mlcluster
} // namespace ns3
