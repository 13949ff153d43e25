/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pytorch-trace.h"

#include "json-reader.h"
#include "message-tally.h"
#include "trace-file.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int NANOSECONDS = 3; ///< decimal places that make nanoseconds of microseconds

/// Schemas that have been seen.
const std::set<std::string> SCHEMAS{"1.0.1",
                                    "1.0.2-chakra.0.0.4",
                                    "1.0.3-chakra.0.0.4",
                                    "1.0.4",
                                    "1.0.4-chakra.0.0.4",
                                    "1.1.0-chakra.0.0.4",
                                    "1.1.1-chakra.0.0.4"};

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

/// @param value a value @param key what it is @return it as an integer from 0
uint64_t
GetUnsigned(const JsonValue& value, const std::string& key)
{
    const auto number = value.GetInteger();
    if (!number || *number < 0)
    {
        throw InputError(key + " is " + ToPythonText(value) + "; an integer from 0 is needed");
    }
    return *number;
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
    /// @return what it says of a call to torch.distributed, if it does
    std::optional<CommunicationRecord> ReadRecord() const;
    std::vector<ProcessGroup> ReadGroups() const; ///< @return the process groups it defines

  private:
    /// Reads the attributes of either layout.
    void ReadAttributes();
    /// @param name of an attribute @param value its value
    void ReadAttribute(const std::string& name, const JsonValue& value);
    /// Reads what Chakra's linker adds.
    void ReadMeasurement();
    /// @param key a key @return microseconds as nanoseconds, 0 if there is none
    int64_t GetNanoseconds(const std::string& key) const;
    /// @param side "input" or "output" @return the values
    PytorchValues ReadValues(const std::string& side) const;
    /// @param side "input" or "output" @param part "values", "shapes" or "types" @return the list
    const JsonValue& GetList(const std::string& side, const std::string& part) const;

    const JsonValue& m_source;                   ///< the node
    PytorchNode m_node;                          ///< what was read
    JsonValue m_nothing{JsonValue::Kind::Array}; ///< an empty list
};

PytorchNode
NodeReader::Read()
{
    m_node.id = GetUnsigned(Need(m_source, "id"), "id");
    m_node.name = Need(m_source, "name").GetText();
    const JsonValue* parent = m_source.Find("ctrl_deps");
    m_node.parent = GetUnsigned(parent ? *parent : Need(m_source, "parent"), "the parent");
    ReadAttributes();
    m_node.inputs = ReadValues("input");
    m_node.outputs = ReadValues("output");
    m_node.inputBytes = CountTensorBytes(GetList("input", "values"), GetList("input", "types"));
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
    m_node.startNs = m_source.Find("ts") ? GetNanoseconds("ts") : -1;
    m_node.inclusiveNs = GetNanoseconds("inclusive_dur");
    m_node.exclusiveNs = GetNanoseconds("exclusive_dur");
    if (const JsonValue* stream = m_source.Find("stream"))
    {
        m_node.stream = stream->GetInteger().value_or(-1);
    }
    const JsonValue* earlier = m_source.Find("inter_thread_dep");
    m_node.hasEarlierThread = earlier && earlier->GetKind() != JsonValue::Kind::Null;
    if (m_node.hasEarlierThread)
    {
        m_node.earlierThread = GetUnsigned(*earlier, "inter_thread_dep");
    }
    if (const JsonValue* synchronisations = m_source.Find("sync_dep"))
    {
        for (const auto& id : synchronisations->GetElements())
        {
            m_node.synchronisations.push_back(GetUnsigned(id, "sync_dep"));
        }
    }
    if (const JsonValue* group = m_source.Find("pg_name"))
    {
        m_node.group = group->GetText();
    }
}

int64_t
NodeReader::GetNanoseconds(const std::string& key) const
{
    const JsonValue* value = m_source.Find(key);
    if (!value || value->GetKind() == JsonValue::Kind::Null)
    {
        return 0;
    }
    const auto number = value->GetScaled(NANOSECONDS);
    if (!number || *number < 0)
    {
        throw InputError(key + " is " + ToPythonText(*value) +
                         "; microseconds from 0 are needed, below 2^63 ns");
    }
    return *number;
}

PytorchValues
NodeReader::ReadValues(const std::string& side) const
{
    return {ToPythonText(GetList(side, "values")),
            ToPythonText(GetList(side, "shapes")),
            ToPythonText(GetList(side, "types"))};
}

const JsonValue&
NodeReader::GetList(const std::string& side, const std::string& part) const
{
    const JsonValue* whole = m_source.Find(side + "s");
    const bool isFlat = !whole || whole->IsArray();
    const JsonValue* list = isFlat && part == "values" ? whole
                            : isFlat                   ? m_source.Find(side + "_" + part)
                                                       : whole->Find(part);
    return list && list->IsArray() ? *list : m_nothing;
}

std::optional<CommunicationRecord>
NodeReader::ReadRecord() const
{
    if (Need(m_source, "name").GetText() != "record_param_comms")
    {
        return {};
    }
    return ReadCommunicationRecord(GetList("input", "values"),
                                   GetList("input", "types"),
                                   m_source.Find("attrs"));
}

std::vector<ProcessGroup>
NodeReader::ReadGroups() const
{
    const auto& inputs = GetList("input", "values").GetElements();
    const bool definesGroups =
        Need(m_source, "name").GetText().find("process_group:init") != std::string::npos;
    return definesGroups && !inputs.empty() ? ReadProcessGroups(ReadJson(inputs[0].GetText()))
                                            : std::vector<ProcessGroup>();
}

/// Reads a whole trace.
class PytorchReader
{
  public:
    /// @param path the file @param diagnostics receives problems
    PytorchReader(const std::string& path, Diagnostics& diagnostics)
        : m_tally(diagnostics)
    {
        m_trace.file = path;
    }

