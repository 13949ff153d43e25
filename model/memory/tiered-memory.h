/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TIERED_MEMORY_H
#define ML_CLUSTER_TIERED_MEMORY_H

#include "memory-model.h"
#include "tiered-bandwidth.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Tiers of memory beside accelerators, such as CPU memory and NVMe, behind a link such as a PCIe
 * (ZeRO-Infinity's kind: Rajbhandari et al., 2021). Tier k is MemoryLocation REMOTE + k; a tensor
 * whose location is not told lies in the first. An access of m bytes takes the time that its bytes
 * need, which is m / min(tier, link) if it is alone, and then the tier's latency. Accesses at once
 * share tiers and link max-min fairly (see TieredBandwidth), loads and stores alike.
 *
 * NpusPerMemory consecutive NPUs have one set of tiers and one link together. Left out: capacity of
 * tiers, and separate directions of the link.
 */
class TieredMemory : public MemoryModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    TieredMemory();
    ~TieredMemory() override;

    /// @copydoc MemoryModel::Build
    void Build(uint32_t nRanks) override;
    /**
     * Reports every value of the attributes that makes no memory, and what MemoryModel::Prepare
     * does. Their keys are those of experiment files, "cluster.memory.tiered.bandwidth".
     * @param workload see MemoryModel::Prepare
     * @param diagnostics receives problems
     */
    void Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                 Diagnostics& diagnostics) override;
    /// @copydoc MemoryModel::GetObstacle
    std::string GetObstacle(uint32_t location) const override;
    /// @copydoc MemoryModel::CountCosts
    AccessCosts CountCosts(const ClusterWorkload& workload,
                           const MessageCosts& messages) const override;
    /// @copydoc MemoryModel::GetUsage
    std::vector<MemoryUsage> GetUsage() const override;
    /**
     * @copydoc MemoryModel::Access
     * @throw InputError if Prepare was not called or has found problems, or the access takes longer
     * than time can be counted
     */
    void Access(const MemoryRequest& request, std::function<void()> done) override;

  protected:
    void DoDispose() override;

  private:
    /// A tier.
    struct Tier
    {
        std::string name;      ///< of the tier
        uint64_t bitRate{0};   ///< bit/s
        int64_t latencyPs{0};  ///< of an access, ps
        MemoryUsage usage{""}; ///< so far
    };

    /// An access whose bytes are under way.
    struct Running
    {
        int64_t latencyPs;          ///< of its tier, ps
        std::function<void()> done; ///< to be called
    };

    /// The memory of some NPUs.
    struct Place
    {
        TieredBandwidth bandwidth;           ///< tiers and link
        std::map<uint64_t, Running> running; ///< by number of the transfer
        EventId next{};                      ///< the next end
        int64_t nextPs{-1};                  ///< when that is, ps; -1: it is not scheduled
    };

    /// @param diagnostics receives what is wrong with names and the number of NPUs of a memory
    void CheckAttributes(Diagnostics& diagnostics) const;
    /// @param diagnostics receives what is wrong @return the tiers, of use if nothing is
    std::vector<Tier> ReadTiers(Diagnostics& diagnostics) const;
    /// @param place where an access ends now or has begun; schedules what comes next
    void Await(uint32_t place);
    /// @param place where transfers may have ended now
    void TakeEnds(uint32_t place);
    /// @param place where a transfer ends now
    void Advance(uint32_t place);

    std::string m_names;         ///< Names
    std::string m_bandwidths;    ///< Bandwidths
    std::string m_latencies;     ///< Latencies
    DataRate m_linkBandwidth;    ///< LinkBandwidth
    uint32_t m_npusPerMemory;    ///< NpusPerMemory
    uint32_t m_nRanks{0};        ///< NPUs, after Build
    std::vector<Tier> m_tiers;   ///< after Prepare
    std::vector<Place> m_places; ///< likewise
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TIERED_MEMORY_H
