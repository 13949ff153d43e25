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
    /// @return the nodes, with the dependencies that count
    std::vector<ExecutionNode> TakeNodes();
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
    void AddControlDependencies(); ///< Adds those that count to the nodes' dependencies.
    void DropMissing();            ///< Drops data dependencies on missing nodes.
    /// @param id an id @param warning what to say if no node has it @param node the node that names
    /// it @return whether there is such a node
    bool CheckId(uint64_t id, const std::string& warning, const ExecutionNode& node);
    /// @param record a record @return where it is
    Diagnostics::Place GetPlace(const ChakraRecordReader& record) const;

    std::string m_file;                 ///< name for messages
    ChakraOptions m_options;            ///< how to read
    ChakraNodeConverter m_converter;    ///< of nodes
    MessageTally& m_errors;             ///< errors
    MessageTally& m_warnings;           ///< warnings
    bool m_mayBeLegacy{false};          ///< whether the file may have a schema before 0.0.4
    std::vector<ExecutionNode> m_nodes; ///< nodes so far
    std::vector<std::pair<std::size_t, uint64_t>>
        m_controlDependencies;   ///< position of a node and an id
    std::vector<uint64_t> m_ids; ///< all ids, ascending
    ChakraTrace m_trace;         ///< what was read
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
    try
    {
        if (!CheckSchema(record))
        {
            return false;
        }
        AddNode(isLegacy ? DecodeLegacyChakraNode(record.GetRecord(), schema)
                         : DecodeChakraNode(record.GetRecord()),
                0);
    }
    catch (const InputError& error)
    {
        m_errors.Error(GetPlace(record), error.what());
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
    const std::size_t index = m_nodes.size();
    m_nodes.push_back(m_converter.Convert(source));
    const auto place = [&] { return Diagnostics::Place{m_file, line, Describe(m_nodes.back())}; };
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
    if (m_nodes.back().kind == NodeKind::Metadata)
    {
        ReadGroups(source, place());
    }
    if (m_options.controlDependencies != ControlDependencies::Ignore)
    {
        for (const uint64_t id : source.controlDependencies)
        {
            m_controlDependencies.emplace_back(index, id);
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

std::vector<ExecutionNode>
TraceReader::TakeNodes()
{
    const bool isKnown = m_options.controlDependencies == ControlDependencies::Known;
    if (m_options.ignoreMissingDependencies || (isKnown && HasControlDependencies()))
    {
        m_ids.reserve(m_nodes.size());
        for (const auto& node : m_nodes)
        {
            m_ids.push_back(node.id);
        }
        std::sort(m_ids.begin(), m_ids.end());
    }
    if (m_options.ignoreMissingDependencies)
    {
        DropMissing();
    }
    AddControlDependencies();
    return std::move(m_nodes);
}

bool
TraceReader::HasControlDependencies() const
{
    return !m_controlDependencies.empty();
}

void
TraceReader::AddControlDependencies()
{
    const bool isKnown = m_options.controlDependencies == ControlDependencies::Known;
    for (const auto& [index, id] : m_controlDependencies)
    {
        ExecutionNode& node = m_nodes[index];
        if (isKnown && id == node.id)
        {
            m_warnings.Warning("control dependency on the node itself is dropped",
                               {m_file, 0, Describe(node)});
        }
        else if (!isKnown || CheckId(id, "control dependency on a missing node is dropped", node))
        {
            node.dependencies.push_back(id);
        }
    }
}

void
TraceReader::DropMissing()
{
    for (auto& node : m_nodes)
    {
        auto& ids = node.dependencies;
        const auto isMissing = [&](uint64_t id) {
            return !CheckId(id, "data dependency on a missing node is dropped", node);
        };
        ids.erase(std::remove_if(ids.begin(), ids.end(), isMissing), ids.end());
    }
}

bool
TraceReader::CheckId(uint64_t id, const std::string& warning, const ExecutionNode& node)
{
    const bool isKnown = std::binary_search(m_ids.begin(), m_ids.end(), id);
    if (!isKnown)
    {
        m_warnings.Warning(warning, {m_file, 0, Describe(node) + " -> node " + std::to_string(id)});
    }
    return isKnown;
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
    trace.graph = std::make_shared<ExecutionGraph>(reader.TakeNodes(), file, diagnostics);
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
