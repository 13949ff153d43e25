/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATOR_GROUPS_H
#define ML_CLUSTER_COMMUNICATOR_GROUPS_H

#include "ns3/diagnostics.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Communicator groups: name to members' ranks, in group (ring) order.
 */
using CommunicatorGroups = std::map<std::string, std::vector<uint32_t>>;

/**
 * @ingroup ml-cluster
 * Reads a communicator group file: a JSON object, group name to array of distinct ranks. Any text
 * is a name.
 * @param path the file
 * @param diagnostics receives problems, a syntax error with line and column
 * @return the groups; unusable if diagnostics gained errors
 */
CommunicatorGroups ReadCommunicatorGroups(const std::string& path, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Writes a communicator group file.
 * @param groups the groups
 * @param path the file
 * @throw InputError if it cannot be written
 */
void WriteCommunicatorGroups(const CommunicatorGroups& groups, const std::string& path);

/**
 * @ingroup ml-cluster
 * Process groups as PyTorch leaves them in a METADATA node: a Python-like list that holds one JSON
 * text, an array of objects with `pg_name` and `ranks`.
 * @param text the input values of the node, such as `['[{"pg_name": "1", "ranks": [0, 1]}]']`
 * @return the groups, an empty one meaning all ranks; nothing if the text defines none
 * @throw InputError if the text has the name `pg_name` in it but cannot be understood, or defines a
 * group twice
 */
CommunicatorGroups ParseProcessGroups(const std::string& text);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATOR_GROUPS_H
