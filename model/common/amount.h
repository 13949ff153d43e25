/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_AMOUNT_H
#define ML_CLUSTER_AMOUNT_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A whole number of bytes, operations or elements in a formula. Products and sums are counted in
 * 128 bits; what even these do not hold stays "too much" whatever follows, so that a formula reads
 * as it is written on paper and is checked once, where its result is taken out.
 */
class Amount
{
  public:
    /// @param value the number
    Amount(uint64_t value = 0)
        : m_value(value)
    {
    }

    /// @param what it is, for the message, such as "bytes of 'logits'" @return the number
    /// @throw InputError if 64 bits do not hold it
    uint64_t Get(const std::string& what) const;
    /// @return the number, rounded if it is above 2^53 @throw InputError if 128 bits do not hold it
    double GetReal() const;

    /// @param a a number @param b another @return a + b
    friend Amount operator+(Amount a, Amount b);
    /// @param a a number @param b another @return a b
    friend Amount operator*(Amount a, Amount b);
    /// @param a a number @param b not 0 @return a / b, rounded up: the largest of b parts
    friend Amount operator/(Amount a, Amount b);
    /// @param other a number @return this, that much larger
    Amount& operator+=(Amount other);
    /// @param a a number @param b another @return whether a is the smaller one
    friend bool operator<(Amount a, Amount b);

  private:
    __extension__ typedef unsigned __int128 Wide; ///< holds products

    Wide m_value; ///< the number; the largest one: too much
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_AMOUNT_H
