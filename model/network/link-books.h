/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_BOOKS_H
#define ML_CLUSTER_LINK_BOOKS_H

#include "link-queue.h"
#include "link-usage.h"

#include "ns3/link-graph.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What whole messages make of the links of a graph: what each link has to send, and until when that
 * keeps it busy. A link never rests while a message waits for it, so that this does not depend on
 * the order in which it serves them.
 */
class LinkBooks
{
  public:
    /// @param graph the links @param isShared whether a link sends one message after the other;
    /// otherwise all at once
    LinkBooks(std::shared_ptr<const LinkGraph> graph, bool isShared);

    /// @param link index @return when it is through with all it has to send, ps; 0 if not shared
    int64_t GetFreeAt(uint32_t link) const;

    /// @param link index @return what it has to send
    const LinkQueue& GetQueue(uint32_t link) const;

    /**
     * @param link index
     * @param durationPs time a message holds the link, ps
     * @param nowPs now, ps
     * @return when the message may start, which waits for the link and is its next: now, or behind
     * messages whose times were computed, ps
     */
    int64_t GetTurn(uint32_t link, int64_t durationPs, int64_t nowPs) const;

    /**
     * Enters messages whose times on the link were computed.
     * @param link index
     * @param bytes of all of them
     * @param busyPs time they hold the link, ps
     * @param queue the link's queue behind them
     */
    void Enter(uint32_t link, uint64_t bytes, int64_t busyPs, const LinkQueue& queue);

    /**
     * Enters a message that a link has to send from now on.
     * @param link index
     * @param bytes of the message
     * @param durationPs time it holds the link, ps
     * @param nowPs now, ps
     * @throw InputError if the link would be busy for longer than time can be counted
     */
    void Book(uint32_t link, uint64_t bytes, int64_t durationPs, int64_t nowPs);

    /**
     * @param nowPs now, ps
     * @return what every link carried so far. A message's bytes count as sent evenly over the time
     * it holds the link; maxQueueBytes is the longest time a link had to send, in bytes at its
     * rate: exact but for the rounding of each message to 1 ps; 0 if not shared. Of messages
     * entered with computed times those that are still to come count as sent just before the link
     * is free
     */
    std::vector<LinkUsage> GetUsage(int64_t nowPs) const;

    /// @return memory of a link, bytes
    static constexpr std::size_t GetBytesPerLink()
    {
        return sizeof(LinkState);
    }

  private:
    /// A directed link's books.
    struct LinkState
    {
        LinkQueue queue;      ///< what it has to send; empty if not shared
        int64_t heldFrom{0};  ///< from here on it is held for messages with computed times, ps
        int64_t heldUntil{0}; ///< to here
        int64_t busy{0};      ///< sum over messages, ps
        uint64_t bytes{0};    ///< sum over messages
    };

    std::shared_ptr<const LinkGraph> m_graph; ///< the links
    bool m_isShared;                          ///< whether messages wait for each other
    std::vector<LinkState> m_links;           ///< by link
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_BOOKS_H
