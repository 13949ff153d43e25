/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pytorch-node.h"

#include "communication-record.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int NANOSECONDS = 3;              ///< decimal places that make them of microseconds
constexpr int PICOSECONDS = 6;              ///< decimal places that make them of microseconds
constexpr int64_t PS_PER_NANOSECOND = 1000; ///< unit of times

/// @param object an object @param key a key @return its value
const JsonValue&
Need(const JsonValue& object, const std::string& key)
{
    const JsonValue* value = object.Find(key);
    if (!value)
    {
        throw InputError(key + " is missing");
    }
    return *value;
}

/// Reads a node.
class NodeReader
{
  public:
    /// @param source the node as it is in the file
    explicit NodeReader(const JsonValue& source)
        : m_source(source)
    {
    }

    PytorchNode Read(); ///< @return the node

  private:
    /// Reads the attributes of either layout.
    void ReadAttributes();
    /// @param name of an attribute @param value its value
    void ReadAttribute(const std::string& name, const JsonValue& value);
    /// Reads what Chakra's linker adds.
    void ReadMeasurement();
    /// @param key a key @param scale decimal places
    /// @return microseconds in finer units, 0 if there is none
    int64_t GetTime(const std::string& key, int scale) const;
    /// @param side "input" or "output" @return the values
    ChakraValues ReadValues(const std::string& side) const;

    const JsonValue& m_source; ///< the node
    PytorchNode m_node;        ///< what was read
};

PytorchNode
NodeReader::Read()
{
    m_node.id = Need(m_source, "id").GetCount("id");
    m_node.name = Need(m_source, "name").GetText();
    const JsonValue* parent = m_source.Find("ctrl_deps");
    m_node.parent = (parent ? *parent : Need(m_source, "parent")).GetCount("the parent");
    ReadAttributes();
    m_node.inputs = ReadValues("input");
    m_node.outputs = ReadValues("output");
    m_node.inputBytes = CountTensorBytes(GetPytorchList(m_source, "input", "values"),
                                         GetPytorchList(m_source, "input", "types"));
    ReadMeasurement();
    return std::move(m_node);
}

void
NodeReader::ReadAttributes()
{
    for (std::size_t i = 0; i < m_source.GetKeys().size(); ++i)
    {
        ReadAttribute(m_source.GetKeys()[i], m_source.GetElements()[i]);
    }
    const JsonValue* attributes = m_source.Find("attrs");
    if (!attributes)
    {
        return;
    }
    for (const auto& attribute : attributes->GetElements())
    {
        const JsonValue* name = attribute.Find("name");
        const JsonValue* value = attribute.Find("value");
        if (name && value)
        {
            ReadAttribute(name->GetText(), *value);
        }
    }
}

void
NodeReader::ReadAttribute(const std::string& name, const JsonValue& value)
{
    static const std::vector<std::pair<std::string, int64_t PytorchNode::*>> NUMBERS{
        {"rf_id", &PytorchNode::recordId},
        {"fw_parent", &PytorchNode::forwardParent},
        {"seq_id", &PytorchNode::sequence},
        {"scope", &PytorchNode::scope},
        {"tid", &PytorchNode::thread},
        {"fw_tid", &PytorchNode::forwardThread}};
    if (name == "op_schema")
    {
        m_node.schema = value.GetText();
    }
    const auto found = std::find_if(NUMBERS.begin(), NUMBERS.end(), [&](const auto& number) {
        return number.first == name;
    });
    if (found != NUMBERS.end())
    {
        const auto number = value.GetInteger();
        if (!number)
        {
            throw InputError(name + " is " + ToPythonText(value) + "; an integer is needed");
        }
        m_node.*found->second = *number;
    }
}

void
NodeReader::ReadMeasurement()
{
    const JsonValue* category = m_source.Find("cat");
    m_node.category = category ? category->GetText() : "";
    m_node.startNs = m_source.Find("ts") ? GetTime("ts", NANOSECONDS) : -1;
    m_node.inclusiveNs = GetTime("inclusive_dur", PICOSECONDS) / PS_PER_NANOSECOND;
    m_node.exclusiveNs = GetTime("exclusive_dur", PICOSECONDS) / PS_PER_NANOSECOND;
    if (const JsonValue* stream = m_source.Find("stream"))
    {
        m_node.stream = stream->GetInteger().value_or(-1);
    }
    const JsonValue* earlier = m_source.Find("inter_thread_dep");
    m_node.hasEarlierThread = earlier && earlier->GetKind() != JsonValue::Kind::Null;
    if (m_node.hasEarlierThread)
    {
        m_node.earlierThread = earlier->GetCount("inter_thread_dep");
    }
    if (const JsonValue* synchronisations = m_source.Find("sync_dep"))
    {
        for (const auto& id : synchronisations->GetElements())
        {
            m_node.synchronisations.push_back(id.GetCount("sync_dep"));
        }
    }
    if (const JsonValue* group = m_source.Find("pg_name"))
    {
        m_node.group = group->GetText();
    }
}

int64_t
NodeReader::GetTime(const std::string& key, int scale) const
{
    const JsonValue* value = m_source.Find(key);
    if (!value || value->GetKind() == JsonValue::Kind::Null)
    {
        return 0;
    }
    const auto number = value->GetScaled(scale);
    if (!number || *number < 0)
    {
        throw InputError(key + " is " + ToPythonText(*value) +
                         "; microseconds from 0 are needed, that 64 bits hold in ns (ts) or ps");
    }
    return *number;
}

ChakraValues
NodeReader::ReadValues(const std::string& side) const
{
    return {ToPythonText(GetPytorchList(m_source, side, "values")),
            ToPythonText(GetPytorchList(m_source, side, "shapes")),
            ToPythonText(GetPytorchList(m_source, side, "types"))};
}

} // namespace

PytorchNode
ReadPytorchNode(const JsonValue& source)
{
    return NodeReader(source).Read();
}

const JsonValue&
GetPytorchList(const JsonValue& source, const std::string& side, const std::string& part)
{
    static const JsonValue NOTHING(JsonValue::Kind::Array);
    const JsonValue* whole = source.Find(side + "s");
    const bool isFlat = !whole || whole->IsArray();
    const JsonValue* list = isFlat && part == "values" ? whole
                            : isFlat                   ? source.Find(side + "_" + part)
                                                       : whole->Find(part);
    return list && list->IsArray() ? *list : NOTHING;
}

bool
IsProcessNode(const std::string& name)
{
    return name.rfind("[pytorch|profiler|", 0) == 0 && name.find("|process]") != std::string::npos;
}

bool
IsStructureNode(const std::string& name)
{
    return name.rfind("[pytorch|profiler|", 0) == 0;
}

bool
IsGroupNode(const std::string& name)
{
    return name.find("process_group:init") != std::string::npos;
}

} // namespace mlcluster
} // namespace ns3
