/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PYTORCH_NODE_H
#define ML_CLUSTER_PYTORCH_NODE_H

#include "chakra-extras.h"
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
    ChakraValues inputs;      ///< inputs
    ChakraValues outputs;     ///< outputs
    uint64_t inputBytes{0};   ///< bytes of the tensors among the inputs

    // what a device trace adds
    std::string category;         ///< "kernel", "gpu_memcpy", ...; empty on the host
    int64_t stream{-1};           ///< stream of the device
    int64_t device{0};            ///< number of the device
    int64_t startNs{-1};          ///< start, ns, in the clock of the device trace; -1: unknown
    int64_t launchNs{-1};         ///< start of the call that launched it, ns; -1: unknown
    int64_t inclusiveNs{0};       ///< duration, ns
    int64_t exclusiveNs{0};       ///< duration without the operators called, ns
    bool hasEarlierThread{false}; ///< whether earlierThread is known
    uint64_t earlierThread{0};    ///< node of another thread that it follows
    std::vector<uint64_t> synchronisations; ///< nodes it waits for
    std::string group;                      ///< process group as the device trace names it
};

/**
 * @ingroup ml-cluster
 * Reads a node of any layout, see PytorchTrace.
 * @param source the node as it is in the file
 * @return it
 * @throw InputError if a member is missing or of a wrong type
 */
PytorchNode ReadPytorchNode(const JsonValue& source);

/**
 * @ingroup ml-cluster
 * @param source a node as it is in the file
 * @param side "input" or "output"
 * @param part "values", "shapes" or "types"
 * @return the list, an empty one if there is none
 */
const JsonValue& GetPytorchList(const JsonValue& source,
                                const std::string& side,
                                const std::string& part);

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

/**
 * @ingroup ml-cluster
 * @param name name of a node @return whether it defines process groups
 */
bool IsGroupNode(const std::string& name);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_NODE_H
