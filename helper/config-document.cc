/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "config-document.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int MAX_DEPTH = 64;
constexpr int MAX_VALUES = 100000;

/// Turns what yaml-cpp made of a file into ConfigNodes, checking as it goes.
class Converter
{
  public:
    /// @param first place of the text's first line @param diagnostics receives problems
    Converter(const Diagnostics::Place& first, Diagnostics& diagnostics)
        : m_file(first.file),
          m_firstLine(first.line),
          m_diagnostics(diagnostics)
    {
    }

    ConfigNode Convert(const YAML::Node& node, const std::string& key, int line, int depth)
    {
        ConfigNode result;
        result.place = {m_file, line, key};
        if (depth > MAX_DEPTH || ++m_values > MAX_VALUES)
        {
            throw InputError(depth > MAX_DEPTH
                                 ? "values are nested deeper than " + std::to_string(MAX_DEPTH) +
                                       " levels"
                                 : "more than " + std::to_string(MAX_VALUES) + " values");
        }
        if (node.IsScalar())
        {
            result.kind = ConfigNode::Kind::Scalar;
            result.text = node.Scalar();
            result.isQuoted = node.Tag() == "!";
        }
        else if (node.IsSequence())
        {
            ConvertList(node, result, depth);
        }
        else if (node.IsMap())
        {
            ConvertMap(node, result, depth);
        }
        return result;
    }

  private:
    void ConvertList(const YAML::Node& node, ConfigNode& result, int depth)
    {
        result.kind = ConfigNode::Kind::List;
        for (const auto& item : node)
        {
            const std::string key =
                result.place.key + "[" + std::to_string(result.children.size()) + "]";
            const int line =
                item.Mark().line < 0 ? result.place.line : item.Mark().line + m_firstLine;
            result.children.push_back(Convert(item, key, line, depth + 1));
        }
    }

    void ConvertMap(const YAML::Node& node, ConfigNode& result, int depth)
    {
        result.kind = ConfigNode::Kind::Map;
        std::map<std::string, int> lines;
        for (const auto& entry : node)
        {
            const int line = entry.first.Mark().line + m_firstLine;
            if (!entry.first.IsScalar())
            {
                m_diagnostics.Error({m_file, line, result.place.key}, "a key must be a text");
                continue;
            }
            const std::string name = entry.first.Scalar();
            const std::string key = result.place.key.empty() ? name : result.place.key + "." + name;
            if (CheckName(name, key, line, lines))
            {
                result.names.push_back(name);
                result.children.push_back(Convert(entry.second, key, line, depth + 1));
            }
        }
    }

    bool CheckName(const std::string& name,
                   const std::string& key,
                   int line,
                   std::map<std::string, int>& lines)
    {
        const auto [first, isNew] = lines.emplace(name, line);
        if (!isNew)
        {
            m_diagnostics.Error({m_file, line, key},
                                "the key is given twice, first in line " +
                                    std::to_string(first->second));
        }
        if (name == "<<")
        {
            m_diagnostics.Error({m_file, line, key},
                                "merging maps with '<<' is not supported; write the keys out, or "
                                "use an alias (*name) for a whole value");
        }
        return isNew && name != "<<";
    }

    std::string m_file;
    int m_firstLine;
    Diagnostics& m_diagnostics;
    int m_values{0};
};

std::optional<std::string>
ReadText(const std::string& path, Diagnostics& diagnostics)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        diagnostics.Error({path, 0, ""}, "is a folder; a file is needed");
        return std::nullopt;
    }
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    if (!stream.is_open() || stream.bad())
    {
        diagnostics.Error({path, 0, ""}, std::string("cannot be read: ") + std::strerror(errno));
        return std::nullopt;
    }
    if (text.find('\0') != std::string::npos)
    {
        diagnostics.Error({path, 0, ""}, "is a binary file; a text file is needed");
        return std::nullopt;
    }
    return text;
}

/// Lets a document pass by.
class EventSink : public YAML::EventHandler
{
    using Style = YAML::EmitterStyle::value;

    void OnDocumentStart(const YAML::Mark&) override
    {
    }

    void OnDocumentEnd() override
    {
    }

    void OnNull(const YAML::Mark&, YAML::anchor_t) override
    {
    }

    void OnAlias(const YAML::Mark&, YAML::anchor_t) override
    {
    }

    void OnScalar(const YAML::Mark&,
                  const std::string&,
                  YAML::anchor_t,
                  const std::string&) override
    {
    }

    void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, Style) override
    {
    }

    void OnSequenceEnd() override
    {
    }

    void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, Style) override
    {
    }

    void OnMapEnd() override
    {
    }
};

/// @return whether something follows the first document. YAML::LoadAll never ends on a stray comma.
bool
HasMore(const std::string& text)
{
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    EventSink events;
    parser.HandleNextDocument(events);
    return static_cast<bool>(parser);
}

