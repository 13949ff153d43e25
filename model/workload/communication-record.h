/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATION_RECORD_H
#define ML_CLUSTER_COMMUNICATION_RECORD_H

#include "json-value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a `record_param_comms` node of a PyTorch execution trace says of one call to
 * torch.distributed. Its inputs are, in order: the tensor or list of tensors (if there is one), the
 * sequence number (or number and a flag for point-to-point), the process group (a pair of name and
 * description, before schema 1.0.3 a handle), a rank (peer or root, counted in the group), the name
 * of the operation, the split sizes of input and output, and in newer traces the first global rank,
 * the stride and the size of the group (or the size only). Attributes of schema 1.1.0 fill in what
 * the inputs lack.
 */
struct CommunicationRecord
{
    std::string operation;           ///< as recorded: "allreduce", "wait", ...
    bool hasTensor{false};           ///< whether a tensor was given
    uint64_t inputBytes{0};          ///< of the tensors given
    uint64_t outputBytes{0};         ///< of the result, 0 if not recorded
    int64_t sequence{-1};            ///< number of the call in its group, -1 if not recorded
    std::string group;               ///< name, or handle in digits; "" if not recorded
    bool groupIsHandle{false};       ///< which of the two
    bool isOnHost{false};            ///< whether the tensors are on the host
    int64_t peer{0};                 ///< peer or root, a rank in the group
    std::vector<uint64_t> inSplits;  ///< units sent to each member; empty: equal parts
    std::vector<uint64_t> outSplits; ///< units received from each member; empty: equal parts
    uint64_t groupSize{0};           ///< members, 0 if not recorded
    int64_t firstRank{-1};           ///< first member's global rank, -1 if not recorded
    int64_t rankStride{-1};          ///< from one member's rank to the next one's
};

/**
 * @ingroup ml-cluster
 * Reads a record.
 * @param values the inputs of the node
 * @param types their types
 * @param attributes the node's `attrs`, may be null
 * @return what they say
 * @throw InputError if there is no name of an operation, or before it too little
 */
CommunicationRecord ReadCommunicationRecord(const JsonValue& values,
                                            const JsonValue& types,
                                            const JsonValue* attributes);

/**
 * @ingroup ml-cluster
 * @param values inputs of a node: a tensor is [tensor, storage, offset, elements, bytes of one,
 * device], lists of tensors may be nested
 * @param types their types, for tensors whose element size is not recorded
 * @return bytes of all tensors in it
 * @throw InputError if an element type is unknown or the sum does not fit
 */
uint64_t CountTensorBytes(const JsonValue& values, const JsonValue& types);

/**
 * @ingroup ml-cluster
 * @param type name of an element type, of PyTorch ("long int", "BFloat16", "c10::Half") or Kineto
 * ("Float")
 * @return bytes of an element, nothing if the name is unknown
 */
std::optional<uint64_t> GetElementBytes(const std::string& type);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATION_RECORD_H
