/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-files.h"

#include "ns3/diagnostics.h"
#include "ns3/word-list.h"

#include <filesystem>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string RANK = "{rank}"; ///< what a pattern has for the rank

/// @param pattern a pattern @param rank a rank @return its file
std::string
Fill(std::string pattern, uint32_t rank)
{
    for (auto at = pattern.find(RANK); at != std::string::npos; at = pattern.find(RANK))
    {
        pattern.replace(at, RANK.size(), std::to_string(rank));
    }
    return pattern;
}

} // namespace

std::vector<RankFile>
FindRankFiles(const std::string& text, uint32_t nRanks)
{
    std::vector<RankFile> files;
    if (text.find(RANK) == std::string::npos)
    {
        for (const auto& path : SplitWords(text, ','))
        {
            if (path.empty())
            {
                throw InputError("'" + text + "' has an empty file name");
            }
            files.push_back({path, {}});
        }
        return files;
    }
    for (uint32_t rank = 0; nRanks == 0 || rank < nRanks; ++rank)
    {
        const std::string path = Fill(text, rank);
        std::error_code failed;
        if (nRanks == 0 && !std::filesystem::exists(path, failed))
        {
            break;
        }
        files.push_back({path, rank});
    }
    if (files.empty())
    {
        throw InputError("'" + text + "' stands for no file: there is no " + Fill(text, 0));
    }
    return files;
}

} // namespace mlcluster
} // namespace ns3
