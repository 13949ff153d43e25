/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flexflow-graph.h"

#include "graphviz-tokens.h"
#include "message-tally.h"

#include "ns3/plain-number.h"
#include "ns3/shown-text.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t LAST_DEVICE = std::numeric_limits<uint32_t>::max(); ///< highest device number
constexpr uint64_t LAST_ID = std::numeric_limits<uint64_t>::max();     ///< highest node number

/// Keys that fields of a label can have.
const std::vector<std::string> KEYS =
    {"device_id", "simulated_run_time", "src_device_id", "dst_device_id", "comm_size", "run_time"};

/// The fields of a label.
struct Label
{
    std::map<std::string, std::string> fields; ///< with a key, by it
    std::vector<std::string> words;            ///< without: name, phase, type

    /// @param key a key @return the value of its field @throw InputError if there is none
    const std::string& Get(const std::string& key) const
    {
        const auto found = fields.find(key);
        if (found == fields.end())
        {
            throw InputError(key + " is missing");
        }
        return found->second;
    }

    /// @param key key of an integer @param largest allowed @return the integer
    uint64_t GetCount(const std::string& key, uint64_t largest) const
    {
        try
        {
            return ParseLimitedCount(Get(key), largest);
        }
        catch (const InputError& error)
        {
            const bool isMissing = fields.count(key) == 0;
            throw InputError((isMissing ? "" : key + ": ") + error.what());
        }
    }
};

/// What a file of simulated schedules is refused with, which ends reading.
class WrongForm : public InputError
{
  public:
    using InputError::InputError;
};

/// @param text the text of a label @return its fields
Label
ReadLabel(const std::string& text)
{
    const auto first = text.find_first_not_of(' ');
    const auto last = text.find_last_not_of(' ');
    if (first == std::string::npos || text[first] != '{' || text[last] != '}' || first == last)
    {
        throw InputError("the label is " + ShowName(text) + "; {device_id=0|...} is needed");
    }
    const std::string inside = text.substr(first + 1, last - first - 1);
    if (inside.find('{') != std::string::npos)
    {
        throw WrongForm(
            "the label has the form { name | type | { start | end } }: this is a "
            "schedule that FlexFlow simulated, which has no sizes; the task graph itself "
            "is needed, with labels {device_id=...|...}");
    }
    Label label;
    for (const auto& field : SplitWords(inside, '|'))
    {
        const auto equals = field.find('=');
        const auto parts = SplitWords(field.substr(0, equals), '=');
        const bool hasKey = equals != std::string::npos &&
                            std::find(KEYS.begin(), KEYS.end(), parts[0]) != KEYS.end();
        if (hasKey)
        {
            label.fields[parts[0]] = SplitWords(field.substr(equals + 1), '\n')[0];
        }
        else
        {
            label.words.push_back(field);
        }
    }
    return label;
}

/// @param text the text of a label @return the task it describes
FlexflowTask
ReadTask(const std::string& text)
{
    const Label label = ReadLabel(text);
    const std::string type = label.words.size() == 3 ? label.words[2] : "";
    FlexflowTask task;
    task.isTransfer = type == "COMM_SEND_RECV_NODE";
    if (!task.isTransfer && type != "COMP_NODE")
    {
        throw InputError("the label is \"" + text +
                         "\"; beside fields with a key it needs name, phase and type, which is "
                         "COMP_NODE or COMM_SEND_RECV_NODE");
    }
    task.name = label.words[0];
    task.phase = label.words[1];
    if (task.isTransfer)
    {
        task.source = label.GetCount("src_device_id", LAST_DEVICE);
        task.target = label.GetCount("dst_device_id", LAST_DEVICE);
        task.bytes = label.GetCount("comm_size", LAST_ID);
        return task;
    }
    task.device = label.GetCount("device_id", LAST_DEVICE);
    task.runTime = label.Get("simulated_run_time");
    return task;
}

/// Reads one file.
class GraphReader
{
  public:
    /// @param stream the text @param file name for messages @param diagnostics receives problems
    GraphReader(std::istream& stream, const std::string& file, Diagnostics& diagnostics)
        : m_tokens(stream),
          m_tally(diagnostics)
    {
        m_graph.file = file;
    }

    /// @return the graph
    FlexflowGraph Read();

  private:
    /// An edge, from one node to another.
    struct Edge
    {
        uint64_t from; ///< node that ends first
        uint64_t to;   ///< node that waits for it
        int line;      ///< where it is
    };

    void ReadHeader();    ///< Reads what is in front of the statements.
    bool ReadStatement(); ///< Reads a node or an edge. @return whether to go on
    /// @param id number of the node @param line where it is
    void ReadNode(uint64_t id, int line);
    uint64_t TakeNode(); ///< @return number of a node, taken
    /// @param sign what has to come @param what where, for the message
    void Expect(const char* sign, const std::string& what);
    void SkipStatement(); ///< Goes on behind the next semicolon.
    void ResolveEdges();  ///< Gives each task its parents.
    /// @param edge an edge @param id one of its ends @return position of the task
    uint32_t Find(const Edge& edge, uint64_t id) const;

