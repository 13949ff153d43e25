/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PROTOBUF_FIELD_H
#define ML_CLUSTER_PROTOBUF_FIELD_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a protobuf field is laid out; the values are those on the wire.
 */
enum class WireType
{
    Varint = 0,  ///< base 128, up to 10 bytes
    Fixed64 = 1, ///< 8 bytes, little-endian
    Bytes = 2,   ///< a length and so many bytes
    Fixed32 = 5  ///< 4 bytes, little-endian
};

/**
 * @ingroup ml-cluster
 * One field of a protobuf message.
 */
struct ProtobufField
{
    uint32_t number{0};                  ///< field number
    WireType wireType{WireType::Varint}; ///< layout
    uint64_t value{0};                   ///< raw value, unless the layout is Bytes
    std::string_view bytes;              ///< content if the layout is Bytes, a view of the message
};

/**
 * @ingroup ml-cluster
 * Takes the next field from a message.
 * @param rest what is left of the message; shortened by the field
 * @param field receives it
 * @return whether there was one
 * @throw InputError if the message is malformed
 */
bool TakeField(std::string_view& rest, ProtobufField& field);

/**
 * @ingroup ml-cluster
 * Takes a base-128 number from the start of a text.
 * @param rest shortened by the number
 * @return the number
 * @throw InputError if it is cut off or longer than 10 bytes
 */
uint64_t TakeVarint(std::string_view& rest);

/**
 * @ingroup ml-cluster
 * Appends what a field of a repeated number holds: one value, or many if it is packed.
 * @param field the field
 * @param element layout of one value, not Bytes
 * @param values receives the raw values
 * @throw InputError if the field has neither layout or is malformed
 */
void AppendValues(const ProtobufField& field, WireType element, std::vector<uint64_t>& values);

/**
 * @ingroup ml-cluster
 * @param field a field
 * @param wireType its proper layout
 * @throw InputError if it has another
 */
void RequireWireType(const ProtobufField& field, WireType wireType);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PROTOBUF_FIELD_H
