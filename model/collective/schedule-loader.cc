/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-loader.h"

#include "chakra-algorithm.h"
#include "msccl-algorithm.h"

#include "ns3/chakra-reader.h"
#include "ns3/quantity.h"

#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param text a text @param end another @return whether the first ends with the second
bool
EndsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

LoadedSchedule
LoadSchedule(const std::string& path, std::optional<CollectiveType> type)
{
    if (EndsWith(path, ".xml") || EndsWith(path, ".xml.gz"))
    {
        const auto algorithm = std::make_shared<MscclAlgorithm>(path);
        return {algorithm,
                algorithm->GetType(),
                algorithm->GetMinBytes(),
                algorithm->GetMaxBytes().value_or(LoadedSchedule().maxBytes)};
    }
    if (CountChakraRanks(path) == 0)
    {
        throw InputError(path +
                         ": is no schedule; allowed are an MSCCL file (.xml, .xml.gz) and "
                         "the prefix of Chakra files, but there is no " +
                         path + ".0.et");
    }
    return {std::make_shared<ChakraAlgorithm>(path, type), type};
}

CollectiveProof
RequireProof(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    const std::string whyNot = algorithm.WhyNot(request.type, request.size);
    if (!whyNot.empty())
    {
        throw InputError(whyNot);
    }
    const auto proof = CollectiveVerifier::Verify(algorithm, request);
    const auto& sizes = request.matrix.empty() ? request.pieces : request.matrix;
    const uint64_t bytes = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
    std::string text;
    for (const auto& violation : proof.violations)
    {
        text += "\n  " + violation;
    }
    if (!text.empty())
    {
        throw InputError(algorithm.GetName() + ": is no " + ToString(request.type) + " of " +
                         FormatBytes(bytes) + " in a group of " + std::to_string(request.size) +
                         ":" + text);
    }
    return proof;
}

std::shared_ptr<const CollectiveAlgorithm>
LoadVerifiedSchedule(const std::string& path, const CollectiveRequest& request)
{
    if (!request.matrix.empty())
    {
        throw InputError(path + ": a schedule cannot do an all-to-all of unequal sizes");
    }
    const auto loaded = LoadSchedule(path, request.type);
    RequireProof(*loaded.algorithm, request);
    return loaded.algorithm;
}

} // namespace mlcluster
} // namespace ns3
