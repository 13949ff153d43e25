/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "custom-collectives.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"
#include "ns3/word-list.h"

#include <map>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param name of an operation @return it @throw InputError if there is none of that name
CollectiveType
ReadType(const std::string& name)
{
    if (const auto type = ParseCollectiveType(name))
    {
        return *type;
    }
    std::vector<std::string> names;
    for (int number = 0; number <= static_cast<int>(CollectiveType::Barrier); ++number)
    {
        names.push_back(ToString(static_cast<CollectiveType>(number)));
    }
    throw InputError("\"" + name + "\" is no collective; allowed are " + JoinWords(names));
}

/// Sets what must not be set yet. @param field to set @param value of it
template <typename T, typename Value>
void
SetOnce(std::optional<T>& field, const Value& value)
{
    if (field)
    {
        throw InputError("it is given twice");
    }
    field = value;
}

} // namespace

std::vector<std::string>
CustomCollectives::Rule::GetKeys()
{
    return {"collective", "min-size", "max-size", "group", "node"};
}

void
CustomCollectives::Rule::Set(const std::string& key, const std::string& value)
{
    if (key == "collective")
    {
        SetOnce(collective, ReadType(value));
    }
    else if (key == "min-size")
    {
        SetOnce(minSize, ParseBytes(value));
    }
    else if (key == "max-size")
    {
        SetOnce(maxSize, ParseBytes(value));
    }
    else if (key == "group")
    {
        SetOnce(group, value);
    }
    else if (key == "node")
    {
        SetOnce(node, ParseCount(value));
    }
    else
    {
        const std::string nearest = NearestWord(key, GetKeys());
        throw InputError("the key is not known" +
                         (nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?") +
                         "; allowed are " + JoinWords(GetKeys()));
    }
}

std::vector<CustomCollectives::Rule>
CustomCollectives::Parse(const std::string& text)
{
    Diagnostics diagnostics;
    std::vector<Rule> rules;
    for (const auto& entry : text.empty() ? std::vector<std::string>() : SplitWords(text, ','))
    {
        const auto parts = SplitWords(entry, ';');
        Rule& rule = rules.emplace_back();
        rule.file = parts[0];
        for (std::size_t i = 1; i < parts.size(); ++i)
        {
            const std::size_t equals = parts[i].find('=');
            try
            {
                if (equals == std::string::npos)
                {
                    throw InputError("KEY=VALUE is expected");
                }
                rule.Set(parts[i].substr(0, equals), parts[i].substr(equals + 1));
            }
            catch (const InputError& error)
            {
                diagnostics.Error({"", 0, "schedule \"" + rule.file + "\", \"" + parts[i] + "\""},
                                  error.what());
            }
        }
    }
    diagnostics.ThrowIfErrors();
    return rules;
}

std::string
CustomCollectives::Format(const std::vector<Rule>& rules)
{
    std::string text;
    for (const auto& rule : rules)
    {
        text += (text.empty() ? "" : ",") + rule.file;
        text += rule.collective ? ";collective=" + ToString(*rule.collective) : "";
        text += rule.minSize ? ";min-size=" + FormatBytes(*rule.minSize) : "";
        text += rule.maxSize ? ";max-size=" + FormatBytes(*rule.maxSize) : "";
        text += rule.group ? ";group=" + *rule.group : "";
        text += rule.node ? ";node=" + std::to_string(*rule.node) : "";
    }
    return text;
}

CustomCollectives::CustomCollectives(std::vector<Rule> rules)
    : m_rules(std::move(rules))
{
    Diagnostics diagnostics;
    std::map<std::pair<std::string, std::optional<CollectiveType>>, LoadedSchedule> loaded;
    for (const auto& rule : m_rules)
    {
        if (rule.minSize && rule.maxSize && *rule.minSize > *rule.maxSize)
        {
            diagnostics.Error({"", 0, "schedule \"" + rule.file + "\""},
                              "min-size is above max-size");
        }
        const std::pair key(rule.file, rule.collective);
        try
        {
            if (loaded.count(key) == 0)
            {
                loaded[key] = LoadSchedule(rule.file, rule.collective);
            }
            const auto& type = loaded[key].type;
            if (rule.collective && type != rule.collective)
            {
                throw InputError(rule.file + ": is for " + ToString(*type) + ", not for " +
                                 ToString(*rule.collective));
            }
            m_loaded.push_back(loaded[key]);
        }
        catch (const InputError& error)
        {
            diagnostics.Error({}, error.what());
        }
    }
    diagnostics.ThrowIfErrors();
}

bool
CustomCollectives::Matches(std::size_t index,
                           const CollectiveRequest& request,
                           const std::string& group,
                           std::optional<uint64_t> node) const
{
    const Rule& rule = m_rules[index];
    const LoadedSchedule& loaded = m_loaded[index];
    const uint64_t bytes =
        std::accumulate(request.pieces.begin(), request.pieces.end(), uint64_t{0});
    return request.matrix.empty() && (!loaded.type || *loaded.type == request.type) &&
           bytes >= rule.minSize.value_or(loaded.minBytes) &&
           bytes <= rule.maxSize.value_or(loaded.maxBytes) &&
           (!rule.group || *rule.group == group) && (!rule.node || rule.node == node);
}

std::shared_ptr<const CollectiveAlgorithm>
CustomCollectives::Find(const CollectiveRequest& request,
                        const std::string& group,
                        std::optional<uint64_t> node)
{
    Diagnostics diagnostics;
    for (std::size_t index = 0; index < m_rules.size() && request.size > 1; ++index)
    {
        if (!Matches(index, request, group, node))
        {
            continue;
        }
        const auto& algorithm = m_loaded[index].algorithm;
        const std::string whyNot = algorithm->WhyNot(request.type, request.size);
        if (!whyNot.empty())
        {
            diagnostics.Error({}, whyNot);
            continue;
        }
        const Proven key{algorithm.get(), request};
        if (m_proven.count(key) == 0)
        {
            RequireProof(*algorithm, request);
            m_proven.insert(key);
        }
        return algorithm;
    }
    diagnostics.ThrowIfErrors();
    return nullptr;
}

} // namespace mlcluster
} // namespace ns3
