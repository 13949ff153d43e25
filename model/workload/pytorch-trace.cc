/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pytorch-trace.h"

#include "json-reader.h"
#include "message-tally.h"
#include "trace-file.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Schemas that have been seen.
const std::set<std::string> SCHEMAS{"1.0.1",
                                    "1.0.2-chakra.0.0.4",
                                    "1.0.3-chakra.0.0.4",
                                    "1.0.4",
                                    "1.0.4-chakra.0.0.4",
                                    "1.1.0-chakra.0.0.4",
                                    "1.1.1-chakra.0.0.4"};

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
    uint64_t m_nNodes{0}; ///< nodes in the file
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
    ++m_nNodes;
    const JsonValue* id = source.Find("id");
    const JsonValue* name = source.Find("name");
    const std::string key = "node " + (id ? ToPythonText(*id) : "without id") +
                            (name ? " " + ShowName(name->GetText()) : "");
    try
    {
        m_trace.nodes.push_back(ReadPytorchNode(source));
        const PytorchNode& node = m_trace.nodes.back();
        m_trace.isLinked = m_trace.isLinked || !node.category.empty();
        const auto& inputs = GetPytorchList(source, "input", "values");
        if (node.name == "record_param_comms")
        {
            const auto& types = GetPytorchList(source, "input", "types");
            m_trace.records.emplace(node.id,
                                    ReadCommunicationRecord(inputs, types, source.Find("attrs")));
        }
        if (IsGroupNode(node.name) && !inputs.GetElements().empty())
        {
            for (auto& group : ReadProcessGroups(ReadJson(inputs.GetElements()[0].GetText())))
            {
                m_trace.groups.push_back(std::move(group));
            }
        }
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_trace.file, source.GetLine(), key}, error.what());
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
    if (!header.Find("nodes")->IsArray() || m_nNodes == 0)
    {
        throw InputError("nodes has no node in it; a list with at least one is needed");
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
                          "is there twice: " + ShowName(nodes[i - 1].name) + " and " +
                              ShowName(nodes[i].name));
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
        if (m_trace.Find(m_trace.nodes[i].parent) == PytorchTrace::NONE)
        {
            m_tally.Warning("has a parent that is not in the trace; taken as called by none",
                            {m_trace.file, 0, "node " + std::to_string(m_trace.nodes[i].id)});
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

} // namespace mlcluster
} // namespace ns3
