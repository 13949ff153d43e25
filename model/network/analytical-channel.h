/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ANALYTICAL_CHANNEL_H
#define ML_CLUSTER_ANALYTICAL_CHANNEL_H

#include "link-books.h"
#include "network-backend.h"
#include "priority-line.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Computes the time of whole messages instead of moving packets.
 *
 * Where messages share no link, a message of m bytes takes
 *
 *     T = sum of the latencies of its links + m / (rate of its slowest link).
 *
 * Congestion=Links (default): every directed link of the route serves messages first come, first
 * served, in the order in which their heads reach it, cut-through. For a head that reaches link
 * k, whose turn comes when the link is free at f_k, at t:
 *
 *     start = max(t, f_k)
 *     f_k = start + m / B_k                                (the link is busy for m / B_k)
 *     head at the next vertex = start + latency_k
 *     tail leaves = max(start + m / B_k, tail arrived)     (not before it came)
 *
 * and the message has arrived a latency after its tail left the last link. So no link ever
 * carries more than its rate. Congestion=None: no message waits (ASTRA-sim's congestion-unaware
 * network). ForwardWhole: a message is stored whole at each vertex, so each hop takes latency_k +
 * m / B_k (its congestion-aware network).
 *
 * Where messages wait at their source for their first link, the one of largest priority goes next,
 * first come, first served among equals; the one being sent is not interrupted. A message that the
 * source forwards waits among them as one of priority 0. At switches priorities do not count.
 *
 * m / B_k is rounded up to 1 ps once per message and link. Heads that reach a link at the same
 * moment are served in the order in which they were served at their links before, or were sent, so
 * that messages of a pair keep their order and runs repeat; with Congestion=None messages
 * that arrive at the same moment do so in the order they were sent. A message of 0 bytes has its
 * turn at each link like any other, and takes its latencies.
 *
 * Granularity=Phase: PhaseRendezvous, above, computes whole collectives by the same arithmetic
 * (LinkQueue) and enters what they send into the books of the links. Where it would not give the
 * times of messages, collectives run by messages as ever. It is refused where something is attached
 * to the network (GraphAttachment), whose messages it does not know.
 *
 * Left out: headers, acknowledgements, windows, loss, the grain of packets (a message holds
 * a link until it is through; packets of several messages would share it).
 */
class AnalyticalChannel : public NetworkBackend
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    AnalyticalChannel();
    ~AnalyticalChannel() override;

    /**
     * @copydoc NetworkBackend::Build
     * Reads the attributes; changes after it have no effect.
     */
    void Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer& npus) override;

    std::unique_ptr<const MessageCosts> GetCosts(
        std::shared_ptr<const LinkGraph> graph) const override;
    /// @return what every link carried so far, as LinkBooks says
    std::vector<LinkUsage> GetLinkUsage() const override;
    std::string Describe() const override;
    /// @return the books if Granularity was Phase at Build
    LinkBooks* GetPhaseBooks() override;
    /// @return whether Congestion is Links; false if Rounding=DownNanosecond, which gives away up
    /// to 1 ns per message
    bool IsSharing() const override;

  protected:
    void DoDispose() override;
    std::optional<int64_t> DoSend(const NetworkMessage& message) override;

  private:
    class Flight;

    /// What attributes say.
    struct Rules
    {
        bool queues{true};          ///< whether Congestion is Links
        bool roundsDown{false};     ///< whether Rounding is DownNanosecond
        bool computesPhases{false}; ///< whether Granularity is Phase
    };

    /// @param graph what exists @return the attributes as they are @throw InputError if they do not
    /// fit together, or to that
    Rules ReadRules(const LinkGraph& graph) const;

    /// A link for which messages wait, or whose last message has not been told to have left.
    struct BusyLink
    {
        PriorityLine<Ptr<Flight>> line; ///< what waits
        Ptr<Flight> sending;            ///< what is being sent; null if its sender knows the end
    };

    /// @param flight takes all links of its route at once @return when its tail leaves, ps
    int64_t SendUnshared(Flight& flight);
    /// @param flight takes the next link of its route, or waits for it @return when its tail
    /// leaves, ps, if it need not wait
    std::optional<int64_t> Enter(const Ptr<Flight>& flight);
    /// @param flight starts to cross the link @param link index @param duration time it holds the
    /// link, ps @return when its tail leaves, ps
    int64_t Cross(Flight& flight, uint32_t link, int64_t duration);
    /// @param link index of a free one @param busy its entry @param flight starts to cross it
    void Serve(uint32_t link, BusyLink& busy, const Ptr<Flight>& flight);
    /// @param link index of a free one @param busy its entry; the first that waits starts to cross
    /// it, unless the link is held for messages with computed times, which go first
    void ServeNext(uint32_t link, BusyLink& busy);
    /// @param link index; the message it was sending has left
    void Release(uint32_t link);
    /// @param link index @param timePs when to release it, absolute, ps
    void ScheduleRelease(uint32_t link, int64_t timePs);
    /// @param flight has reached the next vertex
    void Proceed(const Ptr<Flight>& flight);
    /// @param flight reaches its next vertex then @param timePs absolute, ps
    void ScheduleNext(Flight& flight, int64_t timePs);

    /**
     * @param latency ps
     * @param bytes size
     * @param bitRate bit/s
     * @return latency + bytes / rate, rounded as Rounding says, ps
     * @throw InputError if that does not fit
     */
    int64_t GetDuration(int64_t latency, uint64_t bytes, uint64_t bitRate) const;

    std::string m_congestion;  ///< Congestion
    bool m_forwardWhole;       ///< ForwardWhole
    bool m_firstDimensionOnly; ///< FirstDimensionOnly
    std::string m_rounding;    ///< Rounding
    std::string m_granularity; ///< Granularity

    Rules m_rules;                    ///< the attributes at Build
    std::optional<LinkBooks> m_books; ///< of the links
    std::vector<uint32_t> m_contexts; ///< by vertex: the node an event there belongs to
    std::unordered_map<uint32_t, BusyLink> m_busy; ///< links that will be released
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ANALYTICAL_CHANNEL_H
