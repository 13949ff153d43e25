/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-attribute.h"

#include "protobuf-field.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ChakraAttributes::Value; ///< short

/// @tparam T a type @param raw bits @return the value those bits are of that type
template <typename T>
T
FromBits(uint64_t raw)
{
    T value;
    if constexpr (sizeof(T) == sizeof(uint32_t))
    {
        const auto low = static_cast<uint32_t>(raw);
        std::memcpy(&value, &low, sizeof(T));
    }
    else
    {
        std::memcpy(&value, &raw, sizeof(T));
    }
    return value;
}

/// @tparam T type on the wire @tparam Wide type of the variant @param raw bits @return the value
template <typename T, typename Wide>
Value
Plain(uint64_t raw)
{
    return static_cast<Wide>(FromBits<T>(raw));
}

/// @param raw a zig-zag number @return the value
Value
ZigZag(uint64_t raw)
{
    return static_cast<int64_t>((raw >> 1) ^ (~(raw & 1) + 1));
}

/// @param raw bits @return 0 or 1
Value
Flag(uint64_t raw)
{
    return uint64_t{raw != 0};
}

/// A kind of value.
struct Kind
{
    WireType wireType;              ///< layout of one value
    Value (*convert)(uint64_t raw); ///< meaning of its bits; null for texts
};

/// Kinds in the order of the schema: kind k is field 3 + 2k, a list of it field 4 + 2k.
constexpr std::array<Kind, 15> KINDS{{
    {WireType::Fixed64, Plain<double, double>},     // double
    {WireType::Fixed32, Plain<float, double>},      // float
    {WireType::Varint, Plain<int32_t, int64_t>},    // int32
    {WireType::Varint, Plain<int64_t, int64_t>},    // int64
    {WireType::Varint, Plain<uint32_t, uint64_t>},  // uint32
    {WireType::Varint, Plain<uint64_t, uint64_t>},  // uint64
    {WireType::Varint, ZigZag},                     // sint32
    {WireType::Varint, ZigZag},                     // sint64
    {WireType::Fixed32, Plain<uint32_t, uint64_t>}, // fixed32
    {WireType::Fixed64, Plain<uint64_t, uint64_t>}, // fixed64
    {WireType::Fixed32, Plain<int32_t, int64_t>},   // sfixed32
    {WireType::Fixed64, Plain<int64_t, int64_t>},   // sfixed64
    {WireType::Varint, Flag},                       // bool
    {WireType::Bytes, nullptr},                     // string
    {WireType::Bytes, nullptr},                     // bytes
}};

constexpr uint32_t FIRST_VALUE_FIELD = 3; ///< field of KINDS[0]

/// @param message a list message @param kind kind of its elements @return the value
Value
DecodeList(std::string_view message, const Kind& kind)
{
    std::vector<uint64_t> values;
    ProtobufField field;
    while (TakeField(message, field))
    {
        if (field.number == 1 && kind.convert)
        {
            AppendValues(field, kind.wireType, values);
        }
    }
    for (auto& value : values)
    {
        const Value element = kind.convert(value);
        if (std::holds_alternative<double>(element))
        {
            return ChakraAttributes::OtherList{};
        }
        const auto* number = std::get_if<int64_t>(&element);
        value = number ? static_cast<uint64_t>(*number) : std::get<uint64_t>(element);
    }
    return kind.convert ? Value(values) : Value(ChakraAttributes::OtherList{});
}

/// @param field the field of a value @return the value
Value
DecodeValue(const ProtobufField& field)
{
    const uint32_t offset = field.number - FIRST_VALUE_FIELD;
    const Kind& kind = KINDS[offset / 2];
    if (offset % 2 == 1)
    {
        RequireWireType(field, WireType::Bytes);
        return DecodeList(field.bytes, kind);
    }
    RequireWireType(field, kind.wireType);
    return kind.convert ? kind.convert(field.value) : Value(field.bytes);
}

/// @param value a value @return how messages show it
std::string
Show(const Value& value)
{
    struct Visitor
    {
        std::string operator()(std::monostate) const
        {
            return "empty";
        }

        std::string operator()(int64_t number) const
        {
            return std::to_string(number);
        }

        std::string operator()(uint64_t number) const
        {
            return std::to_string(number);
        }

        std::string operator()(double number) const
        {
            return "the real number " + std::to_string(number);
        }

        std::string operator()(std::string_view text) const
        {
            return "the text \"" + std::string(text.substr(0, 80)) + "\"";
        }

        std::string operator()(const std::vector<uint64_t>& list) const
        {
            return "a list of " + std::to_string(list.size()) + " integers";
        }

        std::string operator()(const ChakraAttributes::OtherList&) const
        {
            return "a list";
        }
    };

    return std::visit(Visitor{}, value);
}

