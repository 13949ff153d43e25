/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-converter.h"

#include "launch-finder.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// What an operation does.
struct Operation
{
    const char* word;    ///< part of its name, without separators
    NodeKind kind;       ///< kind of node
    CollectiveType type; ///< for collectives
};

/// Operations; of those that a name has in it the first counts.
constexpr Operation OPERATIONS[] = {
    {"allreduce", NodeKind::Collective, CollectiveType::AllReduce},
    {"alltoall", NodeKind::Collective, CollectiveType::AllToAll},
    {"allgather", NodeKind::Collective, CollectiveType::AllGather},
    {"reducescatter", NodeKind::Collective, CollectiveType::ReduceScatter},
    {"broadcast", NodeKind::Collective, CollectiveType::Broadcast},
    {"barrier", NodeKind::Collective, CollectiveType::Barrier},
    {"reduce", NodeKind::Collective, CollectiveType::Reduce},
    {"gather", NodeKind::Collective, CollectiveType::Gather},
    {"scatter", NodeKind::Collective, CollectiveType::Scatter},
    {"send", NodeKind::Send, CollectiveType::AllReduce},
    {"recv", NodeKind::Receive, CollectiveType::AllReduce},
};

/// @param name name of an operation or kernel @return it in lower case, without separators
std::string
Simplify(const std::string& name)
{
    std::string simple;
    for (const char c : name)
    {
        const bool isUpper = c >= 'A' && c <= 'Z';
        simple += c == '_' || c == '-' || c == '/' || c == ' '
                      ? ""
                      : std::string(1, isUpper ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return simple;
}

/// @param name name of an operation or kernel @return what it does, null if it tells nothing
const Operation*
FindOperation(const std::string& name)
{
    const std::string simple = Simplify(name);
    const auto* found =
        std::find_if(std::begin(OPERATIONS), std::end(OPERATIONS), [&](const Operation& operation) {
            return simple.find(operation.word) != std::string::npos;
        });
    return found == std::end(OPERATIONS) ? nullptr : found;
}

/// @param record a record @return whether it stands for communication of the device
bool
Communicates(const CommunicationRecord& record)
{
    const bool isCall = record.operation == "wait" || record.operation == "init" ||
                        record.operation.find("Coalescing") != std::string::npos;
    return !isCall && !record.isOnHost && FindOperation(record.operation);
}

/// @param sizes split sizes @return their sum
uint64_t
Sum(const std::vector<uint64_t>& sizes)
{
    uint64_t sum = 0;
    for (const uint64_t size : sizes)
    {
        if (size > std::numeric_limits<int64_t>::max() - sum)
        {
            throw InputError("the split sizes are too large; together below 2^63 are allowed");
        }
        sum += size;
    }
    return sum;
}

/// @param sizes split sizes @param unit bytes of one @return bytes of each
std::vector<uint64_t>
MakeBytes(const std::vector<uint64_t>& sizes, uint64_t unit)
{
    std::vector<uint64_t> bytes;
    for (const uint64_t size : sizes)
    {
        if (unit > 0 && size > std::numeric_limits<int64_t>::max() / unit)
        {
            throw InputError("split sizes of " + std::to_string(unit) + " bytes are too large");
        }
        bytes.push_back(size * unit);
    }
    return bytes;
}

} // namespace

CommunicationConverter::CommunicationConverter(const PytorchTrace& trace,
                                               ProcessGroupTable& groups,
                                               bool parity,
                                               ConversionLedger& ledger,
                                               MessageTally& tally)
    : m_trace(trace),
      m_groups(groups),
      m_parity(parity),
      m_ledger(ledger),
      m_tally(tally)
{
    AssignRecords();
    for (const auto& [id, record] : trace.records)
    {
        if (!Communicates(record))
        {
            continue;
        }
        m_kernelOf.count(id) > 0
            ? m_ledger.Keep("communication records")
            : m_ledger.LeaveOut("communication records",
                                "no kernel of it was kept",
                                std::to_string(id) + " " + ShowName(record.operation));
    }
}

void
CommunicationConverter::AssignRecords()
{
    std::vector<std::size_t> batches;
    std::map<int64_t, std::vector<uint64_t>> kernels;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        const auto& node = m_trace.nodes[i];
        if (node.category.empty() || !IsCommunicationKernel(node.name))
        {
            continue;
        }
        kernels[node.thread].push_back(node.id);
        const std::size_t record = m_trace.FindRecord(i);
        const uint64_t id = record == PytorchTrace::NONE ? 0 : m_trace.nodes[record].id;
        if (record != PytorchTrace::NONE && Communicates(m_trace.records.at(id)))
        {
            m_recordsOf[i] = {id};
            m_kernelOf.emplace(id, i);
        }
        else
        {
            batches.push_back(i);
        }
    }
    for (const std::size_t i : batches)
    {
        const auto& before = kernels[m_trace.nodes[i].thread];
        const auto own = std::lower_bound(before.begin(), before.end(), m_trace.nodes[i].id);
        ClaimBatch(i, own == before.begin() ? 0 : *(own - 1));
    }
}

