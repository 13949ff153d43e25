/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-record.h"

#include "protobuf-field.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Numbers of the fields of a node.
enum NodeField
{
    ID = 1,
    NAME = 2,
    TYPE = 3,
    CONTROL_DEPENDENCIES = 4,
    DATA_DEPENDENCIES = 5,
    DURATION = 7,
    INPUTS = 8,
    ATTRIBUTE = 10
};

constexpr int MAX_LENGTH_BYTES = 5; ///< of the length in front of a record

/// Bytes read at once, so that a wrong length does not take memory that the file cannot fill.
constexpr uint64_t BLOCK_BYTES = 1 << 20;

/// @param field a field @return its integer
uint64_t
GetInteger(const ProtobufField& field)
{
    RequireWireType(field, WireType::Varint);
    return field.value;
}

/// @param field a field @return its bytes
std::string_view
GetBytes(const ProtobufField& field)
{
    RequireWireType(field, WireType::Bytes);
    return field.bytes;
}

/// @param message an IOInfo @return its values
std::string_view
DecodeInputValues(std::string_view message)
{
    std::string_view values;
    ProtobufField field;
    while (TakeField(message, field))
    {
        if (field.number == 1)
        {
            values = GetBytes(field);
        }
    }
    return values;
}

/// @param field a field @param node receives it
void
DecodeNodeField(const ProtobufField& field, ChakraNode& node)
{
    switch (field.number)
    {
    case ID:
        node.id = GetInteger(field);
        break;
    case NAME:
        node.name = GetBytes(field);
        break;
    case TYPE:
        node.type = GetInteger(field);
        break;
    case CONTROL_DEPENDENCIES:
        AppendValues(field, WireType::Varint, node.controlDependencies);
        break;
    case DATA_DEPENDENCIES:
        AppendValues(field, WireType::Varint, node.dataDependencies);
        break;
    case DURATION:
        node.duration = GetInteger(field);
        break;
    case INPUTS:
        node.inputValues = DecodeInputValues(GetBytes(field));
        break;
    case ATTRIBUTE:
        node.Add(ChakraAttributes::Decode(GetBytes(field)));
        break;
    default:
        break;
    }
}

/// @param message bytes of a GlobalMetadata's field 2, or of a node's name @return whether it is an
/// attribute
bool
IsAttribute(std::string_view message)
{
    try
    {
        return !ChakraAttributes::Decode(message).first.empty();
    }
    catch (const InputError&)
    {
        return false;
    }
}

} // namespace

void
ChakraNode::Add(std::pair<std::string_view, ChakraAttributes::Value> attribute)
{
    if (!attributes.Set(attribute.first, std::move(attribute.second)))
    {
        repeatedAttribute = attribute.first;
    }
}

ChakraRecordReader::ChakraRecordReader(std::istream& stream)
    : m_source(*stream.rdbuf())
{
}

bool
ChakraRecordReader::Next()
{
    m_offset = m_end;
    const auto length = TakeLength();
    if (!length)
    {
        return false;
    }
    if (*length == 0 && m_offset > 0)
    {
        if (m_source.sgetc() != EOF)
        {
            throw InputError("the record is empty, though others follow");
        }
        return false;
    }
    TakeBytes(*length);
    return true;
}

std::optional<uint64_t>
ChakraRecordReader::TakeLength()
{
    uint64_t length = 0;
    for (int i = 0; i < MAX_LENGTH_BYTES; ++i)
    {
        const int byte = m_source.sbumpc();
        if (byte == EOF && i == 0)
        {
            return std::nullopt;
        }
        if (byte == EOF)
        {
            throw InputError("the length of a record is cut off");
        }
        ++m_end;
        length |= (uint64_t{static_cast<unsigned char>(byte)} & 0x7f) << (7 * i);
        if (byte < 0x80)
        {
            return length;
        }
    }
    throw InputError("the length of a record takes at most 5 bytes");
}

void
ChakraRecordReader::TakeBytes(uint64_t length)
{
    m_record.clear();
    while (m_record.size() < length)
    {
        const std::size_t size = m_record.size();
        const auto block = std::min<uint64_t>(length - size, BLOCK_BYTES);
        m_record.resize(size + block);
        const auto got = static_cast<uint64_t>(m_source.sgetn(&m_record[size], block));
        m_end += got;
        if (got < block)
        {
            throw InputError("the record is cut off: " + std::to_string(length) +
                             " bytes are announced and " + std::to_string(size + got) +
                             " are left");
        }
    }
}

std::string_view
ChakraRecordReader::GetRecord() const
{
    return m_record;
}

uint64_t
ChakraRecordReader::GetOffset() const
{
    return m_offset;
}

bool
IsChakraMetadata(std::string_view record)
{
    bool hasVersion = false;
    bool hasAttributesOnly = true;
    ProtobufField field;
    while (TakeField(record, field))
    {
        if (field.number > 2 || field.wireType != WireType::Bytes)
        {
            return false;
        }
        hasVersion |= field.number == 1;
        hasAttributesOnly &= field.number == 1 || IsAttribute(field.bytes);
    }
    return hasVersion || hasAttributesOnly;
}

ChakraNode
DecodeChakraNode(std::string_view record)
{
    ChakraNode node;
    ProtobufField field;
    while (TakeField(record, field))
    {
        DecodeNodeField(field, node);
    }
    return node;
}

} // namespace mlcluster
} // namespace ns3
