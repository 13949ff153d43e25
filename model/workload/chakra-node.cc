/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-node.h"

#include "ns3/quantity.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t PS_PER_NANOSECOND = 1000; ///< unit of duration_ns

constexpr uint64_t MAX_PS = std::numeric_limits<int64_t>::max(); ///< longest duration that fits

/// @param id id of communication of unknown size, which is replayed @return a stream of its own
int64_t
GetReplayStream(uint64_t id)
{
    constexpr int64_t LAST = std::numeric_limits<int64_t>::max();
    return LAST - static_cast<int64_t>(id & (LAST >> 1));
}

constexpr uint64_t MAX_RANK =
    std::numeric_limits<uint32_t>::max(); ///< highest number a rank can have

/// @param name an attribute @param value its value @param factor what one of it counts @return
/// their product
uint64_t
Scale(const char* name, uint64_t value, uint64_t factor)
{
    if (factor > 1 && value > std::numeric_limits<uint64_t>::max() / factor)
    {
        throw InputError(std::string(name) + " is " + std::to_string(value) + " times " +
                         std::to_string(factor) + ", more than 2^64 - 1");
    }
    return value * factor;
}

} // namespace

ChakraNodeConverter::ChakraNodeConverter(const ChakraOptions& options)
    : m_options(options),
      m_attributes(nullptr)
{
}

template <typename Read>
void
ChakraNodeConverter::Try(const Read& read)
{
    try
    {
        read();
    }
    catch (const InputError& error)
    {
        m_errors.emplace_back(error.what());
    }
}

ExecutionNode
ChakraNodeConverter::Convert(const ChakraNode& source)
{
    m_errors.clear();
    m_warnings.clear();
    m_statedRank.reset();
    m_attributes = &source.attributes;
    m_node = ExecutionNode();
    m_node.id = source.id;
    m_node.name = m_names.Get(source.name);
    m_node.dependencies = source.dataDependencies;
    ReadDuration(source);
    Try([&] {
        m_node.onHost = m_attributes->Has("is_cpu_op") && m_attributes->GetFlag("is_cpu_op");
    });
    if (source.type > static_cast<uint64_t>(NodeKind::Collective))
    {
        m_errors.push_back("type is " + std::to_string(source.type) + "; 0 to 7 are known");
        return m_node;
    }
    m_node.kind = static_cast<NodeKind>(source.type);
    if (m_node.kind >= NodeKind::Send)
    {
        CheckCommunication(source.mayLackCommunication);
    }
    ReadAttributes();
    return m_node;
}

void
ChakraNodeConverter::ReadDuration(const ChakraNode& source)
{
    if (!m_options.wholeMicroseconds && m_attributes->Has("duration_ns"))
    {
        Try([&] {
            m_node.durationPs =
                PS_PER_NANOSECOND *
                m_attributes->GetUnsigned("duration_ns", MAX_PS / PS_PER_NANOSECOND);
        });
        return;
    }
    const uint64_t longest = MAX_PS / source.durationUnitPs;
    if (source.duration > longest)
    {
        const std::string unit = " " + FormatPicoseconds(source.durationUnitPs).substr(1);
        m_errors.push_back("the duration is " + std::to_string(source.duration) + unit +
                           "; at most " + std::to_string(longest) + unit + " can be simulated");
        return;
    }
    m_node.durationPs = source.durationUnitPs * source.duration;
}

void
ChakraNodeConverter::ReadAttributes()
{
    if (m_options.streams && !m_node.onHost && m_attributes->Has("stream"))
    {
        Try([&] {
            m_node.stream =
                m_attributes->GetSigned("stream", -1, std::numeric_limits<int64_t>::max());
        });
    }
    switch (m_node.kind)
    {
    case NodeKind::Invalid:
        m_warnings.emplace_back("a node of type 0 (invalid) does nothing");
        break;
    case NodeKind::Metadata:
        break;
    case NodeKind::Compute:
        ReadCompute();
        break;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        ReadMemory();
        ReadLocation();
        break;
    case NodeKind::Send:
    case NodeKind::Receive:
        ReadMessage();
        break;
    case NodeKind::Collective:
        ReadCollective();
        break;
    }
}

void
ChakraNodeConverter::ReadCompute()
{
    const bool needed = m_options.roofline && !m_node.onHost;
    if (needed || m_attributes->Has("num_ops"))
    {
        m_node.operations = ReadScaled("num_ops", m_options.flopsPerOperation);
    }
    if (needed || m_attributes->Has("tensor_size"))
    {
        ReadMemory();
    }
}

