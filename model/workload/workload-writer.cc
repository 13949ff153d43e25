/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-writer.h"

#include "communicator-groups.h"

#include <filesystem>
#include <system_error>

namespace ns3
{
namespace mlcluster
{

void
WriteChakraWorkload(const ClusterWorkload& workload,
                    const std::string& prefix,
                    const ChakraEncoding& encoding)
{
    std::error_code ignored; // writing fails then, with the path
    std::filesystem::create_directories(std::filesystem::path(prefix).parent_path(), ignored);
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        std::vector<ExecutionNode> nodes;
        nodes.reserve(workload.GetGraph(rank).GetNNodes());
        for (uint32_t i = 0; i < workload.GetGraph(rank).GetNNodes(); ++i)
        {
            nodes.push_back(workload.GetResolvedNode(rank, i));
        }
        WriteChakraGraph(nodes, prefix + "." + std::to_string(rank) + ".et", encoding);
    }
    if (!workload.GetGroups().empty())
    {
        WriteCommunicatorGroups(workload.GetGroups(), prefix + ".groups.json");
    }
}

} // namespace mlcluster
} // namespace ns3
