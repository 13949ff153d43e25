/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-runner.h"

#include "astra-attributes.h"
#include "astra-parity.h"
#include "cluster-helper.h"
#include "config-document.h"
#include "experiment-runner.h"
#include "module-version.h"

#include "ns3/boolean.h"
#include "ns3/chakra-reader.h"
#include "ns3/quantity.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

const uint32_t MAX_QUEUES = 1024;

/// @return an access of the workload to memory that is not the NPU's own, as errors name it, if it
/// has any
std::optional<std::string>
FindMemoryNode(const ClusterWorkload& workload)
{
    std::set<const ExecutionGraph*> seen;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        const uint32_t nNodes = seen.insert(&graph).second ? graph.GetNNodes() : 0;
        for (uint32_t i = 0; i < nNodes; ++i)
        {
            const NodeHandle node = graph.GetNode(i);
            if (IsMemoryAccess(*node) && !IsLocalAccess(*node))
            {
                return "rank " + std::to_string(rank) + " " + Describe(*node);
            }
        }
    }
    return std::nullopt;
}

/// Sets an attribute of the class that its full name begins with.
void
ApplySetting(const AttributeSetting& setting, ClusterHelper& cluster)
{
    const std::string prefix = "ns3::mlcluster::";
    const std::size_t colons = setting.attribute.rfind("::");
    const std::string owner = setting.attribute.substr(prefix.size(), colons - prefix.size());
    const std::string name = setting.attribute.substr(colons + 2);
    const StringValue value(setting.value);
    if (owner == "NpuApplication")
    {
        cluster.SetNpuAttribute(name, value);
    }
    else if (owner == "CollectivePlanner")
    {
        cluster.SetCollectiveAttribute(name, value);
    }
    else
    {
        cluster.SetMemoryAttribute(name, value);
    }
}

/// @return picoseconds as whole nanoseconds, rounded to nearest
uint64_t
RoundToNs(int64_t picoseconds)
{
    return static_cast<uint64_t>((picoseconds + 500) / 1000);
}

} // namespace

void
AddAstraOptions(AstraOptions& options, ProgramOptions& cmd)
{
    cmd.AddValue("workload-configuration",
                 "Trace: rank R reads PREFIX.R.et or .json",
                 options.workload);
    cmd.AddValue("network-configuration", "Network YAML", options.files.network);
    cmd.AddValue("system-configuration", "System JSON", options.files.system);
    cmd.AddValue("remote-memory-configuration", "Remote-memory JSON", options.files.memory);
    cmd.AddValue("comm-group-configuration",
                 "Communicator-group JSON; \"empty\": none",
                 options.files.groups);
    cmd.AddValue("logging-configuration", "Accepted, no effect", options.loggingConfiguration);
    cmd.AddValue("logging-folder", "Accepted, no effect", options.loggingFolder);
    cmd.AddValue("num-queues-per-dim",
                 "Logical queues of a dimension (above 1: parity only)",
                 options.queuesPerDimension);
    cmd.AddValue("compute-scale", "Accepted, no effect, as in ASTRA-sim", options.computeScale);
    cmd.AddValue("comm-scale", "Accepted, no effect, as in ASTRA-sim", options.commScale);
    cmd.AddValue("injection-scale",
                 "Multiplies the system file's endpoint-delay",
                 options.injectionScale);
    cmd.AddValue("rendezvous-protocol",
                 "Receivers ask for each message (parity only)",
                 options.rendezvous);
    cmd.AddValue("backend", "Network: analytical or packet", options.backend);
    cmd.AddValue("congestion-aware",
                 "ASTRA-sim's congestion-aware network: messages stored whole at each hop",
                 options.congestionAware);
    cmd.AddValue("parity", "ASTRA-sim's results, to the nanosecond", options.parity);
    cmd.AddValue("outputDir", "Folder for summary.json and the tables", options.outputDir);
}

