/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DATA_PARALLEL_WRITER_H
#define ML_CLUSTER_DATA_PARALLEL_WRITER_H

#include "graph-writer.h"
#include "stage-program.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Adds to a stage's graph what data parallelism does, with beta and gamma the bytes of a parameter
 * and of its gradient, P parameters of a rank and n members of a group:
 *
 * - plain (Li et al., VLDB 2020): an all-reduce of gamma P in buckets; a bucket starts when the
 *   units whose gradients it has are done with the last micro-batch, last unit first;
 * - ZeRO-1 (Rajbhandari et al., SC 2020): a reduce-scatter instead, and an all-gather of beta P
 *   after the optimizer;
 * - ZeRO-2: the same, but gradients are reduced after every micro-batch, since no rank keeps them
 *   all;
 * - ZeRO-3, FSDP (Zhao et al., VLDB 2023): parameters of a unit are gathered before it is used and
 *   dropped after its backward pass, with reshardAfterForward after its forward pass too; at most
 *   `prefetch` units are gathered beyond the one in use; gradients of a unit are reduce-scattered
 *   after each of its backward passes.
 *
 * Buckets hold so many bytes exactly, wherever that cuts a unit; the last one what is left. Without
 * overlapGradients everything is reduced after the pass, plain and ZeRO-1 after the last one.
 * Parameters of experts go over the expert-data family, all others over data; if both have the same
 * groups, all go over data. A shard is the n-th part, rounded up.
 *
 * Reductions of a family run one after the other, and so do its all-gathers: frameworks have a
 * stream for each.
 *
 * Left out: the limits of DeepSpeed's stage 3 on elements in flight and small parameters that it
 * never drops, replicas of sharded groups (HSDP).
 */
class DataParallelWriter
{
  public:
    using Ids = GraphWriter::Ids; ///< ids of nodes

    /**
     * @param writer receives the nodes, must outlive this
     * @param plan the plan, must outlive this
     * @param layout the ranks
     * @param program the stage
     * @throw InputError if gradients would be cut in more than 2^16 buckets
     */
    DataParallelWriter(GraphWriter& writer,
                       const ParallelPlan& plan,
                       const RankLayout& layout,
                       const StageProgram& program);

    /// @param unit comes next in a pass that needs its parameters
    void BeginUnit(const ModelUnit& unit);
    /// @param unit that pass over it is written @param isBackward whether that was a backward pass
    void EndUnit(const ModelUnit& unit, bool isBackward);
    /// @param unit its gradients of a micro-batch are there @param isLast whether of the last one
    void AddGradients(const ModelUnit& unit, bool isLast);
    void EndPass(); ///< A pass that gives gradients is written.
    /// @return reductions of the step, all of them written now
    const Ids& FinishGradients();
    /// @param after nodes that update parameters
    void GatherUpdated(const Ids& after);

  private:
    /// Parameters that are divided over the groups of a family.
    struct Shard
    {
        std::string family;   ///< the family
        bool hasDense;        ///< whether they are those outside of experts
        bool hasExperts;      ///< whether they are those of experts
        uint64_t size{1};     ///< members of a group
        uint64_t total{0};    ///< parameters of the stage
        uint64_t pending{0};  ///< gradients to reduce
        uint32_t nBuckets{0}; ///< reductions so far
        Ids lastReduction{};  ///< the reduction written last
        Ids lastGather{};     ///< the all-gather written last
    };

    /// @param unit a unit @param shard a kind of parameters @return how many it has
    static uint64_t Count(const ModelUnit& unit, const Shard& shard);
    /// @param shard whose gradients to reduce @param isAll whether to reduce less than a bucket too
    void Reduce(Shard& shard, bool isAll);
    /// @param shard a kind of parameters @param count how many @param number of the collective with
    /// a blank before, "" for none @param after nodes it waits for @return the all-gather, if any
    Ids Gather(Shard& shard, uint64_t count, const std::string& number, const Ids& after);

    GraphWriter& m_writer;                 ///< receives the nodes
    const ParallelPlan& m_plan;            ///< the plan
    uint64_t m_bucket;                     ///< gradients of a bucket
    std::vector<Shard> m_shards;           ///< those that are divided
    std::set<const ModelUnit*> m_gathered; ///< units whose parameters are there
    std::vector<Ids> m_ends;               ///< per unit used so far the last compute node
    Ids m_reductions;                      ///< of gradients
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DATA_PARALLEL_WRITER_H
