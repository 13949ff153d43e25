/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-runner.h"

#include "cluster-helper.h"
#include "effective-config.h"
#include "experiment-attributes.h"
#include "experiment-schema.h"
#include "memory-choice.h"
#include "module-version.h"
#include "repeat-skipper.h"
#include "run-control.h"

#include "ns3/boolean.h"
#include "ns3/chakra-reader.h"
#include "ns3/double.h"
#include "ns3/graph-page-pool.h"
#include "ns3/network-backend.h"
#include "ns3/npu-application.h"
#include "ns3/object-factory.h"
#include "ns3/quantity.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/workload-writer.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <system_error>

#ifndef ML_CLUSTER_CONFIG_DIR
#define ML_CLUSTER_CONFIG_DIR "configs"
#endif

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param name an attribute of NpuApplication @return the value that NPUs take
template <typename Value>
auto
GetOfNpus(const std::string& name)
{
    TypeId::AttributeInformation attribute;
    NpuApplication::GetTypeId().LookupAttributeByName(name, &attribute);
    return dynamic_cast<const Value&>(*attribute.initialValue).Get();
}

std::shared_ptr<const ClusterWorkload>
ReadTraces(const ExperimentConfig& config, uint32_t nRanks, Diagnostics& diagnostics)
{
    static const std::map<std::string, ControlDependencies> CONTROL_DEPENDENCIES = {
        {"ignore", ControlDependencies::Ignore},
        {"known", ControlDependencies::Known},
        {"strict", ControlDependencies::Strict}};
    ChakraOptions options;
    options.controlDependencies = CONTROL_DEPENDENCIES.at(config.controlDependencies);
    options.ignoreMissingDependencies = config.ignoreMissingDependencies;
    options.roofline = GetOfNpus<BooleanValue>("Roofline");
    options.schema = ParseChakraSchema(config.schema);
    options.elementBytes = config.elementBytes;
    options.flopsPerOperation = config.flopsPerOperation;
    options.streams = config.streams;
    options.locations = config.locations;
    CommunicatorGroups groups;
    if (!config.groupFile.empty())
    {
        groups = ReadCommunicatorGroups(config.groupFile, diagnostics);
    }
    return ReadChakraWorkload(config.chakraPrefix, nRanks, groups, options, diagnostics);
}

Ptr<WorkloadGenerator>
MakeGenerator(const std::string& type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<WorkloadGenerator>();
}

uint64_t
CountNodes(const ClusterWorkload& workload)
{
    uint64_t nodes = 0;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        nodes += workload.GetGraph(rank).GetNNodes();
    }
    return nodes;
}

} // namespace

ExperimentRunner::ExperimentRunner(const ExperimentConfig& config, std::set<std::string>* warnings)
    : m_processBytes(GetPeakMemoryBytes()),
      m_config(config),
      m_topology(config.dimensions),
      m_warnings(warnings)
{
    GraphPagePool::Get().SetBudget(config.nodeMemory);
    Diagnostics diagnostics;
    for (const auto& backend : config.backends)
    {
        CheckBackend(backend, diagnostics);
        if (std::count(config.backends.begin(), config.backends.end(), backend) > 1)
        {
            diagnostics.Error({}, "backend: \"" + backend + "\" is given twice");
            break;
        }
    }
    CheckMemoryModel(config, diagnostics);
    const uint32_t nRanks = m_topology.GetNRanks();
    if (!config.generator.empty())
    {
        SetupGenerator(diagnostics);
    }
    else
    {
        m_workload = config.collective ? MakeCollectiveWorkload(*config.collective,
                                                                config.collectiveBytes,
                                                                nRanks,
                                                                config.collectiveRoot)
                                       : ReadTraces(config, nRanks, diagnostics);
    }
    PrintNewWarnings(diagnostics);
    diagnostics.ThrowIfErrors();
}

ExperimentRunner::~ExperimentRunner() = default;

void
ExperimentRunner::SetupGenerator(Diagnostics& diagnostics)
{
    m_generator = MakeGenerator(m_config.generator);
    FindAttributePlaces(m_config, diagnostics);
    m_generator->Setup(m_topology, diagnostics);
    if (m_generator->HasOperations() != GetOfNpus<BooleanValue>("Roofline"))
    {
        diagnostics.Error({m_config.file, 0, "cluster.npu.roofline"},
                          m_generator->HasOperations()
                              ? "must be true, with peak-flops and memory-bandwidth: the workload "
                                "has operations and bytes, no durations"
                              : "must be false: the workload has durations, no operations");
    }
    const uint64_t capacity = GetOfNpus<UintegerValue>("MemoryCapacity");
    if (capacity > 0 && !diagnostics.HasErrors())
    {
        m_generator->CheckMemory(capacity, diagnostics);
    }
}

