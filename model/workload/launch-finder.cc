/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "launch-finder.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t NONE = OperatorMatch::NONE; ///< no operator or node

/// Calls that Chakra's linker takes for launches.
const std::set<std::string> KNOWN_LAUNCHES{"cuLaunchKernel",
                                           "cuLaunchKernelEx",
                                           "cudaLaunchKernel",
                                           "cudaLaunchKernelExC",
                                           "cudaMemcpy",
                                           "cudaMemcpyAsync",
                                           "cudaMemcpyFromSymbol",
                                           "cudaMemcpyToSymbol",
                                           "cudaLaunchCooperativeKernel",
                                           "hipLaunchKernel",
                                           "hipExtLaunchKernel",
                                           "hipExtModuleLaunchKernel",
                                           "hipModuleLaunchKernel",
                                           "hipMemcpyWithStream",
                                           "hipMemcpyAsync"};

/// Finds launches.
class Finder
{
  public:
    /// @param traces the traces @param options how to find
    Finder(const MatchedTraces& traces, const LaunchOptions& options)
        : m_trace(traces.trace),
          m_kineto(traces.kineto),
          m_match(traces.match),
          m_timeline(traces.timeline),
          m_options(options)
    {
    }

    /// @param ledger receives counts @param tally receives errors @return the launches
    std::vector<DeviceLaunch> Run(ConversionLedger& ledger, MessageTally& tally);

  private:
    /// @param tally receives calls with one correlation that launch both
    void FindCalls(MessageTally& tally);
    /// @param operation an operation @param call its call @return the node it belongs to, or NONE
    std::size_t FindNode(const KinetoEvent& operation, const KinetoEvent& call) const;
    /// @param operation an operation @param call its call @return the node by Chakra's rule, or
    /// NONE
    std::size_t FindNodeLikeChakra(const KinetoEvent& operation, const KinetoEvent& call) const;

    const PytorchTrace& m_trace;                      ///< execution trace
    const KinetoTrace& m_kineto;                      ///< Kineto trace
    const OperatorMatch& m_match;                     ///< who is who
    const OperatorTimeline& m_timeline;               ///< operators
    LaunchOptions m_options;                          ///< how to find
    std::unordered_map<int64_t, std::size_t> m_calls; ///< by correlation
    std::unordered_map<int64_t, std::size_t> m_nodes; ///< by record-function id
    std::map<std::pair<KinetoEvent::Line, int64_t>, std::vector<std::size_t>>
        m_operators; ///< by thread and External id, by start
};

void
Finder::FindCalls(MessageTally& tally)
{
    std::unordered_map<int64_t, uint64_t> launched;
    for (const auto& operation : m_kineto.operations)
    {
        ++launched[operation.correlation.value_or(-1)];
    }
    launched.erase(-1);
    for (std::size_t i = 0; i < m_kineto.calls.size(); ++i)
    {
        const auto& call = m_kineto.calls[i];
        const bool isLaunch = !m_options.parity || KNOWN_LAUNCHES.count(call.name) > 0;
        if (!isLaunch || !call.correlation || launched.count(*call.correlation) == 0)
        {
            continue;
        }
        if (launched[*call.correlation] > 1 && call.name.find("GraphLaunch") == std::string::npos)
        {
            tally.Warning("is the one call with the correlation of several operations of the "
                          "device; all are taken as launched by it",
                          {m_kineto.file, 0, ShowEvent(call)});
        }
        const auto [entry, isNew] = m_calls.emplace(*call.correlation, i);
        if (!isNew)
        {
            tally.Error({m_kineto.file, 0, ShowEvent(call)},
                        "has the correlation of " + ShowEvent(m_kineto.calls[entry->second]) +
                            "; an operation of the device is launched by one call");
        }
    }
}

