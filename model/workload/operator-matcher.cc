/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-matcher.h"

#include "sequence-alignment.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t NONE = OperatorMatch::NONE;
constexpr std::size_t FUZZY_SHARE = 10;      ///< one in so many operators may lack a partner
constexpr std::size_t FUZZY_DISTANCE = 4000; ///< and no more than these, for time and memory

/// A thread of a trace.
struct Thread
{
    std::string label;                ///< for messages
    std::vector<std::size_t> members; ///< positions of its operators
    NameSequence names;               ///< their names
    bool isTaken{false};              ///< whether it has a partner
};

/// @param name name of a node @return whether it can have a partner
bool
IsOperator(const std::string& name)
{
    return !IsStructureNode(name) && name.find("ProfilerStep") == std::string::npos;
}

/// @param node a node @return how the ledger names it
std::string
ShowNode(const PytorchNode& node)
{
    return std::to_string(node.id) + " " + ShowName(node.name);
}

/// Counts operators that contradict that two traces are of one run.
struct IdDifferences
{
    std::size_t n{0};  ///< such operators
    std::size_t of{0}; ///< of so many
    std::string first; ///< the first of them

    /// @param differs whether it is such an operator @param node the operator @param how it differs
    void Add(bool differs, const PytorchNode& node, const std::string& how)
    {
        if (differs && ++n == 1)
        {
            first =
                "node " + ShowNode(node) + ", rf_id " + std::to_string(node.recordId) + ": " + how;
        }
    }

    /// @param what is the matter with them @param file the Kineto trace @param tally receives an
    /// error if they are more than may be
    void Check(const std::string& what, const std::string& file, MessageTally& tally) const
    {
        if (n > of / FUZZY_SHARE)
        {
            tally.Error({file, 0, "Record function id"},
                        "the two traces are not of one run: " + std::to_string(n) + " of " +
                            std::to_string(of) + " operators " + what + ", more than a tenth; " +
                            "first " + first + "; --allow-fuzzy takes them all the same");
        }
    }
};

/// Matches two traces.
class Matcher
{
  public:
    /// @param trace execution trace @param kineto Kineto trace @param options how
    Matcher(const PytorchTrace& trace, const KinetoTrace& kineto, const MatchOptions& options)
        : m_trace(trace),
          m_kineto(kineto),
          m_options(options)
    {
        m_match.operatorOf.assign(trace.nodes.size(), NONE);
        m_match.nodeOf.assign(kineto.operators.size(), NONE);
    }

    /// @param tally receives problems @return the match
    OperatorMatch Run(MessageTally& tally);

  private:
    /// @param tally receives problems @return how many operators were matched by id
    std::size_t MatchById(MessageTally& tally);
    /// @param tally receives problems
    void MatchByOrder(MessageTally& tally);
    /// @param node position @param event position of the operator that it is
    void Pair(std::size_t node, std::size_t event);
    /// @param thread of the execution trace @param tally receives problems
    /// @return whether it has a partner
    bool MatchThread(const Thread& thread, MessageTally& tally);
    /// @param thread of the execution trace @return whether it has a partner, by passages
    bool MatchPassage(const Thread& thread);
    /// @param thread of the execution trace @return whether it has a partner, but for some
    /// operators
    bool MatchFuzzy(const Thread& thread);
    /// @param thread of the execution trace @return why it has no partner
    std::string Explain(const Thread& thread) const;
    /// @param name a name @return number that stands for it
    uint32_t Number(const std::string& name);
    /// Sorts operators into threads.
    void FindThreads();

    const PytorchTrace& m_trace;                         ///< execution trace
    const KinetoTrace& m_kineto;                         ///< Kineto trace
    MatchOptions m_options;                              ///< how
    OperatorMatch m_match;                               ///< so far
    std::unordered_map<std::string, uint32_t> m_numbers; ///< by name
    std::vector<Thread> m_nodeThreads;                   ///< of the execution trace, longest first
    std::vector<Thread> m_byStart;                       ///< of the Kineto trace
    std::vector<Thread> m_byExternalId;                  ///< the same in another order
};

OperatorMatch
Matcher::Run(MessageTally& tally)
{
    if (MatchById(tally) == 0 && !m_options.byIdOnly)
    {
        MatchByOrder(tally);
    }
    const bool none = std::all_of(m_match.nodeOf.begin(),
                                  m_match.nodeOf.end(),
                                  [](std::size_t node) { return node == NONE; });
    if (none && tally.GetNErrors() == 0)
    {
        tally.Error({m_kineto.file, 0, "Record function id"},
                    "no operator of the Kineto trace has one that is an rf_id of " + m_trace.file);
    }
    return std::move(m_match);
}

