/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-value.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param digits a JSON number @return it as Python's repr has it
std::string
FormatPythonNumber(const std::string& digits)
{
    if (digits.find_first_of(".eE") == std::string::npos)
    {
        return digits;
    }
    const double value = std::strtod(digits.c_str(), nullptr);
    const double size = std::abs(value);
    const bool isFixed = size == 0 || (size >= 1e-4 && size < 1e16);
    std::array<char, 400> text;
    const char* end =
        std::to_chars(text.begin(),
                      text.end(),
                      value,
                      isFixed ? std::chars_format::fixed : std::chars_format::scientific)
            .ptr;
    const std::string shortest(text.data(), end - text.data());
    const bool looksWhole = isFixed && shortest.find('.') == std::string::npos;
    return shortest + (looksWhole ? ".0" : "");
}

/// @param text a text @return it as Python's repr has it
std::string
Quote(const std::string& text)
{
    const bool hasSingle = text.find('\'') != std::string::npos;
    const char quote = hasSingle && text.find('"') == std::string::npos ? '"' : '\'';
    std::string quoted(1, quote);
    for (const char c : text)
    {
        if (c == quote || c == '\\')
        {
            quoted += '\\';
        }
        quoted += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : std::string(1, c);
    }
    return quoted + quote;
}

/// A decimal number in parts.
struct Decimal
{
    bool isNegative{false}; ///< its sign
    std::string digits;     ///< digits before and after the point
    int64_t exponent{0};    ///< power of ten of the last digit
};

/// @param text a JSON number @return its parts; nothing if the exponent is absurd
std::optional<Decimal>
Split(const std::string& text)
{
    Decimal decimal;
    std::size_t i = text[0] == '-' ? 1 : 0;
    decimal.isNegative = i == 1;
    bool hasPoint = false;
    for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i)
    {
        hasPoint = hasPoint || text[i] == '.';
        if (text[i] != '.')
        {
            decimal.digits += text[i];
            decimal.exponent -= hasPoint ? 1 : 0;
        }
    }
    if (i < text.size())
    {
        const char* begin = text.data() + i + (text[i + 1] == '+' ? 2 : 1);
        int32_t exponent = 0;
        if (std::from_chars(begin, text.data() + text.size(), exponent).ec != std::errc())
        {
            return {};
        }
        decimal.exponent += exponent;
    }
    return decimal;
}

} // namespace

JsonValue::JsonValue(Kind kind, std::string text, int line)
    : m_kind(kind),
      m_line(line),
      m_text(std::move(text))
{
}

int
JsonValue::GetLine() const
{
    return m_line;
}

JsonValue::Kind
JsonValue::GetKind() const
{
    return m_kind;
}

const std::string&
JsonValue::GetText() const
{
    return m_text;
}

const std::vector<JsonValue>&
JsonValue::GetElements() const
{
    return m_elements;
}

const std::vector<std::string>&
JsonValue::GetKeys() const
{
    return m_keys;
}

const JsonValue*
JsonValue::Find(std::string_view key) const
{
    const auto found = std::find(m_keys.rbegin(), m_keys.rend(), key);
    return found == m_keys.rend() ? nullptr : &m_elements[m_keys.rend() - found - 1];
}

bool
JsonValue::IsText() const
{
    return m_kind == Kind::Text;
}

bool
JsonValue::IsArray() const
{
    return m_kind == Kind::Array;
}

std::optional<int64_t>
JsonValue::GetInteger() const
{
    int64_t value = 0;
    const char* end = m_text.data() + m_text.size();
    const auto [rest, code] = std::from_chars(m_text.data(), end, value);
    const bool isWhole = code == std::errc() && rest == end;
    return isWhole && m_kind != Kind::Flag ? std::optional(value) : std::nullopt;
}

uint64_t
JsonValue::GetCount(const std::string& what) const
{
    const auto number = GetInteger();
    if (!number || *number < 0)
    {
        throw InputError(what + " is " + ToPythonText(*this) + "; an integer from 0 is needed");
    }
    return *number;
}

std::optional<int64_t>
JsonValue::GetScaled(int scale) const
{
    const auto decimal = m_kind == Kind::Number ? Split(m_text) : std::nullopt;
    if (!decimal)
    {
        return {};
    }
    std::string digits = decimal->digits;
    const int64_t shift = decimal->exponent + scale;
    bool roundsUp = false;
    if (shift < 0)
    {
        const auto cut = static_cast<std::size_t>(std::min<int64_t>(-shift, digits.size() + 1));
        digits.insert(0, cut > digits.size() ? cut - digits.size() : 0, '0');
        roundsUp = digits[digits.size() - cut] >= '5';
        digits.resize(digits.size() - cut);
    }
    digits.erase(0, digits.find_first_not_of('0'));
    if (!digits.empty() && shift > 0)
    {
        digits.append(std::min<int64_t>(shift, 20), '0');
    }
    int64_t value = 0;
    const auto code = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
    if (code == std::errc::result_out_of_range || value == INT64_MAX)
    {
        return {};
    }
    value += roundsUp ? 1 : 0;
    return decimal->isNegative ? -value : value;
}

void
JsonValue::Append(JsonValue value)
{
    m_elements.push_back(std::move(value));
}

void
JsonValue::Append(std::string key, JsonValue value)
{
    m_keys.push_back(std::move(key));
    m_elements.push_back(std::move(value));
}

std::string
ToPythonText(const JsonValue& value)
{
    const bool isArray = value.IsArray();
    switch (value.GetKind())
    {
    case JsonValue::Kind::Null:
        return "None";
    case JsonValue::Kind::Flag:
        return value.GetText() == "true" ? "True" : "False";
    case JsonValue::Kind::Number:
        return FormatPythonNumber(value.GetText());
    case JsonValue::Kind::Text:
        return Quote(value.GetText());
    case JsonValue::Kind::Array:
    case JsonValue::Kind::Object:
        break;
    }
    std::string text;
    for (std::size_t i = 0; i < value.GetElements().size(); ++i)
    {
        text += i > 0 ? ", " : "";
        text += isArray ? "" : Quote(value.GetKeys()[i]) + ": ";
        text += ToPythonText(value.GetElements()[i]);
    }
    return (isArray ? "[" : "{") + text + (isArray ? "]" : "}");
}

std::string
GetJsonReason(const std::string& message)
{
    const auto prefix = message.find("] ");
    return prefix == std::string::npos ? message : message.substr(prefix + 2);
}

} // namespace mlcluster
} // namespace ns3
