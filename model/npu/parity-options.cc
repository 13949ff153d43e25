/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-options.h"

#include "ns3/diagnostics.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string ALLOWED = "ring, direct, direct<window>, halvingDoubling";

/// @param name an algorithm's name @return the window behind "direct", 0 if none, or -1 if it is no
/// number from 1 to 99999
int64_t
ParseWindow(const std::string& name)
{
    const std::string digits = name.substr(6);
    if (digits.empty())
    {
        return 0;
    }
    const bool isNumber =
        digits.size() <= 5 &&
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int64_t window = isNumber ? std::stoll(digits) : 0;
    return window > 0 ? window : -1;
}

} // namespace

ParityAlgorithm
ParityAlgorithm::Parse(const std::string& name)
{
    if (name == "ring")
    {
        return {Kind::Ring, 0};
    }
    if (name == "halvingDoubling")
    {
        return {Kind::HalvingDoubling, 0};
    }
    if (name.rfind("direct", 0) == 0 && ParseWindow(name) >= 0)
    {
        return {Kind::Direct, static_cast<uint32_t>(ParseWindow(name))};
    }
    if (name == "doubleBinaryTree" || name.rfind("one", 0) == 0)
    {
        throw InputError("algorithm \"" + name +
                         "\" of ASTRA-sim is not reproduced by the parity mode; it has " + ALLOWED);
    }
    throw InputError("unknown algorithm \"" + name + "\"; allowed are " + ALLOWED);
}

std::string
ParityAlgorithm::WhyNot(CollectiveType type, uint32_t size) const
{
    if (kind != Kind::HalvingDoubling)
    {
        return "";
    }
    if (type == CollectiveType::AllToAll)
    {
        return "halvingDoubling has no all-to-all; use ring or direct";
    }
    if ((size & (size - 1)) != 0)
    {
        return "halvingDoubling needs a power of two ranks, not " + std::to_string(size) +
               "; use ring or direct";
    }
    return "";
}

} // namespace mlcluster
} // namespace ns3
