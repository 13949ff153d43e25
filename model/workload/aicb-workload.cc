/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aicb-workload.h"

#include "aicb-log.h"
#include "trace-file.h"
#include "workload-tally.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(AicbWorkload);

TypeId
AicbWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::AicbWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<AicbWorkload>()
            .AddAttribute(
                "File",
                "Workload log of AICB, a table with communication and times of all ranks.",
                StringValue(""),
                MakeStringAccessor(&AicbWorkload::m_file),
                MakeStringChecker())
            .AddAttribute("Initialisation",
                          "Whether operations before the first step, whose stage begins with init, "
                          "count.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AicbWorkload::m_initialisation),
                          MakeBooleanChecker());
    return tid;
}

void
AicbWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    const auto read = [&] {
        OpenTraceFile(m_file);
        m_workload = ReadAicbLog(m_file, m_initialisation, diagnostics);
    };
    ReadFile("File", m_file, read, diagnostics);
    if (m_workload && m_workload->GetNRanks() != topology.GetNRanks())
    {
        diagnostics.Error(At("File"),
                          m_file + " is of " + std::to_string(m_workload->GetNRanks()) +
                              " ranks, but the topology has " +
                              std::to_string(topology.GetNRanks()) + " NPUs");
    }
}

std::shared_ptr<const ClusterWorkload>
AicbWorkload::Generate(uint64_t /* nRepetitions */) const
{
    return m_workload;
}

std::string
AicbWorkload::Describe() const
{
    return m_file + ", " + std::to_string(m_workload->GetGraph(0).GetNNodes()) +
           " operations of a rank";
}

bool
AicbWorkload::HasOperations() const
{
    return false;
}

void
AicbWorkload::PrintPlan(std::ostream& os, uint64_t /* capacityBytes */) const
{
    os << Describe() << "\n\n";
    WorkloadTally(*m_workload, m_topology.get()).Print(os, "log");
}

} // namespace mlcluster
} // namespace ns3
