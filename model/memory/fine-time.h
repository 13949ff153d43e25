/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FINE_TIME_H
#define ML_CLUSTER_FINE_TIME_H

#include "ns3/quantity.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A time, or a duration, in units of 2^-64 ps, from 0 to 106 days. What takes many small steps,
 * each a part of a picosecond, is added up in it, and rounded up to 1 ps at the end. A transfer is
 * rounded down to a unit, so that a sum of fewer than 2^64 of them never ends later than it should;
 * it ends at the right picosecond unless the exact end is less than the sum of those units behind a
 * whole one.
 */
class FineTime
{
  public:
    __extension__ typedef unsigned __int128 Wide; ///< large factors

    FineTime() = default;

    /// @param picoseconds a time, not negative
    explicit FineTime(int64_t picoseconds)
        : m_units(Units{static_cast<uint64_t>(picoseconds)} << FRACTION_BITS)
    {
    }

    /// @param bytes how much @param bitRate rate, bit/s, not 0 @return how long it takes
    /// @throw InputError if that is longer than can be counted
    static FineTime OfTransfer(uint64_t bytes, uint64_t bitRate);

    /// @param up a factor @param down a divisor, not 0 @return this times up / down, rounded down
    /// to a unit @throw InputError if it cannot be counted
    FineTime MultiplyRoundedDown(Wide up, Wide down) const;
    /// @param up a factor @param down a divisor, not 0 @return this times up / down, rounded up to
    /// a unit @throw InputError if it cannot be counted
    FineTime MultiplyRoundedUp(Wide up, Wide down) const;

    /// @return this, in ps, rounded up @throw InputError if that cannot be counted
    int64_t GetPicoseconds() const;

    /// @param a a time @param b another @return a + b @throw InputError if it cannot be counted
    friend FineTime operator+(FineTime a, FineTime b)
    {
        return FromUnits(a.m_units + b.m_units);
    }

    /// @param a a time @param b one that is not later @return a - b
    friend FineTime operator-(FineTime a, FineTime b)
    {
        return FromUnits(a.m_units - b.m_units);
    }

    /// @param a a time @param factor how often @return a, so many times
    /// @throw InputError if it cannot be counted
    friend FineTime operator*(FineTime a, uint64_t factor);

    /// @param a a time @param divisor not 0 @return the part, rounded up to a unit
    friend FineTime operator/(FineTime a, uint64_t divisor)
    {
        return FromUnits(a.m_units / divisor + (a.m_units % divisor != 0 ? 1 : 0));
    }

    /// @param a a time @param b another @return whether a is earlier
    friend bool operator<(FineTime a, FineTime b)
    {
        return a.m_units < b.m_units;
    }

    /// @param a a time @param b another @return whether they are equal
    friend bool operator==(FineTime a, FineTime b)
    {
        return a.m_units == b.m_units;
    }

  private:
    using Units = Wide; ///< of 2^-64 ps

    static constexpr uint32_t FRACTION_BITS = 64; ///< of a picosecond

    /// @param units of a time @return it @throw InputError if it cannot be counted
    static FineTime FromUnits(Units units)
    {
        if (units >> (FRACTION_BITS + 63) != 0)
        {
            RefuseEnd("a memory access");
        }
        FineTime time;
        time.m_units = units;
        return time;
    }

    Units m_units{0}; ///< the time
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FINE_TIME_H
