/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aicb-log.h"

#include "csv-rows.h"
#include "message-tally.h"
#include "rank-digits.h"
#include "trace-file.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MAX_RANKS = uint64_t{1} << 24;
constexpr uint64_t LARGEST_SIZE = std::numeric_limits<int64_t>::max();

/// Collectives of the log.
const std::map<std::string, CollectiveType> COLLECTIVES{
    {"all_reduce", CollectiveType::AllReduce},
    {"all_gather", CollectiveType::AllGather},
    {"reduce_scatter", CollectiveType::ReduceScatter},
    {"all_to_all", CollectiveType::AllToAll},
    {"broadcast", CollectiveType::Broadcast},
    {"reduce", CollectiveType::Reduce},
    {"barrier", CollectiveType::Barrier}};

/// Groups of the log and the families made of them; "all" is none.
const std::map<std::string, std::string> FAMILIES{{"tp_group", "tensor"},
                                                  {"ep_group", "expert"},
                                                  {"ep_dp_group", "expert-data"},
                                                  {"dp_group", "data"},
                                                  {"all", ""}};

/// @param names of something @return them in a list
template <typename Value>
std::vector<std::string>
GetNames(const std::map<std::string, Value>& names)
{
    std::vector<std::string> list;
    for (const auto& entry : names)
    {
        list.push_back(entry.first);
    }
    return list;
}

/// Reads one log.
class Reader
{
  public:
    /// @param path the file @param withInitialisation see ReadAicbLog @param diagnostics receives
    /// problems
    Reader(const std::string& path, bool withInitialisation, Diagnostics& diagnostics)
        : m_path(path),
          m_withInitialisation(withInitialisation),
          m_diagnostics(diagnostics)
    {
    }

    /// @return the workload, or null after errors @throw InputError if this is no log, or its
    /// groups do not fit the ranks
    std::shared_ptr<const ClusterWorkload> Read()
    {
        const auto rows = CutCsvRows(ReadTraceFile(m_path));
        if (rows.size() < 2)
        {
            throw InputError("is no log of AICB: needed are a line such as [rank0 ~ rank127] and a "
                             "heading");
        }
        ReadRanks(rows[0]);
        ReadHeading(rows[1]);
        MessageTally tally(m_diagnostics);
        for (std::size_t i = 2; i < rows.size(); ++i)
        {
            try
            {
                ReadRow(rows[i]);
            }
            catch (const InputError& error)
            {
                tally.Error({m_path, rows[i].line, m_column}, error.what());
            }
        }
        return tally.GetNErrors() > 0 ? nullptr : Make();
    }

  private:
    /// Reads the line of ranks.
    /// @param row the line
    void ReadRanks(const CsvRow& row)
    {
        const std::string& text = row.cells[0];
        const std::string begin = "[rank0 ~ rank";
        const bool fits = row.cells.size() == 1 && text.size() > begin.size() &&
                          text.compare(0, begin.size(), begin) == 0 && text.back() == ']';
        if (!fits)
        {
            throw InputError("line " + std::to_string(row.line) +
                             " does not state all ranks from 0, such as [rank0 ~ rank127]");
        }
        const std::string last = text.substr(begin.size(), text.size() - begin.size() - 1);
        m_nRanks = ParseLimitedCount(last, MAX_RANKS - 1) + 1;
    }

    /// Reads the heading.
    /// @param row the line
    void ReadHeading(const CsvRow& row)
    {
        for (std::size_t i = 0; i < row.cells.size(); ++i)
        {
            m_columns.emplace(row.cells[i], i);
        }
        for (const char* needed : {"comm_type",
                                   "comm_group",
                                   "comm_group_size",
                                   "msg_size",
                                   "stage",
                                   "src",
                                   "_elapsed_time",
                                   "count"})
        {
            if (m_columns.count(needed) == 0)
            {
                throw InputError("the heading in line " + std::to_string(row.line) +
                                 " lacks the column " + needed);
            }
        }
    }

