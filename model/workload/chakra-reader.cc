/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader.h"

#include "chakra-trace.h"
#include "trace-file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Errors after which the files of further ranks are not read.
constexpr std::size_t ENOUGH_ERRORS = 20;

/// How a message about a schema ends.
const std::string SELECTS_SCHEMA = "which the option schema (workload.schema) selects";

/// @param path a file @return whether there is something of that name
bool
Exists(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// @param prefix path up to the rank @param rank a rank @param extension such as ".et" @return the
/// rank's file of that kind
std::string
GetPath(const std::string& prefix, uint32_t rank, const std::string& extension)
{
    return prefix + "." + std::to_string(rank) + extension;
}

/// @param path a file @return the number between the last two dots of its name, if it is one
std::optional<uint32_t>
GetRankOfName(const std::string& path)
{
    const std::string stem = std::filesystem::path(path).stem().extension().string();
    uint32_t rank = 0;
    const char* end = stem.data() + stem.size();
    const auto result = std::from_chars(stem.data() + (stem.empty() ? 0 : 1), end, rank);
    const bool isRank = !stem.empty() && result.ec == std::errc() && result.ptr == end;
    return isRank ? std::optional(rank) : std::nullopt;
}

/// @param ranks ranks, ascending @return them with runs abbreviated, such as "1, 3-7"
std::string
FormatRanks(const std::vector<uint32_t>& ranks)
{
    std::string text;
    for (std::size_t first = 0; first < ranks.size();)
    {
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
        {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[first]);
        text += last == first ? "" : "-" + std::to_string(ranks[last]);
        first = last + 1;
    }
    return text;
}

/// @param stream a file @param block receives its next bytes @return whether there are any
bool
ReadBlock(std::istream& stream, std::string& block)
{
    constexpr std::streamsize BYTES = 1 << 16;
    block.resize(BYTES);
    block.resize(stream.rdbuf()->sgetn(block.data(), BYTES));
    return !block.empty();
}

/// @param path a file @return a hash of its content, unpacked
std::size_t
HashFile(const std::string& path)
{
    constexpr std::size_t FACTOR = 0x9e3779b1;
    const auto stream = OpenTraceFile(path);
    std::size_t hash = 0;
    for (std::string block; ReadBlock(*stream, block);)
    {
        hash = hash * FACTOR + std::hash<std::string>()(block);
    }
    return hash;
}

/// @param first a file @param second another @return whether their contents are equal, unpacked
bool
AreEqual(const std::string& first, const std::string& second)
{
    const auto one = OpenTraceFile(first);
    const auto other = OpenTraceFile(second);
    std::string block;
    std::string like;
    while (ReadBlock(*one, block))
    {
        ReadBlock(*other, like);
        if (block != like)
        {
            return false;
        }
    }
    return !ReadBlock(*other, like);
}

/// @param trace a file's content @param file its name @param rank the rank it is for @param
/// diagnostics receives statements of another rank
void
CheckStatedRanks(const ChakraTrace& trace,
                 const std::string& file,
                 uint32_t rank,
                 Diagnostics& diagnostics)
{
    for (const auto& [stated, node] : trace.statedRanks)
    {
        if (stated != rank)
        {
            diagnostics.Error({file, 0, node},
                              "states rank " + std::to_string(stated) +
                                  " as its own (comm_src of a send, comm_dst of a receive), but "
                                  "the file is that of rank " +
                                  std::to_string(rank));
            return;
        }
    }
}

/// Reads the files of all ranks.
class WorkloadReader
{
  public:
    /// @param prefix path up to the rank @param nRanks number of ranks @param groups groups of the
    /// group file @param options how to read @param diagnostics receives problems
    WorkloadReader(const std::string& prefix,
                   uint32_t nRanks,
                   CommunicatorGroups groups,
                   const ChakraOptions& options,
                   Diagnostics& diagnostics)
        : m_prefix(prefix),
          m_nRanks(nRanks),
          m_groups(std::move(groups)),
          m_options(options),
          m_diagnostics(diagnostics),
          m_warnings(diagnostics),
          m_nErrorsBefore(diagnostics.GetErrors().size())
    {
    }

    /// @return the workload, or null after errors
    std::shared_ptr<const ClusterWorkload> Read();

  private:
    /// What was read, and from where.
    struct Source
    {
        std::string path;  ///< file of the first rank that has it
        ChakraTrace trace; ///< what it says
    };

    /// A group that a METADATA node defines.
    struct Definition
    {
        std::string path;            ///< file that defines it
        std::vector<uint32_t> ranks; ///< members
    };

    void CheckFiles();            ///< Checks that exactly the files of all ranks exist.
    void ReadRank(uint32_t rank); ///< @param rank rank whose file to read
    /// @param path a file @return what it says, shared with an earlier file if they are equal
    const Source& ReadFile(const std::string& path);
    void MergeGroups(const Source& source); ///< @param source a file read for the first time
    void CheckNotEmpty();                   ///< Checks that there is anything to do.
    CommunicatorGroups GetGroups() const;   ///< @return all groups
    uint64_t GetNErrors() const;            ///< @return errors since this was made

    std::string m_prefix;                                        ///< path up to the rank
    uint32_t m_nRanks;                                           ///< number of ranks
    CommunicatorGroups m_groups;                                 ///< groups of the group file
    ChakraOptions m_options;                                     ///< how to read
    Diagnostics& m_diagnostics;                                  ///< problems
    MessageTally m_warnings;                                     ///< warnings, summed up over files
    std::size_t m_nErrorsBefore;                                 ///< errors before this was made
    std::unordered_multimap<std::size_t, Source> m_sources;      ///< by hash of the content
    std::map<std::string, Definition> m_definitions;             ///< groups of METADATA nodes
    std::vector<std::shared_ptr<const ExecutionGraph>> m_graphs; ///< per rank
};

std::shared_ptr<const ClusterWorkload>
WorkloadReader::Read()
{
    CheckFiles();
    if (GetNErrors() > 0)
    {
        return nullptr;
    }
    for (uint32_t rank = 0; rank < m_nRanks; ++rank)
    {
        ReadRank(rank);
        if (GetNErrors() >= ENOUGH_ERRORS && rank + 1 < m_nRanks)
        {
            m_diagnostics.Error({}, "the files of further ranks were not read");
            break;
        }
    }
    if (GetNErrors() > 0)
    {
        return nullptr;
    }
    CheckNotEmpty();
    return GetNErrors() > 0 ? nullptr
                            : std::make_shared<ClusterWorkload>(std::move(m_graphs), GetGroups());
}

void
WorkloadReader::CheckFiles()
{
    std::vector<uint32_t> missing;
    for (uint32_t rank = 0; rank < m_nRanks; ++rank)
    {
        m_diagnostics.Collect({}, [&] {
            if (FindChakraFile(m_prefix, rank, m_options.schema).empty())
            {
                missing.push_back(rank);
            }
        });
        if (GetNErrors() >= ENOUGH_ERRORS)
        {
            return;
        }
    }
    const Diagnostics::Place place{m_prefix + ".<rank>.et", 0, ""};
    const std::string expected = std::to_string(m_nRanks) + " ranks are expected";
    if (!missing.empty())
    {
        const bool isOld = Exists(GetPath(m_prefix, 0, ".eg"));
        const std::string folder = std::filesystem::path(m_prefix).parent_path().string();
        const bool hasFolder = folder.empty() || Exists(folder);
        m_diagnostics.Error(
            place,
            "there is no file for rank " + FormatRanks(missing) +
                ", neither .et nor .json; files of " + expected +
                (hasFolder ? "" : "; folder " + folder + " does not exist") +
                (isOld ? "; the .eg files have schema 0.0.1, " + SELECTS_SCHEMA : ""));
    }
    else if (GetNErrors() == 0 && CountChakraRanks(m_prefix, m_options.schema) > m_nRanks)
    {
        m_diagnostics.Error(place,
                            "there are files of " +
                                std::to_string(CountChakraRanks(m_prefix, m_options.schema)) +
                                " ranks, but " + expected);
    }
}

void
WorkloadReader::ReadRank(uint32_t rank)
{
    const std::string path = FindChakraFile(m_prefix, rank, m_options.schema);
    try
    {
        const Source& source = ReadFile(path);
        CheckStatedRanks(source.trace, path, rank, m_diagnostics);
        m_graphs.push_back(source.trace.graph);
    }
    catch (const InputError& error)
    {
        m_diagnostics.Error({path, 0, ""}, std::string("cannot be read: ") + error.what());
    }
}

const WorkloadReader::Source&
WorkloadReader::ReadFile(const std::string& path)
{
    const std::size_t hash = HashFile(path);
    const auto [begin, end] = m_sources.equal_range(hash);
    for (auto candidate = begin; candidate != end; ++candidate)
    {
        if (AreEqual(candidate->second.path, path))
        {
            return candidate->second;
        }
    }
    const auto stream = OpenTraceFile(path);
    Source source{path, ReadChakraTrace(*stream, path, m_options, m_diagnostics, m_warnings)};
    MergeGroups(source);
    return m_sources.emplace(hash, std::move(source))->second;
}

void
WorkloadReader::MergeGroups(const Source& source)
{
    for (const auto& [name, members] : source.trace.groups)
    {
        std::vector<uint32_t> ranks = members;
        if (ranks.empty())
        {
            ranks.resize(m_nRanks);
            std::iota(ranks.begin(), ranks.end(), 0);
        }
        const Diagnostics::Place place{source.path, 0, "group \"" + name + "\""};
        const auto ofFile = m_groups.find(name);
        const auto [first, isNew] = m_definitions.emplace(name, Definition{source.path, ranks});
        if (ofFile != m_groups.end() && ofFile->second != ranks)
        {
            m_warnings.Warning("the group file gives the group other ranks, which count", place);
        }
        else if (ofFile == m_groups.end() && !isNew && first->second.ranks != ranks)
        {
            m_diagnostics.Error(place, "has other ranks than in " + first->second.path);
        }
    }
}

void
WorkloadReader::CheckNotEmpty()
{
    const bool isEmpty = std::all_of(m_graphs.begin(), m_graphs.end(), [](const auto& graph) {
        return graph->GetNNodes() == 0;
    });
    if (isEmpty)
    {
        m_diagnostics.Error({m_prefix + ".<rank>.et", 0, ""}, "no rank has any node");
    }
}

CommunicatorGroups
WorkloadReader::GetGroups() const
{
    CommunicatorGroups groups = m_groups;
    for (const auto& [name, definition] : m_definitions)
    {
        groups.emplace(name, definition.ranks);
    }
    return groups;
}

uint64_t
WorkloadReader::GetNErrors() const
{
    return m_diagnostics.GetErrors().size() - m_nErrorsBefore;
}

} // namespace

