/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-writer.h"

#include "trace-file.h"

#include <algorithm>
#include <limits>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Integers = ChakraEncoding::Integers; ///< short
using Writer = protozero::pbf_writer;      ///< short

constexpr int64_t PS_PER_MICROSECOND = 1000000; ///< unit of duration_micros
constexpr int64_t PS_PER_NANOSECOND = 1000;     ///< unit of duration_ns

/// Numbers of fields.
enum Field
{
    VERSION = 1,
    NODE_ID = 1,
    NODE_NAME = 2,
    NODE_TYPE = 3,
    NODE_DATA_DEPENDENCIES = 5,
    NODE_DURATION = 7,
    NODE_ATTRIBUTE = 10,
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_INT32 = 7,
    ATTRIBUTE_INT64 = 9,
    ATTRIBUTE_UINT32 = 11,
    ATTRIBUTE_UINT64 = 13,
    ATTRIBUTE_UINT64_LIST = 14,
    ATTRIBUTE_SINT64 = 17,
    ATTRIBUTE_FIXED64 = 21,
    ATTRIBUTE_BOOL = 27,
    ATTRIBUTE_BOOL_LIST = 28,
    ATTRIBUTE_STRING = 29,
    LIST_VALUES = 1
};

/// @param node a node @throw InputError if a file cannot hold it
void
CheckNode(const ExecutionNode& node)
{
    if (node.durationPs < 0 || node.durationPs % PS_PER_NANOSECOND != 0)
    {
        throw InputError(Describe(node) + ": the duration of " + std::to_string(node.durationPs) +
                         " ps is no whole number of nanoseconds, which a Chakra file needs");
    }
    if (node.peerIsOffset)
    {
        throw InputError(Describe(node) + ": the peer is " + std::to_string(node.peer) +
                         " ranks further on; a Chakra file needs the rank itself");
    }
}

/// @param picoseconds a duration @param unit a unit, ps @return it in that unit, rounded to
/// nearest, at least 1 unless it is 0
int64_t
RoundTo(int64_t picoseconds, int64_t unit)
{
    const int64_t rounded = picoseconds / unit + (2 * (picoseconds % unit) >= unit ? 1 : 0);
    return picoseconds > 0 && rounded == 0 ? 1 : rounded;
}

/// Writes one node.
class NodeWriter
{
  public:
    /// @param message receives the fields @param encoding choices
    NodeWriter(std::string& message, const ChakraEncoding& encoding)
        : m_writer(message),
          m_encoding(encoding)
    {
    }

    void Write(const ExecutionNode& node); ///< @param node the node

  private:
    void WriteMessage(const ExecutionNode& node);    ///< @param node a send or receive
    void WriteCollective(const ExecutionNode& node); ///< @param node a collective
    Writer BeginAttribute(
        const char* name); ///< @param name attribute @return what its value goes to
    void WriteFlag(const char* name, bool value); ///< @param name attribute @param value its value
    void WriteText(const char* name,
                   const std::string& value); ///< @param name attribute @param value its value
    void WriteFlags(
        const char* name,
        const std::vector<bool>& values); ///< @param name attribute @param values its value
    void WriteUnsignedList(
        const char* name,
        const std::vector<uint64_t>& values); ///< @param name attribute @param values its value
    void WriteUnsigned(const char* name,
                       uint64_t value); ///< @param name attribute @param value its value
    void WriteSigned(const char* name,
                     int64_t value); ///< @param name attribute @param value its value

    Writer m_writer;           ///< of the node
    ChakraEncoding m_encoding; ///< choices
};

void
NodeWriter::Write(const ExecutionNode& node)
{
    CheckNode(node);
    m_writer.add_uint64(NODE_ID, node.id);
    m_writer.add_string(NODE_NAME, node.name);
    m_writer.add_enum(NODE_TYPE, static_cast<int32_t>(node.kind));
    if (m_encoding.packed)
    {
        m_writer.add_packed_uint64(NODE_DATA_DEPENDENCIES,
                                   node.dependencies.begin(),
                                   node.dependencies.end());
    }
    else
    {
        for (const uint64_t id : node.dependencies)
        {
            m_writer.add_uint64(NODE_DATA_DEPENDENCIES, id);
        }
    }
    m_writer.add_uint64(NODE_DURATION, RoundTo(node.durationPs, PS_PER_MICROSECOND));
    WriteFlag("is_cpu_op", node.onHost);
    if (node.durationPs % PS_PER_MICROSECOND != 0)
    {
        WriteSigned("duration_ns", node.durationPs / PS_PER_NANOSECOND);
    }
    if (node.stream >= 0 && !node.onHost)
    {
        WriteSigned("stream", node.stream);
    }
    switch (node.kind)
    {
    case NodeKind::Compute:
        WriteUnsigned("num_ops", node.operations);
        WriteUnsigned("tensor_size", node.tensorBytes);
        break;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        WriteUnsigned("tensor_size", node.tensorBytes);
        break;
    case NodeKind::Send:
    case NodeKind::Receive:
        WriteMessage(node);
        break;
    case NodeKind::Collective:
        WriteCollective(node);
        break;
    case NodeKind::Invalid:
    case NodeKind::Metadata:
        break;
    }
}

void
NodeWriter::WriteMessage(const ExecutionNode& node)
{
    WriteUnsigned(node.kind == NodeKind::Send ? "comm_dst" : "comm_src", node.peer);
    WriteUnsigned("comm_tag", node.tag);
    WriteUnsigned("comm_size", node.bytes);
}

