/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-legacy.h"

#include "execution-graph.h"
#include "protobuf-field.h"

#include <array>
#include <cstring>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ChakraAttributes::Value; ///< short

constexpr int64_t PS_PER_NANOSECOND = 1000; ///< unit of durations in 0.0.1

/// Numbers of the fields of a node.
enum NodeField
{
    ID = 1,
    NAME = 2,
    TYPE = 3,
    PARENT = 4,
    INPUTS = 5,        ///< from 0.0.2 on
    RUN_TIME = 7,      ///< in 0.0.1
    ATTRIBUTE = 11,    ///< from 0.0.2 on
    COMM_TYPE = 13,    ///< in 0.0.1
    INVOLVED_DIM = 14, ///< in 0.0.1
    LAST = 20          ///< in 0.0.1
};

/// Fields of a node in 0.0.1 that are attributes later.
const std::map<uint32_t, std::string_view> ATTRIBUTE_FIELDS = {{5, "tensor_loc"},
                                                               {6, "tensor_size"},
                                                               {12, "num_ops"},
                                                               {15, "comm_group"},
                                                               {16, "comm_src"},
                                                               {17, "comm_dst"},
                                                               {18, "comm_size"},
                                                               {19, "comm_tag"},
                                                               {20, "comm_priority"}};

/// Collectives in the order of their numbers.
constexpr std::array COLLECTIVES{CollectiveType::AllReduce,
                                 CollectiveType::AllToAll,
                                 CollectiveType::AllGather,
                                 CollectiveType::ReduceScatter,
                                 CollectiveType::Broadcast};

/// What an attribute holds.
enum class Kind
{
    Integer, ///< or a flag
    Real,
    Text,
    Integers, ///< or flags
    Others    ///< a list that no attribute we read is
};

constexpr uint32_t FIRST_VALUE_FIELD = 4; ///< of an attribute, after name, type and doc_string

/// Kinds of value from the first field on: f, i, s, floats, ints, strings.
constexpr std::array KINDS_0002{Kind::Real,
                                Kind::Integer,
                                Kind::Text,
                                Kind::Others,
                                Kind::Integers,
                                Kind::Others};

/// Likewise: b, f, i, s, bools, floats, ints, strings.
constexpr std::array KINDS_0003{Kind::Integer,
                                Kind::Real,
                                Kind::Integer,
                                Kind::Text,
                                Kind::Integers,
                                Kind::Others,
                                Kind::Integers,
                                Kind::Others};

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

/// @param field a float @return the number
double
GetReal(const ProtobufField& field)
{
    RequireWireType(field, WireType::Fixed32);
    const auto bits = static_cast<uint32_t>(field.value);
    float number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
}

/// @param field a field of an attribute @param kind what it holds @param value receives it; lists
/// grow
void
DecodeValue(const ProtobufField& field, Kind kind, Value& value)
{
    switch (kind)
    {
    case Kind::Integer:
        value = static_cast<int64_t>(GetInteger(field));
        break;
    case Kind::Real:
        value = GetReal(field);
        break;
    case Kind::Text:
        value = GetBytes(field);
        break;
    case Kind::Integers: {
        auto* list = std::get_if<std::vector<uint64_t>>(&value);
        AppendValues(field,
                     WireType::Varint,
                     list ? *list : value.emplace<std::vector<uint64_t>>());
        break;
    }
    case Kind::Others:
        value = ChakraAttributes::OtherList{};
        break;
    }
}

/// @param message an attribute from 0.0.2 on @param schema the schema @return its name and value
std::pair<std::string_view, Value>
DecodeAttribute(std::string_view message, ChakraSchema schema)
{
    const bool isFirst = schema == ChakraSchema::V0002;
    const Kind* kinds = isFirst ? KINDS_0002.data() : KINDS_0003.data();
    const std::size_t nKinds = isFirst ? KINDS_0002.size() : KINDS_0003.size();
    std::pair<std::string_view, Value> attribute;
    ProtobufField field;
    while (TakeField(message, field))
    {
        if (field.number == 1)
        {
            attribute.first = GetBytes(field);
        }
        else if (field.number >= FIRST_VALUE_FIELD && field.number < FIRST_VALUE_FIELD + nKinds)
        {
            DecodeValue(field, kinds[field.number - FIRST_VALUE_FIELD], attribute.second);
        }
    }
    return attribute;
}

