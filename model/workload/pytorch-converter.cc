/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pytorch-converter.h"

#include "communication-converter.h"
#include "linked-trace-order.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t NONE = PytorchTrace::NONE; ///< no node
constexpr int64_t PS_PER_NANOSECOND = 1000;      ///< unit of recorded times
constexpr int64_t NS_PER_MICROSECOND = 1000;     ///< unit of Chakra's times

/// Converts one trace.
class Converter
{
  public:
    /// @param trace a linked trace @param options how @param communication of its kernels
    /// @param ledger receives counts @param tally receives problems
    Converter(const PytorchTrace& trace,
              const PytorchConvertOptions& options,
              CommunicationConverter& communication,
              ConversionLedger& ledger,
              MessageTally& tally)
        : m_trace(trace),
          m_options(options),
          m_communication(communication),
          m_ledger(ledger),
          m_tally(tally)
    {
    }

    ConvertedTrace Run(); ///< @return what it becomes

  private:
    void FindDependencies(); ///< Fills m_dependencies and m_isIsolated.
    void NumberNodes();      ///< Fills m_ids.
    /// @param node position of a node @return what it becomes, one or several
    std::vector<ConvertedCommunication> Make(std::size_t node);
    /// @param node a node, whose definitions of process groups must be such that readers take them
    void CheckGroups(const PytorchNode& node);
    /// @param node position of a node @return ps it takes
    int64_t GetDuration(const PytorchNode& node) const;
    /// @param node position of a node whose becomes are added to the result
    void Add(std::size_t node);
    /// @param node position of a node @return what else the file is to hold of it
    ChakraNodeExtras MakeExtras(std::size_t node) const;
    void NumberMessages(); ///< Gives tags to messages.
    void AddMetadata();    ///< Fills in the GlobalMetadata.
    void Count() const;    ///< Counts nodes by kind.

    const PytorchTrace& m_trace;                             ///< the trace
    PytorchConvertOptions m_options;                         ///< how
    CommunicationConverter& m_communication;                 ///< of its kernels
    ConversionLedger& m_ledger;                              ///< receives counts
    MessageTally& m_tally;                                   ///< receives problems
    std::vector<std::size_t> m_order;                        ///< of the new ids
    std::vector<std::vector<std::size_t>> m_dependencies;    ///< per node positions of others
    std::vector<bool> m_isIsolated;                          ///< nodes that are left out
    std::vector<std::vector<ConvertedCommunication>> m_made; ///< per node what it becomes
    std::vector<uint64_t> m_ids;                             ///< per node the first new id
    std::optional<int64_t> m_device;                         ///< of the last operation
    CommunicatorGroups m_defined;                            ///< by METADATA nodes
    ConvertedTrace m_result;                                 ///< so far
};

ConvertedTrace
Converter::Run()
{
    m_order.resize(m_trace.nodes.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (!m_options.parity)
    {
        m_order = OrderByTime(m_trace);
    }
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        m_made.push_back(Make(i));
    }
    FindDependencies();
    NumberNodes();
    for (const std::size_t node : m_order)
    {
        if (!m_isIsolated[node])
        {
            Add(node);
        }
    }
    NumberMessages();
    AddMetadata();
    Count();
    return std::move(m_result);
}

void
Converter::FindDependencies()
{
    m_dependencies = FindCallDependencies(m_trace, m_order);
    const auto before = FindStreamOrder(m_trace);
    m_isIsolated.assign(m_trace.nodes.size(), true);
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        auto& dependencies = m_dependencies[i];
        if (!m_options.parity)
        {
            for (const uint64_t id : m_trace.nodes[i].synchronisations)
            {
                dependencies.push_back(m_trace.Find(id));
            }
            const bool isBatch =
                m_made[i].size() > 1 || (before[i] != NONE && m_made[before[i]].size() > 1);
            dependencies.push_back(m_options.streamOrderEdges || isBatch ? before[i] : NONE);
        }
        std::vector<std::size_t> distinct;
        std::set<std::size_t> seen{NONE, i};
        for (const std::size_t other : dependencies)
        {
            if (seen.insert(other).second)
            {
                distinct.push_back(other);
                m_isIsolated[other] = false;
                m_isIsolated[i] = false;
            }
        }
        dependencies = std::move(distinct);
    }
}

