/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FLEXFLOW_GRAPH_H
#define ML_CLUSTER_FLEXFLOW_GRAPH_H

#include "ns3/diagnostics.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A task of a FlexFlow task graph: compute on one device, or a transfer between two.
 */
struct FlexflowTask
{
    uint64_t id{0};                ///< number behind "node"
    int line{0};                   ///< where it is defined
    bool isTransfer{false};        ///< whether it is a transfer
    std::string name;              ///< "Dense_100", or "Comm from Barrier to Update"
    std::string phase;             ///< "Forward", "Backward", "Barrier", "Update", or "Comm"
    uint32_t device{0};            ///< of compute
    std::string runTime;           ///< of compute, a number as written
    uint32_t source{0};            ///< of a transfer: device that has the data
    uint32_t target{0};            ///< of a transfer: device that gets them
    uint64_t bytes{0};             ///< of a transfer: size
    std::vector<uint32_t> parents; ///< positions of the tasks that must end first, ascending
};

/**
 * @ingroup ml-cluster
 * A FlexFlow task graph: all tasks of all devices, in the order of the file.
 */
struct FlexflowGraph
{
    std::string file;                ///< where it was read from
    std::vector<FlexflowTask> tasks; ///< the tasks

    uint64_t CountEdges() const; ///< @return distinct edges
};

/**
 * @ingroup ml-cluster
 * Reads a FlexFlow task graph, graphviz text:
 *
 *     digraph taskgraph {
 *     node0 [label="{device_id=0|Dense_100|Forward|COMP_NODE|simulated_run_time=0.02}"];
 *     node1 [label="{device_id=4|Comm from A to B|Comm|COMM_SEND_RECV_NODE|src_device_id=0|
 *         dst_device_id=1|comm_size=2048|run_time=1.9e-06}"];
 *     node0 -> node1;
 *     }
 *
 * Fields of a label are found by their keys; those without are name, phase and type in this order.
 * Colours, shapes, the device_id of a transfer (a link) and its run_time are not used. Labels of
 * FlexFlow's simulated schedules, `{ name | type | { start | end } }`, are refused: they have no
 * sizes.
 * @param stream the text
 * @param file name for messages
 * @param diagnostics receives problems with their lines
 * @return the graph; unusable if diagnostics gained errors
 */
FlexflowGraph ReadFlexflowGraph(std::istream& stream,
                                const std::string& file,
                                Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FLEXFLOW_GRAPH_H
