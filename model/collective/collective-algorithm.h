/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_ALGORITHM_H
#define ML_CLUSTER_COLLECTIVE_ALGORITHM_H

#include "collective-layout.h"
#include "collective-type.h"
#include "rank-schedule.h"

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One collective over one group, as an algorithm sees it.
 *
 * Piece i of the buffer is what member i ends up owning (reduce-scatter, scatter), contributes
 * (all-gather, gather), or receives from each member (all-to-all). All-reduce, broadcast and reduce
 * work on the same pieces; those of a barrier have 0 bytes, and stand for a member having come:
 * members end with all of them, as in an all-gather.
 *
 * An all-to-all of unequal sizes has a matrix instead of pieces: part j of buffer i is what member
 * i sends to member j, matrix[i * size + j] bytes. What a member keeps is no message, and where
 * there are 0 bytes none is sent.
 */
struct CollectiveRequest
{
    CollectiveType type{CollectiveType::AllReduce}; ///< operation
    uint32_t size{1};                               ///< members of the group
    std::vector<uint64_t> pieces;                   ///< bytes of each piece, `size` entries
    uint32_t root{0};                               ///< position of the root of a rooted collective
    /// Bytes from each member (row) to each (column), `size` squared; empty: as the pieces say.
    std::vector<uint64_t> matrix{};

    /// @param o another @return whether this comes first in an order of all requests
    bool operator<(const CollectiveRequest& o) const
    {
        return std::tie(type, size, root, pieces, matrix) <
               std::tie(o.type, o.size, o.root, o.pieces, o.matrix);
    }
};

/**
 * @ingroup ml-cluster
 * A collective algorithm: a pure function from (request, position) to the steps of that member.
 */
class CollectiveAlgorithm
{
  public:
    virtual ~CollectiveAlgorithm() = default;

    virtual std::string GetName() const = 0; ///< @return "ring", "direct", ...

    /**
     * @param type operation
     * @param size members of the group
     * @return why this algorithm cannot do it, or "" if it can
     */
    virtual std::string WhyNot(CollectiveType type, uint32_t size) const = 0;

    /// @return why this algorithm cannot do an all-to-all with a matrix, or "" if it can
    virtual std::string WhyNotMatrix() const;

    /// @return whether members meet in a switch, one position past the last member
    virtual bool NeedsSwitch() const;

    /**
     * @param request what to do; WhyNot, and WhyNotMatrix if it has one, must be ""
     * @param position the member, below request.size; or request.size for the switch, if
     *        NeedsSwitch
     * @return its steps
     */
    virtual RankSchedule Build(const CollectiveRequest& request, uint32_t position) const = 0;

    /**
     * @param request what to do; WhyNot must be ""
     * @param partsPerPiece parts into which the schedules cut each piece
     * @return what the places mean that the transfers name; in place unless an algorithm has its
     * own
     */
    virtual CollectiveLayout GetLayout(const CollectiveRequest& request,
                                       uint32_t partsPerPiece) const;

    /**
     * @param name "ring" (both directions), "ring-one-way", "relay" (all-to-all passed on by
     *        neighbours of a ring), "direct", "direct-W" (at most W sends of a member at once, W >=
     *        1), "halving-doubling", "recursive-doubling", "binomial-tree", "double-binary-tree",
     *        "in-network" (through a switch that reduces)
     * @return the algorithm, the same object whenever it is asked for (but for direct-W), so that
     * what is made of equal requests can be told by its address
     * @throw InputError naming the allowed ones
     */
    static std::shared_ptr<const CollectiveAlgorithm> Create(const std::string& name);

    /// @return all names Create takes, but for those with a number
    static std::vector<std::string> GetNames();

  protected:
    /// @param type operation @param possible those an algorithm can do
    /// @return "" if it is among them, else which they are
    static std::string WhyNotType(CollectiveType type, const std::vector<CollectiveType>& possible);
};

/**
 * @ingroup ml-cluster
 * Cuts a size into parts that differ by at most one byte and add up; larger parts first.
 * @param bytes the whole
 * @param parts how many, at least 1
 * @return the sizes
 */
std::vector<uint64_t> SplitEvenly(uint64_t bytes, uint32_t parts);

/**
 * @ingroup ml-cluster
 * @param bytes the whole
 * @param parts how many, at least 1
 * @param index below parts
 * @return that entry of SplitEvenly(bytes, parts)
 */
uint64_t GetEvenPart(uint64_t bytes, uint32_t parts, uint32_t index);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_ALGORITHM_H
