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
    METADATA_ATTRIBUTE = 2,
    NODE_ID = 1,
    NODE_NAME = 2,
    NODE_TYPE = 3,
    NODE_CONTROL_DEPENDENCIES = 4,
    NODE_DATA_DEPENDENCIES = 5,
    NODE_START = 6,
    NODE_DURATION = 7,
    NODE_INPUTS = 8,
    NODE_OUTPUTS = 9,
    NODE_ATTRIBUTE = 10,
    IO_VALUES = 1,
    IO_SHAPES = 2,
    IO_TYPES = 3,
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

/// Writes attributes.
class AttributeWriter
{
  public:
    /// @param message receives them; must outlive this @param field number of the attributes there
    /// @param encoding choices
    AttributeWriter(Writer& message, uint32_t field, const ChakraEncoding& encoding)
        : m_writer(message),
          m_field(field),
          m_encoding(encoding)
    {
    }

    void WriteFlag(const std::string& name,
                   bool value); ///< @param name attribute @param value its value
    void WriteText(const std::string& name,
                   const std::string& value); ///< @param name attribute @param value its value
    void WriteFlags(
        const std::string& name,
        const std::vector<bool>& values); ///< @param name attribute @param values its value
    void WriteUnsignedList(
        const std::string& name,
        const std::vector<uint64_t>& values); ///< @param name attribute @param values its value
    void WriteUnsigned(const std::string& name,
                       uint64_t value); ///< @param name attribute @param value its value
    void WriteSigned(const std::string& name,
                     int64_t value); ///< @param name attribute @param value its value
    void WriteAll(const ChakraExtraAttributes& attributes); ///< @param attributes some of any kind

  private:
    /// @param name attribute @return what its value goes to
    Writer Begin(const std::string& name);

    Writer& m_writer;          ///< of the message
    uint32_t m_field;          ///< number of the attributes
    ChakraEncoding m_encoding; ///< choices
};

Writer
AttributeWriter::Begin(const std::string& name)
{
    Writer attribute(m_writer, m_field);
    attribute.add_string(ATTRIBUTE_NAME, name);
    return attribute;
}

void
AttributeWriter::WriteFlag(const std::string& name, bool value)
{
    Writer attribute = Begin(name);
    attribute.add_bool(ATTRIBUTE_BOOL, value);
}

void
AttributeWriter::WriteText(const std::string& name, const std::string& value)
{
    Writer attribute = Begin(name);
    attribute.add_string(ATTRIBUTE_STRING, value);
}

