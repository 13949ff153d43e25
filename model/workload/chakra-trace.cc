/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-trace.h"

#include "chakra-json.h"
#include "chakra-legacy.h"
#include "chakra-node.h"
#include "chakra-record.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param file name of a file @return whether it should be JSON
bool
IsJson(const std::string& file)
{
    for (const std::string end : {".json", ".json.gz"})
    {
        if (file.size() > end.size() &&
            file.compare(file.size() - end.size(), end.size(), end) == 0)
        {
            return true;
        }
    }
    return false;
}

/// Reads one file.
class TraceReader
{
  public:
    /// @param file name for messages @param options how to read @param errors receives errors
    /// @param warnings receives warnings
    TraceReader(const std::string& file,
                const ChakraOptions& options,
                MessageTally& errors,
                MessageTally& warnings)
        : m_file(file),
          m_options(options),
          m_converter(options),
          m_errors(errors),
          m_warnings(warnings)
    {
    }

    /// @param stream the file @return what was read, but for the graph
    ChakraTrace Read(std::istream& stream);
    /// @param diagnostics receives problems @return the graph of what was read
    std::shared_ptr<const ExecutionGraph> MakeGraph(Diagnostics& diagnostics);
    /// @return whether control dependencies became dependencies of nodes
    bool HasControlDependencies() const;

  private:
    /// @param stream a file of protobuf messages
    void ReadRecords(std::istream& stream);
    /// @param record a record that is no GlobalMetadata @return whether to go on
    bool ReadRecord(const ChakraRecordReader& record);
    /// @param record a record @return whether it may be read as one of the schema
    bool CheckSchema(const ChakraRecordReader& record);
    /// @param source a node @param line where it is in a file of lines, else 0
    void AddNode(const ChakraNode& source, int line);
    /// @param source a METADATA node @param place where it is
    void ReadGroups(const ChakraNode& source, const Diagnostics::Place& place);
    /// @param source a node @param node receives its control dependencies
    void AddControlDependencies(const ChakraNode& source, ExecutionNode& node);
    /// @param record a record @return where it is
    Diagnostics::Place GetPlace(const ChakraRecordReader& record) const;

    std::string m_file;              ///< name for messages
    ChakraOptions m_options;         ///< how to read
    ChakraNodeConverter m_converter; ///< of nodes
    MessageTally& m_errors;          ///< errors
    MessageTally& m_warnings;        ///< warnings
    bool m_mayBeLegacy{false};       ///< whether the file may have a schema before 0.0.4
    bool m_hasControl{false};        ///< whether there are control dependencies that count
    NodeStore m_nodes;               ///< nodes so far
    DependencyRules m_rules;         ///< about dependencies on missing nodes
    ChakraTrace m_trace;             ///< what was read
};

ChakraTrace
TraceReader::Read(std::istream& stream)
{
    const int first = stream.rdbuf()->sgetc();
    if (first == EOF)
    {
        m_errors.Error({m_file, 0, ""}, "the file is empty; a Chakra trace is expected");
        return std::move(m_trace);
    }
    if (IsJson(m_file))
    {
        ReadChakraJson(
            stream,
            m_file,
            [&](const ChakraNode& node, int line) { AddNode(node, line); },
            m_errors);
        return std::move(m_trace);
    }
    ReadRecords(stream);
    if (m_errors.GetNErrors() > 0 && (first == '{' || first == '['))
    {
        m_errors.Error({m_file, 0, ""}, "the file may be JSON; then its name has to end in .json");
    }
    return std::move(m_trace);
}

void
TraceReader::ReadRecords(std::istream& stream)
{
    const ChakraSchema schema = m_options.schema;
    ChakraRecordReader records(stream);
    try
    {
        bool goOn = records.Next();
        const bool mayHaveMetadata = schema == ChakraSchema::Auto || schema == ChakraSchema::V0004;
        const bool hasMetadata = mayHaveMetadata && IsChakraMetadata(records.GetRecord());
        m_mayBeLegacy = schema == ChakraSchema::Auto && !hasMetadata;
        if (hasMetadata)
        {
            goOn = records.Next();
        }
        while (goOn)
        {
            goOn = ReadRecord(records) && records.Next();
        }
    }
    catch (const InputError& error)
    {
        m_errors.Error(GetPlace(records), error.what());
    }
}

bool
TraceReader::ReadRecord(const ChakraRecordReader& record)
{
    const ChakraSchema schema = m_options.schema;
    const bool isLegacy = schema != ChakraSchema::Auto && schema != ChakraSchema::V0004;
    std::optional<ChakraNode> node;
    try
    {
        if (!CheckSchema(record))
        {
            return false;
        }
        node = isLegacy ? DecodeLegacyChakraNode(record.GetRecord(), schema)
                        : DecodeChakraNode(record.GetRecord());
    }
    catch (const InputError& error)
    {
        m_errors.Error(GetPlace(record), error.what());
    }
    if (node)
    {
        AddNode(*node, 0);
    }
    return true;
}

