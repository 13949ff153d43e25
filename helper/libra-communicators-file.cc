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

/// @param section the file @param key a key @return the members per dimension it gives
std::vector<uint32_t>
ReadMembers(AstraSection& section, const std::string& key)
{
    std::vector<uint32_t> members;
    const std::string meaning =
        "members of a group in each dimension, whole numbers from 1, or -1 where it takes no part";
    for (const double number : section.GetNumbers(key, meaning, -1).value_or(std::vector<double>{}))
    {
        const bool isCount = number >= 1 && number <= INT32_MAX && std::floor(number) == number;
        if (!isCount && number != -1)
        {
            section.Error(key, FormatNumber(number) + " is given; needed are " + meaning);
        }
        members.push_back(isCount ? static_cast<uint32_t>(number) : 1);
    }
    return members;
}

} // namespace

LibraCommunicators
ReadLibraCommunicators(const std::string& path, Diagnostics& diagnostics)
{
    AstraSection section(ReadYamlDocument(path, diagnostics), diagnostics);
    LibraCommunicators communicators;
    communicators.forward = ReadMembers(section, "Forward");
    communicators.inputGradient = ReadMembers(section, "InputGrad");
    communicators.weightGradient = ReadMembers(section, "WeightGrad");
    section.ReportUnknown({});
    return communicators;
}

} // namespace mlcluster
} // namespace ns3
