/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_MEMORY_POOL_H
#define ML_CLUSTER_NETWORK_MEMORY_POOL_H

#include "memory-pool-access.h"
#include "memory-pool-layout.h"
#include "memory-pool-model.h"
#include "memory-pool-rounds.h"
#include "memory-queues.h"

#include "ns3/network-backend.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A memory pool that is part of the network: its groups and out-node switches are attached to the
 * switches of dimension 0, which are the in-node switches, and every access is messages through
 * them. So accesses share the links of dimension 0 with collectives, in whatever way the backend
 * shares links.
 *
 * An access is cut into rounds, and a round into one message for each link between groups and
 * out-node switches, as MemoryPoolLayout says. The memory of a group serves one share of a round at
 * a time, first come, first served, loads and stores; then its latency passes. A load has one round
 * at a time at each memory, and each share goes on at once; a store has one round at a time in its
 * NPU's link, and is written as messages arrive. The access ends when all bytes have.
 *
 * Left out: accesses that are gathered or reduced in switches, and limits of what switches do.
 */
class NetworkMemoryPool : public MemoryPoolModel, private MessageEndpoint
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    NetworkMemoryPool();
    ~NetworkMemoryPool() override;

    /**
     * @copydoc MemoryModel::Attach
     * GpusPerNode, GpuLinkBandwidth and GpuLinkLatency are those of dimension 0, which must be a
     * Switch of at least 2; where attributes are not 0 and say otherwise, that is a problem.
     */
    GraphAttachment Attach(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    /// @copydoc MemoryModel::Connect
    void Connect(const Ptr<NetworkBackend>& backend, const LinkGraph& graph) override;
    /**
     * Looks for accesses that a pool could fuse with collectives, and does what
     * MemoryModel::Prepare does.
     * @param workload see MemoryModel::Prepare
     * @param diagnostics receives problems
     */
    void Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                 Diagnostics& diagnostics) override;
    /// @copydoc MemoryModel::CountCosts
    AccessCosts CountCosts(const ClusterWorkload& workload,
                           const MessageCosts& messages) const override;
    /// @copydoc MemoryModel::GetRemarks
    std::vector<std::string> GetRemarks() const override;
    /// @copydoc MemoryModel::GetUsage
    std::vector<MemoryUsage> GetUsage() const override;
    /**
     * @copydoc MemoryModel::Access
     * @throw InputError if Connect was not called
     */
    void Access(const MemoryRequest& request, std::function<void()> done) override;

  protected:
    void DoDispose() override;

  private:
    /// An access under way.
    struct Transfer
    {
        MemoryRequest request;      ///< what is accessed
        MemoryPoolRounds rounds;    ///< sizes of rounds
        MemoryPoolLayout layout;    ///< bytes of each link
        std::function<void()> done; ///< called at its end
        uint64_t remaining;         ///< bytes that have not come to their end
        uint64_t round{0};          ///< of a store: the one that is leaving the NPU
        uint32_t nLeaving{0};       ///< messages of it that have not left

        /// @param index of a round @return it
        MemoryPoolLayout::Round GetRound(uint64_t index) const;
    };

    void MessageLeft(const NetworkMessage& message) override;
    void MessageArrived(const NetworkMessage& message) override;

    /// @param topology the network @param diagnostics receives what attributes say against it
    void AdoptNodes(const ClusterTopology& topology, Diagnostics& diagnostics);
    /// @param diagnostics receives attributes that messages have no counterpart of
    void RefuseSwitchLimits(Diagnostics& diagnostics) const;
    /// @param group a memory @param bytes it is to serve @return when it is through, ps
    int64_t Serve(uint32_t group, uint64_t bytes);
    /// @param number of a load @param group a memory @param round its next one there
    void Read(uint64_t number, uint32_t group, uint64_t round);
    /// @param number of a load @param group a memory @param round that it has given
    void SendLoad(uint64_t number, uint32_t group, uint64_t round);
    /// @param number of a store; sends its round
    void SendStore(uint64_t number);
    /// @param number of a store, of which a message has left its NPU
    void StoreLeft(uint64_t number);
    /// @param number of an access @param transfer it @param group a memory @param outSwitch an
    /// out-node switch @param round a round @return the message between them; it may have 0 bytes
    NetworkMessage MakeMessage(uint64_t number,
                               const Transfer& transfer,
                               uint32_t group,
                               uint32_t outSwitch,
                               uint64_t round) const;
    /// @param number of an access @param bytes of it that have come to their end
    void Finish(uint64_t number, uint64_t bytes);

    Ptr<NetworkBackend> m_backend;            ///< network, after Connect
    uint32_t m_firstEnd{0};                   ///< vertex of the first group and out-node switch
    std::optional<MemoryQueues> m_memories;   ///< of groups, after Connect
    std::map<uint64_t, Transfer> m_transfers; ///< by number
    uint64_t m_nAccesses{0};                  ///< so far: the next number
    std::vector<MemoryUsage> m_usage;         ///< so far: memories, then links by layer
    std::vector<std::string> m_remarks;       ///< GetRemarks
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_MEMORY_POOL_H
