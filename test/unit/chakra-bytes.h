/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_BYTES_H
#define ML_CLUSTER_CHAKRA_BYTES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// A protobuf encoder for tests, written from the description of the format, without the library
/// that the model uses.
namespace bytes
{

/// @param value a number @return it in base 128
inline std::string
Varint(uint64_t value)
{
    std::string text;
    for (; value >= 128; value /= 128)
    {
        text += static_cast<char>(value % 128 + 128);
    }
    return text + static_cast<char>(value);
}

/// @param value a number @param width bytes @return it, lowest byte first
inline std::string
Fixed(uint64_t value, int width)
{
    std::string text;
    for (; width > 0; --width, value /= 256)
    {
        text += static_cast<char>(value % 256);
    }
    return text;
}

/// @param field number @param wireType layout @return the tag of a field
inline std::string
Tag(uint32_t field, uint32_t wireType)
{
    return Varint(field * 8 + wireType);
}

/// @param field number @param value value @return a field of wire type 0
inline std::string
Number(uint32_t field, uint64_t value)
{
    return Tag(field, 0) + Varint(value);
}

/// @param field number @param content content @return a field of wire type 2
inline std::string
Text(uint32_t field, const std::string& content)
{
    return Tag(field, 2) + Varint(content.size()) + content;
}

/// @param field number @param values values @return a packed field
inline std::string
Packed(uint32_t field, const std::vector<uint64_t>& values)
{
    std::string content;
    for (const uint64_t value : values)
    {
        content += Varint(value);
    }
    return Text(field, content);
}

/// @param name name @param value encoded field of the value @return field 10 of a node
inline std::string
Attribute(const std::string& name, const std::string& value)
{
    return Text(10, Text(1, name) + value);
}

/// @param name name @param value value @return an int64 attribute
inline std::string
Int64(const std::string& name, uint64_t value)
{
    return Attribute(name, Number(9, value));
}

/// @param name name @param value value @return a string attribute
inline std::string
String(const std::string& name, const std::string& value)
{
    return Attribute(name, Text(29, value));
}

/// @param id id @param name name @param type number of the NodeType @param rest further fields
/// @return a node
inline std::string
Node(uint64_t id, const std::string& name, uint64_t type, const std::string& rest = "")
{
    return (id > 0 ? Number(1, id) : "") + Text(2, name) + Number(3, type) + rest;
}

/// @param message a message @return a record of the file
inline std::string
Record(const std::string& message)
{
    return Varint(message.size()) + message;
}

/// @param nodes messages of nodes @return a file that begins with a GlobalMetadata
inline std::string
File(const std::vector<std::string>& nodes)
{
    std::string content = Record(Text(1, "0.0.4"));
    for (const auto& node : nodes)
    {
        content += Record(node);
    }
    return content;
}

} // namespace bytes

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_BYTES_H