void
NodeWriter::WriteCollective(const ExecutionNode& node)
{
    WriteUnsigned("comm_type", static_cast<uint64_t>(node.collective));
    WriteUnsigned("comm_size", node.bytes);
    if (IsRooted(node.collective))
    {
        WriteUnsigned("root", node.peer);
    }
    if (node.priority != 0)
    {
        WriteSigned("comm_priority", node.priority);
    }
    if (!node.group.empty())
    {
        WriteText("pg_name", node.group);
    }
    if (!node.peerBytes.empty())
    {
        WriteUnsignedList("comm_sizes", node.peerBytes);
    }
    if (!node.involvedDimensions.empty())
    {
        WriteFlags("involved_dim", node.involvedDimensions);
    }
}

Writer
NodeWriter::BeginAttribute(const char* name)
{
    Writer attribute(m_writer, NODE_ATTRIBUTE);
    attribute.add_string(ATTRIBUTE_NAME, name);
    return attribute;
}

void
NodeWriter::WriteFlag(const char* name, bool value)
{
    Writer attribute = BeginAttribute(name);
    attribute.add_bool(ATTRIBUTE_BOOL, value);
}

void
NodeWriter::WriteText(const char* name, const std::string& value)
{
    Writer attribute = BeginAttribute(name);
    attribute.add_string(ATTRIBUTE_STRING, value);
}

void
NodeWriter::WriteUnsignedList(const char* name, const std::vector<uint64_t>& values)
{
    Writer attribute = BeginAttribute(name);
    Writer list(attribute, ATTRIBUTE_UINT64_LIST);
    if (m_encoding.packed)
    {
        list.add_packed_uint64(LIST_VALUES, values.begin(), values.end());
        return;
    }
    for (const uint64_t value : values)
    {
        list.add_uint64(LIST_VALUES, value);
    }
}

void
NodeWriter::WriteFlags(const char* name, const std::vector<bool>& values)
{
    Writer attribute = BeginAttribute(name);
    Writer list(attribute, ATTRIBUTE_BOOL_LIST);
    if (m_encoding.packed)
    {
        list.add_packed_bool(LIST_VALUES, values.begin(), values.end());
        return;
    }
    for (const bool value : values)
    {
        list.add_bool(LIST_VALUES, value);
    }
}

void
NodeWriter::WriteUnsigned(const char* name, uint64_t value)
{
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    {
        WriteSigned(name, static_cast<int64_t>(value));
        return;
    }
    Writer attribute = BeginAttribute(name);
    const bool isFixed = m_encoding.integers == Integers::Fixed64;
    isFixed ? attribute.add_fixed64(ATTRIBUTE_FIXED64, value)
            : attribute.add_uint64(ATTRIBUTE_UINT64, value);
}

void
NodeWriter::WriteSigned(const char* name, int64_t value)
{
    const bool fitsInt32 = value == static_cast<int32_t>(value);
    const bool fitsUint32 = value == static_cast<uint32_t>(value);
    Writer attribute = BeginAttribute(name);
    if (m_encoding.integers == Integers::Sint64)
    {
        attribute.add_sint64(ATTRIBUTE_SINT64, value);
    }
    else if (m_encoding.integers == Integers::Int32 && fitsInt32)
    {
        attribute.add_int32(ATTRIBUTE_INT32, static_cast<int32_t>(value));
    }
    else if (m_encoding.integers == Integers::Uint32 && fitsUint32)
    {
        attribute.add_uint32(ATTRIBUTE_UINT32, static_cast<uint32_t>(value));
    }
    else if (m_encoding.integers == Integers::Fixed64 && value >= 0)
    {
        attribute.add_fixed64(ATTRIBUTE_FIXED64, value);
    }
    else if ((m_encoding.integers == Integers::Uint64 || m_encoding.integers == Integers::Uint32) &&
             value >= 0)
    {
        attribute.add_uint64(ATTRIBUTE_UINT64, value);
    }
    else
    {
        attribute.add_int64(ATTRIBUTE_INT64, value);
    }
}

/// @param content receives the record @param message its bytes
void
AppendRecord(std::string& content, const std::string& message)
{
    protozero::add_varint_to_buffer(&content, message.size());
    content += message;
}

} // namespace

void
WriteChakraGraph(const std::vector<ExecutionNode>& nodes,
                 const std::string& path,
                 const ChakraEncoding& encoding)
{
    std::string content;
    std::string message;
    if (encoding.metadata)
    {
        Writer(message).add_string(VERSION, "0.0.4");
        AppendRecord(content, message);
    }
    for (const auto& node : nodes)
    {
        message.clear();
        NodeWriter(message, encoding).Write(node);
        AppendRecord(content, message);
    }
    WriteTraceFile(path, content, encoding.gzip);
}

uint64_t
RoundToNanoseconds(std::vector<ExecutionNode>& nodes)
{
    uint64_t changed = 0;
    for (auto& node : nodes)
    {
        const int64_t nanoseconds = RoundTo(node.durationPs, PS_PER_NANOSECOND);
        const int64_t most = std::numeric_limits<int64_t>::max() / PS_PER_NANOSECOND;
        const int64_t rounded = PS_PER_NANOSECOND * std::min(nanoseconds, most);
        changed += rounded != node.durationPs ? 1 : 0;
        node.durationPs = rounded;
    }
    return changed;
}

} // namespace mlcluster
} // namespace ns3
