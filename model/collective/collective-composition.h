/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_COMPOSITION_H
#define ML_CLUSTER_COLLECTIVE_COMPOSITION_H

#include "collective-group.h"
#include "collective-options.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which phases one collective has over the levels of a group, and the algorithm of each.
 *
 * Hierarchical (ASTRA-sim 2.0, section IV; Themis, section 2): reduce-scatter, all-to-all, reduce
 * and gather go up the levels, all-gather, broadcast and scatter down; an all-reduce is
 * reduce-scatter up, then all-gather down. A level whose algorithm cannot scatter and gather (the
 * trees, recursive-doubling) has one all-reduce phase instead, on the way up. A barrier goes up
 * with a barrier on each level. Of an all-reduce in-network the level that all chunks use last has
 * an all-reduce phase too, others a reduce-scatter and an all-gather through the switch. Per
 * dimension: an all-reduce is an all-reduce of everything on each
 * level.
 *
 * Default algorithms:
 *
 *   collective                               Ring    FullyConnected       Switch
 *   all-reduce, reduce-scatter, all-gather   ring    direct               halving-doubling
 *   all-to-all                               relay   direct               direct
 *   broadcast, reduce                        ring    double-binary-tree   double-binary-tree
 *   gather, scatter                          direct  direct               direct
 *   barrier                                  recursive-doubling on all
 *
 * On a Switch whose switches reduce: in-network, but for all-to-all, gather and scatter.
 *
 * A flat group across blocks is taken for a Ring, but does an all-to-all directly. An all-to-all of
 * unequal sizes has one phase over all members in group order, direct unless asked otherwise.
 */
class CollectiveComposition
{
  public:
    /// One stage a chunk goes through.
    struct Phase
    {
        CollectiveType type;                                  ///< operation within the level
        uint32_t dimension;                                   ///< level of the group
        std::shared_ptr<const CollectiveAlgorithm> algorithm; ///< how
    };

    /**
     * @param group the members; outlives this
     * @param options how to compose
     * @param call what
     * @throw InputError with the reason if an algorithm cannot do its part
     */
    CollectiveComposition(const CollectiveGroup& group,
                          const CollectiveOptions& options,
                          const CollectiveCall& call);

    /**
     * @param order all levels, as ChunkScheduler gives them
     * @param isLastShared whether all chunks of the collective use the same level last
     * @return the phases, one after the other
     */
    std::vector<Phase> MakeRoute(const std::vector<uint32_t>& order, bool isLastShared) const;
    /// @param level index @return whether an all-reduce is cut there by a reduce-scatter, or, if
    /// IsInNetwork, may be
    bool IsCut(uint32_t level) const;
    /// @param level index @return whether its members meet in a switch
    bool IsInNetwork(uint32_t level) const;

    /**
     * @param options the options
     * @param type operation
     * @return the algorithm that runs over all members in group order ("one-" taken off), or ""
     */
    static std::string GetFlatAlgorithm(const CollectiveOptions& options, CollectiveType type);

  private:
    /// @param level index @param name algorithm, "" for the default; appends it
    void AddLevel(uint32_t level, const std::string& name);
    /// @param level index @return name of the default algorithm
    std::string GetDefault(uint32_t level) const;

    const CollectiveGroup& m_group; ///< members
    CollectiveType m_type;          ///< operation
    bool m_hasMatrix;               ///< whether an all-to-all has unequal sizes
    bool m_isHierarchical;          ///< whether an all-reduce may be cut
    std::vector<std::shared_ptr<const CollectiveAlgorithm>> m_algorithms; ///< by level
    std::vector<bool> m_isCut;                                            ///< by level, see IsCut
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_COMPOSITION_H
