/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queued-memory-model.h"

#include "ns3/diagnostics.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterQueuedMemoryModel");
NS_OBJECT_ENSURE_REGISTERED(QueuedMemoryModel);

TypeId
QueuedMemoryModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::QueuedMemoryModel")
            .SetParent<MemoryModel>()
            .SetGroupName("MlCluster")
            .AddConstructor<QueuedMemoryModel>()
            .AddAttribute("Latency",
                          "Time of an access of 0 bytes.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&QueuedMemoryModel::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Bandwidth",
                          "Rate of one remote memory; 0bps: there is no remote memory.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&QueuedMemoryModel::m_bandwidth),
                          MakeDataRateChecker())
            .AddAttribute("NpusPerMemory",
                          "Consecutive NPUs that share a remote memory, a divisor of their number; "
                          "1: each has its own; 0: one memory for all.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&QueuedMemoryModel::m_npusPerMemory),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

QueuedMemoryModel::QueuedMemoryModel() = default;

QueuedMemoryModel::~QueuedMemoryModel() = default;

void
QueuedMemoryModel::Build(uint32_t nRanks)
{
    NS_LOG_FUNCTION(this << nRanks);
    if (m_npusPerMemory != 0 && nRanks % m_npusPerMemory != 0)
    {
        throw InputError("ns3::mlcluster::QueuedMemoryModel::NpusPerMemory "
                         "(cluster.memory.npus-per-memory) is " +
                         std::to_string(m_npusPerMemory) + ", which does not divide the " +
                         std::to_string(nRanks) +
                         " NPUs; set it to a divisor, or to 0 for one memory of all");
    }
    if (m_bandwidth.GetBitRate() != 0)
    {
        m_queues.emplace(m_bandwidth.GetBitRate(),
                         m_latency.GetPicoSeconds(),
                         m_npusPerMemory == 0 ? MemoryQueues::ALL : m_npusPerMemory);
    }
}

std::string
QueuedMemoryModel::GetObstacle(uint32_t location) const
{
    return m_queues ? MemoryModel::GetObstacle(location)
                    : "there is no remote memory: set the attribute "
                      "ns3::mlcluster::QueuedMemoryModel::Bandwidth (cluster.memory.bandwidth), "
                      "for example to 800Gbps";
}

std::vector<MemoryUsage>
QueuedMemoryModel::GetUsage() const
{
    return {m_usage};
}

void
QueuedMemoryModel::Access(const MemoryRequest& request, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << request.rank << request.bytes << request.isStore);
    m_usage.Add(request);
    const Time now = Simulator::Now();
    const int64_t end = m_queues->Book(request.rank, request.bytes, now.GetPicoSeconds());
    Simulator::Schedule(PicoSeconds(end) - now, std::move(done));
}

} // namespace mlcluster
} // namespace ns3
