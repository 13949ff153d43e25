/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "local-hardware.h"

#include "ns3/diagnostics.h"

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
