/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_MESSAGE_H
#define ML_CLUSTER_NETWORK_MESSAGE_H

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a receive is matched by, beside the peer. Equal at both ends.
 */
struct MessageTag
{
    /// 0: send and receive nodes of the trace; otherwise 1 + instance of the collective.
    uint64_t context{0};
    /// context 0: tag of the trace; otherwise chunk, phase and tag of the transfer (see
    /// CollectiveExecutor).
    uint64_t index{0};
    /// context 0: how many messages of this peer and tag came before; otherwise position of the
    /// sender in the phase's group.
    uint64_t order{0};

    /// @param o another @return whether all parts are equal
    bool operator==(const MessageTag& o) const
    {
        return context == o.context && index == o.index && order == o.order;
    }
};

/**
 * @ingroup ml-cluster
 * What a message that ends in a switch asks of it (see SwitchReducer).
 */
struct SwitchRequest
{
    uint32_t nMembers{0};    ///< messages with its tag that the switch waits for; 0: none is asked
    uint64_t answerBytes{0}; ///< size of the message that it sends back

    /// @param o another @return whether all parts are equal
    bool operator==(const SwitchRequest& o) const
    {
        return nMembers == o.nMembers && answerBytes == o.answerBytes;
    }
};

/**
 * @ingroup ml-cluster
 * One message between two NPUs, or between an NPU and a switch or attached end. It travels whole to
 * the receiver's endpoint, in whatever way the backend models the wire.
 */
struct NetworkMessage
{
    uint32_t source{0};       ///< rank that sends, or other vertex (see LinkGraph)
    uint32_t destination{0};  ///< rank or other vertex that receives, not the source
    uint64_t bytes{0};        ///< payload, bytes; 0 is a message of latency only
    MessageTag tag;           ///< what the receive is matched by
    uint64_t nodeId{0};       ///< id of the sender's graph node, for error messages
    int32_t priority{0};      ///< larger goes first where messages wait at their source
    SwitchRequest atSwitch{}; ///< what the switch is to do, if it goes to one
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_MESSAGE_H