bool
TraceReader::CheckSchema(const ChakraRecordReader& record)
{
    const std::string legacy = m_mayBeLegacy ? GuessLegacySchema(record.GetRecord()) : "";
    if (legacy.empty())
    {
        return true;
    }
    m_errors.Error(GetPlace(record),
                   "the file has a schema of Chakra before 0.0.4, whose fields mean other things; "
                   "it looks like " +
                       legacy + ", which the option schema (workload.schema) selects");
    return false;
}

void
TraceReader::AddNode(const ChakraNode& source, int line)
{
    ExecutionNode node = m_converter.Convert(source);
    const auto place = [&] { return Diagnostics::Place{m_file, line, Describe(node)}; };
    for (const auto& error : m_converter.GetErrors())
    {
        m_errors.Error(place(), error);
    }
    if (!source.repeatedAttribute.empty())
    {
        m_warnings.Warning(
            "is given more than once; the last one counts",
            {m_file, line, place().key + ": " + std::string(source.repeatedAttribute)});
    }
    for (const auto& warning : m_converter.GetWarnings())
    {
        m_warnings.Warning(warning, place());
    }
    if (const auto rank = m_converter.GetStatedRank())
    {
        m_trace.statedRanks.emplace(*rank, place().key);
    }
    if (node.kind == NodeKind::Metadata)
    {
        ReadGroups(source, place());
    }
    if (m_options.controlDependencies != ControlDependencies::Ignore)
    {
        AddControlDependencies(source, node);
    }
    m_nodes.Add(std::move(node));
}

void
TraceReader::AddControlDependencies(const ChakraNode& source, ExecutionNode& node)
{
    const auto data = node.dependencies;
    for (const uint64_t id : source.controlDependencies)
    {
        m_hasControl = true;
        if (id == node.id && m_options.controlDependencies == ControlDependencies::Known)
        {
            m_warnings.Warning("control dependency on the node itself is dropped",
                               {m_file, 0, Describe(node)});
            continue;
        }
        node.dependencies.push_back(id);
        if (!m_nodes.Knows(id) && std::find(data.begin(), data.end(), id) == data.end())
        {
            m_rules.control.emplace(node.id, id);
        }
    }
}

void
TraceReader::ReadGroups(const ChakraNode& source, const Diagnostics::Place& place)
{
    try
    {
        for (auto& [name, ranks] : ParseProcessGroups(std::string(source.inputValues)))
        {
            const auto [known, isNew] = m_trace.groups.emplace(name, ranks);
            if (!isNew && known->second != ranks)
            {
                m_errors.Error(place, "defines group " + ShowName(name) + " anew with other ranks");
            }
        }
    }
    catch (const InputError& error)
    {
        m_errors.Error(place, error.what());
    }
}

std::shared_ptr<const ExecutionGraph>
TraceReader::MakeGraph(Diagnostics& diagnostics)
{
    m_rules.dropsData = m_options.ignoreMissingDependencies;
    m_rules.dropsControl = m_options.controlDependencies == ControlDependencies::Known;
    m_rules.dropped = [&](const ExecutionNode& node, uint64_t id, bool isControl) {
        m_warnings.Warning((isControl ? "control" : "data") +
                               std::string(" dependency on a missing node is dropped"),
                           {m_file, 0, Describe(node) + " -> node " + std::to_string(id)});
    };
    return std::make_shared<ExecutionGraph>(std::move(m_nodes), m_rules, m_file, diagnostics);
}

bool
TraceReader::HasControlDependencies() const
{
    return m_hasControl;
}

Diagnostics::Place
TraceReader::GetPlace(const ChakraRecordReader& record) const
{
    return {m_file, 0, "byte " + std::to_string(record.GetOffset())};
}

} // namespace

ChakraTrace
ReadChakraTrace(std::istream& stream,
                const std::string& file,
                const ChakraOptions& options,
                Diagnostics& diagnostics,
                MessageTally& warnings)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    MessageTally errors(diagnostics);
    TraceReader reader(file, options, errors, warnings);
    ChakraTrace trace = reader.Read(stream);
    if (errors.GetNErrors() > 0)
    {
        return trace;
    }
    trace.graph = reader.MakeGraph(diagnostics);
    if (diagnostics.GetErrors().size() > errorsBefore && reader.HasControlDependencies())
    {
        errors.Error({file, 0, ""},
                     "control dependencies are counted here; in traces converted from PyTorch they "
                     "are the tree of calls and are better ignored");
    }
    return trace;
}

} // namespace mlcluster
} // namespace ns3
