/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MESSAGE_COSTS_H
#define ML_CLUSTER_MESSAGE_COSTS_H

#include "ns3/count-range.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/// What a message costs to simulate. @ingroup ml-cluster
struct MessageCost
{
    CountRange events;     ///< of the network, until it has arrived and its sender knows it left
    LargeCount packets;    ///< it is cut into; 0 if the network has none
    LargeCount packetHops; ///< links that these cross, acknowledgements left out
};

/**
 * @ingroup ml-cluster
 * What the messages of a NetworkBackend cost to simulate, told before anything is simulated.
 */
class MessageCosts
{
  public:
    /// How a sender learns when a message has left it (see NetworkBackend::Send).
    enum class Leaving
    {
        Known,       ///< when it sends: an event of the sender's, if it waits for that
        KnownIfFree, ///< likewise if its first link is free, else by an event of the network
        Told         ///< by an event of the network
    };

    /// Memory that a network takes.
    struct Memory
    {
        uint64_t setupBytes;   ///< before the first message
        uint64_t pairBytes;    ///< of each pair of NPUs that send to each other, one way
        uint64_t messageBytes; ///< of a message on its way and its packets
    };

    /// @param memory of the network
    explicit MessageCosts(const Memory& memory)
        : m_memory(memory)
    {
    }

    virtual ~MessageCosts() = default;

    /// @param source a rank, or switch that reduces @param destination another, which it can reach
    /// @param bytes size @return what it costs
    virtual MessageCost GetCost(uint32_t source, uint32_t destination, uint64_t bytes) const = 0;
    /// @return how senders learn that messages have left
    virtual Leaving GetLeaving() const = 0;
    /// @return events of the network before the first message
    virtual uint64_t GetSetupEvents() const = 0;
    /// @return whether collectives may be computed phase by phase
    virtual bool ComputesPhases() const = 0;

    /// @return memory of the network
    const Memory& GetMemory() const
    {
        return m_memory;
    }

  private:
    Memory m_memory; ///< of the network
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MESSAGE_COSTS_H
