/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hierarchical-memory-pool.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterHierarchicalMemoryPool");
NS_OBJECT_ENSURE_REGISTERED(HierarchicalMemoryPool);

TypeId
HierarchicalMemoryPool::GetTypeId()
{
    static TypeId tid = TypeId("ns3::mlcluster::HierarchicalMemoryPool")
                            .SetParent<MemoryPoolModel>()
                            .SetGroupName("MlCluster")
                            .AddConstructor<HierarchicalMemoryPool>();
    return tid;
}

HierarchicalMemoryPool::HierarchicalMemoryPool()
    : m_usage{{"pool memory"}, {"group links"}, {"node links"}, {"GPU links"}}
{
}

HierarchicalMemoryPool::~HierarchicalMemoryPool() = default;

void
HierarchicalMemoryPool::DoDispose()
{
    m_startEqual.Cancel();
    m_next.Cancel();
    m_waiting.clear();
    m_running.clear();
    MemoryPoolModel::DoDispose();
}

void
HierarchicalMemoryPool::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                                Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    MemoryPoolModel::Prepare(workload, diagnostics);
    if (!diagnostics.HasErrors())
    {
        m_pipeline = std::make_unique<MemoryPoolPipeline>(GetShape(), PoolDetail::OneGpu);
    }
}

std::vector<MemoryUsage>
HierarchicalMemoryPool::GetUsage() const
{
    return m_usage;
}

void
HierarchicalMemoryPool::Access(const MemoryRequest& request, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << request.rank << request.bytes << request.isStore);
    if (!m_pipeline)
    {
        throw InputError("a HierarchicalMemoryPool is not ready: call Build and Prepare before the "
                         "first access, or let a ClusterHelper do it");
    }
    m_equal.Add(request.rank, request.isStore, request.bytes, m_nRequests);
    m_waiting[m_nRequests++] = std::move(done);
    if (!m_startEqual.IsRunning())
    {
        m_startEqual =
            Simulator::ScheduleNow(&HierarchicalMemoryPool::StartEqual, this, m_equal.GetCount());
    }
}

void
HierarchicalMemoryPool::StartEqual(uint64_t nKnown)
{
    if (m_equal.GetCount() > nKnown)
    {
        m_startEqual =
            Simulator::ScheduleNow(&HierarchicalMemoryPool::StartEqual, this, m_equal.GetCount());
        return;
    }
    for (const auto& batch : m_equal.Take(GetShape()))
    {
        Callbacks callbacks;
        for (const uint64_t cookie : batch.cookies)
        {
            callbacks.push_back(std::move(m_waiting.extract(cookie).mapped()));
        }
        Start(batch.access, std::move(callbacks));
    }
}

void
HierarchicalMemoryPool::Start(const MemoryPoolAccess& access, Callbacks callbacks)
{
    NS_LOG_FUNCTION(this << access.uniqueBytes << access.isStore);
    const uint64_t copies[] = {1, 1, access.nodeCopies, access.nodeCopies * access.gpuCopies};
    for (std::size_t hop = 0; hop < m_usage.size(); ++hop)
    {
        auto& bytes = access.isStore ? m_usage[hop].storedBytes : m_usage[hop].loadedBytes;
        bytes += access.uniqueBytes * copies[hop];
    }
    const int64_t nowPs = Simulator::Now().GetPicoSeconds();
    m_running[m_pipeline->Start(access, nowPs)] = std::move(callbacks);
    ScheduleNext();
}

void
HierarchicalMemoryPool::ScheduleNext()
{
    const auto nextPs = m_pipeline->GetNextEvent();
    if (!nextPs)
    {
        return;
    }
    const Time next = PicoSeconds(*nextPs);
    if (!m_next.IsRunning() || TimeStep(m_next.GetTs()) > next)
    {
        m_next.Cancel();
        m_next =
            Simulator::Schedule(next - Simulator::Now(), &HierarchicalMemoryPool::Advance, this);
    }
}

void
HierarchicalMemoryPool::Advance()
{
    const auto ended = m_pipeline->Advance(Simulator::Now().GetPicoSeconds());
    for (const auto& completion : ended)
    {
        const auto running = m_running.extract(completion.access);
        for (const auto& done : running.mapped())
        {
            done();
        }
    }
    ScheduleNext();
}

} // namespace mlcluster
} // namespace ns3
