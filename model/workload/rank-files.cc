/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-files.h"

#include "ns3/diagnostics.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

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

/// @param pattern a pattern @return ranks above others of which there is a file, at most
uint32_t
CountPossibleRanks(const std::string& pattern)
{
    const std::size_t at = pattern.find(RANK);
    const std::size_t start = pattern.rfind('/', at) + 1;
    const std::string before = pattern.substr(start, at - start);
    uint32_t count = 0;
    std::error_code failed;
    const auto folder = start == 0 ? "." : pattern.substr(0, start);
    for (std::filesystem::directory_iterator entry(folder, failed), end; entry != end && !failed;
         entry.increment(failed))
    {
        const std::string name = entry->path().filename().string();
        if (name.compare(0, before.size(), before) != 0)
        {
            continue;
        }
        uint32_t rank = 0;
        const char* const last = name.data() + name.size();
        const auto parsed = std::from_chars(name.data() + before.size(), last, rank);
        const bool exists = parsed.ec == std::errc() &&
                            rank < std::numeric_limits<int32_t>::max() &&
                            std::filesystem::exists(Fill(pattern, rank), failed);
        count = exists ? std::max(count, rank + 1) : count;
    }
    return count;
}

/// @param text what the user typed @param files files it stands for; those that do not exist are an
/// error
void
CheckExistence(const std::string& text, const std::vector<RankFile>& files)
{
    constexpr std::size_t SHOWN = 8;
    std::size_t nMissing = 0;
    std::string missing;
    for (const auto& file : files)
    {
        std::error_code failed;
        if (!std::filesystem::exists(file.path, failed) && ++nMissing <= SHOWN)
        {
            missing += (nMissing > 1 ? ", " : "") + file.path;
        }
    }
    if (nMissing > 0)
    {
        throw InputError("'" + text + "' stands for " + std::to_string(files.size()) +
                         " files, of which " + std::to_string(nMissing) +
                         " do not exist: " + missing + (nMissing > SHOWN ? ", ..." : ""));
    }
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
        CheckExistence(text, files);
        return files;
    }
    const uint32_t count = nRanks > 0 ? nRanks : CountPossibleRanks(text);
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        files.push_back({Fill(text, rank), rank});
    }
    if (files.empty())
    {
        throw InputError("'" + text + "' stands for no file: there is no " + Fill(text, 0));
    }
    CheckExistence(text, files);
    return files;
}

} // namespace mlcluster
} // namespace ns3