void
Converter::NumberNodes()
{
    m_ids.resize(m_trace.nodes.size());
    uint64_t next = 0;
    for (const std::size_t node : m_order)
    {
        m_ids[node] = m_options.parity ? m_trace.nodes[node].id : next;
        next += m_isIsolated[node] ? 0 : m_made[node].size();
    }
}

std::vector<ConvertedCommunication>
Converter::Make(std::size_t node)
{
    const auto& source = m_trace.nodes[node];
    const bool isHost = source.category.empty();
    std::vector<ConvertedCommunication> made;
    if (!isHost)
    {
        made = m_communication.Convert(node);
    }
    if (made.empty())
    {
        made.emplace_back();
        made[0].node.kind = IsGroupNode(source.name) ? NodeKind::Metadata : NodeKind::Compute;
        CheckGroups(source);
    }
    if (!isHost && source.device != m_device.value_or(source.device))
    {
        m_tally.Warning("is on another device; streams of one number are taken for one",
                        {m_trace.file, 0, "node " + std::to_string(source.id)});
    }
    m_device = isHost ? m_device : source.device;
    for (auto& one : made)
    {
        one.node.name = source.name;
        one.node.onHost = isHost;
        one.node.stream = isHost || made.size() > 1 ? -1 : source.stream;
        one.node.durationPs = GetDuration(source);
    }
    return made;
}

void
Converter::CheckGroups(const PytorchNode& node)
{
    const Diagnostics::Place place{m_trace.file, 0, "node " + std::to_string(node.id)};
    try
    {
        const std::string text = IsGroupNode(node.name) ? node.inputs.values : "";
        for (const auto& [name, ranks] : ParseProcessGroups(text))
        {
            if (m_defined.emplace(name, ranks).first->second != ranks)
            {
                throw InputError("defines process group " + name + " anew with other ranks");
            }
        }
    }
    catch (const InputError& error)
    {
        m_tally.Error(place, error.what());
    }
}

int64_t
Converter::GetDuration(const PytorchNode& node) const
{
    if (m_options.parity && node.category.empty() &&
        node.name.find("Optimizer.step") != std::string::npos)
    {
        return 0;
    }
    const int64_t rounded = m_options.parity
                                ? node.exclusiveNs - node.exclusiveNs % NS_PER_MICROSECOND
                                : node.exclusiveNs;
    if (rounded > std::numeric_limits<int64_t>::max() / PS_PER_NANOSECOND)
    {
        m_tally.Error({m_trace.file, 0, "node " + std::to_string(node.id)},
                      "takes " + std::to_string(rounded) + " ns; below 2^63 ps can be simulated");
        return 0;
    }
    return rounded * PS_PER_NANOSECOND;
}

void
Converter::Add(std::size_t node)
{
    std::vector<uint64_t> dependencies;
    for (const std::size_t other : m_dependencies[node])
    {
        for (std::size_t i = 0; i < m_made[other].size(); ++i)
        {
            dependencies.push_back(m_ids[other] + i);
        }
    }
    const ChakraNodeExtras extras = MakeExtras(node);
    for (std::size_t i = 0; i < m_made[node].size(); ++i)
    {
        auto& made = m_made[node][i];
        made.node.id = m_ids[node] + i;
        made.node.dependencies = dependencies;
        if (!made.receivedBytes.empty())
        {
            m_result.exchanges.push_back({m_result.nodes.size(), std::move(made.receivedBytes)});
        }
        m_result.nodes.push_back(std::move(made.node));
        m_result.extras.nodes.push_back(extras);
    }
}