std::size_t
Finder::FindNode(const KinetoEvent& operation, const KinetoEvent& call) const
{
    const auto byId = m_nodes.find(operation.recordId);
    if (operation.recordId != 0 && byId != m_nodes.end())
    {
        return byId->second;
    }
    std::size_t index = m_timeline.FindEncloser(call);
    if (index == NONE)
    {
        index = m_timeline.FindLast(call.line, call.startNs);
        return index == NONE ? NONE : m_match.nodeOf[index];
    }
    while (index != NONE && m_match.nodeOf[index] == NONE)
    {
        index = m_timeline.GetEncloser(index);
    }
    return index == NONE ? NONE : m_match.nodeOf[index];
}

std::size_t
Finder::FindNodeLikeChakra(const KinetoEvent& operation, const KinetoEvent& call) const
{
    const auto isLater = [this](std::size_t i, int64_t time) {
        return m_kineto.operators[i].startNs < time;
    };
    const bool skipsCoalesced = IsCommunicationKernel(operation.name);
    const auto findLast = [&](const std::vector<std::size_t>& members) {
        auto after = std::lower_bound(members.begin(), members.end(), call.startNs, isLater);
        while (skipsCoalesced && after != members.begin() &&
               m_kineto.operators[*(after - 1)].name == "nccl:coalesced")
        {
            --after;
        }
        return after == members.begin() ? NONE : *(after - 1);
    };
    std::size_t index = NONE;
    const auto same = m_operators.find({call.line, operation.externalId.value_or(-1)});
    if (same != m_operators.end())
    {
        index = findLast(same->second);
    }
    const auto line = m_timeline.GetLines().find(call.line);
    if (index == NONE && line != m_timeline.GetLines().end())
    {
        index = findLast(line->second);
    }
    return index == NONE ? NONE : m_match.nodeOf[index];
}

std::vector<DeviceLaunch>
Finder::Run(ConversionLedger& ledger, MessageTally& tally)
{
    FindCalls(tally);
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        m_nodes.emplace(m_trace.nodes[i].recordId, i);
    }
    for (std::size_t i = 0; i < m_kineto.operators.size(); ++i)
    {
        const auto& event = m_kineto.operators[i];
        m_operators[{event.line, event.externalId.value_or(-1)}].push_back(i);
    }
    std::vector<DeviceLaunch> launches;
    for (std::size_t i = 0; i < m_kineto.operations.size(); ++i)
    {
        const auto& operation = m_kineto.operations[i];
        const std::string kind = "device " + operation.category;
        const auto call = m_calls.find(operation.correlation.value_or(-1));
        if (operation.category == "gpu_memset" && !m_options.memset)
        {
            ledger.LeaveOut(kind, "not asked for", ShowEvent(operation));
            continue;
        }
        if (call == m_calls.end())
        {
            ledger.LeaveOut(kind, "no call launched it", ShowEvent(operation));
            continue;
        }
        const auto& launch = m_kineto.calls[call->second];
        const std::size_t node =
            m_options.parity ? FindNodeLikeChakra(operation, launch) : FindNode(operation, launch);
        if (node == NONE)
        {
            ledger.LeaveOut(kind,
                            "its operator is not in the execution trace",
                            ShowEvent(operation));
            continue;
        }
        ledger.Keep(kind);
        launches.push_back({i, call->second, node});
    }
    std::stable_sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) {
        return a.call < b.call;
    });
    return launches;
}

} // namespace

std::vector<DeviceLaunch>
FindLaunches(const MatchedTraces& traces,
             const LaunchOptions& options,
             ConversionLedger& ledger,
             MessageTally& tally)
{
    return Finder(traces, options).Run(ledger, tally);
}

bool
IsCommunicationKernel(const std::string& name)
{
    return name.find("ncclKernel") != std::string::npos ||
           name.find("ncclDevKernel") != std::string::npos ||
           name.find("mscclKernel") != std::string::npos;
}

std::string
ShowEvent(const KinetoEvent& event)
{
    return (event.correlation ? std::to_string(*event.correlation) : "?") + " " +
           ShowName(event.name);
}

} // namespace mlcluster
} // namespace ns3
