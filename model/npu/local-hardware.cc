/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "local-hardware.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

ComputeModel
LocalHardware::MakeComputeModel() const
{
    return roofline ? ComputeModel(peakFlops, memoryBitRate, computeEfficiency, memoryEfficiency)
                    : ComputeModel();
}

MemoryOccupancy::Rules
LocalHardware::MakeRules() const
{
    CheckWord("memory overflow", memoryOverflow, {"ignore", "error", "spill"});
    const MemoryOverflow overflow = memoryOverflow == "error"   ? MemoryOverflow::Error
                                    : memoryOverflow == "spill" ? MemoryOverflow::Spill
                                                                : MemoryOverflow::Ignore;
    if (overflow != MemoryOverflow::Ignore && memoryCapacity <= residentBytes)
    {
        throw InputError("ns3::mlcluster::NpuApplication::MemoryOverflow "
                         "(cluster.npu.memory-overflow) is " +
                         memoryOverflow +
                         ", which needs a MemoryCapacity (cluster.npu.memory-capacity) above the "
                         "ResidentMemory (cluster.npu.resident-memory); given " +
                         FormatBytes(memoryCapacity) + " and " + FormatBytes(residentBytes));
    }
    if (residentBytes > 0 && memoryCapacity == 0)
    {
        throw InputError("ns3::mlcluster::NpuApplication::ResidentMemory "
                         "(cluster.npu.resident-memory) is " +
                         FormatBytes(residentBytes) +
                         ", which nothing counts without a MemoryCapacity "
                         "(cluster.npu.memory-capacity); give one, or leave it at 0");
    }
    return {memoryCapacity, residentBytes, overflow};
}

LocalMemory
LocalHardware::MakeMemory() const
{
    return LocalMemory(GetReachedBitRate(), memoryLatencyPs, memorySharing);
}

uint64_t
LocalHardware::GetReductionBitRate() const
{
    return reduceInMemory ? GetReachedBitRate() : reductionBitRate;
}

uint64_t
LocalHardware::GetReachedBitRate() const
{
    return ComputeModel::GetReachedBitRate(memoryBitRate, memoryEfficiency);
}

void
LocalHardware::Check(uint32_t rank, const ExecutionGraph& graph) const
{
    const std::string bandwidth = "set the attribute ns3::mlcluster::NpuApplication::"
                                  "MemoryBandwidth (cluster.npu.memory-bandwidth), for example to "
                                  "16000Gbps";
    MakeComputeModel().Check(graph);
    MakeRules();
    const uint32_t user = graph.FindAccess(MemoryLocation::LOCAL);
    if (user < graph.GetNNodes() && GetReachedBitRate() == 0)
    {
        throw InputError("rank " + std::to_string(rank) + " " + Describe(*graph.GetNode(user)) +
                         ": its tensor lies in the accelerator's own memory (tensor_loc 1), which "
                         "has no bandwidth: " +
                         bandwidth + "; or set workload.tensor-locations to false");
    }
    if (reduceInMemory && (GetReachedBitRate() == 0 || reductionBitRate > 0))
    {
        throw InputError("ns3::mlcluster::NpuApplication::ReduceInMemory "
                         "(cluster.npu.reduce-in-memory) takes the bandwidth of reductions from "
                         "the local memory: " +
                         bandwidth +
                         ", and leave ReductionBandwidth (cluster.npu.reduction-bandwidth) at 0");
    }
}

} // namespace mlcluster
} // namespace ns3
