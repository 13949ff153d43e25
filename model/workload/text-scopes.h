/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_SCOPES_H
#define ML_CLUSTER_TEXT_SCOPES_H

#include "cluster-workload.h"
#include "libra-communicators.h"
#include "rank-digits.h"
#include "text-workload.h"

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Over which ranks the collectives of a text workload run.
 *
 * | policy | forward | input gradient | weight gradient |
 * |---|---|---|---|
 * | DATA, MICRO, HYBRID_DLRM(_ENHANCED) | none | none | all |
 * | layer 0 of HYBRID_DLRM(_ENHANCED) | all | all | all |
 * | MODEL, DISTRIBUTED_INFERENCE | all | all | none |
 * | HYBRID_DATA_MODEL | dimension 0 | dimension 0 | dimensions from 1 on |
 * | HYBRID_MODEL_DATA | dimensions from 1 on | dimensions from 1 on | dimension 0 |
 * | HYBRID_TRANSFORMER(_FWD_IN_BCKWD) | N ranks in a row | N ranks in a row | ranks N apart |
 * | LIBRA | as its communicators say | likewise | likewise |
 *
 * With SimAI's pipeline of P stages, outermost in the rank, ranks N apart stay inside their stage;
 * _EP means E ranks that are N apart, _DP_EP the ranks of a stage that are N E apart. Ranks that
 * fill dimensions whole are told by a mask of dimensions, others by a family of groups.
 */
class TextScopes
{
  public:
    using Pass = TextLayer::Pass; ///< passes of a layer

    /// Who takes part in a collective.
    struct Scope
    {
        uint64_t size{1};                     ///< ranks that take part, own one included
        std::vector<bool> involvedDimensions; ///< as ExecutionNode has it
        std::string group;                    ///< as ExecutionNode has it
    };

    /**
     * @param workload the workload, checked
     * @param topology the shape
     * @param communicators for LIBRA's workloads, else not used
     * @throw InputError if groups do not divide the ranks
     */
    TextScopes(const TextWorkload& workload,
               const ClusterTopology& topology,
               const LibraCommunicators& communicators);

    /// @param layer index @param pass a pass @return who takes part
    const Scope& Get(std::size_t layer, Pass pass) const;
    const Scope& GetSelf() const;                ///< @return a rank alone: no dimension takes part
    const CommunicatorGroups& GetGroups() const; ///< @return groups of the families
    const GroupFamilies& GetFamilies() const;    ///< @return families that scopes name

  private:
    /// Kinds of scope.
    enum class Role
    {
        None,           ///< nobody
        All,            ///< all ranks
        FirstDimension, ///< ranks that differ in dimension 0
        Others,         ///< ranks that differ in the other dimensions
        Model,          ///< N ranks in a row
        Data,           ///< ranks N apart, in a stage
        Expert,         ///< E ranks N apart
        ExpertData,     ///< ranks N E apart, in a stage
        Forward,        ///< LIBRA's
        InputGradient,  ///< LIBRA's
        WeightGradient  ///< LIBRA's
    };

    void CheckDegrees() const; ///< @throw InputError if a transformer's groups do not fit the ranks
    /// @param policy of the layer @param pass a pass @return its role
    static Role GetRole(TextPolicy policy, Pass pass);
    /// @param layer index @param pass a pass @return its role
    Role GetRole(std::size_t layer, Pass pass) const;
    /// @param members per dimension @param isOuter whether they are as far apart as possible
    /// @return the digits @throw InputError if they do not fit the topology
    std::vector<RankDigits::Digit> GetDigits(const std::vector<uint32_t>& members,
                                             bool isOuter) const;
    /// @param role a role @return the digits in which its ranks differ
    std::vector<RankDigits::Digit> GetDigits(Role role) const;
    /// @param role a role @param family name, if a family is needed; makes the scope
    void Make(Role role, const std::string& family);

    const TextWorkload& m_workload;     ///< the workload
    ClusterTopology m_topology;         ///< the shape
    LibraCommunicators m_communicators; ///< of LIBRA's workloads
    std::map<Role, Scope> m_scopes;     ///< by role
    Scope m_self;                       ///< a rank alone
    CommunicatorGroups m_groups;        ///< of the families
    GroupFamilies m_families;           ///< that scopes name
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_SCOPES_H