void
AttributeWriter::WriteUnsignedList(const std::string& name, const std::vector<uint64_t>& values)
{
    Writer attribute = Begin(name);
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
AttributeWriter::WriteFlags(const std::string& name, const std::vector<bool>& values)
{
    Writer attribute = Begin(name);
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
AttributeWriter::WriteUnsigned(const std::string& name, uint64_t value)
{
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    {
        WriteSigned(name, static_cast<int64_t>(value));
        return;
    }
    Writer attribute = Begin(name);
    const bool isFixed = m_encoding.integers == Integers::Fixed64;
    isFixed ? attribute.add_fixed64(ATTRIBUTE_FIXED64, value)
            : attribute.add_uint64(ATTRIBUTE_UINT64, value);
}

void
AttributeWriter::WriteSigned(const std::string& name, int64_t value)
{
    const bool fitsInt32 = value == static_cast<int32_t>(value);
    const bool fitsUint32 = value == static_cast<uint32_t>(value);
    Writer attribute = Begin(name);
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

void
AttributeWriter::WriteAll(const ChakraExtraAttributes& attributes)
{
    for (const auto& [name, value] : attributes)
    {
        const auto* number = std::get_if<int64_t>(&value);
        number ? WriteSigned(name, *number) : WriteText(name, std::get<std::string>(value));
    }
}

/// Writes one node.
class NodeWriter
{
  public:
    /// @param message receives the fields @param encoding choices
    NodeWriter(std::string& message, const ChakraEncoding& encoding)
        : m_writer(message),
          m_attributes(m_writer, NODE_ATTRIBUTE, encoding),
          m_encoding(encoding)
    {
    }

    /// @param node the node @param extras what else it has, or null
    void Write(const ExecutionNode& node, const ChakraNodeExtras* extras);

  private:
    void WriteMessage(const ExecutionNode& node);    ///< @param node a send or receive
    void WriteCollective(const ExecutionNode& node); ///< @param node a collective
    /// @param field number @param ids a list of ids
    void WriteIds(uint32_t field, const std::vector<uint64_t>& ids);
    /// @param field number @param values inputs or outputs
    void WriteValues(uint32_t field, const ChakraValues& values);

    Writer m_writer;              ///< of the node
    AttributeWriter m_attributes; ///< of its attributes
    ChakraEncoding m_encoding;    ///< choices
};

void
NodeWriter::Write(const ExecutionNode& node, const ChakraNodeExtras* extras)
{
    CheckNode(node);
    m_writer.add_uint64(NODE_ID, node.id);
    m_writer.add_string(NODE_NAME, node.name);
    m_writer.add_enum(NODE_TYPE, static_cast<int32_t>(node.kind));
    if (extras)
    {
        WriteIds(NODE_CONTROL_DEPENDENCIES, extras->controlDependencies);
    }
    WriteIds(NODE_DATA_DEPENDENCIES, node.dependencies);
    if (extras)
    {
        m_writer.add_uint64(NODE_START, extras->startMicroseconds);
    }
    m_writer.add_uint64(NODE_DURATION, RoundTo(node.durationPs, PS_PER_MICROSECOND));
    if (extras)
    {
        WriteValues(NODE_INPUTS, extras->inputs);
        WriteValues(NODE_OUTPUTS, extras->outputs);
        m_attributes.WriteAll(extras->attributes);
    }
    m_attributes.WriteFlag("is_cpu_op", node.onHost);
    if (node.durationPs % PS_PER_MICROSECOND != 0)
    {
        m_attributes.WriteSigned("duration_ns", node.durationPs / PS_PER_NANOSECOND);
    }
    if (node.stream >= 0 && !node.onHost)
    {
        m_attributes.WriteSigned("stream", node.stream);
    }
    switch (node.kind)
    {
    case NodeKind::Compute:
        if (!extras || node.operations > 0 || node.tensorBytes > 0)
        {
            m_attributes.WriteUnsigned("num_ops", node.operations);
            m_attributes.WriteUnsigned("tensor_size", node.tensorBytes);
        }
        break;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        m_attributes.WriteUnsigned("tensor_size", node.tensorBytes);
        if (node.location != MemoryLocation::DEFAULT)
        {
            m_attributes.WriteUnsigned("tensor_loc", node.location);
        }
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
    m_attributes.WriteUnsigned(node.kind == NodeKind::Send ? "comm_dst" : "comm_src", node.peer);
    m_attributes.WriteUnsigned("comm_tag", node.tag);
    m_attributes.WriteUnsigned("comm_size", node.bytes);
}

void
NodeWriter::WriteCollective(const ExecutionNode& node)
{
    m_attributes.WriteUnsigned("comm_type", static_cast<uint64_t>(node.collective));
    m_attributes.WriteUnsigned("comm_size", node.bytes);
    if (IsRooted(node.collective))
    {
        m_attributes.WriteUnsigned("root", node.peer);
    }
    if (node.priority != 0)
    {
        m_attributes.WriteSigned("comm_priority", node.priority);
    }
    if (!node.group.empty())
    {
        m_attributes.WriteText("pg_name", node.group);
    }
    if (!node.peerBytes.empty())
    {
        m_attributes.WriteUnsignedList("comm_sizes", node.peerBytes);
    }
    if (!node.involvedDimensions.empty())
    {
        m_attributes.WriteFlags("involved_dim", node.involvedDimensions);
    }
}

void
NodeWriter::WriteIds(uint32_t field, const std::vector<uint64_t>& ids)
{
    if (m_encoding.packed)
    {
        m_writer.add_packed_uint64(field, ids.begin(), ids.end());
        return;
    }
    for (const uint64_t id : ids)
    {
        m_writer.add_uint64(field, id);
    }
}

void
NodeWriter::WriteValues(uint32_t field, const ChakraValues& values)
{
    Writer message(m_writer, field);
    message.add_string(IO_VALUES, values.values);
    message.add_string(IO_SHAPES, values.shapes);
    message.add_string(IO_TYPES, values.types);
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
                 const ChakraEncoding& encoding,
                 const ChakraExtras& extras)
{
    std::string content;
    std::string message;
    if (encoding.metadata)
    {
        Writer metadata(message);
        metadata.add_string(VERSION, "0.0.4");
        AttributeWriter(metadata, METADATA_ATTRIBUTE, encoding).WriteAll(extras.metadata);
        AppendRecord(content, message);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        message.clear();
        const auto* nodeExtras = extras.nodes.empty() ? nullptr : &extras.nodes.at(i);
        NodeWriter(message, encoding).Write(nodes[i], nodeExtras);
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