std::string
FormatAstraOptions(const AstraOptions& options)
{
    std::ostringstream os;
    os << std::boolalpha << "workload-configuration: " << QuoteYaml(options.workload) << "\n"
       << "network-configuration: " << QuoteYaml(options.files.network) << "\n"
       << "system-configuration: " << QuoteYaml(options.files.system) << "\n"
       << "remote-memory-configuration: " << QuoteYaml(options.files.memory) << "\n"
       << "comm-group-configuration: " << QuoteYaml(options.files.groups) << "\n"
       << "num-queues-per-dim: " << options.queuesPerDimension << "\n"
       << "injection-scale: " << options.injectionScale << "\n"
       << "rendezvous-protocol: " << options.rendezvous << "\n"
       << "backend: " << options.backend << "\n"
       << "congestion-aware: " << options.congestionAware << "\n"
       << "parity: " << options.parity << "\n";
    return os.str();
}

AstraRunner::AstraRunner(const AstraOptions& options)
    : m_options(options)
{
    Diagnostics diagnostics;
    CheckOptions(diagnostics);
    ChooseFiles(diagnostics);
    diagnostics.ThrowIfErrors();
    m_config = ReadAstraConfig(m_options.files, diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    if (m_config.system.hasEndpointDelay)
    {
        const double delay = m_config.system.endpointDelay * m_options.injectionScale;
        if (delay > INT32_MAX)
        {
            throw InputError("--injection-scale makes an endpoint-delay of " + FormatNumber(delay) +
                             " ns; the most is " + std::to_string(INT32_MAX));
        }
        m_config.system.endpointDelay = static_cast<uint32_t>(delay);
    }
    ReadWorkload(diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
}

const AstraOptions&
AstraRunner::GetOptions() const
{
    return m_options;
}

void
AstraRunner::ChooseFiles(Diagnostics& diagnostics)
{
    std::string* const files[] = {&m_options.workload,
                                  &m_options.files.network,
                                  &m_options.files.system,
                                  &m_options.files.memory};
    const std::string keys[] = {"--workload-configuration",
                                "--network-configuration",
                                "--system-configuration",
                                "--remote-memory-configuration"};
    const std::string shipped[] = {"workload", "network.yml", "system.json", "memory.json"};
    const bool isExample = std::all_of(std::begin(files), std::end(files), [](const auto* file) {
        return file->empty();
    });
    const std::string network = FindExperimentFile("astra/network.yml");
    const std::string folder = network.substr(0, network.rfind('/') + 1);
    for (std::size_t i = 0; i < std::size(files); ++i)
    {
        if (isExample)
        {
            *files[i] = folder + shipped[i];
        }
        else if (files[i]->empty())
        {
            diagnostics.Error({"", 0, keys[i]},
                              "is missing; all four input files are needed (none at all runs "
                              "the shipped example)");
        }
    }
}

void
AstraRunner::CheckOptions(Diagnostics& diagnostics) const
{
    const auto refuse = [&diagnostics](const std::string& key, const std::string& message) {
        diagnostics.Error({"", 0, key}, message);
    };
    if (m_options.backend != "analytical" && m_options.backend != "packet")
    {
        refuse("--backend",
               "\"" + m_options.backend + "\" is none; allowed are analytical, packet");
    }
    if (m_options.queuesPerDimension < 1 || m_options.queuesPerDimension > MAX_QUEUES)
    {
        refuse("--num-queues-per-dim",
               std::to_string(m_options.queuesPerDimension) +
                   " is out of range; allowed are 1 to " + std::to_string(MAX_QUEUES));
    }
    if (!(m_options.injectionScale >= 0 && m_options.injectionScale <= 1e6))
    {
        refuse("--injection-scale", "is out of range; allowed are 0 to 1000000");
    }
    if (m_options.parity && m_options.backend == "packet")
    {
        refuse("--parity",
               "reproduces ASTRA-sim's analytical networks, which have no packets; leave "
               "--backend=packet or --parity out");
    }
    if (m_options.congestionAware && m_options.backend == "packet")
    {
        refuse("--congestion-aware",
               "chooses an analytical network; packets share links in any case");
    }
    if (!m_options.parity && m_options.queuesPerDimension > 1)
    {
        refuse(
            "--num-queues-per-dim",
            "acts with --parity only: the engine orders the chunks of a dimension in advance and "
            "has no queues; active-chunks-per-dimension tells how many run at once");
    }
    if (!m_options.parity && m_options.rendezvous)
    {
        refuse("--rendezvous-protocol",
               "acts with --parity only: in the engine a send does not wait for its receive");
    }
}

void
AstraRunner::ReadWorkload(Diagnostics& diagnostics)
{
    const ClusterTopology topology(m_config.network.dimensions);
    ChakraOptions chakra;
    chakra.roofline = m_config.system.roofline;
    chakra.wholeMicroseconds = m_options.parity;
    chakra.streams = !m_options.parity;
    chakra.locations = !m_options.parity;
    m_workload = ReadChakraWorkload(m_options.workload,
                                    topology.GetNRanks(),
                                    m_config.groups,
                                    chakra,
                                    diagnostics);
    if (!m_workload || diagnostics.HasErrors())
    {
        return;
    }
    m_workload->Check(diagnostics);
    const auto access = FindMemoryNode(*m_workload);
    if (access && m_config.memory.type == AstraMemoryType::None)
    {
        diagnostics.Error({m_options.files.memory, 0, "memory-type"},
                          "NO_MEMORY_EXPANSION leaves no memory to access, and " + *access +
                              " is an access; PER_NPU_MEMORY_EXPANSION allows it");
    }
}

void
AstraRunner::PrintHeading(std::ostream& os) const
{
    os << "ml-cluster " << GetModuleVersion() << ", ns-3 " << GetNs3Version() << ", "
       << (m_options.parity ? "ASTRA-sim parity" : "engine") << "\n";
    for (const std::string& remark : GetAstraRemarks(m_config))
    {
        os << remark << "\n";
    }
    if (m_options.computeScale != 1 || m_options.commScale != 1)
    {
        os << "--compute-scale and --comm-scale have no effect, as in ASTRA-sim\n";
    }
    if (m_options.injectionScale != 1 && !m_config.system.hasEndpointDelay)
    {
        os << "--injection-scale has no effect, as in ASTRA-sim, since the system file has no "
              "endpoint-delay\n";
    }
    if (m_options.loggingConfiguration != "empty" || m_options.loggingFolder != "log")
    {
        os << "--logging-configuration and --logging-folder have no effect: results go to "
              "--outputDir\n";
    }
}

RunReport
AstraRunner::Run(std::ostream& os) const
{
    RunReport report =
        m_options.parity
            ? RunAstraParity(
                  m_config,
                  {m_options.congestionAware, m_options.queuesPerDimension, m_options.rendezvous},
                  m_workload,
                  os)
            : RunEngine(os);
    if (report.partial)
    {
        os << "stopped by a signal after " << RoundToNs(report.finishTimePs) << " cycles\n";
    }
    return report;
}

RunReport
AstraRunner::RunEngine(std::ostream& os) const
{
    Diagnostics diagnostics;
    ClusterHelper cluster{ClusterTopology(m_config.network.dimensions)};
    cluster.SetBackend(m_options.backend);
    if (m_options.congestionAware)
    {
        cluster.SetBackendAttribute("ForwardWhole", BooleanValue(true));
    }
    for (const AttributeSetting& setting : GetAstraAttributes(m_config, diagnostics))
    {
        ApplySetting(setting, cluster);
    }
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    cluster.EnableProgress(true);
    cluster.Install(m_workload);
    const RunReport report = cluster.Run();
    if (report.partial)
    {
        return report;
    }
    std::vector<RankReport> ranks = report.ranks;
    std::stable_sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
        return RoundToNs(a.finishTimePs) < RoundToNs(b.finishTimePs);
    });
    for (const RankReport& rank : ranks)
    {
        PrintAstraFinish(os,
                         rank.rank,
                         RoundToNs(rank.finishTimePs),
                         RoundToNs(rank.exposedCommunicationPs));
    }
    return report;
}

} // namespace mlcluster
} // namespace ns3
