/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_EXCHANGE_H
#define ML_CLUSTER_PARITY_EXCHANGE_H

#include "parity-phase-run.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One rank's part of one chunk phase: ASTRA-sim's message machine, which runs its ring, direct
 * and halving-doubling algorithms alike.
 *
 * A packet is prepared for each place of the window W at the start, and for each message received.
 * It is ready after the endpoint delay, plus the reduction if it stands for one. A ready packet is
 * a credit: with it the oldest packet not yet sent goes out, and a receive of the same size is
 * posted. The phase ends when all messages are sent and all credits are back. With N ranks and D
 * bytes entering (divisions are whole):
 *
 * - ring: W = 1; messages of D/N (all-gather: D) to the next rank; N-1 of them, all-reduce 2(N-1),
 *   all-to-all N(N-1)/2, since each message is passed on by neighbours;
 * - direct: W = N-1 or as configured; messages of D/N (all-gather: D) to the ranks at ring
 *   distance 1, 2, ...; N-1 of them, all-reduce 2(N-1), whose second half waits until N-1 messages
 *   are received, reduced or not;
 * - halving-doubling: W = 1; messages of D/2, D/4, ... to the partners at distance 1, 2, 4, ...;
 * log N of them; all-gather D, 2D, ... at distance N/2, N/4, ...; all-reduce one after the other.
 *
 * Packets stand for reductions in rounds: the first W of a round do not, the next ones do if the
 * operation is a reduce-scatter, or an all-reduce in its first, third, ... round. How many these
 * are and what it leads to is kept as it is there, because the numbers depend on it:
 * halving-doubling takes one reduction too few and counts each with the size of the next message;
 * windowed direct reduces in every other window; direct in a sub-group reduces in its gather half
 * as well.
 */
class ParityExchange : public ParityPhaseRun
{
  public:
    /**
     * @param endpoint the rank
     * @param task what to do
     * @param finished called once at the end, from within an event of this object; may destroy it
     */
    ParityExchange(const Endpoint& endpoint, const Task& task, std::function<void()> finished);

    void Start() override;

  private:
    /// A message to be sent, and the one expected in return.
    struct Packet
    {
        uint32_t to;    ///< rank sent to
        uint32_t from;  ///< rank received from
        uint64_t bytes; ///< size of both
    };

    /// Sets message size and peers of the first packet, and how many messages there are.
    void Prepare();
    /// Prepares a packet, as after a message received.
    void Insert();
    /// A packet is ready: one more credit.
    void Ready();
    /// Sends the oldest packet if there are a packet, a message left and a credit.
    void TrySend();
    /// Makes peers and size those of the next packet.
    void Advance();
    /// Halving-doubling: makes the partner that of the current distance.
    void TakePartner();
    /// @param steps positions to go on, at most the ring's size @param forward in the ring's
    /// direction @return rank there
    uint32_t GetNeighbour(uint32_t steps, bool forward) const;

    std::deque<Packet> m_packets;  ///< prepared, not sent
    uint64_t m_messageBytes{0};    ///< size of the next packet
    uint32_t m_toSteps{1};         ///< direct: ring distance of the next peer
    uint32_t m_distance{1};        ///< halving-doubling: distance of the partner
    bool m_doubling{false};        ///< halving-doubling: messages grow, distances shrink
    uint32_t m_to{0};              ///< rank of the next packet's receiver
    uint32_t m_from{0};            ///< rank of the next packet's sender
    uint64_t m_messagesLeft{0};    ///< still to be sent
    uint64_t m_window{1};          ///< packets prepared at the start
    uint64_t m_credits{0};         ///< packets ready, not used for a message
    uint64_t m_received{0};        ///< messages received
    uint64_t m_unreduced{0};       ///< packets of this round yet to come without reduction
    uint64_t m_reduced{0};         ///< then those with reduction
    uint64_t m_reducedPerRound{0}; ///< how many of the latter a round has
    bool m_oddRound{false};        ///< toggled at each round; all-reduce reduces in odd ones
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_EXCHANGE_H
