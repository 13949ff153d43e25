/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plain-number.h"

#include "diagnostics.h"
#include "quantity.h"

#include <charconv>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

uint64_t
ParseLimitedCount(const std::string& text, uint64_t largest)
{
    const uint64_t count = ParseCount(text);
    if (count > largest)
    {
        throw InputError("'" + text + "' is too large; the most is " + std::to_string(largest));
    }
    return count;
}

double
ParseNumber(const std::string& text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
    {
        throw InputError("'" + text +
                         "' is no number; allowed are numbers without unit, for example 1.5 or "
                         "1.2e14");
    }
    return value;
}

} // namespace mlcluster
} // namespace ns3
