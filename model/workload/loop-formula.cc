/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loop-formula.h"

#include "ns3/diagnostics.h"
#include "ns3/plain-number.h"
#include "ns3/shown-text.h"

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
class LoopFormula::Reader
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

LoopFormula::LoopFormula(const std::string& text)
{
    const auto known = FORMULAS.find(text);
    m_text = known == FORMULAS.end() ? text : known->second;
    m_whole = Reader(m_text).Read();
}

std::vector<std::string>
LoopFormula::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : FORMULAS)
    {
        names.push_back(entry.first);
    }
    return names;
}

const std::string&
LoopFormula::GetText() const
{
    return m_text;
}

const LoopFormula::Part&
LoopFormula::GetWhole() const
{
    return m_whole;
}

uint64_t
LoopFormula::CountPhases() const
{
    return CountPhases(m_whole);
}

uint64_t
LoopFormula::CountPhases(const Part& part)
{
    uint64_t count = part.kind == Part::Kind::Phase ? 1 : 0;
    for (const Part& inner : part.parts)
    {
        count += CountPhases(inner);
    }
    return count;
}

} // namespace mlcluster
} // namespace ns3
