/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communicator-groups.h"

#include "json-value.h"
#include "trace-file.h"

#include "ns3/shown-text.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Json = nlohmann::json; ///< a JSON value

/// @param text a JSON text @return its value @throw InputError for bad syntax or a key given twice
Json
Parse(const std::string& text)
{
    std::set<std::string> keys;
    const auto callback = [&](int depth, Json::parse_event_t event, Json& value) {
        if (event == Json::parse_event_t::key && depth == 1 &&
            !keys.insert(value.get<std::string>()).second)
        {
            throw InputError("group " + value.dump() + " is defined twice");
        }
        return true;
    };
    try
    {
        return Json::parse(text, callback);
    }
    catch (const Json::exception& error)
    {
        throw InputError("is not JSON: " + GetJsonReason(error.what()));
    }
}

/// @param list a JSON value @return the ranks in it @throw InputError if it is no array of distinct
/// ranks
std::vector<uint32_t>
GetRanks(const Json& list)
{
    if (!list.is_array())
    {
        throw InputError(list.dump() + " is not an array of ranks such as [0, 1]");
    }
    std::vector<uint32_t> ranks;
    std::set<uint32_t> seen;
    for (const auto& rank : list)
    {
        if (!rank.is_number_unsigned() ||
            rank.get<uint64_t>() > std::numeric_limits<uint32_t>::max())
        {
            throw InputError(rank.dump() + " is not a rank, a whole number from 0");
        }
        if (!seen.insert(rank.get<uint32_t>()).second)
        {
            throw InputError("rank " + rank.dump() + " is given twice");
        }
        ranks.push_back(rank.get<uint32_t>());
    }
    return ranks;
}

/// @param text the input values of a METADATA node @return the JSON text wrapped in it
std::string
Unwrap(const std::string& text)
{
    const Json list = Json::parse(text, nullptr, false);
    if (list.is_array() && list.size() == 1 && list[0].is_string())
    {
        return list[0].get<std::string>();
    }
    return text.size() < 4 ? "" : text.substr(2, text.size() - 4);
}

} // namespace

CommunicatorGroups
ReadCommunicatorGroups(const std::string& path, Diagnostics& diagnostics)
{
    CommunicatorGroups groups;
    try
    {
        const Json file = Parse(ReadTraceFile(path));
        if (!file.is_object())
        {
            throw InputError("is not an object such as {\"tp0\": [0, 1]}");
        }
        for (const auto& [name, ranks] : file.items())
        {
            try
            {
                groups[name] = GetRanks(ranks);
                if (groups[name].empty())
                {
                    throw InputError("has no ranks; a group needs at least one");
                }
            }
            catch (const InputError& error)
            {
                diagnostics.Error({path, 0, "group " + Json(name).dump()}, error.what());
            }
        }
    }
    catch (const InputError& error)
    {
        diagnostics.Error({path, 0, "communicator groups"}, error.what());
    }
    return groups;
}

void
WriteCommunicatorGroups(const CommunicatorGroups& groups, const std::string& path)
{
    std::string text = "{";
    try
    {
        for (const auto& [name, ranks] : groups)
        {
            text += (text.size() > 1 ? ",\n  " : "\n  ") + Json(name).dump() + ": " +
                    Json(ranks).dump();
        }
    }
    catch (const Json::exception& error)
    {
        throw InputError(path + ": a group name is not UTF-8 text: " + GetJsonReason(error.what()));
    }
    WriteTraceFile(path, text + "\n}\n", false);
}

CommunicatorGroups
ParseProcessGroups(const std::string& text)
{
    CommunicatorGroups groups;
    if (text.find("pg_name") == std::string::npos)
    {
        return groups;
    }
    try
    {
        for (const auto& group : Json::parse(Unwrap(text)))
        {
            const auto name = group.at("pg_name").get<std::string>();
            const auto ranks = GetRanks(group.at("ranks"));
            if (groups.emplace(name, ranks).first->second != ranks)
            {
                throw InputError("group " + ShowName(name) + " is defined twice, with other ranks");
            }
        }
    }
    catch (const Json::exception& error)
    {
        throw InputError("the process groups cannot be understood: " + GetJsonReason(error.what()));
    }
    return groups;
}

} // namespace mlcluster
} // namespace ns3
