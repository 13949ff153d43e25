/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-node.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t PS_PER_MICROSECOND = 1000000; ///< unit of duration_micros
constexpr int64_t PS_PER_NANOSECOND = 1000;     ///< unit of duration_ns

constexpr uint64_t MAX_PS = std::numeric_limits<int64_t>::max(); ///< longest duration that fits

constexpr uint64_t MAX_RANK =
    std::numeric_limits<uint32_t>::max(); ///< highest number a rank can have

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
    m_node.name = source.name;
    m_node.dependencies = source.dataDependencies;
    ReadDuration(source.durationMicroseconds);
    Try([&] {
        m_node.onHost = m_attributes->Has("is_cpu_op") && m_attributes->GetFlag("is_cpu_op");
    });
    if (source.type > static_cast<uint64_t>(NodeKind::Collective))
    {
        m_errors.push_back("type is " + std::to_string(source.type) + "; 0 to 7 are known");
        return m_node;
    }
    m_node.kind = static_cast<NodeKind>(source.type);
    ReadAttributes();
    return m_node;
}

void
ChakraNodeConverter::ReadDuration(uint64_t microseconds)
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
    const uint64_t longest = MAX_PS / PS_PER_MICROSECOND;
    if (microseconds > longest)
    {
        m_errors.push_back("duration_micros is " + std::to_string(microseconds) + "; at most " +
                           std::to_string(longest) + " can be simulated");
        return;
    }
    m_node.durationPs = PS_PER_MICROSECOND * microseconds;
}

void
ChakraNodeConverter::ReadAttributes()
{
    if (m_node.onHost && m_node.kind >= NodeKind::Send)
    {
        MoveToAccelerator();
    }
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
        Try([&] { m_node.operations = m_attributes->GetUnsigned("num_ops"); });
    }
    if (needed || m_attributes->Has("tensor_size"))
    {
        ReadMemory();
    }
}

void
ChakraNodeConverter::ReadMemory()
{
    Try([&] { m_node.tensorBytes = m_attributes->GetUnsigned("tensor_size"); });
}

void
ChakraNodeConverter::ReadMessage()
{
    const bool isSend = m_node.kind == NodeKind::Send;
    const char* peer = isSend ? "comm_dst" : "comm_src";
    const char* own = isSend ? "comm_src" : "comm_dst";
    Try([&] { m_node.bytes = m_attributes->GetUnsigned("comm_size"); });
    Try([&] { m_node.tag = m_attributes->GetUnsigned("comm_tag"); });
    Try([&] { m_node.peer = m_attributes->GetUnsigned(peer, MAX_RANK); });
    if (m_attributes->Has(own))
    {
        Try([&] { m_statedRank = m_attributes->GetUnsigned(own, MAX_RANK); });
    }
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
        Try([&] { m_node.bytes = m_attributes->GetUnsigned("comm_size"); });
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
        Try([&] { m_node.peerBytes = m_attributes->GetUnsignedList("comm_sizes"); });
    }
    if (m_attributes->Has("involved_dim"))
    {
        Try([&] { m_node.involvedDimensions = m_attributes->GetFlags("involved_dim"); });
    }
}

void
ChakraNodeConverter::MoveToAccelerator()
{
    m_node.onHost = false;
    if (m_attributes->Has("comm_size") || m_attributes->Has("comm_type"))
    {
        m_warnings.emplace_back(
            "is_cpu_op is set on a communication node, which is run all the same");
        return;
    }
    m_node.kind = NodeKind::Metadata;
    m_warnings.emplace_back("is_cpu_op is set on a communication node without comm_type and "
                            "comm_size, which is taken as a launch of no time");
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
