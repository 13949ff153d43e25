/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-loop.h"

#include "collective-traffic.h"

#include "ns3/diagnostics.h"
#include "ns3/plain-number.h"
#include "ns3/shown-text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Formulas that have a name.
const std::map<std::string, std::string> FORMULAS{
    {"no-overlap", "forward + input-gradient + weight-gradient"},
    {"overlap",
     "forward + layers(max(input-gradient, input-gradient.compute + "
     "weight-gradient))"},
    {"forward-in-backward", "forward + forward.communication + input-gradient + weight-gradient"}};

/// Names of passes.
const std::map<std::string, TextLayer::Pass> PASSES{
    {"forward", TextLayer::Pass::Forward},
    {"input-gradient", TextLayer::Pass::InputGradient},
    {"weight-gradient", TextLayer::Pass::WeightGradient}};

} // namespace

/// Reads a formula by recursive descent.
class TrainingLoop::Reader
{
  public:
    /// @param text a formula
    explicit Reader(const std::string& text)
        : m_text(text)
    {
        Next();
    }

    /// @return what it says @throw InputError if it is none
    Part Read()
    {
        Part sum = ReadSum();
        if (!m_word.empty())
        {
            Refuse("+ or the end");
        }
        return sum;
    }

  private:
    static constexpr int MOST_LEVELS = 100; ///< of brackets

    /// Takes the next word: a name, a number or a sign; "" at the end.
    void Next()
    {
        const auto isPart = [this] {
            const char c = m_at < m_text.size() ? m_text[m_at] : ' ';
            return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
        };
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        {
            ++m_at;
        }
        const std::size_t begin = m_at;
        while (isPart())
        {
            ++m_at;
        }
        m_at += m_at == begin && m_at < m_text.size() ? 1 : 0;
        m_word = m_text.substr(begin, m_at - begin);
    }

    /// @param allowed what may stand there @throw InputError that the word at
    /// hand may not
    [[noreturn]] void Refuse(const std::string& allowed) const
    {
        throw InputError((m_word.empty() ? "the end" : ShowName(m_word)) + " stands in the loop " +
                         ShowName(m_text, 120) + " where " + allowed + " is needed");
    }

    /// @param word that must be at hand; goes on
    void Expect(const std::string& word)
    {
        if (m_word != word)
        {
            Refuse(ShowName(word));
        }
        Next();
    }

    /// @return the sum at hand
    Part ReadSum()
    {
        Part sum;
        sum.parts.push_back(ReadTerm());
        while (m_word == "+")
        {
            Next();
            sum.parts.push_back(ReadTerm());
        }
        return sum;
    }

    /// @return the term at hand
    Part ReadTerm()
    {
        double factor = 1;
        if (!m_word.empty() && m_word[0] >= '0' && m_word[0] <= '9')
        {
            factor = ParseNumber(m_word);
            Next();
            if (m_word == "*")
            {
                Next();
            }
        }
        Part part =
            m_word == "max" || m_word == "layers" || m_word == "(" ? ReadBrackets() : ReadPhase();
        part.factor = factor;
        return part;
    }

    /// @return max(...), layers(...) or (...) at hand
    Part ReadBrackets()
    {
        Part part;
        part.kind = m_word == "max"      ? Part::Kind::Maximum
                    : m_word == "layers" ? Part::Kind::Layers
                                         : Part::Kind::Sum;
        const bool isLayers = part.kind == Part::Kind::Layers;
        if (++m_nLevels > MOST_LEVELS)
        {
            throw InputError("a loop has more than " + std::to_string(MOST_LEVELS) +
                             " levels of brackets");
        }
        if (isLayers && m_isInLayers)
        {
            Refuse("no second layers() inside layers()");
        }
        m_isInLayers = m_isInLayers || isLayers;
        if (m_word != "(")
        {
            Next();
        }
        Expect("(");
        part.parts.push_back(ReadSum());
        while (part.kind == Part::Kind::Maximum && m_word == ",")
        {
            Next();
            part.parts.push_back(ReadSum());
        }
        Expect(")");
        --m_nLevels;
        m_isInLayers = m_isInLayers && !isLayers;
        return part;
    }

