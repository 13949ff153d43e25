/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pair-accounts.h"

#include "ns3/memory-size.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t FIRST_SIZE = 8; ///< entries of a book at first

} // namespace

PairAccounts::PairAccounts(uint32_t nVertices)
    : m_books(nVertices)
{
}

void
PairAccounts::Sent(const NetworkMessage& message)
{
    Entry& entry = Get(message.source, message.destination);
    ++entry.messagesSent;
    entry.bytesSent += message.bytes;
}

void
PairAccounts::Arrived(const NetworkMessage& message)
{
    Entry& entry = Get(message.destination, message.source);
    ++entry.messagesArrived;
    entry.bytesArrived += message.bytes;
}

std::size_t
PairAccounts::Find(const Book& book, uint32_t peer)
{
    const std::size_t mask = book.entries.size() - 1;
    std::size_t index = (peer * 0x9e3779b97f4a7c15ULL >> 32) & mask;
    while (book.entries[index].peer != peer && book.entries[index].peer != NO_PEER)
    {
        index = (index + 1) & mask;
    }
    return index;
}

PairAccounts::Entry&
PairAccounts::Get(uint32_t rank, uint32_t peer)
{
    Book& book = m_books[rank];
    if (book.entries.empty())
    {
        book.entries.resize(FIRST_SIZE);
    }
    std::size_t index = Find(book, peer);
    if (book.entries[index].peer == NO_PEER)
    {
        if (4 * (book.nPeers + 1) > 3 * book.entries.size())
        {
            Grow(book);
            index = Find(book, peer);
        }
        ++book.nPeers;
        book.entries[index].peer = peer;
    }
    return book.entries[index];
}

void
PairAccounts::Grow(Book& book)
{
    std::vector<Entry> old(2 * book.entries.size());
    std::swap(old, book.entries);
    for (const Entry& entry : old)
    {
        if (entry.peer != NO_PEER)
        {
            book.entries[Find(book, entry.peer)] = entry;
        }
    }
}

uint64_t
PairAccounts::GetBookBytes(uint64_t peers)
{
    uint64_t size = peers > 0 ? FIRST_SIZE : 0;
    while (4 * peers > 3 * size)
    {
        size *= 2;
    }
    return sizeof(Book) + GetHeapBytes(size * sizeof(Entry));
}

PairAccounts::Entry
PairAccounts::Look(uint32_t rank, uint32_t peer) const
{
    const Book& book = m_books[rank];
    return book.entries.empty() ? Entry() : book.entries[Find(book, peer)];
}

std::vector<PairAccounts::OpenPair>
PairAccounts::GetOpenPairs() const
{
    std::vector<OpenPair> open;
    const auto compare =
        [&open](uint32_t source, uint32_t destination, const Entry& sender, const Entry& receiver) {
            const auto messages =
                static_cast<int32_t>(sender.messagesSent - receiver.messagesArrived);
            const auto bytes = static_cast<int64_t>(sender.bytesSent - receiver.bytesArrived);
            if (messages != 0 || bytes != 0)
            {
                open.push_back({source, destination, messages, bytes});
            }
        };
    for (uint32_t rank = 0; rank < m_books.size(); ++rank)
    {
        for (const Entry& entry : m_books[rank].entries)
        {
            if (entry.peer == NO_PEER)
            {
                continue;
            }
            const Entry other = Look(entry.peer, rank);
            compare(rank, entry.peer, entry, other);
            if (other.peer == NO_PEER)
            {
                compare(entry.peer, rank, other, entry);
            }
        }
    }
    std::sort(open.begin(), open.end(), [](const OpenPair& a, const OpenPair& b) {
        return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
    });
    return open;
}

} // namespace mlcluster
} // namespace ns3