void
Matcher::Pair(std::size_t node, std::size_t event)
{
    m_match.operatorOf[node] = event;
    m_match.nodeOf[event] = node;
}

std::size_t
Matcher::MatchById(MessageTally& tally)
{
    std::unordered_map<int64_t, std::size_t> byId;
    for (std::size_t i = 0; i < m_kineto.operators.size(); ++i)
    {
        byId[m_kineto.operators[i].recordId] = i;
    }
    byId.erase(0);
    std::size_t nMatched = 0;
    IdDifferences missing;
    IdDifferences renamed;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        const auto& node = m_trace.nodes[i];
        const auto found = byId.find(node.recordId);
        const bool counts = node.recordId != 0 && IsOperator(node.name);
        missing.of += counts ? 1 : 0;
        if (found == byId.end())
        {
            missing.Add(counts, node, "no operator of the Kineto trace has this id");
            continue;
        }
        const auto& event = m_kineto.operators[found->second];
        if (event.name != node.name)
        {
            tally.Warning(
                "has another name in the Kineto trace; are both of one run?",
                {m_trace.file, 0, "node " + ShowNode(node) + " = " + ShowName(event.name)});
        }
        renamed.Add(event.name != node.name, node, "the Kineto trace has " + ShowName(event.name));
        Pair(i, found->second);
        ++nMatched;
    }
    renamed.of = nMatched;
    if (nMatched > 0 && !m_options.allowFuzzy)
    {
        renamed.Check("linked by record-function id have another name", m_kineto.file, tally);
        missing.Check("have no partner of their record-function id", m_kineto.file, tally);
    }
    return nMatched;
}

uint32_t
Matcher::Number(const std::string& name)
{
    return m_numbers.emplace(name, m_numbers.size()).first->second;
}

void
Matcher::FindThreads()
{
    std::map<int64_t, Thread> nodeThreads;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        const auto& node = m_trace.nodes[i];
        if (IsOperator(node.name))
        {
            auto& thread = nodeThreads[node.thread];
            thread.label = "thread " + std::to_string(node.thread);
            thread.members.push_back(i);
            thread.names.push_back(Number(node.name));
        }
    }
    for (auto& [id, thread] : nodeThreads)
    {
        m_nodeThreads.push_back(std::move(thread));
    }
    std::stable_sort(m_nodeThreads.begin(), m_nodeThreads.end(), [](const auto& a, const auto& b) {
        return a.names.size() > b.names.size();
    });
    std::map<KinetoEvent::Line, std::size_t> lines;
    for (std::size_t i = 0; i < m_kineto.operators.size(); ++i)
    {
        const auto& line = m_kineto.operators[i].line;
        const auto [entry, isNew] = lines.emplace(line, m_byStart.size());
        if (isNew)
        {
            m_byStart.push_back({"thread " + std::to_string(line.second), {}, {}, false});
        }
        m_byStart[entry->second].members.push_back(i);
    }
    m_byExternalId = m_byStart;
    for (auto& thread : m_byExternalId)
    {
        std::stable_sort(thread.members.begin(), thread.members.end(), [this](auto a, auto b) {
            return m_kineto.operators[a].externalId < m_kineto.operators[b].externalId;
        });
    }
    for (auto* threads : {&m_byStart, &m_byExternalId})
    {
        for (auto& thread : *threads)
        {
            for (const std::size_t i : thread.members)
            {
                thread.names.push_back(Number(m_kineto.operators[i].name));
            }
        }
    }
}

void
Matcher::MatchByOrder(MessageTally& tally)
{
    FindThreads();
    for (const auto& thread : m_nodeThreads)
    {
        if (!MatchThread(thread, tally) && !MatchPassage(thread) &&
            !(m_options.allowFuzzy && MatchFuzzy(thread)))
        {
            tally.Error({m_trace.file, 0, thread.label}, Explain(thread));
        }
    }
}

bool
Matcher::MatchThread(const Thread& thread, MessageTally& tally)
{
    std::size_t nEqual = 0;
    for (std::size_t t = 0; t < m_byExternalId.size() && m_options.iteration == 0; ++t)
    {
        const auto& other = m_byExternalId[t];
        if (m_byStart[t].isTaken || other.names != thread.names)
        {
            continue;
        }
        if (++nEqual == 1)
        {
            for (std::size_t i = 0; i < thread.members.size(); ++i)
            {
                Pair(thread.members[i], other.members[i]);
            }
            m_byStart[t].isTaken = true;
        }
        else
        {
            tally.Warning("several threads of the Kineto trace have the same operators; they are "
                          "taken in order of start",
                          {m_kineto.file, 0, other.label});
        }
    }
    return nEqual > 0;
}

