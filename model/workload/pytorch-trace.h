/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PYTORCH_TRACE_H
#define ML_CLUSTER_PYTORCH_TRACE_H

#include "communication-record.h"
#include "process-group.h"
#include "pytorch-node.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A PyTorch execution trace, one process of a job.
 *
 * Layouts, told apart node by node: flat (schema 1.0.1: parent, inputs, input_shapes, ..., rf_id),
 * nested (1.0.2 on: ctrl_deps, inputs.values, ..., attrs), and nested with the keys that Chakra's
 * linker adds (cat, ts, exclusive_dur, ...), which is an execution trace already linked.
 */
struct PytorchTrace
{
    std::string file;                                      ///< path
    std::vector<std::pair<std::string, JsonValue>> header; ///< schema, pid, time, start_ts, ...
    std::vector<PytorchNode> nodes;                        ///< by ascending id
    std::map<uint64_t, CommunicationRecord> records;       ///< by id of the node
    std::vector<ProcessGroup> groups;                      ///< process groups defined
    bool isLinked{false}; ///< whether it holds operations of the device

    static constexpr std::size_t NONE = SIZE_MAX; ///< no node

    /// @param id an id @return position of the node, or NONE
    std::size_t Find(uint64_t id) const;
    /// @param node position of a node @return that of the node that called it, NONE if there is
    /// none
    std::size_t GetParent(std::size_t node) const;
    /// @param node position of a node @return that of the innermost record_param_comms it is in or
    /// is, or NONE
    std::size_t FindRecord(std::size_t node) const;
};

/**
 * @ingroup ml-cluster
 * Reads a trace.
 * @param path the file, plain or gzip
 * @param diagnostics receives problems with node id and name
 * @return the trace; unusable if diagnostics gained errors
 */
PytorchTrace ReadPytorchTrace(const std::string& path, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_TRACE_H
