/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PROCESS_GROUP_H
#define ML_CLUSTER_PROCESS_GROUP_H

#include "json-value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A process group that a trace defines.
 */
struct ProcessGroup
{
    std::string name;            ///< name
    std::string handle;          ///< digits by which older records refer to it, may be empty
    std::vector<uint32_t> ranks; ///< members; empty: ranks 0 to size - 1
    uint64_t size{0};            ///< number of members, 0 if not recorded
};

/**
 * @ingroup ml-cluster
 * @param object a process group as traces have it: pg_name, ranks, group_size or pg_size, and in
 * older traces backend_id
 * @return it
 * @throw InputError if it has no name or a rank is none
 */
ProcessGroup ReadProcessGroup(const JsonValue& object);

/**
 * @ingroup ml-cluster
 * @param list an array of process groups
 * @return them
 * @throw InputError as ReadProcessGroup does
 */
std::vector<ProcessGroup> ReadProcessGroups(const JsonValue& list);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PROCESS_GROUP_H
