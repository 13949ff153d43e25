/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-record.h"

#include "json-reader.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t TENSOR_FIELDS =
    6;                              ///< tensor, storage, offset, elements, bytes of one, device
constexpr std::size_t ELEMENTS = 3; ///< field with the number of elements
constexpr std::size_t ELEMENT_BYTES = 4; ///< field with the bytes of one

/// @param value an input @return whether it is a tensor
bool
IsTensor(const JsonValue& value)
{
    const auto& fields = value.GetElements();
    return value.IsArray() && fields.size() >= TENSOR_FIELDS &&
           fields[TENSOR_FIELDS - 1].IsText() &&
           std::all_of(fields.begin(), fields.begin() + TENSOR_FIELDS - 1, [](const auto& field) {
               return field.GetKind() == JsonValue::Kind::Number;
           });
}

/// @param a a number @param b a number @return their product @throw InputError if it is above 2^63
uint64_t
Multiply(uint64_t a, uint64_t b)
{
    if (b != 0 && a > std::numeric_limits<int64_t>::max() / b)
    {
        throw InputError("a tensor of " + std::to_string(a) + " elements of " + std::to_string(b) +
                         " bytes is too large; sizes below 2^63 bytes are allowed");
    }
    return a * b;
}

/// @param tensor a tensor @param type such as "Tensor(float)" @return its bytes
uint64_t
GetTensorBytes(const JsonValue& tensor, const std::string& type)
{
    const auto& fields = tensor.GetElements();
    const uint64_t elements = fields[ELEMENTS].GetCount("the number of elements of a tensor");
    const uint64_t recorded = fields[ELEMENT_BYTES].GetCount("the size of an element");
    if (recorded > 0 || elements == 0)
    {
        return Multiply(elements, recorded);
    }
    const auto begin = type.find("Tensor(");
    const std::string name = begin == std::string::npos
                                 ? type
                                 : type.substr(begin + 7, type.find(')', begin) - begin - 7);
    const auto bytes = GetElementBytes(name);
    if (!bytes)
    {
        throw InputError("a tensor of type " + type + " has no element size, and that of " + name +
                         " is not known");
    }
    return Multiply(elements, *bytes);
}

/// @param value an input @param type its type @return bytes of the tensors in it
uint64_t
CountBytes(const JsonValue& value, const std::string& type)
{
    if (IsTensor(value))
    {
        return GetTensorBytes(value, type);
    }
    uint64_t sum = 0;
    for (const auto& element : value.GetElements())
    {
        sum += CountBytes(element, type);
        if (sum > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        {
            throw InputError("the tensors are too large; together below 2^63 bytes are allowed");
        }
    }
    return sum;
}

/// @param value an input @param devices receives the devices of the tensors in it
void
FindDevices(const JsonValue& value, std::vector<std::string>& devices)
{
    if (IsTensor(value))
    {
        devices.push_back(value.GetElements()[TENSOR_FIELDS - 1].GetText());
        return;
    }
    for (const auto& element : value.GetElements())
    {
        FindDevices(element, devices);
    }
}

/// @param list split sizes, as array or as text of one @return them
std::vector<uint64_t>
GetSplits(const JsonValue& list)
{
    const JsonValue parsed = list.IsText() ? ReadJson(list.GetText()) : JsonValue();
    std::vector<uint64_t> splits;
    for (const auto& size : (list.IsText() ? parsed : list).GetElements())
    {
        splits.push_back(size.GetCount("a split size"));
    }
    return splits;
}

/// @param group the process group among the inputs @return its name or handle, "" if not recorded
std::string
GetGroup(const JsonValue& group)
{
    const bool isPair = group.IsArray() && !group.GetElements().empty();
    const std::string text = (isPair ? group.GetElements()[0] : group).GetText();
    return text == "0" && group.GetKind() == JsonValue::Kind::Number ? "" : text;
}

/// @param attributes attrs of a node @param name of one @return its value, null if there is none
const JsonValue*
FindAttribute(const JsonValue& attributes, const std::string& name)
{
    for (const auto& attribute : attributes.GetElements())
    {
        const JsonValue* key = attribute.Find("name");
        if (key && key->GetText() == name)
        {
            return attribute.Find("value");
        }
    }
    return nullptr;
}

/// @param attributes attrs of a node @param name of one @param unset value that means none
/// @return its integer
int64_t
GetAttribute(const JsonValue& attributes, const std::string& name, int64_t unset)
{
    const JsonValue* value = FindAttribute(attributes, name);
    return value ? value->GetInteger().value_or(unset) : unset;
}

/// @param values what comes after the name of the operation @param record receives it
void
ReadRest(const std::vector<JsonValue>& values, CommunicationRecord& record)
{
    std::vector<int64_t> numbers;
    std::vector<const JsonValue*> lists;
    for (const auto& value : values)
    {
        if (value.IsArray())
        {
            lists.push_back(&value);
        }
        else
        {
            numbers.push_back(value.GetInteger().value_or(-1));
        }
    }
    record.inSplits = lists.empty() ? record.inSplits : GetSplits(*lists[0]);
    record.outSplits = lists.size() < 2 ? record.outSplits : GetSplits(*lists[1]);
    if (numbers.size() >= 3)
    {
        record.firstRank = numbers[0];
        record.rankStride = numbers[1];
    }
    record.groupSize = numbers.empty() ? 0 : std::max<int64_t>(numbers.back(), 0);
}

/// @param attributes attrs of the node @param record what its inputs say, receives the rest
void
ReadAttributes(const JsonValue& attributes, CommunicationRecord& record)
{
    const JsonValue* type = FindAttribute(attributes, "dtype");
    const auto bytes = type ? GetElementBytes(type->GetText()) : std::nullopt;
    if (bytes)
    {
        const auto in = std::max<int64_t>(GetAttribute(attributes, "in_msg_nelems", 0), 0);
        const auto out = std::max<int64_t>(GetAttribute(attributes, "out_msg_nelems", 0), 0);
        record.inputBytes = record.inputBytes > 0 ? record.inputBytes : Multiply(in, *bytes);
        record.outputBytes = Multiply(out, *bytes);
    }
    const JsonValue* name = FindAttribute(attributes, "pg_name");
    record.group = name && record.group.empty() ? name->GetText() : record.group;
    const int64_t size = GetAttribute(attributes, "pg_size", 0);
    record.groupSize = record.groupSize > 0 ? record.groupSize : std::max<int64_t>(size, 0);
    if (record.firstRank < 0)
    {
        record.firstRank = GetAttribute(attributes, "global_rank_start", -1);
        record.rankStride = GetAttribute(attributes, "global_rank_stride", -1);
    }
}

} // namespace

