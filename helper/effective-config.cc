/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "effective-config.h"

#include "config-document.h"
#include "experiment-schema.h"

#include "ns3/collective-options.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Texts = std::map<std::string, std::string>;

std::string
MakeAbsolute(const std::string& path)
{
    return path.empty() ? "" : std::filesystem::absolute(path).lexically_normal().string();
}

/// @return the value in canonical form, completed to one algorithm for every dimension, paths
/// absolute
std::string
Complete(const ExperimentKey& key, const std::string& value, std::size_t nDimensions)
{
    try
    {
        const std::string canonical = key.ParseAttribute(value);
        auto entries = key.shape == ExperimentShape::Single ? std::vector<std::string>{canonical}
                                                            : SplitEntries(canonical);
        const bool isFlat =
            entries.size() == 1 && !CollectiveOptions::GetFlatName(entries[0]).empty();
        if (key.shape == ExperimentShape::PerDimension && entries.size() < nDimensions && !isFlat)
        {
            entries.resize(nDimensions, "auto");
        }
        if (key.isPath && value != "")
        {
            std::transform(entries.begin(), entries.end(), entries.begin(), MakeAbsolute);
        }
        return JoinEntries(entries);
    }
    catch (const InputError& e)
    {
        throw InputError(key.attribute + ": " + e.what());
    }
}

/// Adds the keys of switches that reduce, if there are any.
void
AddInNetwork(const ExperimentConfig& config, Texts& texts)
{
    std::vector<std::string> enabled;
    std::vector<std::string> times;
    std::vector<std::string> slots;
    for (const auto& dimension : config.dimensions)
    {
        enabled.emplace_back(dimension.inNetwork.enabled ? "true" : "false");
        times.push_back(FormatPicoseconds(dimension.inNetwork.processingPs));
        slots.push_back(std::to_string(dimension.inNetwork.slots));
    }
    if (std::find(enabled.begin(), enabled.end(), "true") != enabled.end())
    {
        texts["cluster.in-network"] = "[" + JoinWords(enabled) + "]";
        texts["cluster.processing-time"] = "[" + JoinWords(times) + "]";
        texts["cluster.slots"] = "[" + JoinWords(slots) + "]";
    }
}

void
AddDimensions(const ExperimentConfig& config, Texts& texts)
{
    std::vector<std::string> rates;
    std::vector<std::string> latencies;
    for (const auto& dimension : config.dimensions)
    {
        rates.push_back(FormatBitRate(dimension.linkBitRate));
        latencies.push_back(FormatPicoseconds(dimension.latencyPs));
    }
    AddInNetwork(config, texts);
    texts["cluster.topology"] = ClusterTopology(config.dimensions).GetNotation();
    texts["cluster.link-bandwidth"] = "[" + JoinWords(rates) + "]";
    texts["cluster.latency"] = "[" + JoinWords(latencies) + "]";
}

/// @return whether the key describes a workload, but not that of the experiment
bool
IsOfOtherWorkload(const ExperimentKey& key, const ExperimentConfig& config)
{
    if (key.key == "workload.skip-repeats")
    {
        return config.generator.empty();
    }
    return key.key.rfind("workload.", 0) == 0 &&
           key.attribute.rfind(config.generator + "::", 0) != 0;
}

void
AddWorkload(const ExperimentConfig& config, Texts& texts)
{
    texts["workload.node-memory"] = FormatBytes(config.nodeMemory);
    if (config.collective)
    {
        texts["workload.collective.type"] = ToString(*config.collective);
        if (config.collective != CollectiveType::Barrier)
        {
            texts["workload.collective.bytes"] = FormatBytes(config.collectiveBytes);
        }
        if (IsRooted(*config.collective))
        {
            texts["workload.collective.root"] = std::to_string(config.collectiveRoot);
        }
        return;
    }
    if (!config.generator.empty())
    {
        return;
    }
    texts["workload.chakra"] = QuoteYaml(config.chakraPrefix);
    texts["workload.schema"] = config.schema;
    texts["workload.element-bytes"] = std::to_string(config.elementBytes);
    texts["workload.flops-per-operation"] = std::to_string(config.flopsPerOperation);
    texts["workload.control-dependencies"] = config.controlDependencies;
    texts["workload.ignore-missing-dependencies"] =
        config.ignoreMissingDependencies ? "true" : "false";
    texts["workload.streams"] = config.streams ? "true" : "false";
    texts["workload.tensor-locations"] = config.locations ? "true" : "false";
    if (!config.groupFile.empty())
    {
        texts["workload.groups"] = QuoteYaml(config.groupFile);
    }
}

