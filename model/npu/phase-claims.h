/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PHASE_CLAIMS_H
#define ML_CLUSTER_PHASE_CLAIMS_H

#include "ns3/link-graph.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Who uses which links while collectives are computed by phases: computed collectives, which claim
 * links and should be alone there, and messages, which occupy them. Links are counted by the rank
 * and the dimension they belong to: a link that leaves a rank is that rank's, one from a switch
 * that of the rank it leads to.
 */
class PhaseClaims
{
  public:
    /// A computed collective.
    struct Holder
    {
        bool isOverlapped{false}; ///< whether something else used its links while it did
        /// Its last message comes to its last link then, ps: what comes later does not meet it.
        int64_t lastHeadPs{std::numeric_limits<int64_t>::max()};
    };

    /// @param graph the network
    explicit PhaseClaims(std::shared_ptr<const LinkGraph> graph);

    /// @param rank a rank @param dimensions of the topology @param now ps @return whether nothing
    /// uses its links
    bool IsFree(uint32_t rank, const std::vector<uint32_t>& dimensions, int64_t now) const;
    /// @param rank a rank @param dimensions of the topology @return computed collectives on its
    /// links
    std::vector<Holder*> GetHolders(uint32_t rank, const std::vector<uint32_t>& dimensions) const;
    /// @param source a rank @param destination another @return computed collectives on the links
    /// between them
    std::vector<Holder*> GetHoldersOfRoute(uint32_t source, uint32_t destination) const;
    /// @param holder uses the links from now on @param rank whose @param dimensions which @param
    /// now ps
    void Claim(Holder& holder, uint32_t rank, const std::vector<uint32_t>& dimensions, int64_t now);
    /// @param holder used the links until now @param rank whose @param dimensions which
    void Release(Holder& holder, uint32_t rank, const std::vector<uint32_t>& dimensions);
    /// @param rank whose links messages use from now on @param dimensions which @param now ps
    void Occupy(uint32_t rank, const std::vector<uint32_t>& dimensions, int64_t now);
    /// @param rank whose links messages used until now @param dimensions which
    void Vacate(uint32_t rank, const std::vector<uint32_t>& dimensions);
    /// @param source rank that sends a message now @param destination rank it goes to @param now ps
    void OccupyRoute(uint32_t source, uint32_t destination, int64_t now);
    /// @param source rank that sent a message @param destination rank it has reached
    void VacateRoute(uint32_t source, uint32_t destination);

  private:
    /// Links of a rank in a dimension.
    struct Slot
    {
        uint32_t nMessages{0}; ///< uses by messages
        uint32_t nHolders{0};  ///< computed collectives
        Holder* last{nullptr}; ///< the last of them to come, unless it has gone; if there are
                               ///< several, all know that they overlap
    };

    /// @param rank whose @param dimension which @return its slot
    std::size_t GetIndex(uint32_t rank, uint32_t dimension) const;
    /// @param link index @return its slot
    std::size_t GetIndexOfLink(uint32_t link) const;
    /// @param slot of links @param now ps @return whether something uses them
    static bool IsUsed(const Slot& slot, int64_t now);
    /// @param slot something comes to @param now ps; tells the holder @return IsUsed
    static bool Disturb(Slot& slot, int64_t now);

    std::shared_ptr<const LinkGraph> m_graph; ///< network
    std::vector<Slot> m_slots;                ///< by dimension and rank
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PHASE_CLAIMS_H
