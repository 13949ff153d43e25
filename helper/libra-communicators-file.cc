/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "libra-communicators-file.h"

#include "astra-section.h"
#include "config-document.h"

#include "ns3/quantity.h"

#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param section the file @param key a key @param members that it gives @param topology to be
/// divided into groups of them; reports what cannot be
void
CheckMembers(AstraSection& section,
             const std::string& key,
             const std::vector<uint32_t>& members,
             const ClusterTopology& topology)
{
    const uint32_t nDimensions = topology.GetNDimensions();
    if (members.size() != nDimensions)
    {
        section.Error(key,
                      "has " + std::to_string(members.size()) +
                          " entries; needed is one for each "
                          "dimension of " +
                          topology.GetNotation());
        return;
    }
    for (uint32_t d = 0; d < nDimensions; ++d)
    {
        const auto& dimension = topology.GetDimension(d);
        if (members[d] == 0 || dimension.size % members[d] != 0)
        {
            section.Error(key,
                          std::to_string(members[d]) + " is given for " +
                              ToString(dimension.block) + "(" + std::to_string(dimension.size) +
                              "); needed is a divisor of its size, or -1");
        }
    }
}

/// @param section the file @param key a key @param topology see ReadLibraCommunicators @return the
/// members per dimension it gives
std::vector<uint32_t>
ReadMembers(AstraSection& section, const std::string& key, const ClusterTopology* topology)
{
    bool isRight = section.Has(key);
    std::vector<uint32_t> members;
    const std::string meaning =
        "members of a group in each dimension, whole numbers from 1, or -1 where it takes no part";
    for (const double number : section.GetNumbers(key, meaning, -1).value_or(std::vector<double>{}))
    {
        const bool isCount = number >= 1 && number <= INT32_MAX && std::floor(number) == number;
        if (!isCount && number != -1)
        {
            section.Error(key, FormatNumber(number) + " is given; needed are " + meaning);
            isRight = false;
        }
        members.push_back(isCount ? static_cast<uint32_t>(number) : 1);
    }
    if (isRight && !members.empty() && topology)
    {
        CheckMembers(section, key, members, *topology);
    }
    return members;
}

} // namespace

LibraCommunicators
ReadLibraCommunicators(const std::string& path,
                       Diagnostics& diagnostics,
                       const ClusterTopology* topology)
{
    AstraSection section(ReadYamlDocument(path, diagnostics), diagnostics);
    LibraCommunicators communicators;
    communicators.forward = ReadMembers(section, "Forward", topology);
    communicators.inputGradient = ReadMembers(section, "InputGrad", topology);
    communicators.weightGradient = ReadMembers(section, "WeightGrad", topology);
    section.ReportUnknown({});
    return communicators;
}

} // namespace mlcluster
} // namespace ns3
