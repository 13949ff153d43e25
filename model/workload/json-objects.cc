/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-objects.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Json = nlohmann::json; ///< the library's value

constexpr std::size_t MAX_DEPTH = 100; ///< of arrays and objects in each other

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

    /// @param source what to read @param line grows with it
    LineIterator(std::streambuf* source, int* line)
        : m_source(source),
          m_line(line)
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
        *m_line += m_source->sbumpc() == '\n';
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
};

/// Builds values of what the library meets.
class Builder : public nlohmann::json_sax<Json>
{
  public:
    /// @param lists names of members at the top whose elements are handed over @param line line of
    /// the next character @param handler receives the objects
    Builder(const std::vector<std::string>& lists,
            const int& line,
            const JsonObjectReader::Handler& handler)
        : m_lists(lists),
          m_line(line),
          m_handler(handler)
    {
    }

    /// @return whether to go on
    bool null() override
    {
        return Scalar(std::monostate());
    }

    /// @param value true or false @return whether to go on
    bool boolean(bool value) override
    {
        return Scalar(value);
    }

    /// @param value a negative integer @return whether to go on
    bool number_integer(number_integer_t value) override
    {
        return Scalar(int64_t{value});
    }

    /// @param value an integer @return whether to go on
    bool number_unsigned(number_unsigned_t value) override
    {
        return Scalar(uint64_t{value});
    }

    /// @param value a number @return whether to go on
    bool number_float(number_float_t value, const string_t&) override
    {
        return Scalar(value);
    }

    /// @param value a text @return whether to go on
    bool string(string_t& value) override
    {
        return Scalar(std::move(value));
    }

    /// JSON has no binary values. @return false
    bool binary(binary_t&) override
    {
        return false;
    }

    /// @return whether to go on
    bool start_object(std::size_t) override
    {
        return Begin(JsonNode::Object());
    }

    /// @return whether to go on
    bool start_array(std::size_t) override
    {
        const bool isList = m_open.size() == 1 && m_open[0] &&
                            std::find(m_lists.begin(), m_lists.end(), m_key) != m_lists.end() &&
                            IsObject(m_open[0]);
        if (m_open.empty() || isList)
        {
            m_list = isList ? m_key : "";
            if (isList)
            {
                Add(JsonNode::List());
            }
            m_open.push_back(nullptr);
            return true;
        }
        return Begin(JsonNode::List());
    }

    /// @param value name of the next member @return whether to go on
    bool key(string_t& value) override
    {
        m_key = std::move(value);
        return true;
    }

    /// @return whether to go on
    bool end_object() override
    {
        return End();
    }

    /// @return whether to go on
    bool end_array() override
    {
        return End();
    }

    /// @param error what is wrong @return never
    bool parse_error(std::size_t, const std::string&, const Json::exception& error) override
    {
        const std::string text = error.what();
        const auto reason = text.find(": ");
        throw InputError("is not JSON: " +
                         (reason == std::string::npos ? text : text.substr(reason + 2)));
    }

  private:
    /// @param value a value @return whether it is an object
    static bool IsObject(const JsonNode* value)
    {
        return std::holds_alternative<JsonNode::Object>(value->content);
    }

    /// @param content a new value @return where it is kept
    JsonNode& Add(JsonNode::Content content)
    {
        JsonNode* parent = m_open.empty() ? nullptr : m_open.back();
        JsonNode value{std::move(content), m_line};
        if (!parent)
        {
            return (m_open.empty() ? m_top : m_element) = std::move(value);
        }
        if (auto* list = std::get_if<JsonNode::List>(&parent->content))
        {
            return list->emplace_back(std::move(value));
        }
        const auto [member, isNew] =
            std::get<JsonNode::Object>(parent->content).emplace(m_key, std::move(value));
        if (!isNew)
        {
            throw InputError("\"" + m_key + "\" is given twice in an object");
        }
        return member->second;
    }

    /// @param content a value without elements @return true
    bool Scalar(JsonNode::Content content)
    {
        if (m_open.empty() || !m_open.back())
        {
            throw InputError("an object is needed here");
        }
        Add(std::move(content));
        return true;
    }

    /// @param content an empty array or object @return true
    bool Begin(JsonNode::Content content)
    {
        const bool isHandedOver = m_open.empty() || !m_open.back();
        if (isHandedOver && !std::holds_alternative<JsonNode::Object>(content))
        {
            throw InputError("an object is needed here");
        }
        if (m_open.size() >= MAX_DEPTH)
        {
            throw InputError("arrays and objects nest deeper than " + std::to_string(MAX_DEPTH));
        }
        m_open.push_back(&Add(std::move(content)));
        return true;
    }

    /// Ends an array or object. @return true
    bool End()
    {
        const JsonNode* ended = m_open.back();
        m_open.pop_back();
        using Origin = JsonObjectReader::Origin;
        if (ended && m_open.empty())
        {
            m_handler(*ended, Origin::Top, "");
        }
        else if (ended && !m_open.back())
        {
            m_handler(*ended, m_open.size() == 1 ? Origin::Array : Origin::Member, m_list);
        }
        return true;
    }

    const std::vector<std::string>& m_lists;    ///< names of members
    const int& m_line;                          ///< line of the next character
    const JsonObjectReader::Handler& m_handler; ///< receives the objects
    std::vector<JsonNode*> m_open; ///< arrays and objects that have not ended; null: one whose
                                   ///< elements are handed over
    JsonNode m_top;                ///< the object at the top
    JsonNode m_element;            ///< the element to be handed over
    std::string m_key;             ///< name of the next member
    std::string m_list;            ///< name of the member whose elements are handed over
};

} // namespace

const JsonNode*
JsonNode::Find(std::string_view name) const
{
    const auto* object = std::get_if<Object>(&content);
    if (!object)
    {
        return nullptr;
    }
    const auto found = object->find(name);
    return found == object->end() ? nullptr : &found->second;
}

JsonObjectReader::JsonObjectReader(std::istream& stream, std::vector<std::string> lists)
    : m_stream(stream),
      m_lists(std::move(lists))
{
}

void
JsonObjectReader::Read(const Handler& handler)
{
    LineIterator next(m_stream.rdbuf(), &m_line);
    const LineIterator end;
    bool mayEnd = false;
    do
    {
        const bool isObject = next != end && *next != '[';
        Builder builder(m_lists, m_line, handler);
        Json::sax_parse(next, end, &builder, nlohmann::detail::input_format_t::json, false);
        while (next != end && std::isspace(static_cast<unsigned char>(*next)))
        {
            ++next;
        }
        mayEnd = next == end;
        if (!mayEnd && !isObject)
        {
            throw InputError("something follows the array");
        }
    } while (!mayEnd);
}

int
JsonObjectReader::GetLine() const
{
    return m_line;
}

} // namespace mlcluster
} // namespace ns3
