/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-json.h"

#include "execution-graph.h"
#include "json-reader.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ChakraAttributes::Value; ///< short

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

/// @param text a JSON number @return it
double
ParseReal(const std::string& text)
{
    return std::strtod(text.c_str(), nullptr);
}

/// @param text digits, perhaps after a minus sign @return the integer, if it is one of 64 bits
std::optional<Value>
ParseInteger(const std::string& text)
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

/// @param value a value @param texts whether an integer may be a text @return the integer, or 0 or
/// 1 of a flag, if it is one
std::optional<Value>
GetInteger(const JsonValue& value, bool texts)
{
    constexpr double EXACT = 9007199254740992.0;
    if (value.GetKind() == JsonValue::Kind::Flag)
    {
        return uint64_t{value.GetText() == "true"};
    }
    const bool isNumber = value.GetKind() == JsonValue::Kind::Number;
    const auto integer =
        isNumber || (texts && value.IsText()) ? ParseInteger(value.GetText()) : std::nullopt;
    const double real = isNumber && !integer ? ParseReal(value.GetText()) : 0.5;
    const bool isWhole = std::trunc(real) == real && std::abs(real) <= EXACT;
    return isWhole ? std::optional<Value>(static_cast<int64_t>(real)) : integer;
}

/// @param list an array @param texts whether an integer may be a text @return its integers, or
/// OtherList if it has anything else
Value
ToList(const JsonValue& list, bool texts)
{
    std::vector<uint64_t> integers;
    for (const auto& element : list.GetElements())
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
ToValue(const JsonValue& value, bool texts)
{
    if (const auto integer = GetInteger(value, texts))
    {
        return *integer;
    }
    switch (value.GetKind())
    {
    case JsonValue::Kind::Number:
        return ParseReal(value.GetText());
    case JsonValue::Kind::Text:
        return std::string_view(value.GetText());
    case JsonValue::Kind::Array:
        return ToList(value, texts);
    case JsonValue::Kind::Object:
        return ChakraAttributes::OtherList{};
    default:
        return {};
    }
}

/// @param attributes some attributes @param name a list @return it, empty if it is missing
std::vector<uint64_t>
GetList(const ChakraAttributes& attributes, std::string_view name)
{
    return attributes.Has(name) ? attributes.GetUnsignedList(name) : std::vector<uint64_t>();
}

/// @param object an object @param name name of a text @return the text
std::string_view
GetText(const JsonValue& object, const std::string& name)
{
    const JsonValue* value = object.Find(name);
    if (!value || !value->IsText())
    {
        throw InputError(name + (value ? " is no text" : " is missing"));
    }
    return value->GetText();
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
        throw InputError(std::string(name) + " is " + ShowName(given) +
                         "; a node type such as COMP_NODE is needed");
    }
    return found - TYPE_NAMES.begin();
}

/// @param object a node in the feeder's form or STG's @return its members as attributes
ChakraAttributes
ToAttributes(const JsonValue& object)
{
    ChakraAttributes attributes;
    for (std::size_t i = 0; i < object.GetKeys().size(); ++i)
    {
        attributes.Set(object.GetKeys()[i], ToValue(object.GetElements()[i], false));
    }
    return attributes;
}

/// @param object a node @param key of its duration in microseconds, which may be missing @param
/// node receives it, exactly
void
SetDuration(const JsonValue& object, const std::string& key, ChakraNode& node)
{
    constexpr int DIGITS_TO_PS = 6;
    const JsonValue* microseconds = object.Find(key);
    const auto picoseconds = microseconds ? microseconds->GetScaled(DIGITS_TO_PS) : 0;
    if (!picoseconds || *picoseconds < 0)
    {
        throw InputError(key + " is " + ToPythonText(*microseconds) +
                         "; microseconds from 0 to 9223372036854 are needed");
    }
    node.duration = static_cast<uint64_t>(*picoseconds);
    node.durationUnitPs = 1;
}

/// @param object a node of the feeder's form @return the node
ChakraNode
DecodeFeederNode(const JsonValue& object)
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
    SetDuration(object, "runtime", node);
    return node;
}

/// @param object a node of STG's form @return the node
ChakraNode
DecodeStgNode(const JsonValue& object)
{
    ChakraNode node;
    node.attributes = ToAttributes(object);
    auto& attributes = node.attributes;
    node.id = attributes.GetUnsigned("id");
    node.name = GetText(object, "name");
    node.type = GetType(attributes, "node_type");
    node.dataDependencies = GetList(attributes, "data_deps");
    node.controlDependencies = GetList(attributes, "ctrl_deps");
    SetDuration(object, "duration_micros", node);
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
DecodeAttribute(const JsonValue& object)
{
    std::pair<std::string_view, Value> attribute(GetText(object, "name"), Value());
    for (std::size_t i = 0; i < object.GetKeys().size(); ++i)
    {
        const std::string& member = object.GetKeys()[i];
        const JsonValue& value = object.GetElements()[i];
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
            const JsonValue* values = value.Find("values");
            attribute.second =
                values ? ToValue(*values, isInteger) : Value(std::vector<uint64_t>());
        }
    }
    return attribute;
}

