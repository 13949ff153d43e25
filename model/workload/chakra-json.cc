/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-json.h"

#include "execution-graph.h"
#include "json-objects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ChakraAttributes::Value;   ///< short
using Origin = JsonObjectReader::Origin; ///< short

const std::string FEEDER_LIST = "workload_graph"; ///< nodes of the feeder's form
const std::string STG_LIST = "nodes";             ///< nodes of STG's form, and of PyTorch's
const std::string KINETO_LIST = "traceEvents";    ///< what a Kineto trace has

/// Names of Chakra's node types by number, without _NODE.
constexpr std::array TYPE_NAMES{"INVALID",
                                "METADATA",
                                "MEM_LOAD",
                                "MEM_STORE",
                                "COMP",
                                "COMM_SEND",
                                "COMM_RECV",
                                "COMM_COLL"};

/// A member of a node in protobuf's JSON.
struct Member
{
    std::string_view camel; ///< its name in camelCase
    std::string_view snake; ///< in snake_case
};

/// All members of a node.
constexpr std::array MEMBERS{Member{"id", "id"},
                             Member{"name", "name"},
                             Member{"type", "type"},
                             Member{"ctrlDeps", "ctrl_deps"},
                             Member{"dataDeps", "data_deps"},
                             Member{"startTimeMicros", "start_time_micros"},
                             Member{"durationMicros", "duration_micros"},
                             Member{"inputs", "inputs"},
                             Member{"outputs", "outputs"},
                             Member{"attr", "attr"}};

/// @param c a character of a name @return it in lower case, a dash for an underscore
int
ToLower(int c)
{
    return c == '_' ? '-' : std::tolower(c);
}

/// @param text digits, perhaps after a minus sign @return the integer, if it is one of 64 bits
std::optional<Value>
ParseInteger(std::string_view text)
{
    const char* end = text.data() + text.size();
    uint64_t positive = 0;
    auto result = std::from_chars(text.data(), end, positive);
    if (result.ec == std::errc() && result.ptr == end)
    {
        return positive;
    }
    int64_t negative = 0;
    result = std::from_chars(text.data(), end, negative);
    return result.ec == std::errc() && result.ptr == end ? std::optional<Value>(negative)
                                                         : std::nullopt;
}

/// @param value an integer or flag, or an integer as text if that is allowed @param texts whether
/// it is @return the integer, if it is one
std::optional<Value>
GetInteger(const JsonNode& value, bool texts)
{
    constexpr double EXACT = 9007199254740992.0;
    if (const auto* flag = std::get_if<bool>(&value.content))
    {
        return uint64_t{*flag};
    }
    if (const auto* number = std::get_if<uint64_t>(&value.content))
    {
        return *number;
    }
    if (const auto* number = std::get_if<int64_t>(&value.content))
    {
        return *number;
    }
    const auto* real = std::get_if<double>(&value.content);
    if (real && std::trunc(*real) == *real && std::abs(*real) <= EXACT)
    {
        return static_cast<int64_t>(*real);
    }
    const auto* text = std::get_if<std::string>(&value.content);
    return text && texts ? ParseInteger(*text) : std::nullopt;
}

/// @param list an array @param texts whether an integer may be a text @return its integers, or
/// OtherList if it has anything else
Value
ToList(const JsonNode::List& list, bool texts)
{
    std::vector<uint64_t> integers;
    for (const auto& element : list)
    {
        const auto integer = GetInteger(element, texts);
        if (!integer)
        {
            return ChakraAttributes::OtherList{};
        }
        const auto* negative = std::get_if<int64_t>(&*integer);
        integers.push_back(negative ? static_cast<uint64_t>(*negative)
                                    : std::get<uint64_t>(*integer));
    }
    return integers;
}

/// @param value any value @param texts whether an integer may be a text @return what an attribute
/// would hold
Value
ToValue(const JsonNode& value, bool texts)
{
    if (const auto integer = GetInteger(value, texts))
    {
        return *integer;
    }
    if (const auto* real = std::get_if<double>(&value.content))
    {
        return *real;
    }
    if (const auto* text = std::get_if<std::string>(&value.content))
    {
        return std::string_view(*text);
    }
    if (const auto* list = std::get_if<JsonNode::List>(&value.content))
    {
        return ToList(*list, texts);
    }
    return std::holds_alternative<JsonNode::Object>(value.content)
               ? Value(ChakraAttributes::OtherList{})
               : Value();
}

