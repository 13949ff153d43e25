/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-file-workload.h"

#include "libra-communicators-file.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/text-cluster-workload.h"
#include "ns3/text-workload-reader.h"
#include "ns3/trace-file.h"
#include "ns3/training-loop.h"
#include "ns3/uinteger.h"
#include "ns3/workload-tally.h"

#include <cmath>
#include <map>
#include <optional>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(TextFileWorkload);

namespace
{

const std::map<std::string, std::optional<TextDialect>> DIALECTS = {
    {"auto", {}},
    {"astra-sim", TextDialect::AstraSim},
    {"libra", TextDialect::Libra},
    {"simai", TextDialect::SimAi},
};

const std::map<std::string, TextGraphOptions::Form> FORMS = {
    {"loop", TextGraphOptions::Form::Loop},
    {"converter", TextGraphOptions::Form::Converter},
};

const std::map<std::string, TextGraphOptions::Scheduling> SCHEDULINGS = {
    {"lifo", TextGraphOptions::Scheduling::Lifo},
    {"fifo", TextGraphOptions::Scheduling::Fifo},
};

const std::map<std::string, TextGraphOptions::InputGradients> INPUT_GRADIENTS = {
    {"overlapped", TextGraphOptions::InputGradients::Overlapped},
    {"blocking", TextGraphOptions::InputGradients::Blocking},
};

} // namespace

TypeId
TextFileWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::TextFileWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<TextFileWorkload>()
            .AddAttribute("File",
                          "Text file of layers.",
                          StringValue(""),
                          MakeStringAccessor(&TextFileWorkload::m_file),
                          MakeStringChecker())
            .AddAttribute("Dialect",
                          "Whose format it is: auto (by what it says), astra-sim, libra or simai.",
                          StringValue("auto"),
                          MakeStringAccessor(&TextFileWorkload::m_dialect),
                          MakeStringChecker())
            .AddAttribute("Form",
                          "Whose order of things: loop (ASTRA-sim 1.0's training loop) or "
                          "converter (the graph of Chakra's converter).",
                          StringValue("loop"),
                          MakeStringAccessor(&TextFileWorkload::m_form),
                          MakeStringChecker())
            .AddAttribute("Passes",
                          "Training steps.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TextFileWorkload::m_passes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ComputeScale",
                          "Factor to compute times.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&TextFileWorkload::m_computeScale),
                          MakeDoubleChecker<double>(0.0, 1e12))
            .AddAttribute("CommunicationScale",
                          "Factor to sizes of collectives.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&TextFileWorkload::m_communicationScale),
                          MakeDoubleChecker<double>(0.0, 1e12))
            .AddAttribute("Cycle",
                          "Time of a cycle, the unit of compute times.",
                          TimeValue(NanoSeconds(1)),
                          MakeTimeAccessor(&TextFileWorkload::m_cycle),
                          MakeTimeChecker())
            .AddAttribute("Scheduling",
                          "Which collective goes first where the loop says nothing: lifo or fifo. "
                          "Takes effect with CollectivePriority explicit.",
                          StringValue("lifo"),
                          MakeStringAccessor(&TextFileWorkload::m_scheduling),
                          MakeStringChecker())
            .AddAttribute("InputGradients",
                          "What a loop with model parallelism does while input gradients are "
                          "exchanged: overlapped (computes weight gradients, as ASTRA-sim 1.0 "
                          "does) or blocking (waits).",
                          StringValue("overlapped"),
                          MakeStringAccessor(&TextFileWorkload::m_inputGradients),
                          MakeStringChecker())
            .AddAttribute("TrainingLoop",
                          "Training loop as a formula of phases, or a name of one (LoopFormula); "
                          "empty: as the file's policy says.",
                          StringValue(""),
                          MakeStringAccessor(&TextFileWorkload::m_trainingLoop),
                          MakeStringChecker())
            .AddAttribute(
                "Communicators",
                "LIBRA's communicator file: participants of every pass in each dimension.",
                StringValue(""),
                MakeStringAccessor(&TextFileWorkload::m_communicators),
                MakeStringChecker());
    return tid;
}