std::shared_ptr<const ClusterWorkload>
ExperimentRunner::Generate(uint64_t nRepetitions) const
{
    Diagnostics diagnostics;
    FindAttributePlaces(m_config, diagnostics);
    std::shared_ptr<const ClusterWorkload> workload;
    diagnostics.Collect({"", 0, m_config.generator},
                        [&] { workload = m_generator->Generate(nRepetitions); });
    diagnostics.ThrowIfErrors();
    return workload;
}

void
ExperimentRunner::PrintPlan(std::ostream& os) const
{
    if (!m_generator)
    {
        throw InputError("only generated workloads have a plan, not traces or one collective");
    }
    m_generator->PrintPlan(os, GetOfNpus<UintegerValue>("MemoryCapacity"));
}

std::string
ExperimentRunner::Describe() const
{
    if (m_generator)
    {
        return m_generator->Describe();
    }
    if (m_config.collective)
    {
        return ToString(*m_config.collective) + " of " + FormatBytes(m_config.collectiveBytes);
    }
    const std::string& file = m_workload->GetGraph(0).GetFile();
    return m_config.chakraPrefix + ".<rank>" + file.substr(file.rfind('.')) + ", " +
           std::to_string(CountNodes(*m_workload)) + " nodes";
}

std::shared_ptr<const ClusterWorkload>
ExperimentRunner::GetWorkload() const
{
    return m_generator ? Generate(m_generator->GetNRepetitions()) : m_workload;
}

Ptr<WorkloadGenerator>
ExperimentRunner::GetGenerator() const
{
    return m_generator;
}

void
ExperimentRunner::WriteTraces(const std::string& prefix) const
{
    WriteChakraWorkload(*GetWorkload(), prefix);
}

void
ExperimentRunner::PrintHeading(std::ostream& os) const
{
    os << "ml-cluster " << GetModuleVersion() << ", ns-3 " << GetNs3Version() << "\n"
       << "topology    " << m_topology.GetNotation() << ", " << m_topology.GetNRanks() << " NPUs\n";
    for (uint32_t k = 0; k < m_topology.GetNDimensions(); ++k)
    {
        const auto& dimension = m_topology.GetDimension(k);
        os << "  " << ToString(dimension.block) << "(" << dimension.size
           << "): " << FormatBitRate(dimension.GetMemberBitRate()) << " per NPU, "
           << FormatPicoseconds(dimension.latencyPs) << " per link\n";
    }
    os << "workload    " << Describe() << "\n";
    std::string previous;
    for (const auto& setting : LeaveOutOtherMemory(GetAttributesInForce(), m_config.memoryModel))
    {
        const std::string& attribute = setting.attribute;
        const std::size_t colon = attribute.rfind("::");
        const TypeId type = TypeId::LookupByName(attribute.substr(0, colon));
        const bool isGenerator = type.IsChildOf(WorkloadGenerator::GetTypeId()) ||
                                 type == WorkloadGenerator::GetTypeId();
        if (isGenerator && (!m_generator || !m_generator->GetInstanceTypeId().IsChildOf(type)) &&
            type.GetName() != m_config.generator)
        {
            continue;
        }
        const std::string name =
            attribute.substr(MODULE_PREFIX.size(), colon - MODULE_PREFIX.size());
        os << (name == previous ? ", " : (previous.empty() ? "" : "\n") + name + ": ")
           << attribute.substr(colon + 2) << " " << setting.value;
        previous = name;
    }
    os << "\n";
}

std::vector<RunReport>
ExperimentRunner::Run() const
{
    std::vector<RunReport> runs;
    for (const auto& backend : m_config.backends)
    {
        runs.push_back(RunBackend(backend));
        if (runs.back().partial)
        {
            break;
        }
    }
    return runs;
}

RunReport
ExperimentRunner::RunOnce(const std::string& backend,
                          const std::shared_ptr<const ClusterWorkload>& workload,
                          RepetitionWatch* watch,
                          const std::string& trial) const
{
    ClusterHelper cluster(m_topology);
    cluster.SetBackend(backend);
    cluster.EnableProgress(true);
    cluster.SetRepetitionWatch(watch);
    cluster.SetTrial(trial);
    cluster.SetMemoryModel(m_config.memoryModel);
    Diagnostics diagnostics;
    FindAttributePlaces(m_config, diagnostics);
    cluster.Install(workload, diagnostics);
    PrintNewWarnings(diagnostics);
    return cluster.Run();
}

void
ExperimentRunner::PrintNewWarnings(const Diagnostics& diagnostics) const
{
    for (const auto& warning : diagnostics.GetWarnings())
    {
        if ((m_warnings ? *m_warnings : m_ownWarnings).insert(warning).second)
        {
            std::cerr << "warning: " << warning << "\n";
        }
    }
}