    GraphvizTokens m_tokens;                               ///< the text
    MessageTally m_tally;                                  ///< problems
    FlexflowGraph m_graph;                                 ///< so far
    std::vector<Edge> m_edges;                             ///< edges so far
    std::unordered_map<uint64_t, uint32_t> m_positionOfId; ///< of each task
};

FlexflowGraph
GraphReader::Read()
{
    try
    {
        m_tokens.Advance();
        ReadHeader();
        while (!m_tokens.Peek().Is("}"))
        {
            if (!ReadStatement())
            {
                return std::move(m_graph);
            }
        }
        m_tokens.Take();
        if (!m_tokens.Peek().IsEnd())
        {
            throw InputError("something follows the closing brace");
        }
        ResolveEdges();
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_graph.file, m_tokens.Peek().line, ""}, error.what());
    }
    return std::move(m_graph);
}

void
GraphReader::ReadHeader()
{
    if (!m_tokens.Take().Is("digraph"))
    {
        throw InputError("a task graph of FlexFlow begins with \"digraph taskgraph {\"");
    }
    m_tokens.Take();
    Expect("{", "behind the graph's name");
}

bool
GraphReader::ReadStatement()
{
    const int line = m_tokens.Peek().line;
    try
    {
        const uint64_t id = TakeNode();
        if (m_tokens.Peek().Is("->"))
        {
            m_tokens.Take();
            m_edges.push_back({id, TakeNode(), line});
        }
        else
        {
            ReadNode(id, line);
        }
        Expect(";", "behind a node or an edge");
    }
    catch (const WrongForm& error)
    {
        m_tally.Error({m_graph.file, line, ""}, error.what());
        return false;
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_graph.file, line, ""}, error.what());
        SkipStatement();
    }
    return true;
}

void
GraphReader::ReadNode(uint64_t id, int line)
{
    Expect("[", "behind a node");
    std::string label;
    for (bool goesOn = true; goesOn;)
    {
        const std::string name = m_tokens.Take().text;
        Expect("=", "behind an attribute's name");
        const GraphvizToken value = m_tokens.Take();
        label = name == "label" ? value.text : label;
        goesOn = m_tokens.Peek().Is(",");
        if (goesOn)
        {
            m_tokens.Take();
        }
    }
    FlexflowTask task = ReadTask(label);
    task.id = id;
    task.line = line;
    const auto [other, isNew] = m_positionOfId.emplace(id, m_graph.tasks.size());
    if (!isNew)
    {
        throw InputError("node" + std::to_string(id) + " is already defined in line " +
                         std::to_string(m_graph.tasks[other->second].line));
    }
    m_graph.tasks.push_back(std::move(task));
    Expect("]", "behind a node's attributes");
}

uint64_t
GraphReader::TakeNode()
{
    const std::string start = "node";
    const std::string text = m_tokens.Take().text;
    if (text.compare(0, start.size(), start) != 0)
    {
        throw InputError(ShowName(text) + " is no node, such as node7");
    }
    return ParseLimitedCount(text.substr(start.size()), LAST_ID);
}

void
GraphReader::Expect(const char* sign, const std::string& what)
{
    if (!m_tokens.Peek().Is(sign))
    {
        throw InputError(std::string(sign) + " is missing " + what);
    }
    m_tokens.Take();
}

void
GraphReader::SkipStatement()
{
    while (!m_tokens.Peek().IsEnd() && !m_tokens.Peek().Is("}"))
    {
        if (m_tokens.Take().Is(";"))
        {
            return;
        }
    }
    if (m_tokens.Peek().IsEnd())
    {
        throw InputError("the closing brace is missing");
    }
}

void
GraphReader::ResolveEdges()
{
    for (const auto& edge : m_edges)
    {
        try
        {
            m_graph.tasks[Find(edge, edge.to)].parents.push_back(Find(edge, edge.from));
        }
        catch (const InputError& error)
        {
            m_tally.Error({m_graph.file, edge.line, ""}, error.what());
        }
    }
    for (auto& task : m_graph.tasks)
    {
        auto& parents = task.parents;
        std::sort(parents.begin(), parents.end());
        parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
    }
}

uint32_t
GraphReader::Find(const Edge& edge, uint64_t id) const
{
    const auto found = m_positionOfId.find(id);
    if (found == m_positionOfId.end())
    {
        throw InputError("the edge from node" + std::to_string(edge.from) + " to node" +
                         std::to_string(edge.to) + " names node" + std::to_string(id) +
                         ", which is not defined");
    }
    return found->second;
}

} // namespace

uint64_t
FlexflowGraph::CountEdges() const
{
    return std::accumulate(tasks.begin(),
                           tasks.end(),
                           uint64_t{0},
                           [](uint64_t sum, const auto& t) { return sum + t.parents.size(); });
}

FlexflowGraph
ReadFlexflowGraph(std::istream& stream, const std::string& file, Diagnostics& diagnostics)
{
    return GraphReader(stream, file, diagnostics).Read();
}

} // namespace mlcluster
} // namespace ns3
