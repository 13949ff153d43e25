/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-trace.h"

#include "chakra-node.h"
#include "chakra-record.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

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

    /// @param content the file @return what was read, but for the graph
    ChakraTrace Read(std::string_view content);
    /// @return the nodes, with the dependencies that count
    std::vector<ExecutionNode> TakeNodes();
    /// @return whether control dependencies became dependencies of nodes
    bool HasControlDependencies() const;

  private:
    /// @param record a record that is no GlobalMetadata @return whether to go on
    bool ReadNode(const ChakraRecordReader& record);
    /// @param source a METADATA node @param place where it is
    void ReadGroups(const ChakraNode& source, const Diagnostics::Place& place);
    /// @param dependencies loses those on missing nodes @param warning what to say @param node the
    /// node that has them
    void DropMissing(std::vector<uint64_t>& dependencies,
                     const std::string& warning,
                     const ExecutionNode& node);
    /// @param record a record @return where it is
    Diagnostics::Place GetPlace(const ChakraRecordReader& record) const;

    std::string m_file;                 ///< name for messages
    ChakraOptions m_options;            ///< how to read
    ChakraNodeConverter m_converter;    ///< of nodes
    MessageTally& m_errors;             ///< errors
    MessageTally& m_warnings;           ///< warnings
    bool m_hasMetadata{false};          ///< whether the file begins with a GlobalMetadata
    std::vector<ExecutionNode> m_nodes; ///< nodes so far
    std::vector<std::vector<uint64_t>> m_controlDependencies; ///< per node
    std::vector<uint64_t> m_ids;                              ///< all ids, ascending
    ChakraTrace m_trace;                                      ///< what was read
};

ChakraTrace
TraceReader::Read(std::string_view content)
{
    ChakraRecordReader records(content);
    try
    {
        if (content.empty())
        {
            throw InputError("the file is empty; a Chakra trace is expected");
        }
        bool goOn = records.Next();
        m_hasMetadata = IsChakraMetadata(records.GetRecord());
        if (m_hasMetadata)
        {
            goOn = records.Next();
        }
        while (goOn)
        {
            goOn = ReadNode(records) && records.Next();
        }
    }
    catch (const InputError& error)
    {
        m_errors.Error(GetPlace(records), error.what());
    }
    return std::move(m_trace);
}

bool
TraceReader::ReadNode(const ChakraRecordReader& record)
{
    ChakraNode source;
    try
    {
        source = DecodeChakraNode(record.GetRecord(), !m_hasMetadata);
    }
    catch (const InputError& error)
    {
        m_errors.Error(GetPlace(record), error.what());
        return true;
    }
    if (source.isLegacy)
    {
        m_errors.Error(GetPlace(record),
                       "the file has a schema of Chakra before 0.0.4, whose fields mean other "
                       "things; convert it with Chakra's tools");
        return false;
    }
    m_nodes.push_back(m_converter.Convert(source));
    const Diagnostics::Place place{m_file, 0, Describe(m_nodes.back())};
    for (const auto& error : m_converter.GetErrors())
    {
        m_errors.Error(place, error);
    }
    if (!source.repeatedAttribute.empty())
    {
        m_warnings.Warning("is given more than once; the last one counts",
                           {m_file, 0, place.key + ": " + std::string(source.repeatedAttribute)});
    }
    for (const auto& warning : m_converter.GetWarnings())
    {
        m_warnings.Warning(warning, place);
    }
    if (const auto rank = m_converter.GetStatedRank())
    {
        m_trace.statedRanks.emplace(*rank, place.key);
    }
    if (m_nodes.back().kind == NodeKind::Metadata)
    {
        ReadGroups(source, place);
    }
    m_controlDependencies.push_back(std::move(source.controlDependencies));
    return true;
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
                m_errors.Error(place, "defines group \"" + name + "\" anew with other ranks");
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
    for (const auto& node : m_nodes)
    {
        m_ids.push_back(node.id);
    }
    std::sort(m_ids.begin(), m_ids.end());
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
    {
        auto& dependencies = m_nodes[i].dependencies;
        auto& control = m_controlDependencies[i];
        if (m_options.ignoreMissingDependencies)
        {
            DropMissing(dependencies, "data dependency on a missing node is dropped", m_nodes[i]);
        }
        if (m_options.controlDependencies == ControlDependencies::Known)
        {
            DropMissing(control, "control dependency on a missing node is dropped", m_nodes[i]);
        }
        if (m_options.controlDependencies != ControlDependencies::Ignore)
        {
            dependencies.insert(dependencies.end(), control.begin(), control.end());
        }
    }
    return std::move(m_nodes);
}

bool
TraceReader::HasControlDependencies() const
{
    return m_options.controlDependencies != ControlDependencies::Ignore &&
           std::any_of(m_controlDependencies.begin(),
                       m_controlDependencies.end(),
                       [](const auto& dependencies) { return !dependencies.empty(); });
}

void
TraceReader::DropMissing(std::vector<uint64_t>& dependencies,
                         const std::string& warning,
                         const ExecutionNode& node)
{
    std::vector<uint64_t> known;
    for (const uint64_t id : dependencies)
    {
        if (std::binary_search(m_ids.begin(), m_ids.end(), id))
        {
            known.push_back(id);
        }
        else
        {
            m_warnings.Warning(warning,
                               {m_file, 0, Describe(node) + " -> node " + std::to_string(id)});
        }
    }
    dependencies = std::move(known);
}

Diagnostics::Place
TraceReader::GetPlace(const ChakraRecordReader& record) const
{
    return {m_file, 0, "byte " + std::to_string(record.GetOffset())};
}

} // namespace

ChakraTrace
ReadChakraTrace(std::string_view content,
                const std::string& file,
                const ChakraOptions& options,
                Diagnostics& diagnostics,
                MessageTally& warnings)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    MessageTally errors(diagnostics);
    TraceReader reader(file, options, errors, warnings);
    ChakraTrace trace = reader.Read(content);
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
