/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-input.h"

namespace ns3
{
namespace mlcluster
{

using Kind = ConfigNode::Kind;

ExperimentInput::ExperimentInput(const std::string& path,
                                 const std::vector<ExperimentOverride>& overrides,
                                 Diagnostics& diagnostics)
    : m_diagnostics(diagnostics),
      m_document(ReadExperimentDocument(path, overrides, diagnostics))
{
    if (IsReadable())
    {
        ReadSection(m_document);
        if (const ConfigNode* attributes = m_document.Find("attributes"))
        {
            ReadAttributes(*attributes);
        }
    }
}

bool
ExperimentInput::IsReadable() const
{
    return m_document.kind == Kind::Map;
}

const ExperimentInput::Given*
ExperimentInput::Find(const std::string& key) const
{
    const auto found = m_given.find(key);
    return found == m_given.end() ? nullptr : &found->second;
}

std::string
ExperimentInput::GetText(const std::string& key) const
{
    const Given* given = Find(key);
    return given && !given->entries.empty() ? given->entries.front() : "";
}

const ExperimentInput::Given*
ExperimentInput::Require(const std::string& key) const
{
    const Given* given = Find(key);
    if (!given)
    {
        m_diagnostics.Error({m_document.place.file, 0, key},
                            "is missing; needed is " + FindExperimentKey(key)->help);
    }
    return given;
}

const std::vector<AttributeSetting>&
ExperimentInput::GetAttributes() const
{
    return m_attributes;
}

bool
ExperimentInput::HasDesign() const
{
    return m_document.Find("design") != nullptr;
}

const ConfigNode*
ExperimentInput::GetDimensionList() const
{
    const ConfigNode* cluster = m_document.Find("cluster");
    const ConfigNode* topology = cluster ? cluster->Find("topology") : nullptr;
    return topology && topology->kind == Kind::List ? topology : nullptr;
}

std::string
ExperimentInput::ReadEntry(const ConfigNode& node, const ExperimentKey& known) const
{
    if (!Expect(node, Kind::Scalar, known.help))
    {
        return "";
    }
    try
    {
        return known.Parse(node.text);
    }
    catch (const InputError& e)
    {
        m_diagnostics.Error(node.place, e.what());
        return "";
    }
}

void
ExperimentInput::ReadSection(const ConfigNode& section)
{
    for (std::size_t i = 0; i < section.children.size(); ++i)
    {
        const ConfigNode& node = section.children[i];
        const auto* known = FindExperimentKey(node.place.key);
        if (&node == GetDimensionList() || node.place.key == "attributes" ||
            node.place.key == "design")
        {
            continue; // read elsewhere
        }
        if (known)
        {
            ReadValue(node, *known);
        }
        else if (!IsExperimentSection(node.place.key))
        {
            m_diagnostics.Error(node.place,
                                SuggestExperimentKey(section.place.key, section.names[i]));
        }
        else if (Expect(node, Kind::Map, "the section's keys, indented below it"))
        {
            ReadSection(node);
        }
    }
}

void
ExperimentInput::ReadValue(const ConfigNode& node, const ExperimentKey& known)
{
    Given given{&known, node.place, node.kind == Kind::List, {}};
    if (!given.isList)
    {
        given.entries.push_back(ReadEntry(node, known));
    }
    else if (known.shape == ExperimentShape::Single || node.children.empty())
    {
        m_diagnostics.Error(node.place,
                            node.children.empty()
                                ? "the list is empty; needed is " + known.help
                                : "a list is given; one value is needed: " + known.help);
        given.entries.emplace_back();
    }
    else
    {
        for (const auto& entry : node.children)
        {
            given.entries.push_back(ReadEntry(entry, known));
        }
    }
    m_given.emplace(known.key, given);
}

void
ExperimentInput::ReadAttributes(const ConfigNode& section)
{
    if (!Expect(section, Kind::Map, "ns-3 attributes and their values"))
    {
        return;
    }
    for (std::size_t i = 0; i < section.children.size(); ++i)
    {
        const ConfigNode& node = section.children[i];
        const std::string& name = section.names[i];
        const auto colons = name.rfind("::");
        if (name.compare(0, 5, "ns3::") != 0 || colons < 5 || colons + 2 == name.size())
        {
            m_diagnostics.Error(node.place,
                                "'" + name +
                                    "' is no attribute; allowed are full names, for example " +
                                    "ns3::mlcluster::NpuApplication::EndpointDelay");
        }
        else if (Expect(node, Kind::Scalar, "the attribute's value"))
        {
            ReadAttribute(node, name);
        }
    }
}

void
ExperimentInput::ReadAttribute(const ConfigNode& node, const std::string& name)
{
    const auto* known = FindExperimentKeyOf(name);
    if (known && Find(known->key))
    {
        m_diagnostics.Error(node.place,
                            "is given twice, also as " + known->key + " in line " +
                                std::to_string(Find(known->key)->place.line));
        return;
    }
    try
    {
        const std::string value = known ? known->ParseAttribute(node.text) : node.text;
        m_attributes.push_back({name, value, node.place});
    }
    catch (const InputError& e)
    {
        m_diagnostics.Error(node.place, e.what());
    }
}

bool
ExperimentInput::Expect(const ConfigNode& node, Kind kind, const std::string& meaning) const
{
    if (node.kind != kind)
    {
        const std::string given =
            node.kind == Kind::Missing ? "the value is missing" : node.Describe() + " is given";
        m_diagnostics.Error(node.place, given + "; needed is " + meaning);
    }
    return node.kind == kind;
}

ConfigNode
ReadExperimentDocument(const std::string& path,
                       const std::vector<ExperimentOverride>& overrides,
                       Diagnostics& diagnostics)
{
    ConfigNode document = ReadYamlDocument(path, diagnostics);
    for (std::size_t i = 0; document.kind == Kind::Map && i < overrides.size(); ++i)
    {
        SetConfigValue(document, overrides[i].place, overrides[i].value, diagnostics);
    }
    return document;
}

} // namespace mlcluster
} // namespace ns3