void
ChakraNodeConverter::ReadMemory()
{
    m_node.tensorBytes = ReadScaled("tensor_size", m_options.elementBytes);
}

void
ChakraNodeConverter::ReadLocation()
{
    if (m_options.locations && m_attributes->Has("tensor_loc"))
    {
        Try([&] {
            m_node.location = m_attributes->GetUnsigned("tensor_loc", MemoryLocation::LAST);
        });
    }
}

void
ChakraNodeConverter::ReadMessage()
{
    const bool isSend = m_node.kind == NodeKind::Send;
    const char* peer = isSend ? "comm_dst" : "comm_src";
    const char* own = isSend ? "comm_src" : "comm_dst";
    m_node.bytes = ReadScaled("comm_size", m_options.elementBytes);
    ReadTag();
    Try([&] { m_node.peer = m_attributes->GetUnsigned(peer, MAX_RANK); });
    if (m_attributes->Has(own))
    {
        Try([&] { m_statedRank = m_attributes->GetUnsigned(own, MAX_RANK); });
    }
}

void
ChakraNodeConverter::ReadTag()
{
    if (m_attributes->Has("comm_tag"))
    {
        Try([&] { m_node.tag = m_attributes->GetUnsigned("comm_tag"); });
        return;
    }
    m_warnings.emplace_back(
        "comm_tag is missing; messages between two ranks without tags are matched in their order");
}

uint64_t
ChakraNodeConverter::ReadScaled(const char* name, uint64_t factor)
{
    uint64_t value = 0;
    Try([&] { value = Scale(name, m_attributes->GetUnsigned(name), factor); });
    return value;
}

void
ChakraNodeConverter::ReadCollective()
{
    Try([&] {
        m_node.collective = static_cast<CollectiveType>(
            m_attributes->GetUnsigned("comm_type", static_cast<uint64_t>(CollectiveType::Barrier)));
    });
    if (m_node.collective != CollectiveType::Barrier || m_attributes->Has("comm_size"))
    {
        m_node.bytes = ReadScaled("comm_size", m_options.elementBytes);
    }
    const char* root = m_attributes->Has("root") ? "root" : "comm_src";
    if (IsRooted(m_node.collective) && m_attributes->Has(root))
    {
        Try([&] { m_node.peer = m_attributes->GetUnsigned(root, MAX_RANK); });
    }
    if (m_attributes->Has("comm_priority"))
    {
        using Limits = std::numeric_limits<int32_t>;
        Try([&] {
            m_node.priority =
                m_attributes->GetSigned("comm_priority", Limits::min(), Limits::max());
        });
    }
    const char* group = m_attributes->Has("pg_name") ? "pg_name" : "comm_group";
    if (m_attributes->Has(group))
    {
        Try([&] { m_node.group = m_attributes->GetText(group); });
    }
    if (m_attributes->Has("comm_sizes"))
    {
        Try([&] {
            auto sizes = m_attributes->GetUnsignedList("comm_sizes");
            for (auto& bytes : sizes)
            {
                bytes = Scale("comm_sizes", bytes, m_options.elementBytes);
            }
            m_node.peerBytes = std::move(sizes);
        });
    }
    if (m_attributes->Has("involved_dim"))
    {
        Try([&] { m_node.involvedDimensions = m_attributes->GetFlags("involved_dim"); });
    }
}

void
ChakraNodeConverter::CheckCommunication(bool mayLackAttributes)
{
    const bool lacksAttributes = !m_attributes->Has("comm_size") && !m_attributes->Has("comm_type");
    if (m_node.onHost && !lacksAttributes)
    {
        m_warnings.emplace_back(
            "is_cpu_op is set on a communication node, which is run all the same");
    }
    else if (m_node.onHost)
    {
        m_node.kind = NodeKind::Metadata;
        m_warnings.emplace_back("is_cpu_op is set on a communication node without comm_type and "
                                "comm_size, which is taken as a launch of no time");
    }
    else if (lacksAttributes && mayLackAttributes)
    {
        m_node.kind = NodeKind::Compute;
        m_node.stream = m_options.streams ? GetReplayStream(m_node.id) : m_node.stream;
        m_warnings.emplace_back(
            "a communication node has neither comm_type nor comm_size: it takes "
            "its runtime and sends nothing");
    }
    m_node.onHost = false;
}

const std::vector<std::string>&
ChakraNodeConverter::GetErrors() const
{
    return m_errors;
}

const std::vector<std::string>&
ChakraNodeConverter::GetWarnings() const
{
    return m_warnings;
}

std::optional<uint32_t>
ChakraNodeConverter::GetStatedRank() const
{
    return m_statedRank;
}

} // namespace mlcluster
} // namespace ns3