    PytorchTrace Read(); ///< @return the trace

  private:
    /// @param source a node as it is in the file
    void ReadNode(const JsonValue& source);
    /// @param header the file without its nodes
    void ReadHeader(const JsonValue& header);
    /// Sorts the nodes; an id given twice is an error.
    void SortNodes();
    /// A node that calls itself through others is an error.
    void CheckParents();

    MessageTally m_tally; ///< problems
    PytorchTrace m_trace; ///< so far
};

PytorchTrace
PytorchReader::Read()
{
    try
    {
        const auto file = OpenTraceFile(m_trace.file);
        ReadHeader(ReadJson(*file, "nodes", [this](const JsonValue& source) { ReadNode(source); }));
        SortNodes();
        CheckParents();
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_trace.file, 0, "PyTorch execution trace"}, error.what());
    }
    return std::move(m_trace);
}

void
PytorchReader::ReadNode(const JsonValue& source)
{
    const JsonValue* id = source.Find("id");
    const JsonValue* name = source.Find("name");
    const std::string key = "node " + (id ? ToPythonText(*id) : "without id") +
                            (name ? " \"" + name->GetText().substr(0, 80) + "\"" : "");
    try
    {
        NodeReader reader(source);
        m_trace.nodes.push_back(reader.Read());
        const PytorchNode& node = m_trace.nodes.back();
        m_trace.isLinked = m_trace.isLinked || !node.category.empty();
        if (auto record = reader.ReadRecord())
        {
            m_trace.records.emplace(node.id, std::move(*record));
        }
        for (auto& group : reader.ReadGroups())
        {
            m_trace.groups.push_back(std::move(group));
        }
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_trace.file, 0, key}, error.what());
    }
}

void
PytorchReader::ReadHeader(const JsonValue& header)
{
    const JsonValue* schema = header.Find("schema");
    if (!schema || !header.Find("nodes"))
    {
        throw InputError("has no schema and nodes; a PyTorch execution trace is an object with "
                         "\"schema\": \"1.0.2-chakra.0.0.4\" or the like and \"nodes\"");
    }
    if (SCHEMAS.count(schema->GetText()) == 0)
    {
        m_tally.Warning("this schema is not known; nodes are read by their layout",
                        {m_trace.file, 0, "schema " + schema->GetText()});
    }
    for (std::size_t i = 0; i < header.GetKeys().size(); ++i)
    {
        const JsonValue& value = header.GetElements()[i];
        if (value.GetKind() == JsonValue::Kind::Number || value.IsText())
        {
            m_trace.header.emplace_back(header.GetKeys()[i], value);
        }
    }
}

void
PytorchReader::SortNodes()
{
    auto& nodes = m_trace.nodes;
    std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < nodes.size(); ++i)
    {
        if (nodes[i].id == nodes[i - 1].id)
        {
            m_tally.Error({m_trace.file, 0, "node " + std::to_string(nodes[i].id)},
                          "is there twice: \"" + nodes[i - 1].name + "\" and \"" + nodes[i].name +
                              "\"");
        }
    }
}

void
PytorchReader::CheckParents()
{
    std::vector<std::size_t> seenFrom(m_trace.nodes.size(), PytorchTrace::NONE);
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        std::size_t node = i;
        while (node != PytorchTrace::NONE && seenFrom[node] == PytorchTrace::NONE)
        {
            seenFrom[node] = i;
            node = m_trace.GetParent(node);
        }
        if (node != PytorchTrace::NONE && seenFrom[node] == i)
        {
            m_tally.Error({m_trace.file, 0, "node " + std::to_string(m_trace.nodes[node].id)},
                          "is called by itself, through its parents");
        }
    }
}

} // namespace

std::size_t
PytorchTrace::Find(uint64_t id) const
{
    const auto found =
        std::lower_bound(nodes.begin(), nodes.end(), id, [](const auto& node, auto i) {
            return node.id < i;
        });
    return found != nodes.end() && found->id == id ? found - nodes.begin() : NONE;
}

std::size_t
PytorchTrace::GetParent(std::size_t node) const
{
    const std::size_t parent = Find(nodes[node].parent);
    return parent == node ? NONE : parent;
}

std::size_t
PytorchTrace::FindRecord(std::size_t node) const
{
    while (node != NONE && records.count(nodes[node].id) == 0)
    {
        node = GetParent(node);
    }
    return node;
}

PytorchTrace
ReadPytorchTrace(const std::string& path, Diagnostics& diagnostics)
{
    return PytorchReader(path, diagnostics).Read();
}

std::vector<ProcessGroup>
ReadProcessGroups(const JsonValue& list)
{
    std::vector<ProcessGroup> groups;
    for (const auto& entry : list.GetElements())
    {
        ProcessGroup group;
        group.name = Need(entry, "pg_name").GetText();
        if (const JsonValue* handle = entry.Find("backend_id"))
        {
            group.handle = handle->GetText();
        }
        for (const char* key : {"group_size", "pg_size"})
        {
            const JsonValue* size = entry.Find(key);
            group.size = size ? GetUnsigned(*size, key) : group.size;
        }
        const JsonValue* ranks = entry.Find("ranks");
        for (const auto& rank : ranks ? ranks->GetElements() : std::vector<JsonValue>())
        {
            const uint64_t number = GetUnsigned(rank, "a rank of group " + group.name);
            if (number > std::numeric_limits<uint32_t>::max())
            {
                throw InputError("rank " + rank.GetText() + " of group " + group.name +
                                 " is too large; 0 to 2^32 - 1 are allowed");
            }
            group.ranks.push_back(number);
        }
        groups.push_back(std::move(group));
    }
    return groups;
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

} // namespace mlcluster
} // namespace ns3