/// @param attributes some attributes @param name a list @return it, empty if it is missing
std::vector<uint64_t>
GetList(const ChakraAttributes& attributes, std::string_view name)
{
    return attributes.Has(name) ? attributes.GetUnsignedList(name) : std::vector<uint64_t>();
}

/// @param object an object @param name name of a text @return the text
std::string_view
GetText(const JsonNode& object, const std::string& name)
{
    const JsonNode* value = object.Find(name);
    const auto* text = value ? std::get_if<std::string>(&value->content) : nullptr;
    if (!text)
    {
        throw InputError(name + (value ? " is no text" : " is missing"));
    }
    return *text;
}

/// @param text a text @param function changes a character @return the text of the changed ones
std::string
Change(std::string text, int (*function)(int))
{
    std::transform(text.begin(), text.end(), text.begin(), [&](unsigned char c) {
        return static_cast<char>(function(c));
    });
    return text;
}

/// @param attributes attributes @param name of one that is a node type in words of any case,
/// perhaps with _NODE after them, or its number @return the number
uint64_t
GetType(const ChakraAttributes& attributes, std::string_view name)
{
    const std::string given = attributes.GetText(name);
    if (ParseInteger(given))
    {
        return attributes.GetUnsigned(name);
    }
    const std::string upper = Change(given, std::toupper);
    const std::string word = upper.substr(0, upper.rfind("_NODE"));
    const auto found =
        std::find(TYPE_NAMES.begin(), TYPE_NAMES.end(), word == "COLL_COMM" ? "COMM_COLL" : word);
    if (found == TYPE_NAMES.end())
    {
        throw InputError(std::string(name) + " is \"" + given +
                         "\"; a node type such as COMP_NODE is needed");
    }
    return found - TYPE_NAMES.begin();
}

/// @param object a node in the feeder's form or STG's @return its members as attributes
ChakraAttributes
ToAttributes(const JsonNode& object)
{
    ChakraAttributes attributes;
    for (const auto& [name, value] : std::get<JsonNode::Object>(object.content))
    {
        attributes.Set(name, ToValue(value, false));
    }
    return attributes;
}

/// @param microseconds a duration @param node receives it
void
SetDuration(double microseconds, ChakraNode& node)
{
    constexpr double PS_PER_MICROSECOND = 1e6;
    constexpr double TOO_LONG = 1e13;
    const bool isWhole = std::trunc(microseconds) == microseconds || microseconds > TOO_LONG;
    node.durationUnitPs = isWhole ? node.durationUnitPs : 1;
    node.duration = microseconds > TOO_LONG
                        ? std::numeric_limits<uint64_t>::max()
                        : std::llround(microseconds * (isWhole ? 1 : PS_PER_MICROSECOND));
}

/// @param object a node of the feeder's form @return the node
ChakraNode
DecodeFeederNode(const JsonNode& object)
{
    ChakraNode node;
    node.attributes = ToAttributes(object);
    const auto& attributes = node.attributes;
    node.id = attributes.GetUnsigned("Id");
    node.name = GetText(object, "Name");
    node.type = attributes.GetUnsigned("NodeType");
    attributes.GetFlag("is_cpu_op");
    node.dataDependencies = attributes.GetUnsignedList("data_deps");
    node.controlDependencies = GetList(attributes, "ctrlDeps");
    node.mayLackCommunication = true;
    if (attributes.Has("runtime"))
    {
        SetDuration(attributes.GetReal("runtime"), node);
    }
    return node;
}

/// @param object a node of STG's form @return the node
ChakraNode
DecodeStgNode(const JsonNode& object)
{
    ChakraNode node;
    node.attributes = ToAttributes(object);
    auto& attributes = node.attributes;
    node.id = attributes.GetUnsigned("id");
    node.name = GetText(object, "name");
    node.type = GetType(attributes, "node_type");
    node.dataDependencies = GetList(attributes, "data_deps");
    node.controlDependencies = GetList(attributes, "ctrl_deps");
    const auto type = attributes.Has("comm_type")
                          ? ParseCollectiveType(Change(attributes.GetText("comm_type"), ToLower))
                          : std::nullopt;
    if (type)
    {
        attributes.Set("comm_type", static_cast<uint64_t>(*type));
    }
    return node;
}