    /// @param row a row @param column name of a column @return what is there
    const std::string& Get(const CsvRow& row, const std::string& column)
    {
        m_column = column;
        const std::size_t at = m_columns.at(column);
        if (at >= row.cells.size())
        {
            throw InputError("is missing");
        }
        return row.cells[at];
    }

    /// @param row a row @param column name of a column @param prefix of what is there @param words
    /// allowed after it @return which of them
    std::string GetWord(const CsvRow& row,
                        const std::string& column,
                        const std::string& prefix,
                        const std::vector<std::string>& words)
    {
        const std::string& text = Get(row, column);
        const bool hasPrefix = text.compare(0, prefix.size(), prefix) == 0;
        const std::string word = hasPrefix ? text.substr(prefix.size()) : text;
        CheckWord(column, word, words);
        return word;
    }

    /// Reads one operation.
    /// @param row its row
    void ReadRow(const CsvRow& row)
    {
        auto types = GetNames(COLLECTIVES);
        types.insert(types.end(), {"computation", "epoch_end", "isend", "irecv"});
        const std::string type = GetWord(row, "comm_type", "CommType.", types);
        const std::string& stage = Get(row, "stage");
        const bool isLeftOut = stage.compare(0, 4, "init") == 0 && !m_withInitialisation;
        if (type == "isend" || type == "irecv")
        {
            m_column = "comm_type";
            throw InputError(type +
                             " belongs to a pipeline, of which one log for all ranks does not "
                             "say who sends to whom; allowed are collectives and "
                             "computations");
        }
        if (type == "epoch_end" || isLeftOut)
        {
            return;
        }
        if (ParseCount(Get(row, "count")) != 1)
        {
            throw InputError(Get(row, "count") + " is given; allowed is 1, one operation a row");
        }
        ExecutionNode node;
        node.id = m_nodes.size();
        node.name = stage + " " + type;
        if (type == "computation")
        {
            ReadComputation(row, node);
        }
        else
        {
            node.collective = COLLECTIVES.at(type);
            ReadCollective(row, node);
        }
        if (node.id > 0)
        {
            node.dependencies = {node.id - 1};
        }
        m_nodes.push_back(node);
    }

    /// @param row of a computation @param node receives it
    void ReadComputation(const CsvRow& row, ExecutionNode& node)
    {
        const std::string& text = Get(row, "_elapsed_time");
        if (text.empty() || text == "None")
        {
            throw InputError("a computation has no time; needed are measured ones, in ms");
        }
        const long double time = std::round(ParseNumber(text) * 1e9L);
        if (!(time >= 0 && time < 9223372036854775808.0L))
        {
            throw InputError("'" + text + "' is no time; allowed are ms from 0 to 9e9");
        }
        node.kind = NodeKind::Compute;
        node.durationPs = static_cast<int64_t>(time);
    }

    /// @param row of a collective @param node receives it
    void ReadCollective(const CsvRow& row, ExecutionNode& node)
    {
        const std::string group = GetWord(row, "comm_group", "CommGroup.", GetNames(FAMILIES));
        const uint64_t size = ParseLimitedCount(Get(row, "comm_group_size"), m_nRanks);
        const uint64_t known = m_sizes.emplace(group, size).first->second;
        if (size == 0 || size != known)
        {
            throw InputError(std::to_string(size) + " ranks are in the " + group +
                             "; allowed are from 1, always as many, before " +
                             std::to_string(known));
        }
        const uint64_t bytes = ParseLimitedCount(Get(row, "msg_size"), LARGEST_SIZE);
        const bool isGather = node.collective == CollectiveType::AllGather;
        node.kind = NodeKind::Collective;
        node.bytes = isGather ? bytes / size + (bytes % size != 0 ? 1 : 0) : bytes;
        node.group = FAMILIES.at(group);
        if (IsRooted(node.collective))
        {
            const std::string& root = Get(row, "src");
            node.peer = root == "None" || root.empty()
                            ? 0
                            : static_cast<uint32_t>(ParseLimitedCount(root, size - 1));
        }
    }

