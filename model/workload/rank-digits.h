/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_DIGITS_H
#define ML_CLUSTER_RANK_DIGITS_H

#include "cluster-workload.h"

#include "ns3/cluster-topology.h"

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
 * Groups of ranks that differ in some digits of the rank only. A digit has a stride s and a count
 * c: it is floor(rank / s) modulo c. {{1, 8}} makes groups of 8 ranks in a row, {{8, 4}} groups of
 * 4 that are 8 apart. Digits may be whole dimensions of a topology or parts of one.
 */
class RankDigits
{
  public:
    /// A digit of the rank.
    struct Digit
    {
        uint64_t stride; ///< by how much the rank grows with the digit, at least 1
        uint64_t count;  ///< values of the digit, at least 1
    };

    /**
     * @param digits smallest stride first; those of count 1 are left out
     * @param nRanks ranks in all
     * @throw InputError if a stride times its count does not divide the next stride, or the ranks
     */
    RankDigits(const std::vector<Digit>& digits, uint64_t nRanks);

    uint64_t GetSize() const; ///< @return members of a group
    /// @param rank a rank @return the member of its group with all digits 0
    uint64_t GetFirst(uint64_t rank) const;
    /// @param first a rank with all digits 0 @return members of its group, ascending
    std::vector<uint32_t> GetMembers(uint64_t first) const;
    /**
     * @param topology shape with as many ranks
     * @return the dimensions that the digits fill, if they fill dimensions whole; an empty list if
     * those are all that have more than one member
     */
    std::optional<std::vector<bool>> FindDimensions(const ClusterTopology& topology) const;
    /**
     * Adds the groups as a family.
     * @param family its name, which is not one of the families yet
     * @param groups receives NAME.0, NAME.1, ... by ascending first member
     * @param families receives the number of each rank's group
     */
    void AddFamily(const std::string& family,
                   CommunicatorGroups& groups,
                   GroupFamilies& families) const;

  private:
    std::vector<Digit> m_digits; ///< digits of more than one value
    uint64_t m_nRanks;           ///< ranks in all
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_DIGITS_H
