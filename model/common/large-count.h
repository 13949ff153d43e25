/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LARGE_COUNT_H
#define ML_CLUSTER_LARGE_COUNT_H

#include <cstdint>
#include <limits>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A number of things that 64 bits may not hold: then it stays at the largest number and says so,
 * instead of beginning anew.
 */
class LargeCount
{
  public:
    /// @param value the number; the largest 64-bit number stands for all that are too large
    LargeCount(uint64_t value = 0)
        : m_value(value)
    {
    }

    /// @return the number; the largest 64-bit number if it is not counted
    uint64_t Get() const
    {
        return m_value;
    }

    /// @return whether 64 bits hold it
    bool IsCounted() const
    {
        return m_value != TOO_LARGE;
    }

    /// @param other is added @return this
    LargeCount& operator+=(LargeCount other)
    {
        m_value = other.m_value > TOO_LARGE - m_value ? TOO_LARGE : m_value + other.m_value;
        return *this;
    }

    /// @param a a number @param b another @return the sum
    friend LargeCount operator+(LargeCount a, LargeCount b)
    {
        return a += b;
    }

    /// @param a a number @param b another, not above it @return the difference; not counted if one
    /// of them is not
    friend LargeCount operator-(LargeCount a, LargeCount b)
    {
        return a.IsCounted() && b.IsCounted() ? a.m_value - b.m_value : TOO_LARGE;
    }

    /// @param a a number @param b another @return the product
    friend LargeCount operator*(LargeCount a, LargeCount b)
    {
        const bool isTooLarge = a.m_value > 0 && b.m_value > TOO_LARGE / a.m_value;
        return isTooLarge ? TOO_LARGE : a.m_value * b.m_value;
    }

    /// @param a a number @param b another @return whether both are equal
    friend bool operator==(LargeCount a, LargeCount b)
    {
        return a.m_value == b.m_value;
    }

    /// @param a a number @param b another @return whether they differ
    friend bool operator!=(LargeCount a, LargeCount b)
    {
        return !(a == b);
    }

    /// @param a a number @param b another @return whether a is smaller
    friend bool operator<(LargeCount a, LargeCount b)
    {
        return a.m_value < b.m_value;
    }

  private:
    static constexpr uint64_t TOO_LARGE = std::numeric_limits<uint64_t>::max(); ///< not counted

    uint64_t m_value; ///< the number
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LARGE_COUNT_H