CommunicationRecord
ReadCommunicationRecord(const JsonValue& values,
                        const JsonValue& types,
                        const JsonValue* attributes)
{
    const auto& inputs = values.GetElements();
    const auto last = std::find_if(inputs.rbegin(), inputs.rend(), [](const auto& input) {
        return input.IsText();
    });
    const std::size_t position = inputs.rend() - last;
    if (position < 4)
    {
        throw InputError("inputs " + ToPythonText(values).substr(0, 80) +
                         "; needed are a tensor if there is one, sequence number, process group, "
                         "rank, name of the operation");
    }
    const std::size_t name = position - 1;
    CommunicationRecord record;
    record.operation = inputs[name].GetText();
    record.peer = inputs[name - 1].GetInteger().value_or(0);
    record.group = GetGroup(inputs[name - 2]);
    record.groupIsHandle = inputs[name - 2].GetKind() == JsonValue::Kind::Number;
    const JsonValue& sequence = inputs[name - 3];
    const bool isPair = sequence.IsArray() && !sequence.GetElements().empty();
    record.sequence = (isPair ? sequence.GetElements()[0] : sequence).GetInteger().value_or(-1);
    JsonValue tensors(JsonValue::Kind::Array);
    for (std::size_t i = 0; i + 3 < name; ++i)
    {
        tensors.Append(inputs[i]);
    }
    std::vector<std::string> devices;
    FindDevices(tensors, devices);
    record.hasTensor = !devices.empty();
    record.isOnHost = record.hasTensor && std::count(devices.begin(), devices.end(), "cpu") > 0;
    record.inputBytes = CountTensorBytes(tensors, types);
    ReadRest({inputs.begin() + position, inputs.end()}, record);
    if (attributes)
    {
        ReadAttributes(*attributes, record);
    }
    return record;
}

uint64_t
CountTensorBytes(const JsonValue& values, const JsonValue& types)
{
    uint64_t sum = 0;
    for (std::size_t i = 0; i < values.GetElements().size(); ++i)
    {
        const bool hasType = i < types.GetElements().size();
        const uint64_t bytes = CountBytes(values.GetElements()[i],
                                          hasType ? types.GetElements()[i].GetText() : "unknown");
        if (bytes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) - sum)
        {
            throw InputError("the tensors are too large; together below 2^63 bytes are allowed");
        }
        sum += bytes;
    }
    return sum;
}

std::optional<uint64_t>
GetElementBytes(const std::string& type)
{
    static const std::map<std::string, uint64_t> BYTES{{"bool", 1},
                                                       {"byte", 1},
                                                       {"char", 1},
                                                       {"signed char", 1},
                                                       {"unsigned char", 1},
                                                       {"short", 2},
                                                       {"short int", 2},
                                                       {"half", 2},
                                                       {"bfloat16", 2},
                                                       {"int", 4},
                                                       {"float", 4},
                                                       {"complexhalf", 4},
                                                       {"long", 8},
                                                       {"long int", 8},
                                                       {"double", 8},
                                                       {"complexfloat", 8},
                                                       {"complex<float>", 8},
                                                       {"complexdouble", 16},
                                                       {"complex<double>", 16}};
    std::string name = type;
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    name = name.substr(name.rfind("c10::", 0) == 0 ? 5 : 0);
    const auto found = BYTES.find(name.rfind("float8", 0) == 0 ? "byte" : name);
    return found == BYTES.end() ? std::nullopt : std::optional(found->second);
}

} // namespace mlcluster
} // namespace ns3