/// @param field a field that only 0.0.1 has @param node receives it
void
DecodeFirstField(const ProtobufField& field, ChakraNode& node)
{
    const auto attribute = ATTRIBUTE_FIELDS.find(field.number);
    if (attribute != ATTRIBUTE_FIELDS.end())
    {
        node.attributes.Set(attribute->second, GetInteger(field));
    }
    else if (field.number == RUN_TIME)
    {
        node.duration = GetInteger(field);
    }
    else if (field.number == COMM_TYPE)
    {
        node.attributes.Set("comm_type", GetInteger(field));
    }
}

/// @param field a field that 0.0.2 and 0.0.3 have @param schema which @param node receives it
void
DecodeLaterField(const ProtobufField& field, ChakraSchema schema, ChakraNode& node)
{
    if (field.number == INPUTS)
    {
        node.inputValues = GetBytes(field);
    }
    else if (field.number == ATTRIBUTE)
    {
        node.Add(DecodeAttribute(GetBytes(field), schema));
    }
}

/// @param record a node @param schema its schema @return what its fields hold
ChakraNode
DecodeFields(std::string_view record, ChakraSchema schema)
{
    ChakraNode node;
    std::vector<uint64_t> involved;
    ProtobufField field;
    while (TakeField(record, field))
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
        case PARENT:
            AppendValues(field, WireType::Varint, node.dataDependencies);
            break;
        default:
            if (schema != ChakraSchema::V0001)
            {
                DecodeLaterField(field, schema, node);
            }
            else if (field.number == INVOLVED_DIM)
            {
                AppendValues(field, WireType::Varint, involved);
            }
            else
            {
                DecodeFirstField(field, node);
            }
        }
    }
    if (!involved.empty())
    {
        node.attributes.Set("involved_dim", involved);
    }
    return node;
}

/// @param attributes of a collective @param schema the schema @return Chakra's number of its type
uint64_t
GetCollectiveNumber(const ChakraAttributes& attributes, ChakraSchema schema)
{
    const bool isFirst = schema == ChakraSchema::V0001;
    const int64_t lowest = isFirst ? 1 : 0;
    const int64_t number = attributes.GetSigned("comm_type", lowest, 4);
    return static_cast<uint64_t>(COLLECTIVES.at(number - lowest));
}

/// Gives numbers and names of 0.0.4 to what older schemas call otherwise. @param schema the schema
/// @param node the node
void
Modernise(ChakraSchema schema, ChakraNode& node)
{
    const bool hasMetadataType = schema == ChakraSchema::V0003;
    const uint64_t lastType = hasMetadataType ? 7 : 6;
    if (node.type > lastType)
    {
        throw InputError("type is " + std::to_string(node.type) + "; 0 to " +
                         std::to_string(lastType) + " are known to schema " +
                         GetChakraSchemaNames().at(static_cast<std::size_t>(schema)));
    }
    node.type += !hasMetadataType && node.type > 0 ? 1 : 0;
    auto& attributes = node.attributes;
    if (node.type == static_cast<uint64_t>(NodeKind::Collective) && attributes.Has("comm_type"))
    {
        attributes.Set("comm_type", GetCollectiveNumber(attributes, schema));
    }
    if (attributes.Has("is_host_op"))
    {
        attributes.Set("is_cpu_op", uint64_t{attributes.GetFlag("is_host_op")});
    }
    if (attributes.Has("runtime"))
    {
        node.duration = attributes.GetUnsigned("runtime");
    }
    if (schema == ChakraSchema::V0001)
    {
        node.durationUnitPs = PS_PER_NANOSECOND;
    }
}

} // namespace

ChakraNode
DecodeLegacyChakraNode(std::string_view record, ChakraSchema schema)
{
    ChakraNode node = DecodeFields(record, schema);
    Modernise(schema, node);
    return node;
}

std::string
GuessLegacySchema(std::string_view record)
{
    constexpr uint32_t FIRST_TENSOR_FIELD = 8;
    constexpr uint32_t LAST_TENSOR_FIELD = 10;
    std::string schema;
    ProtobufField field;
    while (TakeField(record, field))
    {
        const bool isTensor =
            field.number >= FIRST_TENSOR_FIELD && field.number <= LAST_TENSOR_FIELD;
        if ((isTensor && field.wireType == WireType::Varint) ||
            (field.number > ATTRIBUTE && field.number <= LAST))
        {
            schema = "0.0.1";
        }
        else if (field.number == ATTRIBUTE)
        {
            schema = "0.0.2 or 0.0.3";
        }
    }
    return schema;
}

} // namespace mlcluster
} // namespace ns3
