/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_NODE_H
#define ML_CLUSTER_CHAKRA_NODE_H

#include "chakra-reader.h"
#include "chakra-record.h"
#include "execution-graph.h"

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
 * Turns a node of a Chakra file into one of an execution graph: reads the attributes its kind
 * needs, in units of the simulator. Control dependencies are left to the caller.
 *
 * Needed: `comm_type` and `comm_size` on a collective (a barrier has no size); `comm_size`
 * and `comm_dst` on a send, `comm_src` on a receive; `tensor_size` on memory nodes;
 * `num_ops` and `tensor_size` on compute nodes of the accelerator with the roofline. Optional:
 * `is_cpu_op` (false), `comm_tag` (0), `duration_ns` (the node's duration in microseconds),
 * `stream` of nodes off the host (-1, none), `comm_priority` (0), `pg_name` or `comm_group` (none),
 * `involved_dim` (all), `root` or else `comm_src` on rooted collectives (0).
 */
class ChakraNodeConverter
{
  public:
    /// @param options how to read
    explicit ChakraNodeConverter(const ChakraOptions& options);

    /**
     * @param source the node as read
     * @return the node; unusable if there are errors
     */
    ExecutionNode Convert(const ChakraNode& source);

    const std::vector<std::string>& GetErrors()
        const; ///< @return errors of the node converted last
    const std::vector<std::string>& GetWarnings()
        const; ///< @return its warnings, texts that are equal for equal causes
    /// @return own rank as a send's `comm_src` or a receive's `comm_dst` states it, if the last
    /// node does
    std::optional<uint32_t> GetStatedRank() const;

  private:
    void ReadDuration(const ChakraNode& source); ///< @param source the node
    void ReadAttributes();                       ///< Reads what the kind of node has.
    /// Communication runs on the accelerator; a node of the host that lacks its attributes is a
    /// mere launch. @param mayLackAttributes whether another one without them takes its duration
    void CheckCommunication(bool mayLackAttributes);
    void ReadCompute();    ///< Reads attributes of a compute node.
    void ReadMemory();     ///< Reads the bytes of a compute or memory node.
    void ReadLocation();   ///< Reads where the tensor of a memory node lies.
    void ReadMessage();    ///< Reads attributes of a send or receive.
    void ReadCollective(); ///< Reads attributes of a collective.
    void ReadTag();        ///< Reads the tag of a send or receive.
    /// @param name an attribute @param factor what one of it counts @return value times factor; 0
    /// and an error of the node if it cannot be read
    uint64_t ReadScaled(const char* name, uint64_t factor);
    /// @param read reads an attribute; what it throws becomes an error of the node
    template <typename Read>
    void Try(const Read& read);

    ChakraOptions m_options;              ///< how to read
    const ChakraAttributes* m_attributes; ///< of the node in hand
    ExecutionNode m_node;                 ///< node in hand
    SharedTextPool m_names;               ///< names of nodes
    std::vector<std::string> m_errors;    ///< of the node
    std::vector<std::string> m_warnings;  ///< of the node
    std::optional<uint32_t> m_statedRank; ///< of the node
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_NODE_H
