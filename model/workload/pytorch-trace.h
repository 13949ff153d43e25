/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PYTORCH_TRACE_H
#define ML_CLUSTER_PYTORCH_TRACE_H

#include "communication-record.h"

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
 * Inputs or outputs of a node, each a list as Python writes it.
 */
struct PytorchValues
{
    std::string values; ///< values
    std::string shapes; ///< shapes of the tensors
    std::string types;  ///< types
};

/**
 * @ingroup ml-cluster
 * A node of a PyTorch execution trace: a host operator, or, once a device trace is linked to it, an
 * operation of the device.
 */
struct PytorchNode
{
    uint64_t id{0};           ///< unique in the trace
    std::string name;         ///< of the operator or kernel
    uint64_t parent{0};       ///< node that called it; the process is its own
    int64_t recordId{0};      ///< rf_id: number of the call, which device traces have too; 0: none
    int64_t forwardParent{0}; ///< fw_parent: node that ran the backward pass this is of
    int64_t sequence{-1};     ///< seq_id: same number on a forward operator and its backward one
    int64_t scope{0};         ///< 0 function, 1 backward function, 7 annotation of the user
    int64_t thread{0};        ///< tid, a running number
    int64_t forwardThread{0}; ///< fw_tid
    std::string schema;       ///< op_schema
    PytorchValues inputs;     ///< inputs
    PytorchValues outputs;    ///< outputs
    uint64_t inputBytes{0};   ///< bytes of the tensors among the inputs

    // what a device trace adds
    std::string category;         ///< "kernel", "gpu_memcpy", ...; empty on the host
    int64_t stream{-1};           ///< stream of the device
    int64_t device{0};            ///< number of the device
    int64_t startNs{-1};          ///< start, ns, in the clock of the device trace; -1: unknown
    int64_t inclusiveNs{0};       ///< duration, ns
    int64_t exclusiveNs{0};       ///< duration without the operators called, ns
    bool hasEarlierThread{false}; ///< whether earlierThread is known
    uint64_t earlierThread{0};    ///< node of another thread that it follows
    std::vector<uint64_t> synchronisations; ///< nodes it waits for
    std::string group;                      ///< process group as the device trace names it
};

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

/**
 * @ingroup ml-cluster
 * @param list process groups as traces have them: objects with pg_name, ranks, group_size or
 * pg_size and in older traces backend_id
 * @return them
 * @throw InputError if one has no name or a rank is none
 */
std::vector<ProcessGroup> ReadProcessGroups(const JsonValue& list);

/**
 * @ingroup ml-cluster
 * @param name name of a node @return whether it stands for the process
 */
bool IsProcessNode(const std::string& name);

/**
 * @ingroup ml-cluster
 * @param name name of a node @return whether it stands for the process or a thread, not an operator
 */
bool IsStructureNode(const std::string& name);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_TRACE_H
