/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PROCESS_GROUP_TABLE_H
#define ML_CLUSTER_PROCESS_GROUP_TABLE_H

#include "communicator-groups.h"
#include "message-tally.h"
#include "pytorch-trace.h"

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
 * The process groups of one rank's traces: who is member of what a communication record names.
 *
 * In order of preference: a definition in the execution trace, by name or handle; first rank,
 * stride and size in a record; a definition in the Kineto trace; all ranks, if a record's number of
 * members or of split sizes is that of the ranks; all ranks, with a warning, if nothing is known
 * and the trace has no other group. A group of all ranks known by handle only has the name "", or
 * handle-K if there are several, the K-th one used.
 */
class ProcessGroupTable
{
  public:
    /// A group that is used.
    struct Group
    {
        std::string name;            ///< name for the simulator
        std::vector<uint32_t> ranks; ///< members in order; empty: all, of a number not known
    };

    /**
     * @param trace the execution trace; must outlive this
     * @param kinetoGroups groups that the Kineto trace defines
     * @param nRanks ranks of the job, 0 if not known
     * @param tally receives warnings; must outlive this
     */
    ProcessGroupTable(const PytorchTrace& trace,
                      const std::vector<ProcessGroup>& kinetoGroups,
                      uint64_t nRanks,
                      MessageTally& tally);

    /**
     * @param key name or handle, "" if not recorded
     * @return the group
     * @throw InputError if nothing tells who its members are
     */
    const Group& Resolve(const std::string& key);

    /// @param group a group @param rank a rank in it @return the rank in the job
    static uint32_t GetRank(const Group& group, int64_t rank);

    CommunicatorGroups GetGroups() const; ///< @return the groups used that have names and members

  private:
    /// What records tell of a group.
    struct Evidence
    {
        bool isHandle{false};    ///< whether the key is a handle
        uint64_t size{0};        ///< members, 0 if not known
        int64_t firstRank{-1};   ///< first rank, -1 if not known
        int64_t rankStride{-1};  ///< from one to the next
        std::size_t position{0}; ///< place among the keys, by first use
    };

    /// @param key name or handle @return the group
    Group Find(const std::string& key) const;
    /// @param key name or handle @return definition in the execution trace, null if none
    const ProcessGroup* FindDefinition(const std::string& key) const;
    /// @param definition a group @return its members
    std::vector<uint32_t> GetMembers(const ProcessGroup& definition) const;
    /// @param first first rank @param stride to the next @param size members @return them
    std::vector<uint32_t> MakeMembers(uint64_t first, uint64_t stride, uint64_t size) const;
    /// @param key name or handle @param size members, 0 if not known @return the group of all ranks
    Group MakeAll(const std::string& key, uint64_t size) const;
    /// Warns if the Kineto trace has a group otherwise. @param key name or handle @param group what
    /// it is
    void Compare(const std::string& key, const Group& group) const;

    const PytorchTrace& m_trace;                  ///< execution trace
    std::map<std::string, ProcessGroup> m_kineto; ///< by name
    uint64_t m_nRanks;                            ///< ranks of the job, or 0
    MessageTally& m_tally;                        ///< receives warnings
    std::map<std::string, Evidence> m_evidence;   ///< by key
    std::map<std::string, Group> m_groups;        ///< those used, by key
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PROCESS_GROUP_TABLE_H