/// @param object an AttributeProto in JSON @return its name and value
std::pair<std::string_view, Value>
DecodeAttribute(const JsonNode& object)
{
    std::pair<std::string_view, Value> attribute(GetText(object, "name"), Value());
    for (const auto& [member, value] : std::get<JsonNode::Object>(object.content))
    {
        const std::string kind = member.substr(0, member.find_first_of("VL_"));
        const std::string holder = member.substr(kind.size());
        const bool isInteger = kind.find("int") != std::string::npos ||
                               kind.find("fixed") != std::string::npos || kind == "bool";
        if (holder == "Val" || holder == "_val")
        {
            attribute.second = ToValue(value, isInteger);
        }
        else if (holder == "List" || holder == "_list")
        {
            const JsonNode* values = value.Find("values");
            attribute.second =
                values ? ToValue(*values, isInteger) : Value(std::vector<uint64_t>());
        }
    }
    return attribute;
}

/// @param object one of Chakra's nodes in protobuf's JSON @return its members by their names in
/// snake_case
ChakraAttributes
GetMembers(const JsonNode& object)
{
    ChakraAttributes members;
    for (const auto& [name, value] : std::get<JsonNode::Object>(object.content))
    {
        const auto* found =
            std::find_if(MEMBERS.begin(), MEMBERS.end(), [name = &name](const Member& member) {
                return *name == member.camel || *name == member.snake;
            });
        if (found == MEMBERS.end())
        {
            throw InputError("\"" + name + "\" is no member of a node of Chakra's");
        }
        members.Set(found->snake, ToValue(value, true));
    }
    return members;
}

/// @param object one of Chakra's nodes in protobuf's JSON @return the node
ChakraNode
DecodeProtobufNode(const JsonNode& object)
{
    const ChakraAttributes members = GetMembers(object);
    const auto integer = [&](std::string_view name) {
        return members.Has(name) ? members.GetUnsigned(name) : 0;
    };
    ChakraNode node;
    node.id = integer("id");
    node.name = members.Has("name") ? GetText(object, "name") : std::string_view();
    node.type = members.Has("type") ? GetType(members, "type") : 0;
    node.duration = integer("duration_micros");
    node.controlDependencies = GetList(members, "ctrl_deps");
    node.dataDependencies = GetList(members, "data_deps");
    const JsonNode* inputs = object.Find("inputs");
    if (inputs && inputs->Find("values"))
    {
        node.inputValues = GetText(*inputs, "values");
    }
    if (const JsonNode* attributes = object.Find("attr"))
    {
        const auto* list = std::get_if<JsonNode::List>(&attributes->content);
        if (!list)
        {
            throw InputError("attr is no array");
        }
        for (const auto& attribute : *list)
        {
            node.Add(DecodeAttribute(attribute));
        }
    }
    return node;
}

/// @param object the first object at the top @return whether it is a GlobalMetadata
bool
IsMetadata(const JsonNode& object)
{
    const auto& members = std::get<JsonNode::Object>(object.content);
    return std::all_of(members.begin(), members.end(), [](const auto& member) {
        return member.first == "version" || member.first == "attr";
    });
}

/// @param object a node @param list the array that it is of, if that is a member @return the node
ChakraNode
DecodeNode(const JsonNode& object, const std::string& list)
{
    return list == FEEDER_LIST ? DecodeFeederNode(object)
           : list == STG_LIST  ? DecodeStgNode(object)
                               : DecodeProtobufNode(object);
}

} // namespace

void
ReadChakraJson(std::istream& stream,
               const std::string& file,
               const ChakraJsonHandler& handler,
               MessageTally& errors)
{
    JsonObjectReader reader(stream, {FEEDER_LIST, STG_LIST, KINETO_LIST});
    bool isFirst = true;
    const auto take = [&](const JsonNode& object, Origin origin, const std::string& list) {
        const bool mayBeMetadata = std::exchange(isFirst, false) && origin == Origin::Top;
        const bool hasList = object.Find(FEEDER_LIST) || object.Find(STG_LIST);
        if (origin == Origin::Top && (hasList || (mayBeMetadata && IsMetadata(object))))
        {
            return;
        }
        if (list == KINETO_LIST || (list == STG_LIST && !object.Find("node_type")))
        {
            throw InputError("this is a trace of PyTorch's or Kineto's; ml-cluster-convert makes "
                             "one of Chakra's of it");
        }
        try
        {
            handler(DecodeNode(object, list), object.line);
        }
        catch (const InputError& error)
        {
            errors.Error({file, object.line, list}, error.what());
        }
    };
    try
    {
        reader.Read(take);
    }
    catch (const InputError& error)
    {
        errors.Error({file, reader.GetLine(), ""}, error.what());
    }
}

} // namespace mlcluster
} // namespace ns3