ChakraNodeExtras
Converter::MakeExtras(std::size_t node) const
{
    const auto& source = m_trace.nodes[node];
    const std::size_t parent = m_trace.GetParent(node);
    ChakraNodeExtras extras;
    if (parent != NONE && (m_options.parity || !m_isIsolated[parent]))
    {
        extras.controlDependencies = {m_ids[parent]};
    }
    const bool isOurs = !m_options.parity && source.startNs > 0;
    extras.startMicroseconds = isOurs ? source.startNs / NS_PER_MICROSECOND : 0;
    if (m_options.values || IsGroupNode(source.name))
    {
        extras.inputs = source.inputs;
        extras.outputs = source.outputs;
    }
    extras.attributes = {{"rf_id", source.recordId},
                         {"fw_parent", source.forwardParent},
                         {"seq_id", source.sequence},
                         {"scope", source.scope},
                         {"tid", source.thread},
                         {"fw_tid", source.forwardThread},
                         {"op_schema", source.schema}};
    if (m_options.parity && source.category.empty())
    {
        extras.attributes.emplace_back("stream", int64_t{0});
    }
    return extras;
}

void
Converter::NumberMessages()
{
    const auto isMessage = [](const ExecutionNode& node) {
        return node.kind == NodeKind::Send || node.kind == NodeKind::Receive;
    };
    std::map<uint32_t, std::map<std::string, uint64_t>> groupsOf;
    std::map<std::tuple<NodeKind, uint32_t, std::string>, uint64_t> counts;
    for (const auto& node : m_result.nodes)
    {
        if (isMessage(node))
        {
            groupsOf[node.peer][node.group] = 0;
        }
    }
    for (auto& node : m_result.nodes)
    {
        if (isMessage(node))
        {
            const auto& groups = groupsOf[node.peer];
            const auto place = std::distance(groups.begin(), groups.find(node.group));
            const uint64_t k = counts[{node.kind, node.peer, node.group}]++;
            node.tag = k * groups.size() + place;
        }
    }
}

void
Converter::AddMetadata()
{
    for (const auto& [name, value] : m_trace.header)
    {
        const auto number = value.IsText() ? std::nullopt : value.GetInteger();
        if (number)
        {
            m_result.extras.metadata.emplace_back(name, *number);
        }
        else
        {
            m_result.extras.metadata.emplace_back(name, value.GetText());
        }
    }
}

void
Converter::Count() const
{
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        const auto& node = m_trace.nodes[i];
        const std::string kind = node.category.empty() ? "host nodes" : "device nodes";
        m_isIsolated[i] ? m_ledger.LeaveOut(kind,
                                            "nothing depends on it or it on anything",
                                            std::to_string(node.id) + " " + ShowName(node.name))
                        : m_ledger.Keep(kind);
    }
}

/// @param trace a linked trace @param groups its process groups @param ledger receives what is left
/// out @param tally receives a warning of it
/// @return the trace without communication of which nothing tells what it is
PytorchTrace
LeaveOutUnknown(const PytorchTrace& trace,
                ProcessGroupTable& groups,
                ConversionLedger& ledger,
                MessageTally& tally)
{
    ConversionLedger unused;
    const CommunicationConverter communication(trace, groups, false, unused, tally);
    PytorchTrace known = trace;
    known.nodes.clear();
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        const auto& node = trace.nodes[i];
        if (!communication.IsUnknown(i))
        {
            known.nodes.push_back(node);
            continue;
        }
        const std::string shown = std::to_string(node.id) + " " + ShowName(node.name);
        ledger.LeaveOut("device nodes", "nothing tells what it communicates", shown);
        tally.Warning("is left out: nothing tells what it communicates",
                      {trace.file, 0, "node " + shown});
    }
    return known;
}

} // namespace

ConvertedTrace
ConvertTrace(const PytorchTrace& trace,
             const std::vector<ProcessGroup>& kinetoGroups,
             uint64_t nRanks,
             const PytorchConvertOptions& options,
             ConversionLedger& ledger,
             MessageTally& tally)
{
    ProcessGroupTable groups(trace, kinetoGroups, nRanks, tally);
    std::optional<PytorchTrace> known;
    if (options.allowFuzzy && !options.parity)
    {
        known = LeaveOutUnknown(trace, groups, ledger, tally);
    }
    const PytorchTrace& taken = known ? *known : trace;
    CommunicationConverter communication(taken, groups, options.parity, ledger, tally);
    ConvertedTrace converted = Converter(taken, options, communication, ledger, tally).Run();
    converted.groups = groups.GetGroups();
    return converted;
}

} // namespace mlcluster
} // namespace ns3
