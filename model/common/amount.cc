/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "amount.h"

#include "diagnostics.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

template <typename T>
constexpr T TOO_MUCH = ~T{0};

} // namespace

uint64_t
Amount::Get(const std::string& what) const
{
    if (m_value > std::numeric_limits<uint64_t>::max())
    {
        throw InputError(what + ": more than 2^64 - 1, which cannot be counted");
    }
    return static_cast<uint64_t>(m_value);
}

double
Amount::GetReal() const
{
    if (m_value == TOO_MUCH<Wide>)
    {
        throw InputError("a product of the sizes given: more than 2^128 - 1, which cannot be "
                         "counted");
    }
    return static_cast<double>(m_value);
}

Amount
operator+(Amount a, Amount b)
{
    if (__builtin_add_overflow(a.m_value, b.m_value, &a.m_value))
    {
        a.m_value = TOO_MUCH<Amount::Wide>;
    }
    return a;
}

Amount
operator*(Amount a, Amount b)
{
    if (__builtin_mul_overflow(a.m_value, b.m_value, &a.m_value))
    {
        a.m_value = TOO_MUCH<Amount::Wide>;
    }
    return a;
}

Amount
operator/(Amount a, Amount b)
{
    if (a.m_value != TOO_MUCH<Amount::Wide>)
    {
        a.m_value = a.m_value / b.m_value + (a.m_value % b.m_value != 0 ? 1 : 0);
    }
    return a;
}

Amount&
Amount::operator+=(Amount other)
{
    return *this = *this + other;
}

bool
operator<(Amount a, Amount b)
{
    return a.m_value < b.m_value;
}

} // namespace mlcluster
} // namespace ns3
