/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-reader.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Reads a stream and counts its lines.
class LineIterator
{
  public:
    using iterator_category = std::input_iterator_tag; ///< can be passed once
    using value_type = char;                           ///< what is read
    using difference_type = std::ptrdiff_t;            ///< not used
    using pointer = const char*;                       ///< not used
    using reference = char;                            ///< by value

    LineIterator() = default; ///< The end.

    /// @param source what to read @param line grows with it @param column likewise
    LineIterator(std::streambuf* source, int* line, int* column)
        : m_source(source),
          m_line(line),
          m_column(column)
    {
    }

    /// @return the next character
    char operator*() const
    {
        return std::streambuf::traits_type::to_char_type(m_source->sgetc());
    }

    /// @return this, a character further
    LineIterator& operator++()
    {
        const bool isEnd = m_source->sbumpc() == '\n';
        *m_line += isEnd ? 1 : 0;
        *m_column = isEnd ? 0 : *m_column + 1;
        return *this;
    }

    /// @param other the end @return whether this has not come to it
    bool operator!=(const LineIterator& other) const
    {
        return !(*this == other);
    }

    /// @param other the end @return whether this has come to it
    bool operator==(const LineIterator& other) const
    {
        return !other.m_source && m_source->sgetc() == EOF;
    }

  private:
    std::streambuf* m_source{nullptr}; ///< what to read; null at the end
    int* m_line{nullptr};              ///< line of the next character
    int* m_column{nullptr};            ///< characters of the line before it
};

constexpr std::size_t DEEPEST = 64; ///< levels of nesting

/// Builds a value from the events of the JSON library.
class ValueBuilder : public nlohmann::json_sax<nlohmann::json>
{
  public:
    /// @param arrayKeys keys of arrays whose elements are handed on @param onElement receives them
    /// @param line line of the next character @param column characters of the line before it
    ValueBuilder(const std::vector<std::string>& arrayKeys,
                 const JsonReader::Handler& onElement,
                 const int& line,
                 const int& column)
        : m_arrayKeys(arrayKeys),
          m_onElement(onElement),
          m_line(line),
          m_column(column)
    {
    }

    /// @return the value
    JsonValue Take()
    {
        return std::move(m_result);
    }

    bool null() override
    {
        return Complete(JsonValue(JsonValue::Kind::Null, "", m_line));
    }

    bool boolean(bool value) override
    {
        return Complete(JsonValue(JsonValue::Kind::Flag, value ? "true" : "false", m_line));
    }

    bool number_integer(number_integer_t value) override
    {
        return Complete(JsonValue(JsonValue::Kind::Number, std::to_string(value), m_line));
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        return Complete(JsonValue(JsonValue::Kind::Number, std::to_string(value), m_line));
    }

    bool number_float(number_float_t /* value */, const string_t& digits) override
    {
        return Complete(JsonValue(JsonValue::Kind::Number, digits, m_line));
    }

    bool string(string_t& text) override
    {
        return Complete(JsonValue(JsonValue::Kind::Text, std::move(text), m_line));
    }

    bool binary(binary_t& /* value */) override
    {
        return false;
    }

    bool start_object(std::size_t /* size */) override
    {
        return Open(JsonValue::Kind::Object);
    }

    bool key(string_t& text) override
    {
        m_open.back().key = std::move(text);
        return true;
    }

    bool end_object() override
    {
        return Close();
    }

    bool start_array(std::size_t /* size */) override
    {
        return Open(JsonValue::Kind::Array);
    }

    bool end_array() override
    {
        return Close();
    }

    bool parse_error(std::size_t /* position */,
                     const std::string& /* token */,
                     const nlohmann::json::exception& error) override
    {
        const std::string text = error.what();
        throw InputError("is not JSON: line " + std::to_string(m_line) + ", column " +
                         std::to_string(m_column) + ": " + text.substr(text.rfind(": ") + 2));
    }

