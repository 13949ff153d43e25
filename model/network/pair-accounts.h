/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PAIR_ACCOUNTS_H
#define ML_CLUSTER_PAIR_ACCOUNTS_H

#include "network-message.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Counts messages and bytes of every ordered pair of vertices at both ends: what was sent in the
 * book of the sender, what arrived in that of the receiver. A book is an open-addressed table by
 * peer, so that an entry costs one or two cache lines, next to those of the rank that acts.
 */
class PairAccounts
{
  public:
    /// An ordered pair whose accounts are open.
    struct OpenPair
    {
        uint32_t source;      ///< rank that sends
        uint32_t destination; ///< rank that receives
        int64_t messages;     ///< sent less arrived
        int64_t bytes;        ///< sent less arrived
    };

    /// @param nVertices ranks and switches; their books are empty
    explicit PairAccounts(uint32_t nVertices = 0);

    /// @param message enters the book of its source
    void Sent(const NetworkMessage& message);
    /// @param message enters the book of its destination
    void Arrived(const NetworkMessage& message);

    /// @return the pairs for which sent and arrived differ, in order
    std::vector<OpenPair> GetOpenPairs() const;

    /// @param peers that a rank sends to or receives from @return memory of its book
    static uint64_t GetBookBytes(uint64_t peers);

  private:
    static constexpr uint32_t NO_PEER = UINT32_MAX; ///< peer of an empty entry

    /// What a rank sent to a peer, and what arrived from there.
    struct Entry
    {
        uint32_t peer{NO_PEER};      ///< the other rank
        uint32_t messagesSent{0};    ///< to the peer
        uint32_t messagesArrived{0}; ///< from the peer
        uint64_t bytesSent{0};       ///< to the peer
        uint64_t bytesArrived{0};    ///< from the peer
    };

    /// The table of one rank; its size is a power of two.
    struct Book
    {
        std::vector<Entry> entries; ///< by hash of the peer, then the next free
        uint32_t nPeers{0};         ///< entries used, at most 3/4
    };

    /// @param book a book, not full @param peer a rank @return the index of its entry, or of the
    /// empty one where it belongs
    static std::size_t Find(const Book& book, uint32_t peer);
    /// @param rank a rank @param peer another @return the entry, made on first use
    Entry& Get(uint32_t rank, uint32_t peer);
    /// @param rank a rank @param peer another @return the entry; an empty one if there is none
    Entry Look(uint32_t rank, uint32_t peer) const;
    /// @param book receives twice the room
    static void Grow(Book& book);

    std::vector<Book> m_books; ///< by vertex
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PAIR_ACCOUNTS_H
