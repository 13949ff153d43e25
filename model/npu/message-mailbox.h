/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MESSAGE_MAILBOX_H
#define ML_CLUSTER_MESSAGE_MAILBOX_H

#include "ns3/network-message.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Who waits for a message.
 */
class MessageReceiver
{
  public:
    virtual ~MessageReceiver() = default;
    /**
     * @param cookie what the receiver gave to Expect
     * @param message the message that matched
     */
    virtual void Received(uint64_t cookie, const NetworkMessage& message) = 0;
};

/**
 * @ingroup ml-cluster
 * Matches the messages that reach one rank with the receives posted there, by (peer, tag, order),
 * whichever comes first. Done once, above all backends. One hash lookup per message and side.
 * A running collective matches its own (see CollectiveExecutor): only those of its messages come
 * here that are early.
 */
class MessageMailbox
{
  public:
    /// A receive that waits for its message.
    struct Expectation
    {
        uint32_t source;           ///< rank that is to send
        MessageTag tag;            ///< tag it must carry
        uint64_t bytes;            ///< size it must have
        uint64_t nodeId;           ///< the receiver's graph node
        MessageReceiver* receiver; ///< told when it arrives
        uint64_t cookie;           ///< handed to the receiver
    };

    /// @param rank the rank that owns the mailbox, for messages to the user
    explicit MessageMailbox(uint32_t rank);

    /**
     * Posts a receive; tells the receiver at once if the message is there already.
     * @param expectation what is waited for
     * @throw InputError naming both nodes if the message has another size
     */
    void Expect(const Expectation& expectation);

    /**
     * Takes a message that arrived.
     * @param message the message
     * @throw InputError naming both nodes if a receive waits for another size
     */
    void Arrive(const NetworkMessage& message);

    /**
     * Takes out a message that has arrived, for a receive that is not posted here if it has not.
     * @param source rank that sent it
     * @param tag its tag
     * @return the message, if it is there
     */
    std::optional<NetworkMessage> Take(uint32_t source, const MessageTag& tag);

    /**
     * @param message a message to this rank
     * @param bytes size that its receive expects
     * @param nodeId node of the receive
     * @throw InputError naming both nodes if the sizes differ
     */
    void CheckSize(const NetworkMessage& message, uint64_t bytes, uint64_t nodeId) const;

    /// @param nodeId a graph node @return ranks whose messages its receives wait for, ascending
    std::vector<uint32_t> GetAwaitedRanks(uint64_t nodeId) const;

  private:
    /// Source and tag.
    struct Key
    {
        uint32_t source; ///< rank that sends
        MessageTag tag;  ///< tag

        /// @param o another @return whether both parts are equal
        bool operator==(const Key& o) const
        {
            return source == o.source && tag == o.tag;
        }
    };

    /// Hash of a key.
    struct KeyHash
    {
        /// @param key a key @return its hash
        std::size_t operator()(const Key& key) const;
    };

    uint32_t m_rank;                                            ///< owner
    std::unordered_map<Key, Expectation, KeyHash> m_expected;   ///< receives without message
    std::unordered_map<Key, NetworkMessage, KeyHash> m_arrived; ///< messages without receive
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MESSAGE_MAILBOX_H
