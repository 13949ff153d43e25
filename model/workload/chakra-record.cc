/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-record.h"

#include "protobuf-field.h"

#include "ns3/diagnostics.h"

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
    OUTPUTS = 9,
    ATTRIBUTE = 10,
    LAST_LEGACY = 20
};

/// Longest length in front of a record, bytes.
constexpr std::size_t MAX_LENGTH_BYTES = 5;

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

/// @param record a node @return whether it has fields that only schemas before 0.0.4 have
bool
HasLegacyFields(std::string_view record)
{
    ProtobufField field;
    bool isLegacy = false;
    while (TakeField(record, field))
    {
        const bool isTensor = field.number == INPUTS || field.number == OUTPUTS;
        isLegacy |= (isTensor && field.wireType == WireType::Varint) ||
                    (field.number > ATTRIBUTE && field.number <= LAST_LEGACY);
    }
    return isLegacy;
}

/// @param message bytes of an AttributeProto @param node receives it
void
AddAttribute(std::string_view message, ChakraNode& node)
{
    const uint64_t before = node.attributes.GetSize();
    const std::string_view name = node.attributes.Add(message);
    if (node.attributes.GetSize() == before)
    {
        node.repeatedAttribute = name;
    }
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
        node.durationMicroseconds = GetInteger(field);
        break;
    case INPUTS:
        node.inputValues = DecodeInputValues(GetBytes(field));
        break;
    case ATTRIBUTE:
        AddAttribute(GetBytes(field), node);
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
        return !ChakraAttributes().Add(message).empty();
    }
    catch (const InputError&)
    {
        return false;
    }
}

} // namespace

ChakraRecordReader::ChakraRecordReader(std::string_view content)
    : m_content(content),
      m_rest(content)
{
}

bool
ChakraRecordReader::Next()
{
    if (m_rest.empty())
    {
        return false;
    }
    m_offset = m_content.size() - m_rest.size();
    const std::string_view start = m_rest;
    const uint64_t length = TakeVarint(m_rest);
    if (start.size() - m_rest.size() > MAX_LENGTH_BYTES)
    {
        throw InputError("the length of a record takes at most 5 bytes");
    }
    if (length > m_rest.size())
    {
        throw InputError("the record is cut off: " + std::to_string(length) +
                         " bytes are announced and " + std::to_string(m_rest.size()) + " are left");
    }
    if (length == 0 && m_offset > 0)
    {
        if (!m_rest.empty())
        {
            throw InputError("the record is empty, though others follow");
        }
        return false;
    }
    m_record = m_rest.substr(0, length);
    m_rest.remove_prefix(length);
    return true;
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
DecodeChakraNode(std::string_view record, bool mayBeLegacy)
{
    ChakraNode node;
    node.isLegacy = mayBeLegacy && HasLegacyFields(record);
    ProtobufField field;
    while (!node.isLegacy && TakeField(record, field))
    {
        DecodeNodeField(field, node);
    }
    return node;
}

} // namespace mlcluster
} // namespace ns3