void
TextFileWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    m_options.form = Choose("Form", m_form, FORMS, diagnostics);
    m_options.passes = m_passes;
    m_options.computeScale = m_computeScale;
    m_options.communicationScale = m_communicationScale;
    m_options.cyclePs = m_cycle.GetPicoSeconds();
    m_options.scheduling = Choose("Scheduling", m_scheduling, SCHEDULINGS, diagnostics);
    m_options.inputGradients =
        Choose("InputGradients", m_inputGradients, INPUT_GRADIENTS, diagnostics);
    if (!m_trainingLoop.empty())
    {
        diagnostics.Collect(At("TrainingLoop"),
                            [&] { m_options.trainingLoop.emplace(m_trainingLoop); });
    }
    if (!m_communicators.empty())
    {
        m_options.communicators = ReadLibraCommunicators(m_communicators, diagnostics, &topology);
    }
    const auto dialect = Choose("Dialect", m_dialect, DIALECTS, diagnostics);
    const auto read = [&] {
        const std::string content = ReadTraceFile(m_file);
        m_workload = TextWorkloadReader(content, m_file, dialect, diagnostics).Read();
    };
    ReadFile("File", m_file, read, diagnostics);
    if (!m_cycle.IsStrictlyPositive())
    {
        diagnostics.Error(At("Cycle"), "0; the least is 1ps");
    }
    if (!diagnostics.HasErrors())
    {
        TextGraphOptions options = m_options;
        options.passes = 1;
        MakeTextWorkload(m_workload, topology, options, diagnostics);
    }
}

std::shared_ptr<const ClusterWorkload>
TextFileWorkload::Generate(uint64_t nRepetitions) const
{
    TextGraphOptions options = m_options;
    options.passes = nRepetitions;
    Diagnostics diagnostics;
    auto workload = MakeTextWorkload(m_workload, *m_topology, options, diagnostics);
    diagnostics.ThrowIfErrors();
    return workload;
}

uint64_t
TextFileWorkload::GetNRepetitions() const
{
    return m_passes;
}

std::string
TextFileWorkload::Describe() const
{
    const std::string policy = ToString(m_workload.policy);
    return m_file + ", " + (policy.empty() ? "" : policy + ", ") +
           std::to_string(m_workload.layers.size()) + " layers, " + std::to_string(m_passes) +
           (m_passes == 1 ? " pass" : " passes");
}

bool
TextFileWorkload::HasOperations() const
{
    return false;
}

bool
TextFileWorkload::HasFormula() const
{
    return !m_communicators.empty() &&
           (m_options.trainingLoop || m_workload.policy == TextPolicy::WithoutOverlap);
}

TimeExpression::Sum
TextFileWorkload::MakeTime(PartBandwidth parts, TimeExpression& time) const
{
    constexpr double PS_PER_NS = 1e3;
    TextWorkload workload = m_workload;
    for (TextLayer& layer : workload.layers)
    {
        for (TextPass* pass : {&layer.forward, &layer.inputGradient, &layer.weightGradient})
        {
            pass->bytes = static_cast<uint64_t>(std::llround(m_communicationScale * pass->bytes));
        }
    }
    const TrainingLoop loop(m_trainingLoop.empty() ? "no-overlap" : m_trainingLoop);
    const double cycleNs = m_computeScale * m_cycle.GetPicoSeconds() / PS_PER_NS;
    const auto* links = parts == PartBandwidth::Links ? m_topology.get() : nullptr;
    return TimeExpression::Sum().Add(
        loop.Make(workload, m_options.communicators, cycleNs, time, links),
        m_passes);
}

void
TextFileWorkload::PrintPlan(std::ostream& os, uint64_t /* capacityBytes */) const
{
    os << Describe() << "\n\n";
    WorkloadTally(*Generate(1), m_topology.get()).Print(os, "pass");
}

} // namespace mlcluster
} // namespace ns3
