/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_WORKLOAD_H
#define ML_CLUSTER_CLUSTER_WORKLOAD_H

#include "communicator-groups.h"
#include "execution-graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Families of communicator groups, by name: per rank the number k of the group it belongs to, which
 * is the one called NAME.k.
 */
using GroupFamilies = std::map<std::string, std::vector<uint32_t>>;

/**
 * @ingroup ml-cluster
 * What a cluster is to do: one execution graph per rank, shared where equal, and the communicator
 * groups its collectives name. The check that ranks agree is done here, before time starts.
 *
 * Ranks that play the same part in different groups can share a graph: their collectives name a
 * family of groups, "tensor", of which each rank takes the group it belongs to, "tensor.3", and
 * their sends and receives give the peer as an offset in such a group.
 */
class ClusterWorkload
{
  public:
    /**
     * @param graphs one per rank, none null
     * @param groups the groups; a name that is not defined here means all ranks if it is "" or "0",
     *        and is an error otherwise
     * @param families families of these groups, a number per rank; a name that is a family's is no
     *        group's
     * @throw InputError if a family names a group that is not defined, has not one number per rank
     * or has the name of a group
     */
    ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>> graphs,
                    CommunicatorGroups groups,
                    const GroupFamilies& families = {});

    /**
     * Checks that ranks fit together: groups name existing distinct ranks and contain the rank that
     * uses them; the k-th collective of a group has one type, size, dimension mask and root on all
     * members; the k-th send from a to b with a tag has a receive of the same size and vice versa;
     * peers exist and differ from the own rank. Every message names rank, node id and name of both
     * ends. Two group names with the same members are two groups.
     * @param diagnostics receives all problems
     */
    void Check(Diagnostics& diagnostics) const;

    uint32_t GetNRanks() const; ///< @return number of ranks
    /// @param rank a rank @return its graph
    const ExecutionGraph& GetGraph(uint32_t rank) const;
    /// @param name name of a group, not of a family @return its members in group order; throws
    /// InputError if unknown
    const std::vector<uint32_t>& GetGroup(const std::string& name) const;
    /// @param rank a rank @param name group or family as a node has it @return the group: of a
    /// family the one that the rank belongs to, else the name as it is
    std::string ResolveGroup(uint32_t rank, const std::string& name) const;
    /// @param group a group @return how nodes name it: the family that it is of, else its own name
    const std::string& GetNameInGraphs(const std::string& group) const;
    /// @param rank a rank @param node a send or receive of it @return the other rank; throws
    /// InputError if that is an offset in a group that is not defined or lacks the rank
    uint32_t GetPeer(uint32_t rank, const ExecutionNode& node) const;
    /// @param rank a rank @param offset an offset @param name of the group or family that it is
    /// in @return the rank there; throws InputError likewise
    uint32_t GetPeer(uint32_t rank, uint32_t offset, const std::string& name) const;
    /// @param rank a rank @param index position of a node @return the node with its group and its
    /// peer as they are for this rank, as a trace file has it
    ExecutionNode GetResolvedNode(uint32_t rank, uint32_t index) const;
    const CommunicatorGroups& GetGroups() const; ///< @return the groups defined

    uint64_t GetGroupBytes() const; ///< @return memory that groups take, graphs left out

  private:
    std::vector<std::shared_ptr<const ExecutionGraph>> m_graphs; ///< per rank
    CommunicatorGroups m_groups;                                 ///< by name
    std::map<std::string, std::vector<const std::string*>>
        m_families; ///< per family and rank, the name of the group in m_groups
    std::map<std::string, std::string> m_familyOf; ///< by name of the group
    std::vector<uint32_t> m_allRanks;              ///< 0 ... N-1
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_WORKLOAD_H