void
CommunicationConverter::ClaimBatch(std::size_t node, uint64_t after)
{
    const auto& kernel = m_trace.nodes[node];
    for (auto record = m_trace.records.upper_bound(after);
         record != m_trace.records.end() && record->first < kernel.id;
         ++record)
    {
        const auto& caller = m_trace.nodes[m_trace.Find(record->first)];
        if (caller.thread == kernel.thread && Communicates(record->second) &&
            m_kernelOf.emplace(record->first, node).second)
        {
            m_recordsOf[node].push_back(record->first);
        }
    }
}

std::vector<ConvertedCommunication>
CommunicationConverter::Convert(std::size_t node)
{
    const auto& kernel = m_trace.nodes[node];
    if (!IsCommunicationKernel(kernel.name))
    {
        return {};
    }
    const Diagnostics::Place place{m_trace.file,
                                   0,
                                   "node " + std::to_string(kernel.id) + " " +
                                       ShowName(kernel.name)};
    std::vector<ConvertedCommunication> made;
    try
    {
        const auto records = m_recordsOf.find(node);
        if (m_parity)
        {
            made.push_back(MakeLikeChakra(node));
        }
        else if (records == m_recordsOf.end())
        {
            m_tally.Warning("has no record_param_comms around it; taken by its name", place);
            made.push_back(MakeByName(node));
        }
        else if (m_kernelOf.at(records->second[0]) != node)
        {
            m_tally.Warning("is a further kernel of its operation; kept as computation", place);
        }
        else
        {
            for (const uint64_t id : records->second)
            {
                made.push_back(MakeOf(m_trace.records.at(id), kernel.group));
            }
        }
    }
    catch (const InputError& error)
    {
        m_tally.Error(place, error.what());
    }
    return made;
}

ConvertedCommunication
CommunicationConverter::MakeOf(const CommunicationRecord& record, const std::string& kernelGroup)
{
    const Operation& operation = *FindOperation(record.operation);
    const auto& group = m_groups.Resolve(record.group.empty() ? kernelGroup : record.group);
    ConvertedCommunication made;
    made.node.kind = operation.kind;
    made.node.group = group.name;
    made.node.collective = operation.type;
    made.node.bytes = record.inputBytes;
    if (operation.kind != NodeKind::Collective || IsRooted(operation.type))
    {
        made.node.peer = ProcessGroupTable::GetRank(group, record.peer);
    }
    switch (operation.kind == NodeKind::Collective ? operation.type : CollectiveType::AllReduce)
    {
    case CollectiveType::Barrier:
        made.node.bytes = 0;
        break;
    case CollectiveType::AllToAll:
        AddSplits(record, made);
        break;
    case CollectiveType::Scatter:
        if (record.inputBytes == 0)
        {
            made.node.bytes = record.outputBytes * std::max<uint64_t>(group.ranks.size(), 1);
        }
        break;
    default:
        break;
    }
    return made;
}

