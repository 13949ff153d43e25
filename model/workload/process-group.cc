/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-group.h"

#include "ns3/diagnostics.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

ProcessGroup
ReadProcessGroup(const JsonValue& object)
{
    const JsonValue* name = object.Find("pg_name");
    if (!name)
    {
        throw InputError("a process group has no pg_name");
    }
    ProcessGroup group;
    group.name = name->GetText();
    const JsonValue* handle = object.Find("backend_id");
    group.handle = handle && handle->GetInteger() ? std::to_string(*handle->GetInteger()) : "";
    for (const char* key : {"group_size", "pg_size"})
    {
        const JsonValue* size = object.Find(key);
        group.size = size ? size->GetCount(key) : group.size;
    }
    const JsonValue* ranks = object.Find("ranks");
    if (!ranks || !ranks->IsArray())
    {
        throw InputError("process group " + group.name + " has no list of ranks");
    }
    for (const auto& rank : ranks->GetElements())
    {
        const uint64_t number = rank.GetCount("a rank of group " + group.name);
        if (number > std::numeric_limits<uint32_t>::max())
        {
            throw InputError("rank " + std::to_string(number) + " of group " + group.name +
                             " is too large; 0 to 2^32 - 1 are allowed");
        }
        group.ranks.push_back(number);
    }
    return group;
}

std::vector<ProcessGroup>
ReadProcessGroups(const JsonValue& list)
{
    std::vector<ProcessGroup> groups;
    for (const auto& group : list.GetElements())
    {
        groups.push_back(ReadProcessGroup(group));
    }
    return groups;
}

} // namespace mlcluster
} // namespace ns3