/// @param name an attribute @param value its value @param needed what it should be
[[noreturn]] void
Refuse(std::string_view name, const Value& value, const std::string& needed)
{
    throw InputError(std::string(name) + " is " + Show(value) + "; " + needed + " is needed");
}

} // namespace

std::pair<std::string_view, Value>
ChakraAttributes::Decode(std::string_view message)
{
    std::string_view name;
    Value value;
    ProtobufField field;
    while (TakeField(message, field))
    {
        if (field.number == 1)
        {
            RequireWireType(field, WireType::Bytes);
            name = field.bytes;
        }
        else if (field.number >= FIRST_VALUE_FIELD &&
                 field.number < FIRST_VALUE_FIELD + 2 * KINDS.size())
        {
            value = DecodeValue(field);
        }
    }
    return {name, std::move(value)};
}

bool
ChakraAttributes::Set(std::string_view name, Value value)
{
    return m_values.insert_or_assign(name, std::move(value)).second;
}

bool
ChakraAttributes::Has(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found != m_values.end() && !std::holds_alternative<std::monostate>(found->second);
}

const Value&
ChakraAttributes::Get(std::string_view name) const
{
    if (!Has(name))
    {
        throw InputError("attribute " + std::string(name) + " is missing");
    }
    return m_values.at(name);
}

uint64_t
ChakraAttributes::GetUnsigned(std::string_view name, uint64_t highest) const
{
    const Value& value = Get(name);
    const auto* positive = std::get_if<uint64_t>(&value);
    const auto* any = std::get_if<int64_t>(&value);
    const bool isNegative = any && *any < 0;
    const uint64_t number = positive ? *positive : any ? static_cast<uint64_t>(*any) : 0;
    if ((!positive && !any) || isNegative || number > highest)
    {
        Refuse(name, value, "an integer from 0 to " + std::to_string(highest));
    }
    return number;
}

int64_t
ChakraAttributes::GetSigned(std::string_view name, int64_t lowest, int64_t highest) const
{
    const Value& value = Get(name);
    const auto* positive = std::get_if<uint64_t>(&value);
    const auto* any = std::get_if<int64_t>(&value);
    const bool isHuge = positive && *positive > std::numeric_limits<int64_t>::max();
    const int64_t number = any ? *any : positive && !isHuge ? static_cast<int64_t>(*positive) : 0;
    if ((!positive && !any) || isHuge || number < lowest || number > highest)
    {
        Refuse(name,
               value,
               "an integer from " + std::to_string(lowest) + " to " + std::to_string(highest));
    }
    return number;
}

bool
ChakraAttributes::GetFlag(std::string_view name) const
{
    const Value& value = Get(name);
    const auto* number = std::get_if<int64_t>(&value);
    return number ? *number != 0 : GetUnsigned(name) != 0;
}

std::vector<bool>
ChakraAttributes::GetFlags(std::string_view name) const
{
    const Value& value = Get(name);
    const auto* list = std::get_if<std::vector<uint64_t>>(&value);
    const bool isFlags = list && std::all_of(list->begin(), list->end(), [](uint64_t element) {
                             return element <= 1;
                         });
    if (!isFlags)
    {
        Refuse(name, value, "a list of flags, or of the integers 0 and 1,");
    }
    return {list->begin(), list->end()};
}

std::vector<uint64_t>
ChakraAttributes::GetUnsignedList(std::string_view name) const
{
    const Value& value = Get(name);
    const auto* list = std::get_if<std::vector<uint64_t>>(&value);
    const bool isUnsigned = list && std::all_of(list->begin(), list->end(), [](uint64_t element) {
                                return element <= std::numeric_limits<int64_t>::max();
                            });
    if (!isUnsigned)
    {
        Refuse(name, value, "a list of integers from 0 to 2^63 - 1");
    }
    return *list;
}

std::string
ChakraAttributes::GetText(std::string_view name) const
{
    const Value& value = Get(name);
    if (const auto* text = std::get_if<std::string_view>(&value))
    {
        return std::string(*text);
    }
    if (!std::holds_alternative<int64_t>(value) && !std::holds_alternative<uint64_t>(value))
    {
        Refuse(name, value, "a text or an integer");
    }
    return Show(value);
}

} // namespace mlcluster
} // namespace ns3
