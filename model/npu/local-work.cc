/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "local-work.h"

#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

int64_t
NowPs()
{
    return Simulator::Now().GetTimeStep();
}

} // namespace

LocalWork::LocalWork(const ClusterWorkload& workload,
                     uint32_t rank,
                     const LocalHardware& hardware,
                     EndCallback ended)
    : m_rank(rank),
      m_compute(hardware.MakeComputeModel()),
      m_memory(hardware.MakeMemory()),
      m_occupancy(rank,
                  workload.GetGraph(rank),
                  hardware.MakeRules(),
                  [&workload, rank](const ExecutionNode& node) {
                      return workload.GetGroup(workload.ResolveGroup(rank, node.group)).size();
                  }),
      m_ended(std::move(ended))
{
}

void
LocalWork::Hold(uint32_t index, bool maySpill)
{
    m_occupancy.Start(index, maySpill);
}

void
LocalWork::Release(uint32_t index)
{
    m_occupancy.End(index);
}

uint64_t
LocalWork::GetExtraBytes(uint32_t index) const
{
    return m_occupancy.GetExtraBytes(index);
}

void
LocalWork::AddTo(RunReport& report) const
{
    report.AddLocalMemory(m_usage);
    report.ranks.back().peakLocalMemoryBytes = m_occupancy.GetPeak();
    report.ranks.back().spilledBytes = m_occupancy.GetSpilled();
}

void
LocalWork::Start(uint32_t index, const ExecutionNode& node)
{
    const bool isAccess = node.kind != NodeKind::Compute;
    const int64_t alonePs =
        isAccess ? m_memory.GetPicoseconds(node.tensorBytes) : m_compute.GetPicoseconds(node);
    const int64_t endPs = GetEnd(NowPs(), alonePs, [&] {
        return "rank " + std::to_string(m_rank) + " " + Describe(node);
    });
    if (isAccess)
    {
        const bool isStore = node.kind == NodeKind::MemoryStore;
        (isStore ? m_usage.storedBytes : m_usage.loadedBytes) += node.tensorBytes;
        m_memory.StartAccess(index, node.tensorBytes, NowPs());
    }
    else if (m_compute.MovesBytes(node))
    {
        m_usage.computedBytes += node.tensorBytes;
        m_memory.StartComputing(index,
                                node.tensorBytes,
                                NowPs(),
                                NowPs() + m_compute.GetOperationPicoseconds(node));
    }
    else
    {
        Simulator::Schedule(PicoSeconds(endPs - NowPs()), [this, index] { m_ended(index); });
        return;
    }
    Await();
}

void
LocalWork::Await()
{
    const auto nextPs = m_memory.GetNextMoment();
    if (!nextPs || *nextPs == m_nextPs)
    {
        return;
    }
    m_next.Cancel();
    m_nextPs = *nextPs;
    m_next = Simulator::Schedule(PicoSeconds(m_nextPs - NowPs()), &LocalWork::Advance, this);
}

void
LocalWork::Advance()
{
    m_nextPs = -1;
    for (const uint32_t index : m_memory.Advance(NowPs()))
    {
        m_ended(index);
    }
    Await();
}

} // namespace mlcluster
} // namespace ns3