    /// @return the phase at hand
    Part ReadPhase()
    {
        Part part;
        part.kind = Part::Kind::Phase;
        const std::size_t point = m_word.find('.');
        const std::string suffix = point == std::string::npos ? "" : m_word.substr(point);
        const auto pass = PASSES.find(m_word.substr(0, point));
        if (pass == PASSES.end() ||
            (!suffix.empty() && suffix != ".compute" && suffix != ".communication"))
        {
            Refuse("forward, input-gradient or weight-gradient (with .compute or "
                   ".communication for "
                   "a part of it), max(...) or layers(...)");
        }
        part.pass = pass->second;
        part.hasCompute = suffix != ".communication";
        part.hasCommunication = suffix != ".compute";
        Next();
        return part;
    }

    const std::string m_text; ///< what is read
    std::size_t m_at{0};      ///< where the word at hand ends
    std::string m_word;       ///< the word at hand
    int m_nLevels{0};         ///< of brackets that are open
    bool m_isInLayers{false}; ///< whether layers( is one of them
};

/// Makes an expression of the layers.
class TrainingLoop::Builder
{
  public:
    /// As Make has them.
    Builder(const TextWorkload& workload,
            const LibraCommunicators& communicators,
            double cycleNs,
            TimeExpression& time)
        : m_time(time)
    {
        for (const TextLayer& layer : workload.layers)
        {
            m_layers.push_back(
                {MakePhase(layer.forward, communicators.forward, cycleNs),
                 MakePhase(layer.inputGradient, communicators.inputGradient, cycleNs),
                 MakePhase(layer.weightGradient, communicators.weightGradient, cycleNs)});
        }
    }

    /// @param part of a formula @param first layer @param end layer after the
    /// last @return its time
    TimeExpression::Sum Make(const Part& part, std::size_t first, std::size_t end)
    {
        TimeExpression::Sum sum;
        std::vector<TimeExpression::Sum> branches;
        switch (part.kind)
        {
        case Part::Kind::Phase:
            for (std::size_t i = first; i < end; ++i)
            {
                const Phase& phase = m_layers[i][static_cast<std::size_t>(part.pass)];
                sum.constant += part.hasCompute ? part.factor * phase.compute : 0;
                sum.Add(phase.communication, part.hasCommunication ? part.factor : 0);
            }
            return sum;
        case Part::Kind::Sum:
            for (const Part& inner : part.parts)
            {
                sum.Add(Make(inner, first, end), part.factor);
            }
            return sum;
        case Part::Kind::Maximum:
            for (const Part& inner : part.parts)
            {
                branches.push_back(Make(inner, first, end));
            }
            return sum.Add(m_time.MakeMaximum(branches), part.factor);
        case Part::Kind::Layers:
            for (std::size_t i = first; i < end; ++i)
            {
                sum.Add(Make(part.parts[0], i, i + 1), part.factor);
            }
            return sum;
        }
        return sum;
    }

  private:
    /// A pass of a layer.
    struct Phase
    {
        double compute;                    ///< ns
        TimeExpression::Sum communication; ///< its collective
    };

    /// @param pass of a layer @param members per dimension @param cycleNs ns
    /// @return it
    Phase MakePhase(const TextPass& pass, const std::vector<uint32_t>& members, double cycleNs)
    {
        Phase phase{pass.cycles * cycleNs, {}};
        if (pass.type)
        {
            if (members.size() != m_time.GetNDimensions())
            {
                throw InputError("the communicators have " + std::to_string(members.size()) +
                                 " dimensions, the network has " +
                                 std::to_string(m_time.GetNDimensions()));
            }
            phase.communication = m_time.MakeCollective(
                GetCollectiveTraffic(*pass.type, static_cast<double>(pass.bytes), members));
        }
        return phase;
    }

    TimeExpression& m_time;                     ///< receives collectives and maxima
    std::vector<std::array<Phase, 3>> m_layers; ///< by pass
};

TrainingLoop::TrainingLoop(const std::string& text)
{
    const auto known = FORMULAS.find(text);
    m_formula = known == FORMULAS.end() ? text : known->second;
    m_whole = Reader(m_formula).Read();
}

std::vector<std::string>
TrainingLoop::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : FORMULAS)
    {
        names.push_back(entry.first);
    }
    return names;
}

const std::string&
TrainingLoop::GetFormula() const
{
    return m_formula;
}

TimeExpression::Sum
TrainingLoop::Make(const TextWorkload& workload,
                   const LibraCommunicators& communicators,
                   double cycleNs,
                   TimeExpression& time) const
{
    return Builder(workload, communicators, cycleNs, time).Make(m_whole, 0, workload.layers.size());
}

} // namespace mlcluster
} // namespace ns3
