/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-section.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Kind = ConfigNode::Kind;

std::optional<double>
ParseNumber(const ConfigNode& node)
{
    double value = 0;
    const std::string& text = node.text;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    const bool isOctal = text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
    const bool isNumber = node.kind == Kind::Scalar && !node.isQuoted && !isOctal &&
                          result.ec == std::errc() && result.ptr == end && std::isfinite(value);
    return isNumber ? std::optional<double>(value) : std::nullopt;
}

} // namespace

AstraSection::AstraSection(const ConfigNode& document, Diagnostics& diagnostics)
    : m_document(document),
      m_diagnostics(diagnostics)
{
}

bool
AstraSection::Has(const std::string& key)
{
    return Find(key) != nullptr;
}

double
AstraSection::GetNumber(const std::string& key,
                        const std::string& meaning,
                        double least,
                        std::optional<double> fallback,
                        double most)
{
    const ConfigNode* node = Find(key);
    if (!node && !fallback)
    {
        ReportMissing(key, meaning);
    }
    return node ? ReadNumber(*node, meaning, least, most).value_or(least)
                : fallback.value_or(least);
}

double
AstraSection::GetFactor(const std::string& key, const std::string& what, double fallback)
{
    constexpr double LEAST = 1e-9;
    constexpr double MOST = 1e9;
    const std::string meaning = what + ": 0, or from 1e-9 to 1e9";
    const std::size_t nErrors = m_diagnostics.GetErrors().size();
    const double number = GetNumber(key, meaning, 0, fallback, MOST);
    if (number > 0 && number < LEAST)
    {
        Error(key, FormatNumber(number) + " is given; needed is " + meaning);
    }
    return m_diagnostics.GetErrors().size() == nErrors ? number : 1;
}

uint32_t
AstraSection::GetCount(const std::string& key,
                       const std::string& meaning,
                       uint32_t least,
                       uint32_t most,
                       uint32_t fallback)
{
    const double number = GetNumber(key, meaning, least, fallback, most);
    const auto whole = static_cast<uint32_t>(number);
    if (whole != number)
    {
        Error(key, FormatNumber(number) + " is given; needed is " + meaning);
    }
    return whole;
}

uint32_t
AstraSection::GetWhole(const std::string& key,
                       const std::string& meaning,
                       uint32_t least,
                       std::optional<uint32_t> fallback)
{
    const double number = GetNumber(key, meaning, least, fallback);
    if (number > INT32_MAX)
    {
        Error(key,
              FormatNumber(number) + " is too large; the most is " + std::to_string(INT32_MAX));
        return least;
    }
    const auto whole = static_cast<uint32_t>(number);
    if (whole != number)
    {
        Warning(key,
                FormatNumber(number) + " is cut to " + std::to_string(whole) +
                    ", as ASTRA-sim does");
    }
    return whole;
}

bool
AstraSection::GetFlag(const std::string& key)
{
    const ConfigNode* node = Find(key);
    const bool isPlain = node && node->kind == Kind::Scalar && !node->isQuoted;
    const std::string text = isPlain ? node->text : "";
    if (node && text != "true" && text != "false" && text != "0" && text != "1")
    {
        Error(key, node->Describe() + " is given; allowed are true, false, 1, 0");
    }
    return text == "true" || text == "1";
}

std::string
AstraSection::GetText(const std::string& key,
                      const std::string& meaning,
                      const std::vector<std::string>& words)
{
    const ConfigNode* node = Find(key);
    const std::string allowed = words.empty() ? "" : "; allowed are " + JoinWords(words);
    if (!node && !words.empty())
    {
        ReportMissing(key, meaning + allowed);
    }
    if (!node)
    {
        return "";
    }
    const bool isKnown =
        words.empty() || std::find(words.begin(), words.end(), node->text) != words.end();
    if (node->kind != Kind::Scalar || !isKnown)
    {
        const std::string nearest = NearestWord(node->text, words);
        Error(key,
              node->Describe() + " is given" +
                  (nearest.empty() ? "" : " (nearest: " + nearest + ")") + "; needed is " +
                  meaning + allowed);
        return "";
    }
    return node->text;
}