RunReport
ExperimentRunner::RunParts(const std::string& backend,
                           uint64_t nRepetitions,
                           RepetitionWatch* watch) const
{
    const uint64_t nAll = m_generator->GetNRepetitions();
    const std::string trial =
        "trial, " + std::to_string(nRepetitions) + " of " + std::to_string(nAll) + " repetitions: ";
    return RunOnce(backend, Generate(nRepetitions), watch, nRepetitions < nAll ? trial : "");
}

RunReport
ExperimentRunner::RunBackend(const std::string& backend) const
{
    if (!m_generator)
    {
        return RunOnce(backend, m_workload, nullptr, "");
    }
    const auto run = [&](uint64_t nRepetitions, RepetitionWatch* watch) {
        return RunParts(backend, nRepetitions, watch);
    };
    const uint64_t nRepetitions = m_generator->GetNRepetitions();
    RunReport report =
        m_generator->SkipsRepeats() ? GetSkipper().Run(run) : run(nRepetitions, nullptr);
    if (report.repeats)
    {
        WarnOfPhases(report, std::cerr);
    }
    report.training = m_generator->GetTraining();
    if (report.training)
    {
        report.training->peakFlops = GetOfNpus<DoubleValue>("PeakFlops");
    }
    return report;
}

RepeatSkipper
ExperimentRunner::GetSkipper() const
{
    return RepeatSkipper(m_generator->GetNRepetitions(),
                         m_generator->GetRepetitionUnit(),
                         m_generator->GetRepetitionsToSettle());
}

void
CheckBackend(const std::string& backend, Diagnostics& diagnostics)
{
    try
    {
        TopologyDimension dimension;
        dimension.linkBitRate = 1;
        ClusterHelper(ClusterTopology({dimension})).SetBackend(backend);
    }
    catch (const InputError& error)
    {
        diagnostics.Error({}, error.what());
    }
}

std::string
FindExperimentFile(const std::string& path)
{
    const std::string shipped = std::string(ML_CLUSTER_CONFIG_DIR) + "/" + path;
    std::error_code ignored;
    const bool isShipped =
        !std::filesystem::exists(path, ignored) && std::filesystem::exists(shipped, ignored);
    return isShipped ? shipped : path;
}

ExperimentConfig
LoadExperiment(const std::string& path, const std::vector<std::string>& settings)
{
    Diagnostics diagnostics;
    const auto overrides = ParseExperimentOverrides(settings, "--set", diagnostics);
    ExperimentConfig config =
        ReadExperimentConfig(FindExperimentFile(path), diagnostics, overrides);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    return config;
}

std::string
GetEffectiveConfiguration(const ExperimentConfig& config)
{
    ExperimentConfig effective = config;
    effective.attributes = LeaveOutOtherMemory(GetAttributesInForce(), config.memoryModel);
    std::ostringstream os;
    WriteExperimentConfig(CompleteExperimentConfig(effective, [](const auto&) { return ""; }), os);
    return os.str();
}

std::shared_ptr<const ClusterWorkload>
MakeCollectiveWorkload(CollectiveType type, uint64_t bytes, uint32_t nRanks, uint32_t root)
{
    ExecutionNode node;
    node.name = ToString(type);
    node.kind = NodeKind::Collective;
    node.collective = type;
    node.bytes = bytes;
    node.peer = root;
    Diagnostics diagnostics;
    const auto graph =
        std::make_shared<const ExecutionGraph>(std::vector<ExecutionNode>{node}, "", diagnostics);
    return std::make_shared<const ClusterWorkload>(
        std::vector<std::shared_ptr<const ExecutionGraph>>(nRanks, graph),
        CommunicatorGroups());
}

std::shared_ptr<const ClusterWorkload>
MakeAllToAllWorkload(const std::vector<uint64_t>& matrix, uint32_t nRanks)
{
    ExecutionNode node;
    node.name = ToString(CollectiveType::AllToAll);
    node.kind = NodeKind::Collective;
    node.collective = CollectiveType::AllToAll;
    Diagnostics diagnostics;
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (auto row = matrix.begin(); row != matrix.end(); row += nRanks)
    {
        node.peerBytes.assign(row, row + nRanks);
        node.bytes = std::accumulate(row, row + nRanks, uint64_t{0});
        graphs.push_back(std::make_shared<const ExecutionGraph>(std::vector<ExecutionNode>{node},
                                                                "",
                                                                diagnostics));
    }
    return std::make_shared<const ClusterWorkload>(std::move(graphs), CommunicatorGroups());
}

} // namespace mlcluster
} // namespace ns3
