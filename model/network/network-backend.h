/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_BACKEND_H
#define ML_CLUSTER_NETWORK_BACKEND_H

#include "link-usage.h"
#include "message-costs.h"
#include "network-message.h"
#include "pair-accounts.h"

#include "ns3/channel.h"
#include "ns3/link-graph.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class LinkBooks;

/**
 * @ingroup ml-cluster
 * One rank's, one switch's, or one attached end's side of the network: told what left and what
 * arrived. Implemented above the backend. Ranks are not told of messages from and to attached ends
 * (see GraphAttachment), which are told of them at both ends: a rank does not match them with
 * receives.
 */
class MessageEndpoint
{
  public:
    virtual ~MessageEndpoint() = default;
    /// @param message a message sent by this rank whose last byte has left it now, if Send did not
    /// know when it would
    virtual void MessageLeft(const NetworkMessage& message) = 0;
    /// @param message a message to this rank whose last byte has arrived
    virtual void MessageArrived(const NetworkMessage& message) = 0;
};

/**
 * @ingroup ml-cluster
 * What NPUs send messages through: the one interface of all network models. It is an ns3::Channel,
 * the medium that all NPUs share, chosen by its TypeId's name.
 *
 * A backend delivers every message exactly once and never drops one. Sends to one destination may
 * overtake each other unless the backend says otherwise; receives are matched above it (by peer,
 * tag and order).
 */
class NetworkBackend : public Channel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    NetworkBackend();
    ~NetworkBackend() override;

    /**
     * Creates the network. Called once, before the simulation starts; calls SetGraph.
     * @param graph what exists
     * @param npus one node per rank, by rank
     * @throw InputError if the parameters do not fit together, or as SetGraph
     */
    virtual void Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer& npus) = 0;

    /**
     * Connects a rank, a switch that reduces in the network, or an attached end.
     * @param vertex the rank, or number of the switch or end (see LinkGraph)
     * @param endpoint told of its messages; must outlive the simulation run; null disconnects
     * @throw InputError if messages cannot end there
     */
    void SetEndpoint(uint32_t vertex, MessageEndpoint* endpoint);

    /**
     * Sends a message now. MessageArrived follows, never from within this call.
     * @param message the message; source and destination are connected and differ; one of them is
     *        a rank, the other may be a switch, whose member it is, or an attached end
     * @return when its last byte leaves its source, absolute, ps, if that is known already; if not,
     * MessageLeft follows, never from within this call
     * @throw InputError naming both otherwise
     */
    std::optional<int64_t> Send(const NetworkMessage& message);

    /// @return what every link of the graph carried so far, by link index
    virtual std::vector<LinkUsage> GetLinkUsage() const = 0;

    /**
     * Tells what messages would cost to simulate; Build is not needed for it.
     * @param graph what would exist
     * @return the costs with the attributes as they are; null if the model does not know
     * @throw InputError as Build
     */
    virtual std::unique_ptr<const MessageCosts> GetCosts(
        std::shared_ptr<const LinkGraph> graph) const;

    /// @return one line: the model's name and the parameters that shape its answer
    virtual std::string Describe() const = 0;

    /**
     * Checks that accounting closes: messages and bytes sent equal those received for every pair,
     * and, if IsSharing, no link was busy for longer than time has passed, nor carried more bytes
     * than its rate allows in the time it was busy. At the end of a run; in the midst of one,
     * messages on their way are reported too.
     * @return one line per violation, by pair, then by link; empty if all is well
     */
    std::vector<std::string> CheckAccounts() const;

    /// @return whether links are shared, so that more than their rate is a violation
    virtual bool IsSharing() const = 0;

    /// @return the books of the links, if the times of whole collectives may be computed and
    /// entered there instead of sending their messages; null if not
    virtual LinkBooks* GetPhaseBooks();
    /// @param messages sent and arrived at computed times; MessageSent and MessageArrived do not
    /// tell
    void CountComputed(uint64_t messages);

    uint64_t GetMessagesSent() const;    ///< @return messages handed to Send, or computed
    uint64_t GetMessagesArrived() const; ///< @return messages delivered, or computed

    /// @return devices on this channel: none, unless the backend has some
    std::size_t GetNDevices() const override;
    /// @param i index, below GetNDevices @return the device; null if there is none
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /**
     * TracedCallback signature of MessageSent and MessageArrived.
     * @param message the message
     */
    typedef void (*MessageTracedCallback)(const NetworkMessage& message);

  protected:
    void DoDispose() override;
    /// @param message what to send; starts the model's work @return as Send
    virtual std::optional<int64_t> DoSend(const NetworkMessage& message) = 0;
    /// @param message what left; tells the sender's endpoint
    void NotifyLeft(const NetworkMessage& message);
    /// @param message what arrived; accounts for it and tells the receiver's endpoint
    void NotifyArrived(const NetworkMessage& message);
    /// @return what exists
    const LinkGraph& GetGraph() const;
    /**
     * Called by Build.
     * @param graph what exists
     * @throw InputError if time is not counted in picoseconds, or the network exists already
     */
    void SetGraph(std::shared_ptr<const LinkGraph> graph);

  private:
    /// @param vertex a vertex @return whether an endpoint is there
    bool IsConnected(uint32_t vertex) const;
    /// @param vertex where a message is @param other its other end @return whose endpoint is told
    MessageEndpoint* GetEndpoint(uint32_t vertex, uint32_t other) const;
    /// @param vertex a vertex @return "rank 3" or "switch 1.0"
    std::string GetEndName(uint32_t vertex) const;
    /// @param violations receives one line per pair whose accounts do not close
    void CheckPairs(std::vector<std::string>& violations) const;
    /// @param violations receives one line per link that carried more than it can
    void CheckLinks(std::vector<std::string>& violations) const;

    std::shared_ptr<const LinkGraph> m_graph;             ///< what exists
    std::vector<MessageEndpoint*> m_endpoints;            ///< by vertex; null where not connected
    PairAccounts m_accounts;                              ///< what was sent and arrived, by pair
    uint64_t m_messagesSent{0};                           ///< count
    uint64_t m_messagesArrived{0};                        ///< count
    TracedCallback<const NetworkMessage&> m_sentTrace;    ///< MessageSent
    TracedCallback<const NetworkMessage&> m_arrivedTrace; ///< MessageArrived
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_BACKEND_H
