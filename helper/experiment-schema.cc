/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-schema.h"

#include "config-document.h"

#include "ns3/collective-options.h"
#include "ns3/diagnostics.h"
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

using Value = ExperimentValue;

double
ParseFactor(const std::string& text, bool allowsZero, uint64_t maximum)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value) || value < 0 ||
        (value == 0 && !allowsZero) || value > static_cast<double>(maximum))
    {
        const bool isShare = maximum == 1;
        throw InputError("'" + text + "' is no " + (isShare ? "share" : "factor") +
                         "; allowed are numbers " + (allowsZero ? "from 0 on" : "above 0") +
                         (isShare ? " and at most 1" : "") + " without unit, for example " +
                         (isShare ? "0.5" : "1.5"));
    }
    return value;
}

std::string
ParseFlag(const std::string& text)
{
    if (text != "true" && text != "false")
    {
        throw InputError("'" + text + "' is no truth value; allowed are true, false");
    }
    return text;
}

std::string
ParseWord(const std::string& text, const std::vector<std::string>& words)
{
    if (std::find(words.begin(), words.end(), text) == words.end())
    {
        const std::string nearest = NearestWord(text, words);
        throw InputError("'" + text + "' is not known" +
                         (nearest.empty() ? "" : " (nearest: " + nearest + ")") + "; allowed are " +
                         JoinWords(words));
    }
    return text;
}

uint64_t
CheckRange(uint64_t value, const ExperimentKey& key, const std::string& text)
{
    if (value < key.minimum || value > key.maximum)
    {
        const std::string limit = value < key.minimum
                                      ? "small; the least is " + std::to_string(key.minimum)
                                      : "large; the most is " + std::to_string(key.maximum);
        throw InputError("'" + text + "' is too " + limit);
    }
    return value;
}

/// @return the part of a key after its last point
std::string
LastPart(const std::string& key)
{
    return key.substr(key.rfind('.') + 1);
}

/// @return the names a section may hold
std::vector<std::string>
GetNames(const std::string& section)
{
    const std::string prefix = section.empty() ? "" : section + ".";
    std::vector<std::string> names;
    for (const auto& key : GetExperimentKeys())
    {
        const std::string rest =
            key.key.compare(0, prefix.size(), prefix) == 0 ? key.key.substr(prefix.size()) : "";
        const std::string name = rest.substr(0, rest.find('.'));
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        {
            names.push_back(name);
        }
    }
    if (section.empty())
    {
        names.push_back("attributes");
        names.push_back("design");
    }
    return names;
}

} // namespace

std::string
ExperimentKey::Parse(const std::string& text) const
{
    switch (value)
    {
    case Value::Word:
        return ParseWord(text, words);
    case Value::Algorithm:
        CollectiveOptions::CheckAlgorithm(text);
        return text;
    case Value::Flag:
        return ParseFlag(text);
    case Value::Count:
        return std::to_string(CheckRange(ParseCount(text), *this, text));
    case Value::Factor:
        return FormatNumber(ParseFactor(text, false, maximum));
    case Value::Number:
        return FormatNumber(ParseFactor(text, true, maximum));
    case Value::Size:
        return std::to_string(CheckRange(ParseBytes(text), *this, text));
    case Value::Rate:
        return FormatBitRate(CheckRange(ParseBitRate(text), *this, text));
    case Value::Time:
        return FormatPicoseconds(ParsePicoseconds(text));
    case Value::Flops:
        return FormatNumber(ParseFlops(text));
    default:
        if (text.empty())
        {
            throw InputError("an empty text is given; needed is " + help);
        }
        return text;
    }
}

std::string
ExperimentKey::ParseAttribute(const std::string& text) const
{
    auto entries =
        shape == ExperimentShape::Single ? std::vector<std::string>{text} : SplitEntries(text);
    for (auto& entry : entries)
    {
        const bool isPositive = !entry.empty() && entry[0] == '+';
        const std::string unit = value == Value::Size ? "B" : value == Value::Flops ? "FLOPS" : "";
        entry = Parse(entry.substr(isPositive ? 1 : 0) + unit);
    }
    return JoinEntries(entries);
}

std::string
ExperimentKey::Format(const std::string& canonical) const
{
    if (value == Value::Size)
    {
        return FormatBytes(ParseCount(canonical));
    }
    if (value == Value::Flops)
    {
        return FormatFlops(ParseFlops(canonical + "FLOPS"));
    }
    if (value == Value::Text && shape == ExperimentShape::Single)
    {
        return QuoteYaml(canonical);
    }
    auto entries = SplitEntries(canonical);
    if (value == Value::Text)
    {
        std::transform(entries.begin(), entries.end(), entries.begin(), QuoteYaml);
        return "[" + JoinWords(entries) + "]";
    }
    return entries.size() > 1 ? "[" + JoinWords(entries) + "]" : canonical;
}

const ExperimentKey*
FindExperimentKey(const std::string& key)
{
    const auto& keys = GetExperimentKeys();
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const auto& known) { return known.key == key; });
    return found == keys.end() ? nullptr : &*found;
}

const ExperimentKey*
FindExperimentKeyOf(const std::string& attribute)
{
    const auto& keys = GetExperimentKeys();
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto& known) {
        return known.attribute == attribute;
    });
    return attribute.empty() || found == keys.end() ? nullptr : &*found;
}

std::string
SuggestExperimentKey(const std::string& section, const std::string& name)
{
    const auto names = GetNames(section);
    const auto& keys = GetExperimentKeys();
    const auto elsewhere = std::find_if(keys.begin(), keys.end(), [&](const auto& known) {
        return LastPart(known.key) == name;
    });
    std::string nearest = NearestWord(name, names);
    if (nearest.empty() && elsewhere != keys.end())
    {
        nearest = elsewhere->key;
    }
    return "there is no such key" + (nearest.empty() ? "." : "; did you mean " + nearest + "?") +
           " Allowed here are " + JoinWords(names);
}

std::string
FindKeyFault(const std::string& key)
{
    if (key.rfind("attributes.", 0) == 0 || FindExperimentKey(key))
    {
        return "";
    }
    if (IsExperimentSection(key))
    {
        return "is a section; give its keys, such as " + key + "." + GetNames(key).front();
    }
    const auto point = key.rfind('.');
    const std::string section = point == std::string::npos ? "" : key.substr(0, point);
    return section.empty() || IsExperimentSection(section)
               ? SuggestExperimentKey(section, key.substr(point + 1))
               : "there is no section " + section;
}

bool
IsExperimentSection(const std::string& key)
{
    const auto& keys = GetExperimentKeys();
    return std::any_of(keys.begin(), keys.end(), [&](const auto& known) {
        return known.key.compare(0, key.size() + 1, key + ".") == 0;
    });
}

std::vector<std::string>
SplitEntries(const std::string& text)
{
    std::vector<std::string> entries;
    std::size_t begin = 0;
    while (true)
    {
        const std::size_t end = text.find(',', begin);
        entries.push_back(text.substr(begin, end - begin));
        if (end == std::string::npos)
        {
            return entries;
        }
        begin = end + 1;
    }
}

std::string
JoinEntries(const std::vector<std::string>& entries)
{
    std::string text;
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        text += (i == 0 ? "" : ",") + entries[i];
    }
    return text;
}

} // namespace mlcluster
} // namespace ns3
