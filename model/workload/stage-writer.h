/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STAGE_WRITER_H
#define ML_CLUSTER_STAGE_WRITER_H

#include "data-parallel-writer.h"
#include "graph-writer.h"
#include "pipeline-schedule.h"
#include "stage-program.h"

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
 * Writes the execution graph of one step on one pipeline stage: its passes in the order of the
 * schedule, messages to the stages next to it, and what data parallelism adds.
 *
 * - A pass starts when the one before has been computed, and what comes in has been received; a
 *   receive is posted when the one before has been computed. A send is posted when its pass has
 * been computed, gradients of weights included, and overlaps with what follows.
 * - Gradients of weights of a layer may be computed while its gradients of inputs are summed up
 * over the tensor group. In a pass of weight gradients alone, inputs gathered for them are asked
 * for at the start of the pass.
 * - When all gradients are reduced over data parallel ranks (DataParallelWriter): gradients of
 *   parameters that all ranks of a tensor group hold are all-reduced over it, if norms saw
 *   different tokens (sequence parallelism); those of the tied embedding over the first and the
 *   last stage; from ZeRO-2 on a rank does that for its shard. Then the optimizer's program is run.
 * - The last stage averages the loss over data parallel ranks, 4 bytes.
 *
 * All nodes of a pass have its micro-batch as repetition.
 */
class StageWriter
{
  public:
    /**
     * @param program what the stage has of the model, must outlive this
     * @param plan the plan, must outlive this
     * @param layout the ranks, must outlive this
     * @param stage the stage, from 0
     */
    StageWriter(const StageProgram& program,
                const ParallelPlan& plan,
                const RankLayout& layout,
                uint32_t stage);

    NodeStore Write();                                ///< @return the nodes; called once
    const std::set<std::string>& GetFamilies() const; ///< @return families that they use

  private:
    using Ids = GraphWriter::Ids;               ///< ids of nodes
    using Part = GraphWriter::Part;             ///< part of a program
    using Slot = std::pair<uint32_t, uint32_t>; ///< micro-batch and chunk
    using Transfer = GraphWriter::Transfer;     ///< message along the pipeline

    /// @param pass a forward pass
    void WriteForward(const PipelinePass& pass);
    /// @param pass a backward pass, or the part of it for inputs @param isLast whether the last of
    /// its chunk that gives gradients of weights
    void WriteBackward(const PipelinePass& pass, bool isLast);
    /// @param pass of weight gradients @param isLast whether the last of its chunk
    void WriteWeightGradients(const PipelinePass& pass, bool isLast);
    void WriteLoss();      ///< Writes the mean of the loss.
    void WriteOptimizer(); ///< Writes what follows the passes.

    /// @param pass a pass @param unit a part of it, null for none; names nodes that follow
    void SetScope(const PipelinePass& pass, const ModelUnit* unit);
    /// @param pass a pass @return which part of the model it goes over
    uint32_t GetModelPart(const PipelinePass& pass) const;
    /// @param pass a pass @param isInput whether what comes in or goes out @return that message
    Transfer GetTransfer(const PipelinePass& pass, bool isInput) const;
    /// @param parameters how many @return bytes of their gradients on a rank after reduction
    uint64_t GetReducedBytes(uint64_t parameters) const;

    const StageProgram& m_program;            ///< the stage
    const ParallelPlan& m_plan;               ///< the plan
    const RankLayout& m_layout;               ///< the ranks
    uint32_t m_stage;                         ///< number of the stage
    uint32_t m_nParts;                        ///< parts of the model, stages x chunks
    GraphWriter m_writer;                     ///< receives nodes
    DataParallelWriter m_data;                ///< data parallelism
    std::map<Slot, Ids> m_outputs;            ///< of the last part of the model
    std::map<Slot, std::vector<Ids>> m_steps; ///< per unit the nodes of a split backward pass
    Ids m_reductions;                         ///< what the optimizer waits for
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STAGE_WRITER_H
