/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FLEXFLOW_CASES_H
#define ML_CLUSTER_FLEXFLOW_CASES_H

#include "ns3/flexflow-graph.h"

#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace flexflow
{

/// @param id number @param device device @param name name @param time time @return the statement of
/// a compute node
inline std::string
Compute(int id, int device, const std::string& name, const std::string& time = "0.5")
{
    return "node" + std::to_string(id) +
           " [color=red,label=\"{device_id=" + std::to_string(device) + "|" + name +
           "|Forward|COMP_NODE|simulated_run_time=" + time + "}\",shape=record];\n";
}

/// @param id number @param source device @param target device @param bytes size @return the
/// statement of a transfer
inline std::string
Transfer(int id, int source, int target, uint64_t bytes = 64)
{
    return "node" + std::to_string(id) +
           " [label=\"{device_id=9|Comm from A to B|Comm|COMM_SEND_RECV_NODE|src_device_id=" +
           std::to_string(source) + "|dst_device_id=" + std::to_string(target) +
           "|comm_size=" + std::to_string(bytes) + "|run_time=1.9e-05}\",shape=record];\n";
}

/// @param from number @param to number @return the statement of an edge
inline std::string
Edge(int from, int to)
{
    return "  node" + std::to_string(from) + " -> node" + std::to_string(to) + ";\n";
}

/// @param statements statements @param diagnostics receives problems @return the graph of a file
/// "g"
inline FlexflowGraph
Read(const std::string& statements, Diagnostics& diagnostics)
{
    std::istringstream stream("digraph taskgraph {" + statements + "}\n");
    return ReadFlexflowGraph(stream, "g", diagnostics);
}

} // namespace flexflow
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FLEXFLOW_CASES_H
