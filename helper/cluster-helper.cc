/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-helper.h"

#include "collective-rehearsal.h"
#include "run-control.h"
#include "run-estimator.h"
#include "run-recorder.h"
#include "short-names.h"
#include "stuck-report.h"

#include "ns3/collective-planner.h"
#include "ns3/global-value.h"
#include "ns3/npu-application.h"
#include "ns3/repetition-watch.h"
#include "ns3/simulator.h"

#include <iostream>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// The heap is the fastest scheduler for these event lists; a choice of the user's is kept.
void
PreferHeapScheduler()
{
    TypeIdValue chosen;
    GlobalValue::GetValueByName("SchedulerType", chosen);
    if (chosen.Get().GetName() == "ns3::MapScheduler")
    {
        ObjectFactory factory;
        factory.SetTypeId("ns3::HeapScheduler");
        Simulator::SetScheduler(factory);
    }
}

void
ThrowViolations(const std::vector<std::string>& violations)
{
    if (!violations.empty())
    {
        std::string text = "accounting does not close; this is a fault of the simulator:";
        for (const auto& violation : violations)
        {
            text += "\n  " + violation;
        }
        throw InputError(text);
    }
}

} // namespace

ClusterHelper::ClusterHelper(const ClusterTopology& topology)
    : m_topology(topology)
{
    SetBackend("analytical");
    m_npuFactory.SetTypeId(NpuApplication::GetTypeId());
    m_plannerFactory.SetTypeId(CollectivePlanner::GetTypeId());
    SetMemoryModel("queued");
}

void
ClusterHelper::SetBackend(const std::string& type)
{
    m_backendFactory.SetTypeId(FindBackend(type));
    m_backendName = type;
}

void
ClusterHelper::SetBackendAttribute(const std::string& name, const AttributeValue& value)
{
    m_backendFactory.Set(name, value);
}

void
ClusterHelper::SetNpuAttribute(const std::string& name, const AttributeValue& value)
{
    m_npuFactory.Set(name, value);
}

void
ClusterHelper::SetCollectiveAttribute(const std::string& name, const AttributeValue& value)
{
    m_plannerFactory.Set(name, value);
}

void
ClusterHelper::SetMemoryModel(const std::string& type)
{
    m_memoryFactory.SetTypeId(FindMemoryModel(type));
}

void
ClusterHelper::SetMemoryAttribute(const std::string& name, const AttributeValue& value)
{
    m_memoryFactory.Set(name, value);
}

void
ClusterHelper::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                       Diagnostics& diagnostics)
{
    if (workload->GetNRanks() != m_topology.GetNRanks())
    {
        diagnostics.Error({},
                          "the workload has " + std::to_string(workload->GetNRanks()) +
                              " ranks, the topology " + m_topology.GetNotation() + " has " +
                              std::to_string(m_topology.GetNRanks()) + "; both must be equal");
        diagnostics.ThrowIfErrors();
    }
    workload->Check(diagnostics);
    diagnostics.ThrowIfErrors();

    Ptr<CollectivePlanner> planner = m_plannerFactory.Create<CollectivePlanner>();
    planner->SetTopology(m_topology);
    m_collectives = std::make_shared<const CollectiveTable>(*workload, *planner, diagnostics);
    diagnostics.ThrowIfErrors();
    m_memory = m_memoryFactory.Create<MemoryModel>();
    m_memory->Build(m_topology.GetNRanks());
    GraphAttachment attachment = m_memory->Attach(m_topology, diagnostics);
    diagnostics.ThrowIfErrors();
    m_memory->Prepare(workload, diagnostics);
    diagnostics.ThrowIfErrors();
    m_graph = std::make_shared<const LinkGraph>(m_topology, std::move(attachment));
}