  private:
    /// An array or object that has begun.
    struct Level
    {
        JsonValue value;     ///< so far
        std::string key;     ///< key of the member in hand
        bool handsOn{false}; ///< whether its elements are handed on
    };

    /// @param key a key @return whether elements of its array are handed on
    bool HasKey(const std::string& key) const
    {
        return std::find(m_arrayKeys.begin(), m_arrayKeys.end(), key) != m_arrayKeys.end();
    }

    /// @param kind of what begins @return true
    bool Open(JsonValue::Kind kind)
    {
        if (m_open.size() == DEEPEST)
        {
            throw InputError("is nested deeper than " + std::to_string(DEEPEST) + " levels");
        }
        const bool isArray = m_onElement && kind == JsonValue::Kind::Array;
        const bool isMember = m_open.size() == 1 && !m_open[0].value.IsArray();
        const bool handsOn = isArray && (m_open.empty() || (isMember && HasKey(m_open[0].key)));
        m_open.push_back({JsonValue(kind, "", m_line), "", handsOn});
        return true;
    }

    /// @return true
    bool Close()
    {
        JsonValue value = std::move(m_open.back().value);
        m_open.pop_back();
        return Complete(std::move(value));
    }

    /// @param value a whole value @return true
    bool Complete(JsonValue value)
    {
        if (m_open.empty())
        {
            m_result = std::move(value);
        }
        else if (m_open.back().handsOn)
        {
            m_onElement(value, m_open.size() > 1 ? m_open[0].key : "");
        }
        else if (m_open.back().value.IsArray())
        {
            m_open.back().value.Append(std::move(value));
        }
        else
        {
            m_open.back().value.Append(std::move(m_open.back().key), std::move(value));
        }
        return true;
    }

    const std::vector<std::string>& m_arrayKeys; ///< whose elements are handed on
    const JsonReader::Handler& m_onElement;      ///< receives them
    const int& m_line;                           ///< line of the next character
    const int& m_column;                         ///< characters of the line before it
    std::vector<Level> m_open;                   ///< what has begun, outermost first
    JsonValue m_result;                          ///< the whole
};

/// @param reader reads a text of one value @return it
JsonValue
TakeOnly(JsonReader& reader)
{
    auto value = reader.Next();
    if (!value)
    {
        throw InputError("is not JSON: it is empty");
    }
    if (reader.Next())
    {
        throw InputError("is not JSON: something follows the value");
    }
    return std::move(*value);
}

} // namespace

JsonReader::JsonReader(std::istream& stream, std::vector<std::string> arrayKeys, Handler onElement)
    : m_stream(stream),
      m_arrayKeys(std::move(arrayKeys)),
      m_onElement(std::move(onElement))
{
}

std::optional<JsonValue>
JsonReader::Next()
{
    LineIterator next(m_stream.rdbuf(), &m_line, &m_column);
    const LineIterator end;
    while (next != end && std::isspace(static_cast<unsigned char>(*next)))
    {
        ++next;
    }
    if (next == end)
    {
        return std::nullopt;
    }
    ValueBuilder builder(m_arrayKeys, m_onElement, m_line, m_column);
    nlohmann::json::sax_parse(next, end, &builder, nlohmann::detail::input_format_t::json, false);
    return builder.Take();
}

int
JsonReader::GetLine() const
{
    return m_line;
}

JsonValue
ReadJson(const std::string& text)
{
    std::istringstream stream(text);
    JsonReader reader(stream);
    return TakeOnly(reader);
}

JsonValue
ReadJson(std::istream& stream,
         const std::string& arrayKey,
         const std::function<void(const JsonValue&)>& onElement)
{
    JsonReader reader(stream, {arrayKey}, [&](const JsonValue& value, const std::string&) {
        onElement(value);
    });
    return TakeOnly(reader);
}

} // namespace mlcluster
} // namespace ns3
