/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-custom.h"

#include "config-document.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/**
 * Finds a file, or files with a prefix.
 * @param config names the system file
 * @param path as given
 * @param suffix of the file that must exist
 * @param place where the path is given, for messages
 * @param diagnostics receives what is missing
 * @return the path that exists, without the suffix; "" if none does
 */
std::string
FindPath(const AstraConfig& config,
         const std::string& path,
         const std::string& suffix,
         const Diagnostics::Place& place,
         Diagnostics& diagnostics)
{
    const auto beside = std::filesystem::path(config.files.system).parent_path() / path;
    for (const std::string& candidate : {path, beside.string()})
    {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate + suffix, ignored))
        {
            return candidate;
        }
    }
    const std::string second = beside == path ? "" : ", nor " + beside.string() + suffix;
    diagnostics.Error(place, "there is no file " + path + suffix + second);
    return "";
}

/// @param text a key @return the node id it is, if it is one
std::optional<uint64_t>
ParseNodeId(const std::string& text)
{
    uint64_t id = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, id);
    return result.ec == std::errc() && result.ptr == end ? std::optional(id) : std::nullopt;
}

/// Reads the map of nodes. @param path of it @return prefixes by node id
std::map<uint64_t, std::string>
ReadNodes(const AstraConfig& config, const std::string& path, Diagnostics& diagnostics)
{
    std::map<uint64_t, std::string> prefixes;
    const ConfigNode document = ReadYamlDocument(path, diagnostics);
    for (std::size_t i = 0; i < document.names.size(); ++i)
    {
        const ConfigNode& value = document.children[i];
        const auto id = ParseNodeId(document.names[i]);
        if (!id)
        {
            diagnostics.Error(value.place,
                              "\"" + document.names[i] +
                                  "\" is no node id; needed is a whole number, the id of a "
                                  "collective in the trace");
        }
        if (value.kind != ConfigNode::Kind::Scalar)
        {
            diagnostics.Error(value.place,
                              value.Describe() + " is given; needed is the prefix of files "
                                                 "PREFIX.POSITION.et");
        }
        else if (id)
        {
            prefixes[*id] = FindPath(config, value.text, ".0.et", value.place, diagnostics);
        }
    }
    return prefixes;
}

} // namespace

AstraCustom
ReadAstraCustom(const AstraConfig& config, Diagnostics& diagnostics)
{
    AstraCustom custom;
    const AstraSystem& system = config.system;
    for (const auto& [type, collective] :
         {std::pair(CollectiveType::AllReduce, &system.allReduce),
          std::pair(CollectiveType::ReduceScatter, &system.reduceScatter),
          std::pair(CollectiveType::AllGather, &system.allGather),
          std::pair(CollectiveType::AllToAll, &system.allToAll)})
    {
        const std::string key = ToString(type) + "-implementation-custom";
        if (!collective->customPrefix.empty())
        {
            custom.byType[type] = FindPath(config,
                                           collective->customPrefix,
                                           ".0.et",
                                           {config.files.system, 0, key},
                                           diagnostics);
        }
    }
    if (!system.perNodeCustom.empty())
    {
        const Diagnostics::Place place{config.files.system, 0, "per-node-custom-implementation"};
        const std::string path = FindPath(config, system.perNodeCustom, "", place, diagnostics);
        if (!path.empty())
        {
            custom.byNode = ReadNodes(config, path, diagnostics);
        }
    }
    return custom;
}

} // namespace mlcluster
} // namespace ns3