    /// @param group of the log @return its size, 1 if it is not used
    uint64_t GetSize(const std::string& group) const
    {
        const auto found = m_sizes.find(group);
        return found == m_sizes.end() ? 1 : found->second;
    }

    /// @param family of groups, "" for all ranks @return digits in which its members differ
    RankDigits GetDigits(const std::string& family) const
    {
        const uint64_t tensor = GetSize("tp_group");
        const uint64_t expert = GetSize("ep_group");
        const std::map<std::string, RankDigits::Digit> digits{
            {"", {1, m_nRanks}},
            {"tensor", {1, tensor}},
            {"expert", {tensor, expert}},
            {"expert-data", {tensor * expert, GetSize("ep_dp_group")}},
            {"data", {tensor, GetSize("dp_group")}}};
        return RankDigits({digits.at(family)}, m_nRanks);
    }

    /// @return the workload
    std::shared_ptr<const ClusterWorkload> Make() const
    {
        if (m_sizes.count("all") > 0 && GetSize("all") != m_nRanks)
        {
            throw InputError("the group all has " + std::to_string(GetSize("all")) +
                             " ranks, but there are " + std::to_string(m_nRanks));
        }
        if (m_nodes.empty())
        {
            throw InputError("there is nothing to do; needed are operations, of stages that begin "
                             "with init only if initialisation is wanted");
        }
        CommunicatorGroups groups;
        GroupFamilies families;
        std::map<std::string, RankDigits> digits;
        std::set<std::string> rooted;
        for (const ExecutionNode& node : m_nodes)
        {
            if (node.kind == NodeKind::Collective &&
                digits.emplace(node.group, GetDigits(node.group)).second && !node.group.empty())
            {
                digits.at(node.group).AddFamily(node.group, groups, families);
            }
            if (node.kind == NodeKind::Collective && IsRooted(node.collective))
            {
                rooted.insert(node.group);
            }
        }
        std::map<std::vector<uint64_t>, std::shared_ptr<const ExecutionGraph>> graphs;
        std::vector<std::shared_ptr<const ExecutionGraph>> graphOf;
        for (uint64_t rank = 0; rank < m_nRanks; ++rank)
        {
            std::vector<uint64_t> firsts;
            for (const std::string& family : rooted)
            {
                firsts.push_back(digits.at(family).GetFirst(rank));
            }
            auto& graph = graphs[firsts];
            graph = graph ? graph : MakeGraph(rank, digits);
            graphOf.push_back(graph);
        }
        return std::make_shared<ClusterWorkload>(graphOf, groups, families);
    }

    /// @param rank a rank @param digits of families @return its graph, with roots as ranks
    std::shared_ptr<const ExecutionGraph> MakeGraph(
        uint64_t rank,
        const std::map<std::string, RankDigits>& digits) const
    {
        auto nodes = m_nodes;
        for (ExecutionNode& node : nodes)
        {
            if (node.kind == NodeKind::Collective && IsRooted(node.collective))
            {
                const RankDigits& at = digits.at(node.group);
                node.peer = at.GetMembers(at.GetFirst(rank))[node.peer];
            }
        }
        return std::make_shared<ExecutionGraph>(nodes, m_path, m_diagnostics);
    }

    std::string m_path;                           ///< the file
    bool m_withInitialisation;                    ///< whether to keep it
    Diagnostics& m_diagnostics;                   ///< receives problems
    uint64_t m_nRanks{0};                         ///< ranks
    std::map<std::string, std::size_t> m_columns; ///< index by name
    std::string m_column;                         ///< name of the one read last
    std::map<std::string, uint64_t> m_sizes;      ///< of groups in use
    std::vector<ExecutionNode> m_nodes;           ///< roots as positions in their groups
};

} // namespace

std::shared_ptr<const ClusterWorkload>
ReadAicbLog(const std::string& path, bool withInitialisation, Diagnostics& diagnostics)
{
    std::shared_ptr<const ClusterWorkload> workload;
    diagnostics.Collect({path, 0, "log"},
                        [&] { workload = Reader(path, withInitialisation, diagnostics).Read(); });
    return workload;
}

} // namespace mlcluster
} // namespace ns3
