/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_FILES_H
#define ML_CLUSTER_RANK_FILES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A file of a rank.
 */
struct RankFile
{
    std::string path;             ///< the file
    std::optional<uint32_t> rank; ///< the rank, if its name tells
};

/**
 * @ingroup ml-cluster
 * Finds the files that a user names: one or several, separated by commas, or a pattern such as
 * `traces/worker{rank}.json`, which stands for rank 0, 1, ...
 * @param text what the user typed
 * @param nRanks ranks that a pattern stands for; 0: up to the highest that there is a file of
 * @return the files, at least one
 * @throw InputError if a name is empty, or a file does not exist, which may be one of a rank below
 * others; all that are missing are named
 */
std::vector<RankFile> FindRankFiles(const std::string& text, uint32_t nRanks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_FILES_H
