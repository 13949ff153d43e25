/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "per-npu-memory-model.h"

#include "ns3/diagnostics.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterPerNpuMemoryModel");
NS_OBJECT_ENSURE_REGISTERED(PerNpuMemoryModel);

TypeId
PerNpuMemoryModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::PerNpuMemoryModel")
            .SetParent<MemoryModel>()
            .SetGroupName("MlCluster")
            .AddConstructor<PerNpuMemoryModel>()
            .AddAttribute("Latency",
                          "Time of an access of 0 bytes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PerNpuMemoryModel::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Bandwidth",
                          "Rate of an NPU's remote memory; 0bps: there is no remote memory.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&PerNpuMemoryModel::m_bandwidth),
                          MakeDataRateChecker());
    return tid;
}

PerNpuMemoryModel::PerNpuMemoryModel() = default;

PerNpuMemoryModel::~PerNpuMemoryModel() = default;

void
PerNpuMemoryModel::Access(uint32_t rank, uint64_t bytes, bool isStore, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << rank << bytes << isStore);
    if (m_bandwidth.GetBitRate() == 0)
    {
        throw InputError("rank " + std::to_string(rank) +
                         " accesses remote memory, and there is none: set the attribute "
                         "ns3::mlcluster::PerNpuMemoryModel::Bandwidth, for example to 800Gbps");
    }
    if (!m_queues)
    {
        m_queues.emplace(m_bandwidth.GetBitRate(), m_latency.GetPicoSeconds());
    }
    const Time now = Simulator::Now();
    const int64_t end = m_queues->Book(rank, bytes, now.GetPicoSeconds());
    Simulator::Schedule(PicoSeconds(end) - now, std::move(done));
}

} // namespace mlcluster
} // namespace ns3