std::shared_ptr<const ExecutionGraph>
ReadChakraGraph(const std::string& path, const ChakraOptions& options, Diagnostics& diagnostics)
{
    try
    {
        if (std::filesystem::path(path).extension() == ".eg" &&
            options.schema != ChakraSchema::V0001)
        {
            throw InputError("files .eg have schema 0.0.1, " + SELECTS_SCHEMA);
        }
        const auto stream = OpenTraceFile(path);
        MessageTally warnings(diagnostics);
        const ChakraTrace trace = ReadChakraTrace(*stream, path, options, diagnostics, warnings);
        if (const auto rank = GetRankOfName(path))
        {
            CheckStatedRanks(trace, path, *rank, diagnostics);
        }
        return trace.graph;
    }
    catch (const InputError& error)
    {
        diagnostics.Error({path, 0, ""}, std::string("cannot be read: ") + error.what());
        return nullptr;
    }
}

std::shared_ptr<const ClusterWorkload>
ReadChakraWorkload(const std::string& prefix,
                   uint32_t nRanks,
                   CommunicatorGroups groups,
                   const ChakraOptions& options,
                   Diagnostics& diagnostics)
{
    return WorkloadReader(prefix, nRanks, std::move(groups), options, diagnostics).Read();
}

std::string
FindChakraFile(const std::string& prefix, uint32_t rank, ChakraSchema schema)
{
    std::string found;
    for (const std::string extension : {".et", ".json", ".eg"})
    {
        const std::string path = GetPath(prefix, rank, extension);
        if ((extension == ".eg" && schema != ChakraSchema::V0001) || !Exists(path))
        {
            continue;
        }
        if (!found.empty())
        {
            throw InputError("rank " + std::to_string(rank) + " has two files, " + found + " and " +
                             path + "; keep one");
        }
        found = path;
    }
    return found;
}

uint32_t
CountChakraRanks(const std::string& prefix, ChakraSchema schema)
{
    uint32_t count = 0;
    while (!FindChakraFile(prefix, count, schema).empty())
    {
        ++count;
    }
    return count;
}

const std::vector<std::string>&
GetChakraSchemaNames()
{
    static const std::vector<std::string> NAMES{"auto", "0.0.1", "0.0.2", "0.0.3", "0.0.4"};
    return NAMES;
}

ChakraSchema
ParseChakraSchema(const std::string& name)
{
    const auto& names = GetChakraSchemaNames();
    CheckWord("schema", name, names);
    return static_cast<ChakraSchema>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace mlcluster
} // namespace ns3