/// @param object one of Chakra's nodes in protobuf's JSON @return its members by their names in
/// snake_case
ChakraAttributes
GetMembers(const JsonValue& object)
{
    ChakraAttributes members;
    for (std::size_t i = 0; i < object.GetKeys().size(); ++i)
    {
        const std::string& name = object.GetKeys()[i];
        const auto* found = std::find_if(MEMBERS.begin(), MEMBERS.end(), [&](const Member& member) {
            return name == member.camel || name == member.snake;
        });
        if (found == MEMBERS.end())
        {
            throw InputError(ShowName(name) + " is no member of a node of Chakra's");
        }
        members.Set(found->snake, ToValue(object.GetElements()[i], true));
    }
    return members;
}

/// @param object one of Chakra's nodes in protobuf's JSON @return the node
ChakraNode
DecodeProtobufNode(const JsonValue& object)
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
    const JsonValue* inputs = object.Find("inputs");
    if (inputs && inputs->Find("values"))
    {
        node.inputValues = GetText(*inputs, "values");
    }
    if (const JsonValue* attributes = object.Find("attr"))
    {
        if (!attributes->IsArray())
        {
            throw InputError("attr is no array");
        }
        for (const auto& attribute : attributes->GetElements())
        {
            node.Add(DecodeAttribute(attribute));
        }
    }
    return node;
}

/// @param object the first object at the top @return whether it is a GlobalMetadata
bool
IsMetadata(const JsonValue& object)
{
    const auto& keys = object.GetKeys();
    return object.GetKind() == JsonValue::Kind::Object &&
           std::all_of(keys.begin(), keys.end(), [](const auto& key) {
               return key == "version" || key == "attr";
           });
}

/// @param value a value at the top @return whether its elements, or those of a member, were the
/// nodes
bool
HasList(const JsonValue& value)
{
    const auto isList = [&](const std::string& key) {
        const JsonValue* list = value.Find(key);
        return list && list->IsArray();
    };
    return value.IsArray() || isList(FEEDER_LIST) || isList(STG_LIST) || isList(KINETO_LIST);
}

/// @param object a node @param list the array that it is of, if that is a member @return the node
ChakraNode
DecodeNode(const JsonValue& object, const std::string& list)
{
    return list == FEEDER_LIST ? DecodeFeederNode(object)
           : list == STG_LIST  ? DecodeStgNode(object)
                               : DecodeProtobufNode(object);
}

/// Reads one file.
class JsonTraceReader
{
  public:
    /// @param stream the text @param file name for messages @param handler receives the nodes
    /// @param errors receives errors
    JsonTraceReader(std::istream& stream,
                    const std::string& file,
                    const ChakraJsonHandler& handler,
                    MessageTally& errors)
        : m_reader(stream,
                   {FEEDER_LIST, STG_LIST, KINETO_LIST},
                   [this](const JsonValue& value, const std::string& list) { Take(value, list); }),
          m_file(file),
          m_handler(handler),
          m_errors(errors)
    {
    }

    /// Reads all of it.
    void Read()
    {
        try
        {
            for (auto value = m_reader.Next(); value; value = m_reader.Next())
            {
                const bool mayBeMetadata = std::exchange(m_isFirst, false);
                if (!HasList(*value) && !(mayBeMetadata && IsMetadata(*value)))
                {
                    Take(*value, "");
                }
            }
        }
        catch (const InputError& error)
        {
            m_errors.Error({m_file, m_reader.GetLine(), ""}, error.what());
        }
    }

  private:
    /// @param value a node @param list key of the array that it is of, "" if there is none
    void Take(const JsonValue& value, const std::string& list)
    {
        m_isFirst = false;
        if (list == KINETO_LIST || (list == STG_LIST && !value.Find("node_type")))
        {
            throw InputError("this is a trace of PyTorch's or Kineto's; ml-cluster-convert makes "
                             "one of Chakra's of it");
        }
        ChakraNode node;
        try
        {
            node = value.GetKind() == JsonValue::Kind::Object
                       ? DecodeNode(value, list)
                       : throw InputError("an object, a node, is needed here");
        }
        catch (const InputError& error)
        {
            m_errors.Error({m_file, value.GetLine(), list}, error.what());
            return;
        }
        m_handler(node, value.GetLine());
    }

    JsonReader m_reader;                ///< of the text
    std::string m_file;                 ///< name for messages
    const ChakraJsonHandler& m_handler; ///< receives the nodes
    MessageTally& m_errors;             ///< errors
    bool m_isFirst{true};               ///< whether nothing was read yet
};

} // namespace

void
ReadChakraJson(std::istream& stream,
               const std::string& file,
               const ChakraJsonHandler& handler,
               MessageTally& errors)
{
    JsonTraceReader(stream, file, handler, errors).Read();
}

} // namespace mlcluster
} // namespace ns3