std::optional<std::vector<double>>
AstraSection::GetNumbers(const std::string& key, const std::string& meaning, double least)
{
    const ConfigNode* node = Find(key);
    if (!node)
    {
        ReportMissing(key, "a list: " + meaning);
    }
    if (!node || !ExpectList(*node, meaning))
    {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (const auto& entry : node->children)
    {
        numbers.push_back(ReadNumber(entry, meaning, least).value_or(least));
    }
    return numbers;
}

std::optional<std::vector<std::string>>
AstraSection::GetTexts(const std::string& key, const std::string& meaning)
{
    const ConfigNode* node = Find(key);
    if (!node || !ExpectList(*node, meaning))
    {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const auto& entry : node->children)
    {
        if (entry.kind != Kind::Scalar)
        {
            m_diagnostics.Error(entry.place, entry.Describe() + " is given; needed is " + meaning);
            return std::nullopt;
        }
        texts.push_back(entry.text);
    }
    return texts;
}

const ConfigNode*
AstraSection::GetMap(const std::string& key, const std::string& example)
{
    const ConfigNode* node = Find(key);
    if (node && node->kind != Kind::Map)
    {
        Error(key, node->Describe() + " is given; needed is such as " + example);
        return nullptr;
    }
    return node;
}

void
AstraSection::ReportUnknown(const std::vector<std::string>& unused)
{
    std::vector<std::string> withoutEffect;
    for (const auto& name : m_document.names)
    {
        if (std::find(unused.begin(), unused.end(), name) != unused.end())
        {
            withoutEffect.push_back(name);
        }
        else if (std::find(m_asked.begin(), m_asked.end(), name) == m_asked.end())
        {
            const std::string nearest = NearestWord(name, m_asked);
            Warning(name,
                    "nothing reads this key" +
                        (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
        }
    }
    if (!withoutEffect.empty())
    {
        m_diagnostics.Warning({m_document.place.file, 0, ""},
                              "without effect, here and in ASTRA-sim: " + JoinWords(withoutEffect));
    }
}

void
AstraSection::RefuseUnknown()
{
    for (std::size_t i = 0; i < m_document.names.size(); ++i)
    {
        const std::string& name = m_document.names[i];
        if (std::find(m_asked.begin(), m_asked.end(), name) == m_asked.end())
        {
            const std::string nearest = NearestWord(name, m_asked);
            m_diagnostics.Error(m_document.children[i].place,
                                "there is no such key" +
                                    (nearest.empty() ? "." : "; did you mean " + nearest + "?") +
                                    " Allowed here are " + JoinWords(m_asked));
        }
    }
}

void
AstraSection::Error(const std::string& key, const std::string& message)
{
    m_diagnostics.Error(GetPlace(key), message);
}

void
AstraSection::Warning(const std::string& key, const std::string& message)
{
    m_diagnostics.Warning(GetPlace(key), message);
}

const ConfigNode*
AstraSection::Find(const std::string& key)
{
    if (std::find(m_asked.begin(), m_asked.end(), key) == m_asked.end())
    {
        m_asked.push_back(key);
    }
    return m_document.Find(key);
}

Diagnostics::Place
AstraSection::GetPlace(const std::string& key) const
{
    const ConfigNode* node = m_document.Find(key);
    const std::string& prefix = m_document.place.key;
    return node ? node->place
                : Diagnostics::Place{m_document.place.file,
                                     0,
                                     prefix.empty() ? key : prefix + "." + key};
}

void
AstraSection::ReportMissing(const std::string& key, const std::string& meaning)
{
    if (m_document.kind == Kind::Map)
    {
        Error(key, "is missing; needed is " + meaning);
    }
}

bool
AstraSection::ExpectList(const ConfigNode& node, const std::string& meaning)
{
    if (node.kind != Kind::List)
    {
        m_diagnostics.Error(node.place,
                            node.Describe() + " is given; needed is a list: " + meaning);
    }
    return node.kind == Kind::List;
}

std::optional<double>
AstraSection::ReadNumber(const ConfigNode& node,
                         const std::string& meaning,
                         double least,
                         double most)
{
    const auto number = ParseNumber(node);
    if (!number || *number < least || *number > most)
    {
        m_diagnostics.Error(node.place, node.Describe() + " is given; needed is " + meaning);
        return std::nullopt;
    }
    return number;
}

} // namespace mlcluster
} // namespace ns3
