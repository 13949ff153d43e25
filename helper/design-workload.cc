/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-workload.h"

#include "experiment-runner.h"
#include "text-file-workload.h"

#include "ns3/boolean.h"
#include "ns3/cluster-topology.h"
#include "ns3/formula-step-time.h"
#include "ns3/graph-step-time.h"
#include "ns3/npu-application.h"
#include "ns3/shown-text.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double PS_PER_NS = 1e3;

/// @param hardware what NPUs compute with @return the time of compute and memory nodes
GraphStepTime::NodeTime
MakeNodeTime(const LocalHardware& hardware)
{
    const ComputeModel compute = hardware.MakeComputeModel();
    const LocalMemory memory = hardware.MakeMemory();
    return [compute, memory](uint32_t rank, const ExecutionNode& node) {
        if (node.kind == NodeKind::Compute)
        {
            return static_cast<double>(compute.GetPicoseconds(node)) / PS_PER_NS;
        }
        if (node.location != MemoryLocation::LOCAL)
        {
            throw InputError("rank " + std::to_string(rank) + ", node " + std::to_string(node.id) +
                             " " + ShowName(node.name) +
                             ": a design knows no memory but the NPU's own, tensor_loc 1");
        }
        return static_cast<double>(memory.GetPicoseconds(node.bytes)) / PS_PER_NS;
    };
}

/// @param npu an NPU @return what runs its nodes
GraphOutline::Resources
GetResources(const Ptr<NpuApplication>& npu)
{
    BooleanValue streams;
    BooleanValue serialises;
    UintegerValue threads;
    npu->GetAttribute("ConcurrentStreams", streams);
    npu->GetAttribute("HostThreads", threads);
    npu->GetAttribute("SerialiseCollectives", serialises);
    return {streams.Get(), static_cast<uint32_t>(threads.Get()), serialises.Get()};
}

} // namespace

DesignWorkload
LoadDesignWorkload(const ExperimentConfig& experiment, PartBandwidth parts)
{
    const ExperimentRunner runner(experiment);
    const ClusterTopology topology(experiment.dimensions);
    const auto text = DynamicCast<TextFileWorkload>(runner.GetGenerator());
    if (text && text->HasFormula())
    {
        const auto make = [text, parts](TimeExpression& time) {
            return text->MakeTime(parts, time);
        };
        return {std::make_shared<FormulaStepTime>(topology.GetNDimensions(), make),
                runner.Describe()};
    }
    const auto npu = CreateObject<NpuApplication>();
    const auto workload = runner.GetWorkload();
    Diagnostics diagnostics;
    std::shared_ptr<StepTime> time;
    diagnostics.Collect({experiment.file, 0, "workload"}, [&] {
        time = std::make_shared<GraphStepTime>(*workload,
                                               topology,
                                               MakeNodeTime(npu->GetHardware()),
                                               GraphStepTime::Options{GetResources(npu), parts});
    });
    diagnostics.ThrowIfErrors();
    return {time, runner.Describe()};
}

} // namespace mlcluster
} // namespace ns3