ApplicationContainer
ClusterHelper::Install(std::shared_ptr<const ClusterWorkload> workload)
{
    Diagnostics diagnostics;
    Install(std::move(workload), diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    return m_applications;
}

ApplicationContainer
ClusterHelper::Install(std::shared_ptr<const ClusterWorkload> workload, Diagnostics& diagnostics)
{
    Prepare(workload, diagnostics);
    PreferHeapScheduler();
    m_npus.Create(m_topology.GetNRanks());
    m_backend = m_backendFactory.Create<NetworkBackend>();
    m_backend->Build(m_graph, m_npus);
    m_rendezvous = m_backend->GetPhaseBooks()
                       ? std::make_shared<PhaseRendezvous>(m_backend, m_graph)
                       : nullptr;
    AddReducers();
    m_memory->Connect(m_backend, *m_graph);
    for (uint32_t rank = 0; rank < m_npus.GetN(); ++rank)
    {
        Ptr<NpuApplication> npu = m_npuFactory.Create<NpuApplication>();
        npu->Setup(workload, rank, m_collectives, m_backend, m_memory);
        if (m_rendezvous)
        {
            npu->MeetAt(m_rendezvous);
        }
        m_applications.Add(npu);
    }
    for (uint32_t rank = 0; rank < m_npus.GetN(); ++rank)
    {
        m_npus.Get(rank)->AddApplication(m_applications.Get(rank));
    }
    return m_applications;
}

RunEstimate
ClusterHelper::Estimate(const std::shared_ptr<const ClusterWorkload>& workload,
                        Diagnostics& diagnostics)
{
    Prepare(workload, diagnostics);
    const auto costs = m_backendFactory.Create<NetworkBackend>()->GetCosts(m_graph);
    if (!costs)
    {
        throw InputError("backend \"" + m_backendName +
                         "\" does not tell what messages cost to simulate "
                         "(NetworkBackend::GetCosts): there is no estimate for it");
    }
    const Ptr<NpuApplication> npu = m_npuFactory.Create<NpuApplication>();
    std::set<const ExecutionGraph*> checked;
    for (uint32_t rank = 0; rank < workload->GetNRanks(); ++rank)
    {
        if (checked.insert(&workload->GetGraph(rank)).second)
        {
            npu->Check(rank, workload->GetGraph(rank));
        }
    }
    std::function<bool(uint32_t, uint32_t)> isDoneByMemory;
    if (m_memory->HasRoles())
    {
        isDoneByMemory = [this](uint32_t rank, uint32_t index) {
            return m_memory->GetRole(rank, index) != MemoryRole::Alone;
        };
    }
    RunEstimate estimate = RunEstimator({*workload,
                                         *m_collectives,
                                         m_graph,
                                         *costs,
                                         {npu->GetEndpointDelayPs() > 0, npu->HasReductions()},
                                         npu->HasRoofline(),
                                         m_memory->CountCosts(*workload, *costs),
                                         isDoneByMemory},
                                        [this](const auto& plan) { return Rehearse(plan); })
                               .Estimate();
    estimate.backend = m_backendName;
    Destroy();
    return estimate;
}

uint64_t
ClusterHelper::Rehearse(const CollectivePlan& plan) const
{
    ClusterHelper cluster(m_topology);
    cluster.m_backendFactory = m_backendFactory;
    cluster.m_npuFactory = m_npuFactory;
    cluster.m_plannerFactory = m_plannerFactory;
    cluster.SetTrial("rehearsal: ");
    Diagnostics diagnostics;
    cluster.Install(MakeRehearsal(plan, m_topology.GetNRanks()), diagnostics);
    return cluster.Run().events;
}

void
ClusterHelper::AddReducers()
{
    for (uint32_t k = 0; k < m_topology.GetNDimensions(); ++k)
    {
        const InNetworkCapability& inNetwork = m_topology.GetDimension(k).inNetwork;
        for (uint64_t vertex = m_topology.GetFirstSwitch(k);
             inNetwork.enabled && vertex < m_topology.GetFirstSwitch(k + 1);
             ++vertex)
        {
            m_reducers.push_back(
                std::make_unique<SwitchReducer>(*m_backend, vertex, inNetwork.processingPs));
        }
    }
}

NodeContainer
ClusterHelper::GetNpus() const
{
    return m_npus;
}

Ptr<NetworkBackend>
ClusterHelper::GetBackend() const
{
    return m_backend;
}

void
ClusterHelper::EnableProgress(bool enable)
{
    m_progress = enable;
}

void
ClusterHelper::SetRepetitionWatch(RepetitionWatch* watch)
{
    m_watch = watch;
}

void
ClusterHelper::SetTrial(const std::string& title)
{
    m_trial = title;
}

void
ClusterHelper::WatchRepetitions()
{
    for (uint32_t rank = 0; m_watch && rank < m_applications.GetN(); ++rank)
    {
        const Ptr<Application> npu = m_applications.Get(rank);
        npu->TraceConnectWithoutContext("NodeStart",
                                        MakeCallback(&ClusterHelper::NodeStarted, this));
        npu->TraceConnectWithoutContext("NodeEnd", MakeCallback(&ClusterHelper::NodeEnded, this));
    }
}

void
ClusterHelper::NodeStarted(uint32_t rank, const ExecutionNode& node)
{
    m_watch->Start(rank, node, Simulator::Now().GetTimeStep());
}

void
ClusterHelper::NodeEnded(uint32_t rank, const ExecutionNode& node)
{
    m_watch->End(rank, node, Simulator::Now().GetTimeStep());
}

RunReport
ClusterHelper::Run()
{
    RunReport report;
    try
    {
        report = RunInstalled();
    }
    catch (...)
    {
        Destroy();
        throw;
    }
    Destroy();
    return report;
}

RunReport
ClusterHelper::RunInstalled()
{
    if (!m_backend)
    {
        throw InputError("ClusterHelper: Run needs a cluster; call Install first");
    }
    RunRecorder recorder(m_applications, *m_collectives);
    WatchRepetitions();
    const auto printProgress = [&](double wallSeconds) {
        PrintProgress(wallSeconds, recorder.GetShareDone(), m_trial);
    };
    RunReport report = m_progress ? RunSimulator(printProgress) : RunSimulator();
    if (!report.partial)
    {
        const std::string stuck = DescribeStuckRanks(m_applications);
        if (!stuck.empty())
        {
            throw InputError(stuck);
        }
        ThrowViolations(m_backend->CheckAccounts());
    }
    report.backend = m_backendName;
    recorder.FillReport(*m_backend, *m_graph, report);
    report.memoryRemarks = m_memory->GetRemarks();
    RunRecorder::AddMemory(*m_memory, report);
    if (m_rendezvous)
    {
        report.phases = m_rendezvous->GetReport();
    }
    ThrowViolations(RunRecorder::CheckBreakdowns(report));
    if (m_trial.empty())
    {
        WarnOfPhases(report, std::cerr);
    }
    return report;
}

void
ClusterHelper::Destroy()
{
    Simulator::Destroy();
    m_applications = ApplicationContainer();
    m_npus = NodeContainer();
    m_rendezvous = nullptr;
    m_reducers.clear();
    m_backend = nullptr;
    m_memory = nullptr;
}

void
WarnOfPhases(const RunReport& report, std::ostream& os)
{
    if (report.phases && (report.phases->GetFallenBack() > 0 || report.phases->overlapped > 0))
    {
        Diagnostics diagnostics;
        diagnostics.Warning({}, "phase granularity: " + report.phases->Describe());
        diagnostics.PrintWarnings(os);
    }
}

} // namespace mlcluster
} // namespace ns3
