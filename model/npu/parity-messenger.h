/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_MESSENGER_H
#define ML_CLUSTER_PARITY_MESSENGER_H

#include "ns3/network-backend.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Sends and receives with ASTRA-sim's matching: by source, destination, tag and size, equal ones in
 * order. A send ends when its message has arrived, before the receive of the same
 * nanosecond; a receive posted after the arrival ends at once, as an event of its own.
 *
 * With rendezvous a receive first sends 8192 bytes to the sender, and the message starts when they
 * have arrived.
 *
 * Left out: the real ASTRA-sim takes tags modulo 500 000 000, so distant tags may be confused
 * there.
 */
class ParityMessenger : public MessageEndpoint
{
  public:
    using Action = std::function<void()>; ///< told that something happened

    /**
     * Connects all ranks.
     * @param network what carries the messages; equal messages of a pair must arrive in order
     * @param nRanks ranks of the network
     * @param rendezvous whether receivers ask for messages
     */
    ParityMessenger(Ptr<NetworkBackend> network, uint32_t nRanks, bool rendezvous);
    ~ParityMessenger() override;
    ParityMessenger(const ParityMessenger&) = delete;
    ParityMessenger& operator=(const ParityMessenger&) = delete;

    /**
     * @param message what to send
     * @param arrived called when it has arrived
     */
    void Send(const NetworkMessage& message, Action arrived);

    /**
     * @param message what is expected
     * @param received called when it has arrived
     */
    void Receive(const NetworkMessage& message, Action received);

    void MessageLeft(const NetworkMessage& message) override;
    void MessageArrived(const NetworkMessage& message) override;

  private:
    /// Messages that match each other.
    struct Key
    {
        uint32_t source;      ///< rank
        uint32_t destination; ///< rank
        uint64_t bytes;       ///< size
        MessageTag tag;       ///< tag
        /// @param o another @return whether all parts are equal
        bool operator==(const Key& o) const;
    };

    /// Hash of a key.
    struct KeyHash
    {
        /// @param key a key @return the hash
        std::size_t operator()(const Key& key) const;
    };

    /// What is under way for one key.
    struct Pending
    {
        std::deque<Action> sends;    ///< messages on the way, in order
        std::deque<Action> receives; ///< receives without a message yet
        uint64_t unclaimed{0};       ///< messages that arrived before their receive
    };

    /// @param message a message @return its key
    static Key MakeKey(const NetworkMessage& message);
    /// @param message a message @return the request its receiver sends for it
    static NetworkMessage MakeRequest(const NetworkMessage& message);
    /// @param message what to put on the network @param arrived called when it has arrived
    void Start(const NetworkMessage& message, Action arrived);
    /// @param message what is expected @param received called when it has arrived
    void Post(const NetworkMessage& message, Action received);

    Ptr<NetworkBackend> m_network;                       ///< carries messages
    uint32_t m_nRanks;                                   ///< ranks
    bool m_rendezvous;                                   ///< receivers ask
    std::unordered_map<Key, Pending, KeyHash> m_pending; ///< by key
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_MESSENGER_H