Texts
GetTexts(const ExperimentConfig& config)
{
    Texts texts;
    AddDimensions(config, texts);
    AddWorkload(config, texts);
    texts["cluster.memory.model"] = QuoteYaml(config.memoryModel);
    texts["backends.run"] = "[" + JoinWords(config.backends) + "]";
    if (!config.outputDir.empty())
    {
        texts["output.directory"] = QuoteYaml(config.outputDir);
    }
    for (const auto& setting : config.attributes)
    {
        if (const auto* key = FindExperimentKeyOf(setting.attribute))
        {
            texts[key->key] = key->Format(setting.value);
        }
    }
    return texts;
}

/// Writes the sections that a key opens, given the one before it, and the key.
void
WriteKey(const std::string& key,
         const std::string& before,
         const std::string& text,
         std::ostream& os)
{
    std::size_t begin = 0;
    std::size_t depth = 0;
    for (std::size_t end = key.find('.'); end != std::string::npos; end = key.find('.', begin))
    {
        if (before.compare(0, end + 1, key, 0, end + 1) != 0)
        {
            os << std::string(2 * depth, ' ') << key.substr(begin, end - begin) << ":\n";
        }
        begin = end + 1;
        ++depth;
    }
    os << std::string(2 * depth, ' ') << key.substr(begin) << ": " << text << "\n";
}

} // namespace

ExperimentConfig
CompleteExperimentConfig(const ExperimentConfig& config, const AttributeDefault& attributeDefault)
{
    ExperimentConfig complete = config;
    complete.chakraPrefix = MakeAbsolute(config.chakraPrefix);
    complete.groupFile = MakeAbsolute(config.groupFile);
    complete.outputDir = MakeAbsolute(config.outputDir);
    complete.attributes.clear();
    std::map<std::string, std::string> given;
    for (const auto& setting : config.attributes)
    {
        given[setting.attribute] = setting.value;
    }
    for (const auto& key : GetExperimentKeys())
    {
        const auto found = given.find(key.attribute);
        const std::string value = key.attribute.empty() || IsOfOtherWorkload(key, config) ? ""
                                  : found != given.end() ? found->second
                                                         : attributeDefault(key.attribute);
        if (!value.empty())
        {
            complete.attributes.push_back(
                {key.attribute, Complete(key, value, config.dimensions.size())});
        }
    }
    std::copy_if(config.attributes.begin(),
                 config.attributes.end(),
                 std::back_inserter(complete.attributes),
                 [](const auto& setting) { return !FindExperimentKeyOf(setting.attribute); });
    return complete;
}

void
WriteExperimentConfig(const ExperimentConfig& config, std::ostream& os)
{
    const Texts texts = GetTexts(config);
    std::string before;
    for (const auto& key : GetExperimentKeys())
    {
        const auto text = texts.find(key.key);
        if (text != texts.end())
        {
            WriteKey(key.key, before, text->second, os);
            before = key.key;
        }
    }
    bool isFirst = true;
    for (const auto& setting : config.attributes)
    {
        if (!FindExperimentKeyOf(setting.attribute))
        {
            os << (isFirst ? "attributes:\n" : "") << "  " << QuoteYaml(setting.attribute) << ": "
               << QuoteYaml(setting.value) << "\n";
            isFirst = false;
        }
    }
}

} // namespace mlcluster
} // namespace ns3
