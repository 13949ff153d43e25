/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_CHECKER_H
#define ML_CLUSTER_WORKLOAD_CHECKER_H

#include "cluster-workload.h"
#include "communication-index.h"
#include "message-tally.h"

#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Does what ClusterWorkload::Check promises. Each distinct graph is indexed once; collectives are
 * compared once for each group and distinct graph, so the cost follows the nodes of distinct graphs
 * plus the ranks. Sends and receives are compared rank by rank, since peers are ranks.
 */
class WorkloadChecker
{
  public:
    /**
     * @param workload what to check, must outlive this
     * @param diagnostics receives all problems when this is destroyed at the latest
     */
    WorkloadChecker(const ClusterWorkload& workload, Diagnostics& diagnostics);

    void Check(); ///< Checks everything.

  private:
    using Run = CommunicationIndex::Run; ///< nodes matched by the same

    /// One end of a comparison: a rank and its nodes that are matched by the same.
    struct End
    {
        uint32_t rank; ///< the rank
        Run run;       ///< its nodes
    };

    void CheckGroups();      ///< Checks the groups defined.
    void CheckCollectives(); ///< Checks the collectives of all groups in use.
    void CheckMessages();    ///< Checks all sends and receives.
    /// @param group a name @param members its ranks
    void CheckGroup(const std::string& group, const std::vector<uint32_t>& members);
    /// @param group a name in use @param users the ranks that use it
    void CheckCollectivesOf(const std::string& group, const std::vector<uint32_t>& users);
    /// @param group a name @param user a rank that uses it @return its members, or null after an
    /// error
    const std::vector<uint32_t>* FindGroup(const std::string& group, uint32_t user);
    /// @param group a name @param isMember per rank @param users the ranks that use the group
    void CheckUsersAreMembers(const std::string& group,
                              const std::vector<bool>& isMember,
                              const std::vector<uint32_t>& users);
    /// @param group a name @param longest a member with most collectives @param other another
    /// member
    void CompareCollectives(const std::string& group, const End& longest, const End& other);
    /// @param end the collectives of a group @param nMembers its members; checks unequal sizes
    void CheckParts(const End& end, std::size_t nMembers);
    /// @param end the sends, or receives, of one peer and tag @param key these
    void CheckPeer(const End& end, const CommunicationKey& key);
    /// @param end sends or receives @param other what they are matched with @param key of `end`
    void CompareMessages(const End& end, const End& other, const CommunicationKey& key);

    /// @param end a rank's nodes @param i index among them @return the node
    NodeHandle GetNode(const End& end, uint64_t i) const;
    /// @param end a rank's nodes @param i index among them @return where the node is
    Diagnostics::Place GetPlace(const End& end, uint64_t i) const;
    /// @param end a rank's nodes @param i index among them @return "rank 0 node 5 "name""
    std::string Describe(const End& end, uint64_t i) const;
    /// @param group a name @return how messages call it
    std::string DescribeGroup(const std::string& group) const;
    /// @param rank a rank @param key a key @return the nodes matched by it there
    End Find(uint32_t rank, const CommunicationKey& key) const;
    /// @param rank a rank @param group a name @return the rank's collectives of the group
    End FindCollectives(uint32_t rank, const std::string& group) const;

    const ClusterWorkload& m_workload;         ///< what to check
    MessageTally m_groupTally;                 ///< problems of groups
    MessageTally m_collectiveTally;            ///< problems of collectives
    MessageTally m_messageTally;               ///< problems of sends and receives
    std::vector<CommunicationIndex> m_indices; ///< per distinct graph
    std::vector<uint32_t> m_graphOf;           ///< per rank, its distinct graph
    std::set<std::tuple<std::string, std::size_t, std::vector<uint32_t>>>
        m_compared; ///< families, sizes of their groups and the graphs that meet there, compared
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_CHECKER_H