void
CommunicationConverter::AddSplits(const CommunicationRecord& record,
                                  ConvertedCommunication& communication) const
{
    if (record.inSplits.empty() && record.outSplits.empty())
    {
        return;
    }
    const std::vector<uint64_t> equal(record.outSplits.size(), 1);
    const auto& in = record.inSplits.empty() ? equal : record.inSplits;
    const uint64_t nSent = Sum(in);
    if (nSent > 0 ? record.inputBytes % nSent != 0 : record.inputBytes > 0)
    {
        throw InputError("the split sizes add up to " + std::to_string(nSent) +
                         ", of which the tensor of " + std::to_string(record.inputBytes) +
                         " bytes is no multiple");
    }
    const uint64_t unit = nSent > 0 ? record.inputBytes / nSent : 0;
    communication.node.peerBytes = MakeBytes(in, unit);
    const uint64_t nReceived = Sum(record.outSplits);
    const bool isUnitKnown = unit > 0 && !record.inSplits.empty();
    if (isUnitKnown || (nReceived > 0 && record.outputBytes % nReceived == 0))
    {
        communication.receivedBytes =
            MakeBytes(record.outSplits, isUnitKnown ? unit : record.outputBytes / nReceived);
    }
}

bool
CommunicationConverter::IsUnknown(std::size_t node) const
{
    const auto& kernel = m_trace.nodes[node];
    if (m_parity || kernel.category.empty() || !IsCommunicationKernel(kernel.name) ||
        m_recordsOf.count(node) > 0)
    {
        return false;
    }
    const Operation* operation = FindOperation(kernel.name);
    const bool isKnown = operation && operation->kind == NodeKind::Collective;
    return !isKnown || (kernel.inputBytes == 0 && operation->type != CollectiveType::Barrier);
}

ConvertedCommunication
CommunicationConverter::MakeByName(std::size_t node)
{
    const auto& kernel = m_trace.nodes[node];
    const Operation* operation = FindOperation(kernel.name);
    if (IsUnknown(node))
    {
        const std::size_t caller = m_trace.GetParent(node);
        throw InputError(
            "nothing tells what it communicates: it has no record_param_comms around it, and " +
            (!operation || operation->kind != NodeKind::Collective
                 ? std::string("its name is of no collective")
                 : (caller == PytorchTrace::NONE
                        ? std::string("no node that launched it is in the trace")
                        : "node " + std::to_string(m_trace.nodes[caller].id) + " " +
                              ShowName(m_trace.nodes[caller].name) + " (rf_id " +
                              std::to_string(kernel.recordId) +
                              "), which launched it, has no tensors that tell the size")) +
            "; --allow-fuzzy leaves it out");
    }
    ConvertedCommunication made;
    made.node.kind = NodeKind::Collective;
    made.node.collective = operation->type;
    made.node.bytes = kernel.inputBytes;
    made.node.group = m_groups.Resolve(kernel.group).name;
    return made;
}

ConvertedCommunication
CommunicationConverter::MakeLikeChakra(std::size_t node)
{
    const auto& kernel = m_trace.nodes[node];
    ConvertedCommunication made;
    made.node.kind = NodeKind::Collective;
    made.node.bytes = kernel.inputBytes;
    const bool isNew = kernel.name.find("ncclDevKernel") != std::string::npos;
    made.node.group = isNew ? kernel.group : "";
    if (kernel.name.find("SendRecv") == std::string::npos)
    {
        const Operation* operation = FindOperation(kernel.name);
        if (!operation)
        {
            throw InputError("the name is of no collective");
        }
        made.node.collective = operation->type;
        return made;
    }
    made.node.collective = CollectiveType::AllToAll;
    std::size_t caller = m_trace.GetParent(node);
    if (caller != PytorchTrace::NONE && m_trace.nodes[caller].name == "record_param_comms")
    {
        caller = m_trace.GetParent(caller);
    }
    const std::string name = caller == PytorchTrace::NONE ? "" : m_trace.nodes[caller].name;
    const bool isSend = isNew && name.find("send") != std::string::npos;
    const bool isReceive = isNew && name.find("recv") != std::string::npos;
    const std::size_t record = m_trace.FindRecord(node);
    if ((isSend || isReceive) && record != PytorchTrace::NONE)
    {
        const auto& told = m_trace.records.at(m_trace.nodes[record].id);
        const auto& group = m_groups.Resolve(told.group.empty() ? kernel.group : told.group);
        made.node.kind = isSend ? NodeKind::Send : NodeKind::Receive;
        made.node.peer = ProcessGroupTable::GetRank(group, told.peer);
    }
    return made;
}

} // namespace mlcluster
} // namespace ns3
