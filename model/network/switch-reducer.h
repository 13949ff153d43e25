/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SWITCH_REDUCER_H
#define ML_CLUSTER_SWITCH_REDUCER_H

#include "network-backend.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A switch that reduces and multicasts: the end of the messages that members of a collective send
 * it (see InNetworkAlgorithm), over any backend.
 *
 * It collects messages of equal context and index of their tags. When as many have arrived as each
 * of them says there are (SwitchRequest), it works on them for the processing time, and then
 * answers each with a message of the size that was asked for, of the same tag and priority; the
 * answer's order is the number of members, the position of the switch. It works on one set at a
 * time, those complete first come first. All it knows is what messages bring: no table is shared
 * with ranks.
 *
 * How many chunks are in it is bounded by the members: each has at most as many in flight as the
 * dimension has slots (InNetworkCapability), for every collective of its own, so that one
 * collective never waits for a slot that another holds, and none can deadlock.
 *
 * Left out: reduction while a message arrives. SHARP aggregates packet by packet; here a message is
 * reduced when it is whole, and only chunks overlap. Also left out: errors, limits on the size of
 * what a slot holds.
 */
class SwitchReducer : public MessageEndpoint
{
  public:
    /**
     * Connects itself to the backend, which must outlive it.
     * @param backend the network
     * @param vertex number of the switch
     * @param processingPs time it works on one set of messages, ps
     */
    SwitchReducer(NetworkBackend& backend, uint32_t vertex, int64_t processingPs);

    void MessageLeft(const NetworkMessage& message) override;
    void MessageArrived(const NetworkMessage& message) override;

  private:
    using Messages = std::vector<NetworkMessage>; ///< contributions, as they came
    using Key = std::pair<uint64_t, uint64_t>;    ///< context and index of a tag

    /// @param contributions of all members; sends the results
    void Answer(const Messages& contributions);

    NetworkBackend& m_backend;          ///< the network
    uint32_t m_vertex;                  ///< number of the switch
    int64_t m_processingPs;             ///< time for one set, ps
    int64_t m_freeAtPs{0};              ///< when it is done with all it has, ps
    std::map<Key, Messages> m_incoming; ///< sets that are not complete
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SWITCH_REDUCER_H
