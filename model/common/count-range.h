/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COUNT_RANGE_H
#define ML_CLUSTER_COUNT_RANGE_H

#include "large-count.h"

namespace ns3
{
namespace mlcluster
{

/// A number that is not known exactly. @ingroup ml-cluster
struct CountRange
{
    LargeCount fewest;   ///< not fewer
    LargeCount expected; ///< most likely, between the others
    LargeCount most;     ///< not more

    CountRange() = default; ///< Nothing.

    /// @param count a number that is known
    CountRange(LargeCount count)
        : CountRange(count, count, count)
    {
    }

    /// @param f not fewer @param e expected @param m not more
    CountRange(LargeCount f, LargeCount e, LargeCount m)
        : fewest(f),
          expected(e),
          most(m)
    {
    }

    /// @return whether it is known
    bool IsExact() const
    {
        return fewest == most;
    }

    /// @param other is added @return this
    CountRange& operator+=(const CountRange& other)
    {
        fewest += other.fewest;
        expected += other.expected;
        most += other.most;
        return *this;
    }

    /// @param a a number @param b another @return the sum
    friend CountRange operator+(CountRange a, const CountRange& b)
    {
        return a += b;
    }

    /// @param a a number @param b another, in all three not above it @return the difference of each
    friend CountRange operator-(const CountRange& a, const CountRange& b)
    {
        return {a.fewest - b.fewest, a.expected - b.expected, a.most - b.most};
    }

    /// @param a a number @param times how often @return the product
    friend CountRange operator*(const CountRange& a, LargeCount times)
    {
        return {a.fewest * times, a.expected * times, a.most * times};
    }
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COUNT_RANGE_H