bool
Matcher::MatchPassage(const Thread& thread)
{
    for (auto& other : m_byStart)
    {
        const auto passages =
            other.isTaken ? std::vector<std::size_t>() : FindOccurrences(thread.names, other.names);
        if (m_options.iteration < passages.size())
        {
            for (std::size_t i = 0; i < thread.members.size(); ++i)
            {
                Pair(thread.members[i], other.members[passages[m_options.iteration] + i]);
            }
            other.isTaken = true;
            return true;
        }
    }
    return false;
}

bool
Matcher::MatchFuzzy(const Thread& thread)
{
    const std::size_t highest = std::min(FUZZY_DISTANCE, thread.names.size() / FUZZY_SHARE + 1);
    std::vector<std::pair<std::size_t, std::size_t>> best;
    Thread* partner = nullptr;
    for (auto& other : m_byStart)
    {
        auto pairs = other.isTaken ? best : Align(thread.names, other.names, highest);
        if (pairs.size() > best.size())
        {
            best = std::move(pairs);
            partner = &other;
        }
    }
    for (const auto& [node, event] : best)
    {
        Pair(thread.members[node], partner->members[event]);
    }
    if (partner)
    {
        partner->isTaken = true;
    }
    return partner != nullptr;
}

std::string
Matcher::Explain(const Thread& thread) const
{
    std::size_t longest = 0;
    std::string difference = "there is no such thread";
    for (const auto& other : m_byStart)
    {
        if (other.isTaken)
        {
            continue;
        }
        const auto [a, b] = std::mismatch(thread.names.begin(),
                                          thread.names.end(),
                                          other.names.begin(),
                                          other.names.end());
        const std::size_t common = a - thread.names.begin();
        if (common >= longest)
        {
            longest = common;
            const std::string ours =
                a == thread.names.end() ? "nothing more"
                                        : "node " + ShowNode(m_trace.nodes[thread.members[common]]);
            const std::string theirs =
                b == other.names.end() ? "nothing more"
                                       : ShowName(m_kineto.operators[other.members[common]].name);
            difference = "its " + other.label + " begins with " + std::to_string(common) +
                         " equal ones, then " + theirs + " stands against " + ours;
        }
    }
    const bool hasIds = std::any_of(m_kineto.operators.begin(),
                                    m_kineto.operators.end(),
                                    [](const auto& event) { return event.recordId != 0; });
    return std::string(
               "the operators of the two traces cannot be linked: \"Record function id\" ") +
           (hasIds ? "is that of no node" : "is missing or 0") + " in every operator of " +
           m_kineto.file + ", and no thread there has passage " +
           std::to_string(m_options.iteration) + " with the same " +
           std::to_string(thread.names.size()) + " names in order (" + difference +
           "). PyTorch 2.4 and newer write that field, if an ExecutionTraceObserver is active "
           "while "
           "the profiler records: profile(execution_trace_observer=...); without the field both "
           "traces must cover the same iterations";
}

} // namespace

OperatorMatch
MatchOperators(const PytorchTrace& trace,
               const KinetoTrace& kineto,
               const MatchOptions& options,
               ConversionLedger& ledger,
               MessageTally& tally)
{
    OperatorMatch match = Matcher(trace, kineto, options).Run(tally);
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        const auto& node = trace.nodes[i];
        const bool isMatched = match.operatorOf[i] != NONE;
        if (isMatched)
        {
            ledger.Keep("operators timed");
        }
        else if (IsOperator(node.name))
        {
            ledger.LeaveOut("operators timed", "not in the Kineto trace", ShowNode(node));
        }
    }
    for (std::size_t i = 0; i < kineto.operators.size(); ++i)
    {
        const auto& event = kineto.operators[i];
        const std::string kind = "Kineto operators";
        const std::string id = event.externalId ? std::to_string(*event.externalId) : "?";
        match.nodeOf[i] != NONE
            ? ledger.Keep(kind)
            : ledger.LeaveOut(kind, "not in the execution trace", id + " " + ShowName(event.name));
    }
    return match;
}

} // namespace mlcluster
} // namespace ns3
