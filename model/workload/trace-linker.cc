/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-linker.h"

#include "synchronisation-finder.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t NONE = OperatorMatch::NONE; ///< no operator

/// Makes the joint trace.
class Linker
{
  public:
    /// @param trace execution trace @param kineto Kineto trace @param options how to link
    Linker(const PytorchTrace& trace, const KinetoTrace& kineto, const TraceLinkOptions& options)
        : m_trace(trace),
          m_kineto(kineto),
          m_options(options),
          m_timeline(kineto.operators)
    {
    }

    /// @param ledger receives counts @param tally receives problems @return the joint trace
    PytorchTrace Run(ConversionLedger& ledger, MessageTally& tally);

  private:
    /// Gives ids anew.
    void Renumber();
    /// @param node position of a node of the execution trace @return the node of the joint one
    PytorchNode MakeHostNode(std::size_t node) const;
    /// @param host the node that launched it @param launch position of a launch @return its node
    PytorchNode MakeDeviceNode(const PytorchNode& host, std::size_t launch) const;
    /// @param work a node or launch @return its new id
    uint64_t GetId(const LinkedWork& work) const;
    /// @param id an old id @return the new one; the highest number if there is none
    uint64_t Map(uint64_t id) const;

    const PytorchTrace& m_trace;                        ///< execution trace
    const KinetoTrace& m_kineto;                        ///< Kineto trace
    TraceLinkOptions m_options;                         ///< how to link
    OperatorTimeline m_timeline;                        ///< operators
    OperatorMatch m_match;                              ///< who is who
    std::vector<DeviceLaunch> m_launches;               ///< operations of the device
    std::vector<std::vector<std::size_t>> m_launchesOf; ///< per node, by start of the operation
    std::vector<uint64_t> m_nodeIds;                    ///< new ids per node
    std::vector<uint64_t> m_launchIds;                  ///< new ids per launch
    std::vector<int64_t> m_exclusiveNs;                 ///< per operator
    std::vector<std::size_t> m_earlier;                 ///< per operator the one of another thread
};

PytorchTrace
Linker::Run(ConversionLedger& ledger, MessageTally& tally)
{
    const uint64_t errorsBefore = tally.GetNErrors();
    const MatchOptions matching{m_options.iteration, m_options.allowFuzzy, m_options.parity};
    m_match = MatchOperators(m_trace, m_kineto, matching, ledger, tally);
    if (tally.GetNErrors() > errorsBefore)
    {
        return {};
    }
    m_exclusiveNs =
        m_options.parity ? m_timeline.GetChakraExclusiveTimes() : m_timeline.GetExclusiveTimes();
    m_earlier = m_timeline.FindEarlierThreads();
    const MatchedTraces traces{m_trace, m_kineto, m_match, m_timeline};
    const LaunchOptions launching{m_options.memset && !m_options.parity, m_options.parity};
    m_launches = FindLaunches(traces, launching, ledger, tally);
    Synchronisations synchronisations;
    if (m_options.synchronisations && !m_options.parity)
    {
        synchronisations = FindSynchronisations(traces, m_launches, ledger, tally);
        for (std::size_t i = 0; i < m_exclusiveNs.size(); ++i)
        {
            m_exclusiveNs[i] =
                std::max<int64_t>(0, m_exclusiveNs[i] - synchronisations.waitedNs[i]);
        }
    }
    Renumber();
    PytorchTrace linked;
    linked.file = m_trace.file;
    linked.header = m_trace.header;
    linked.groups = m_trace.groups;
    linked.isLinked = true;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        linked.nodes.push_back(MakeHostNode(i));
        const PytorchNode host = linked.nodes.back();
        const auto record = m_trace.records.find(m_trace.nodes[i].id);
        if (record != m_trace.records.end())
        {
            linked.records.emplace(host.id, record->second);
        }
        for (const std::size_t launch : m_launchesOf[i])
        {
            linked.nodes.push_back(MakeDeviceNode(host, launch));
        }
    }
    for (const auto& dependency : synchronisations.dependencies)
    {
        linked.nodes[GetId(dependency.second)].synchronisations.push_back(GetId(dependency.first));
    }
    return linked;
}

void
Linker::Renumber()
{
    m_launchesOf.resize(m_trace.nodes.size());
    for (std::size_t i = 0; i < m_launches.size(); ++i)
    {
        m_launchesOf[m_launches[i].node].push_back(i);
    }
    m_nodeIds.resize(m_trace.nodes.size());
    m_launchIds.resize(m_launches.size());
    uint64_t id = 0;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        std::stable_sort(m_launchesOf[i].begin(), m_launchesOf[i].end(), [this](auto a, auto b) {
            return m_launches[a].operation < m_launches[b].operation;
        });
        m_nodeIds[i] = id++;
        for (const std::size_t launch : m_launchesOf[i])
        {
            m_launchIds[launch] = id++;
        }
    }
}

uint64_t
Linker::GetId(const LinkedWork& work) const
{
    return work.onDevice ? m_launchIds[work.index] : m_nodeIds[work.index];
}

uint64_t
Linker::Map(uint64_t id) const
{
    const std::size_t node = m_trace.Find(id);
    return node == PytorchTrace::NONE ? UINT64_MAX : m_nodeIds[node];
}

PytorchNode
Linker::MakeHostNode(std::size_t node) const
{
    PytorchNode host = m_trace.nodes[node];
    host.id = m_nodeIds[node];
    host.parent = Map(host.parent);
    const std::size_t index = m_match.operatorOf[node];
    if (index == NONE)
    {
        return host;
    }
    host.startNs = m_kineto.operators[index].startNs;
    host.inclusiveNs = m_kineto.operators[index].durationNs;
    host.exclusiveNs = m_exclusiveNs[index];
    const std::size_t earlier = m_earlier[index] == NONE ? NONE : m_match.nodeOf[m_earlier[index]];
    host.hasEarlierThread = earlier != NONE;
    host.earlierThread = earlier == NONE ? 0 : m_nodeIds[earlier];
    return host;
}

PytorchNode
Linker::MakeDeviceNode(const PytorchNode& host, std::size_t launch) const
{
    const auto& event = m_kineto.operations[m_launches[launch].operation];
    PytorchNode node = host;
    node.id = m_launchIds[launch];
    node.parent = host.id;
    node.name = event.name;
    node.category = event.category;
    node.device = event.line.first;
    node.stream = event.line.second;
    node.startNs = event.startNs;
    node.launchNs = m_kineto.calls[m_launches[launch].call].startNs;
    node.inclusiveNs = event.durationNs;
    node.exclusiveNs = event.durationNs;
    node.group = event.group;
    return node;
}

} // namespace

PytorchTrace
LinkTraces(const PytorchTrace& trace,
           const KinetoTrace& kineto,
           const TraceLinkOptions& options,
           ConversionLedger& ledger,
           MessageTally& tally)
{
    if (trace.isLinked)
    {
        tally.Error({trace.file, 0, ""},
                    "is linked to a device trace already; no Kineto trace is needed");
        return {};
    }
    return Linker(trace, kineto, options).Run(ledger, tally);
}

} // namespace mlcluster
} // namespace ns3
