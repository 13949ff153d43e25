/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_MODEL_H
#define ML_CLUSTER_MEMORY_MODEL_H

#include "access-costs.h"
#include "memory-role.h"

#include "ns3/cluster-workload.h"
#include "ns3/diagnostics.h"
#include "ns3/link-graph.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class MessageCosts;
class NetworkBackend;

/**
 * @ingroup ml-cluster
 * A load from remote memory, or a store to it.
 */
struct MemoryRequest
{
    uint32_t rank{0};                           ///< who accesses
    uint64_t bytes{0};                          ///< how much
    bool isStore{false};                        ///< whether it writes
    uint32_t location{MemoryLocation::DEFAULT}; ///< which memory, see MemoryLocation; not LOCAL
    uint64_t returnedBytes{0};                  ///< of a load: those of them that go back to it
};

/**
 * @ingroup ml-cluster
 * What a memory, or a link to it, has carried for all NPUs together.
 */
struct MemoryUsage
{
    std::string name;        ///< "remote memory", "nvme", "group 3 to out-switch 0"
    uint64_t loadedBytes{0}; ///< towards NPUs
    uint64_t storedBytes{0}; ///< from them

    /// @param request has been asked for
    void Add(const MemoryRequest& request);
};

/**
 * @ingroup ml-cluster
 * Memory that is not an NPU's own, as NPUs see it: an access starts now and ends when the model
 * says. Chosen by TypeId name.
 */
class MemoryModel : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    /**
     * Builds the memory of a cluster, once, before the first access.
     * @param nRanks NPUs
     * @throw InputError if attributes do not fit together or that number
     */
    virtual void Build(uint32_t nRanks) = 0;

    /**
     * Tells what the memory adds to the network, once, after Build.
     * @param topology the network without it
     * @param diagnostics receives problems
     * @return what is to be attached, by default nothing
     */
    virtual GraphAttachment Attach(const ClusterTopology& topology, Diagnostics& diagnostics);

    /**
     * Gives the memory the network, once, after Attach.
     * @param backend the network, with what Attach told; not null
     * @param graph what exists there
     */
    virtual void Connect(const Ptr<NetworkBackend>& backend, const LinkGraph& graph);

    /**
     * Looks at the work before time starts, once, after Build; reports memory nodes whose tensors
     * lie where GetObstacle says they cannot.
     * @param workload what the NPUs will do, without problems (see ClusterWorkload::Check)
     * @param diagnostics receives problems
     */
    virtual void Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                         Diagnostics& diagnostics);

    /**
     * @param location where a tensor lies, see MemoryLocation; not LOCAL
     * @return why it cannot lie there and what to do; "" if it can. By default REMOTE is the last
     * location
     */
    virtual std::string GetObstacle(uint32_t location) const;

    /// @return what each memory, and each link to it, has carried so far
    virtual std::vector<MemoryUsage> GetUsage() const = 0;

    /**
     * @param rank a rank
     * @param index position of a node of its graph
     * @return what the node is; of one that is not Alone the model does the work
     */
    virtual MemoryRole GetRole(uint32_t rank, uint32_t index) const;

    /// @return whether some node may not be Alone, after Prepare
    virtual bool HasRoles() const;

    /**
     * A rank has reached an access, or a collective, that several do together. It begins when all
     * have.
     * @param rank the rank
     * @param index position of a node of its graph that is First or Whole
     * @param done called when it has ended, never from within this call
     */
    virtual void AccessTogether(uint32_t rank, uint32_t index, std::function<void()> done);

    /// @param rank a rank @param index of a node of its graph that AccessTogether was called for
    /// and that has not ended @return ranks that have not reached it, ascending
    virtual std::vector<uint32_t> GetAwaitedRanks(uint32_t rank, uint32_t index) const;

    /// @param workload that of Prepare @param messages of the network @return what all accesses,
    /// and what GetRole names, cost to simulate, after Prepare; by default an event for each access
    virtual AccessCosts CountCosts(const ClusterWorkload& workload,
                                   const MessageCosts& messages) const;

    /// @return what the user should know of the work, after Prepare: a line each, such as how many
    /// accesses are done together, and why others are not
    virtual std::vector<std::string> GetRemarks() const;

    /**
     * Starts an access.
     * @param request what is accessed
     * @param done called when the access has ended, never from within this call
     */
    virtual void Access(const MemoryRequest& request, std::function<void()> done) = 0;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_MODEL_H
