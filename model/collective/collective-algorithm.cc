/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-algorithm.h"

#include "binomial-tree-algorithm.h"
#include "direct-algorithm.h"
#include "double-binary-tree-algorithm.h"
#include "halving-doubling-algorithm.h"
#include "in-network-algorithm.h"
#include "recursive-doubling-algorithm.h"
#include "relay-algorithm.h"
#include "ring-algorithm.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <charconv>

namespace ns3
{
namespace mlcluster
{

namespace
{

using AlgorithmPointer = std::shared_ptr<const CollectiveAlgorithm>;

/// @return an algorithm by name
template <typename Algorithm, typename... Arguments>
std::pair<std::string, AlgorithmPointer>
Make(const std::string& name, Arguments... arguments)
{
    return {name, std::make_shared<Algorithm>(arguments...)};
}

/// @return the algorithms by name
const std::vector<std::pair<std::string, AlgorithmPointer>>&
GetAlgorithms()
{
    static const std::vector<std::pair<std::string, AlgorithmPointer>> ALGORITHMS = {
        Make<RingAlgorithm>("ring", true),
        Make<RingAlgorithm>("ring-one-way", false),
        Make<RelayAlgorithm>("relay"),
        Make<DirectAlgorithm>("direct"),
        Make<HalvingDoublingAlgorithm>("halving-doubling"),
        Make<RecursiveDoublingAlgorithm>("recursive-doubling"),
        Make<BinomialTreeAlgorithm>("binomial-tree"),
        Make<DoubleBinaryTreeAlgorithm>("double-binary-tree"),
        Make<InNetworkAlgorithm>("in-network"),
    };
    return ALGORITHMS;
}

const std::string WINDOW_PREFIX = "direct-";

/// @return the W of "direct-W", 0 if the name is no such
uint32_t
ParseWindow(const std::string& name)
{
    if (name.compare(0, WINDOW_PREFIX.size(), WINDOW_PREFIX) != 0)
    {
        return 0;
    }
    uint32_t window = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + WINDOW_PREFIX.size(), end, window);
    return parsed.ec == std::errc() && parsed.ptr == end ? window : 0;
}

} // namespace

std::shared_ptr<const CollectiveAlgorithm>
CollectiveAlgorithm::Create(const std::string& name)
{
    for (const auto& [known, algorithm] : GetAlgorithms())
    {
        if (name == known)
        {
            return algorithm;
        }
    }
    const uint32_t window = ParseWindow(name);
    if (window > 0)
    {
        return std::make_shared<DirectAlgorithm>(window);
    }
    const std::string nearest = NearestWord(name, GetNames());
    throw InputError("\"" + name + "\" is not a collective algorithm" +
                     (nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?") +
                     "; allowed are " + JoinWords(GetNames()) + ", direct-W (W sends at once)");
}

CollectiveLayout
CollectiveAlgorithm::GetLayout(const CollectiveRequest& request, uint32_t partsPerPiece) const
{
    return MakeInPlaceLayout(request, partsPerPiece);
}

std::vector<std::string>
CollectiveAlgorithm::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetAlgorithms())
    {
        names.push_back(entry.first);
    }
    return names;
}

bool
CollectiveAlgorithm::NeedsSwitch() const
{
    return false;
}

std::string
CollectiveAlgorithm::WhyNotMatrix() const
{
    return "it cannot do an all-to-all of unequal sizes, direct can";
}

std::string
CollectiveAlgorithm::WhyNotType(CollectiveType type, const std::vector<CollectiveType>& possible)
{
    if (std::find(possible.begin(), possible.end(), type) != possible.end())
    {
        return "";
    }
    std::vector<std::string> names;
    for (const auto one : possible)
    {
        names.push_back(ToString(one));
    }
    return "it can do " + JoinWords(names) + " only";
}

std::vector<uint64_t>
SplitEvenly(uint64_t bytes, uint32_t parts)
{
    std::vector<uint64_t> sizes(parts, bytes / parts);
    std::fill_n(sizes.begin(), bytes % parts, bytes / parts + 1);
    return sizes;
}

uint64_t
GetEvenPart(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts + (index < bytes % parts ? 1 : 0);
}

} // namespace mlcluster
} // namespace ns3