/// @param text YAML @param first place of its first line @param needsMap whether it must be a map
/// @param diagnostics receives problems @return what it says; of kind Missing after an error
ConfigNode
ParseText(const std::string& text,
          const Diagnostics::Place& first,
          bool needsMap,
          Diagnostics& diagnostics)
{
    const auto at = [&](int line) {
        return Diagnostics::Place{first.file, line < 0 ? 0 : line + first.line, first.key};
    };
    try
    {
        const YAML::Node document = YAML::Load(text);
        if (needsMap && !document.IsMap())
        {
            diagnostics.Error(at(document.IsNull() ? -1 : 0),
                              std::string("holds ") + (document.IsNull() ? "nothing" : "no keys") +
                                  "; a map (key: value) is needed");
        }
        else if (HasMore(text))
        {
            diagnostics.Error(at(-1), "goes on after the first document; one is allowed");
        }
        else
        {
            return Converter(first, diagnostics).Convert(document, first.key, first.line, 0);
        }
    }
    catch (const YAML::DeepRecursion& e)
    {
        diagnostics.Error(at(e.mark.line), "is no YAML: values are nested too deeply");
    }
    catch (const YAML::Exception& e)
    {
        diagnostics.Error(at(e.mark.line), "is no YAML: " + e.msg);
    }
    catch (const InputError& e)
    {
        diagnostics.Error(at(-1), e.what());
    }
    return ConfigNode();
}

/// @return whether it is JSON
bool
CheckJson(const std::string& text, const std::string& path, Diagnostics& diagnostics)
{
    try
    {
        [[maybe_unused]] const auto json = nlohmann::json::parse(text);
        return true;
    }
    catch (const nlohmann::json::parse_error& e)
    {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
        const auto line = 1 + std::count(text.begin(), end, '\n');
        const std::string message = e.what();
        const std::string reason = message.substr(message.find(": ") + 2);
        diagnostics.Error({path, static_cast<int>(line), ""}, "is no JSON: " + reason);
        return false;
    }
}

} // namespace

const ConfigNode*
ConfigNode::Find(const std::string& name) const
{
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? nullptr
                                : &children[static_cast<std::size_t>(found - names.begin())];
}

std::string
ConfigNode::Describe() const
{
    switch (kind)
    {
    case Kind::Scalar:
        return "'" + text + "'";
    case Kind::List:
        return "a list";
    case Kind::Map:
        return "a map";
    default:
        return "nothing";
    }
}

ConfigNode
ReadYamlDocument(const std::string& path, Diagnostics& diagnostics)
{
    const auto text = ReadText(path, diagnostics);
    return text ? ParseText(*text, {path, 1, ""}, true, diagnostics) : ConfigNode();
}

ConfigNode
ReadJsonDocument(const std::string& path, Diagnostics& diagnostics)
{
    const auto text = ReadText(path, diagnostics);
    if (!text || (!text->empty() && !CheckJson(*text, path, diagnostics)))
    {
        return ConfigNode();
    }
    return ParseText(*text, {path, 1, ""}, true, diagnostics);
}

void
SetConfigValue(ConfigNode& document,
               const Diagnostics::Place& place,
               const std::string& text,
               Diagnostics& diagnostics)
{
    const std::size_t nErrors = diagnostics.GetErrors().size();
    ConfigNode value = ParseText(text, place, false, diagnostics);
    if (diagnostics.GetErrors().size() > nErrors)
    {
        return;
    }
    ConfigNode* node = &document;
    for (std::size_t begin = 0; begin <= place.key.size();)
    {
        if (node->kind == ConfigNode::Kind::Scalar || node->kind == ConfigNode::Kind::List)
        {
            diagnostics.Error(place,
                              "has no place: " + node->place.key + " in line " +
                                  std::to_string(node->place.line) + " is " + node->Describe());
            return;
        }
        node->kind = ConfigNode::Kind::Map;
        const std::size_t end = std::min(place.key.find('.', begin), place.key.size());
        const std::string name = place.key.substr(begin, end - begin);
        if (!node->Find(name))
        {
            node->names.push_back(name);
            node->children.emplace_back().place = {place.file,
                                                   place.line,
                                                   place.key.substr(0, end)};
        }
        const auto index = std::find(node->names.begin(), node->names.end(), name);
        node = &node->children[static_cast<std::size_t>(index - node->names.begin())];
        begin = end + 1;
    }
    *node = std::move(value);
}

std::string
QuoteYaml(const std::string& text)
{
    static const std::string HEX = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text)
    {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code == 0x7f)
        {
            quoted += std::string("\\x") + HEX[code / 16] + HEX[code % 16];
            continue;
        }
        quoted += c == '"' || c == '\\' ? "\\" : "";
        quoted += c;
    }
    return quoted + "\"";
}

} // namespace mlcluster
} // namespace ns3
