/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_OPTIONS_H
#define ML_CLUSTER_COLLECTIVE_OPTIONS_H

#include "collective-algorithm.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How collectives are composed; equal on all ranks. Filled from CollectivePlanner's attributes.
 */
struct CollectiveOptions
{
    /// Most chunks: their numbers have 24 bits in the tag of a message (see CollectiveExecutor).
    static constexpr uint32_t MAX_CHUNKS = 1U << 24;

    uint32_t chunks{4};         ///< chunks a collective is cut into, 1 to MAX_CHUNKS
    uint32_t chunksInFlight{1}; ///< chunk phases of one collective at once in a dimension, over 0
    /**
     * Algorithm per topology dimension, by collective; a name CollectiveAlgorithm::Create takes.
     * "ring" is both ways on a Ring, one way on other blocks. "auto" or a missing entry means the
     * default, see CollectiveComposition. A single entry "one-" and a name: that algorithm once,
     * over all members in group order, whatever the dimensions.
     */
    std::map<CollectiveType, std::vector<std::string>> algorithms;
    /// How an all-reduce is composed: "hierarchical" or "per-dimension", see CollectiveComposition.
    std::string composition{"hierarchical"};
    std::string scheduler{"baseline"}; ///< order of each chunk's dimensions, see ChunkScheduler
    /// Which chunk phase uses a dimension next: "fifo", or "smallest-first": that of which a rank
    /// holds the fewest bytes, before or after it, whichever is more.
    std::string queuePolicy{"fifo"};

    /**
     * @param name an entry of `algorithms`
     * @return what "one-" stands before, or "" if it does not
     */
    static std::string GetFlatName(const std::string& name);
    /**
     * @param name an entry of `algorithms`
     * @throw InputError naming the allowed ones if it is none
     */
    static void CheckAlgorithm(const std::string& name);
    /**
     * Sets scheduler and queue policy.
     * @param choice such as "baseline", with the policy fifo, or "themis/smallest-first"
     * @throw InputError if there is no such scheduler or policy
     */
    void SetScheduler(const std::string& choice);
    static const std::vector<std::string>& GetCompositions();  ///< @return allowed ones
    static const std::vector<std::string>& GetQueuePolicies(); ///< @return allowed ones
};

/**
 * @ingroup ml-cluster
 * One collective as a graph asks for it.
 */
struct CollectiveCall
{
    CollectiveType type{CollectiveType::AllReduce}; ///< operation
    /// Size: buffer of one rank (all-reduce, all-to-all, broadcast, reduce), input of one rank
    /// (reduce-scatter), of the root (scatter), shard of one rank (all-gather, gather); a barrier
    /// has none.
    uint64_t bytes{0};
    /// Per topology dimension, whether it takes part; a missing entry means yes, entries beyond the
    /// topology must be yes like all others; only for a sub-box.
    std::vector<bool> involved{};
    uint32_t root{0}; ///< rank of the root, a member; for rooted collectives
    /// All-to-all of unequal sizes: bytes from member i to member j of n at i n + j, `bytes` in all
    /// from the member that sends most; null: equal.
    std::shared_ptr<const std::vector<uint64_t>> matrix{};
    /// Runs over all members in group order instead of what options say; null: as they say.
    std::shared_ptr<const CollectiveAlgorithm> algorithm{};

    /// @param o another call @return whether both ask for the same
    bool operator==(const CollectiveCall& o) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_OPTIONS_H
