/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fine-time.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

namespace ns3
{
namespace mlcluster
{

FineTime
FineTime::OfTransfer(uint64_t bytes, uint64_t bitRate)
{
    const Units work = Units{bytes} * 8'000'000'000'000;
    const Units whole = work / bitRate;
    if (whole > std::numeric_limits<int64_t>::max())
    {
        RefuseEnd("a memory access");
    }
    return FromUnits((whole << FRACTION_BITS) + ((work % bitRate) << FRACTION_BITS) / bitRate);
}

FineTime
FineTime::MultiplyRoundedDown(Wide up, Wide down) const
{
    using Product = boost::multiprecision::uint256_t;
    const Product result = Product(m_units) * up / down;
    if (result >> (FRACTION_BITS + 63) != 0)
    {
        RefuseEnd("a memory access");
    }
    return FromUnits(static_cast<Units>(result));
}

FineTime
FineTime::MultiplyRoundedUp(Wide up, Wide down) const
{
    const FineTime floor = MultiplyRoundedDown(up, down);
    using Product = boost::multiprecision::uint256_t;
    const bool isExact = Product(m_units) * up % down == 0;
    return isExact ? floor : FromUnits(floor.m_units + 1);
}

int64_t
FineTime::GetPicoseconds() const
{
    constexpr Units ALMOST_ONE = (Units{1} << FRACTION_BITS) - 1;
    const Units rounded = (m_units + ALMOST_ONE) >> FRACTION_BITS;
    if (rounded > std::numeric_limits<int64_t>::max())
    {
        RefuseEnd("a memory access");
    }
    return static_cast<int64_t>(rounded);
}

FineTime
operator*(FineTime a, uint64_t factor)
{
    FineTime::Units units;
    if (__builtin_mul_overflow(a.m_units, FineTime::Units{factor}, &units))
    {
        RefuseEnd("a memory access");
    }
    return FineTime::FromUnits(units);
}

} // namespace mlcluster
} // namespace ns3
