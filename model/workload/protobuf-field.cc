/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "protobuf-field.h"

#include "ns3/diagnostics.h"

#include <protozero/pbf_reader.hpp>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Runs a piece of the protobuf library and turns its exceptions into sentences. @param body the
/// piece @return its result
template <typename Body>
auto
Guard(const Body& body)
{
    try
    {
        return body();
    }
    catch (const protozero::end_of_buffer_exception&)
    {
        throw InputError("a field is cut off");
    }
    catch (const protozero::varint_too_long_exception&)
    {
        throw InputError("a number is longer than 10 bytes");
    }
    catch (const protozero::unknown_pbf_wire_type_exception&)
    {
        throw InputError("a field has an unknown wire type");
    }
    catch (const protozero::exception& error)
    {
        throw InputError(std::string("malformed protobuf: ") + error.what());
    }
}

} // namespace

bool
TakeField(std::string_view& rest, ProtobufField& field)
{
    return Guard([&] {
        protozero::pbf_reader reader(rest.data(), rest.size());
        if (!reader.next())
        {
            return false;
        }
        field.number = reader.tag();
        field.wireType = static_cast<WireType>(reader.wire_type());
        switch (field.wireType)
        {
        case WireType::Varint:
            field.value = reader.get_uint64();
            break;
        case WireType::Fixed64:
            field.value = reader.get_fixed64();
            break;
        case WireType::Fixed32:
            field.value = reader.get_fixed32();
            break;
        case WireType::Bytes:
            const auto view = reader.get_view();
            field.bytes = {view.data(), view.size()};
            break;
        }
        rest.remove_prefix(rest.size() - reader.length());
        return true;
    });
}

uint64_t
TakeVarint(std::string_view& rest)
{
    return Guard([&] {
        const char* position = rest.data();
        const uint64_t value = protozero::decode_varint(&position, rest.data() + rest.size());
        rest.remove_prefix(position - rest.data());
        return value;
    });
}

void
AppendValues(const ProtobufField& field, WireType element, std::vector<uint64_t>& values)
{
    if (field.wireType != WireType::Bytes)
    {
        RequireWireType(field, element);
        values.push_back(field.value);
        return;
    }
    if (element == WireType::Varint)
    {
        for (std::string_view rest = field.bytes; !rest.empty();)
        {
            values.push_back(TakeVarint(rest));
        }
        return;
    }
    const std::size_t width = element == WireType::Fixed64 ? 8 : 4;
    if (field.bytes.size() % width != 0)
    {
        throw InputError("packed field " + std::to_string(field.number) + " is cut off");
    }
    for (std::size_t i = 0; i < field.bytes.size(); ++i)
    {
        if (i % width == 0)
        {
            values.push_back(0);
        }
        values.back() |= uint64_t{static_cast<unsigned char>(field.bytes[i])} << (i % width * 8);
    }
}

void
RequireWireType(const ProtobufField& field, WireType wireType)
{
    if (field.wireType != wireType)
    {
        throw InputError("field " + std::to_string(field.number) + " has wire type " +
                         std::to_string(static_cast<int>(field.wireType)) + " instead of " +
                         std::to_string(static_cast<int>(wireType)));
    }
}

} // namespace mlcluster
} // namespace ns3
