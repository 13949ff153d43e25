/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-generator.h"

#include "embedding-shards.h"
#include "layered-steps.h"
#include "step-graph.h"
#include "step-list.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t MAX_UNEVEN_RANKS = 4096;
constexpr uint32_t MAX_RANKS = uint32_t{1} << 24;

using Steps = StepList::Steps; ///< steps to wait for

/// @param parts of something @return whether all are equal
bool
IsEven(const std::vector<uint64_t>& parts)
{
    return std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to<>()) == parts.end();
}

/// @param model a model @param plan how it is trained @throw InputError if they contradict
/// themselves
void
Check(const DlrmModel& model, const DlrmPlan& plan)
{
    if (plan.ranks == 0 || plan.ranks > MAX_RANKS || plan.batch == 0 ||
        plan.batch % plan.ranks != 0)
    {
        throw InputError("a batch of " + std::to_string(plan.batch) + " samples is for " +
                         std::to_string(plan.ranks) +
                         " ranks; allowed are 1 to 2^24 ranks, which divide the batch");
    }
    if (plan.embeddingBytes == 0 || plan.indexBytes == 0)
    {
        throw InputError("elements of tables have " + std::to_string(plan.embeddingBytes) +
                         " bytes, indices " + std::to_string(plan.indexBytes) +
                         "; allowed are numbers above 0");
    }
    if (model.tables.empty() || model.vectorSize == 0 || model.bottomWidths.size() < 2 ||
        model.bottomWidths.back() != model.vectorSize || model.topWidths.empty() ||
        model.topWidths.back() != 1)
    {
        throw InputError("\"" + model.name + "\" has " + std::to_string(model.tables.size()) +
                         " tables of " + std::to_string(model.vectorSize) +
                         " columns, widths of the bottom MLP " + JoinNumbers(model.bottomWidths) +
                         ", of the top MLP " + JoinNumbers(model.topWidths) +
                         "; allowed are at least one table and one layer each, the last of the "
                         "bottom as wide as tables have columns, that of the top 1");
    }
}

/// Writes the training step of ranks.
class DlrmStep
{
  public:
    /// @param model the model @param plan how it is trained
    DlrmStep(const DlrmModel& model, const DlrmPlan& plan)
        : m_model(model),
          m_plan(plan),
          m_shards(model, plan.ranks),
          m_bottomLayers(model.GetBottomLayers()),
          m_topLayers(model.GetTopLayers()),
          m_bottom(m_bottomLayers, {}, GetSetting(plan)),
          m_top(m_topLayers, {}, GetSetting(plan)),
          m_all{"", plan.ranks},
          m_samples(plan.batch / plan.ranks)
    {
        for (uint32_t rank = 0; rank < plan.ranks; ++rank)
        {
            const EmbeddingShards::Load& load = m_shards.Get(rank);
            const EmbeddingShards::Load& rowWise = m_shards.GetRowWise();
            const Amount tables = Amount(load.tables) + rowWise.tables;
            m_lengths.push_back((m_samples * tables * plan.indexBytes).Get("bytes of lengths"));
            const uint64_t spread = (m_samples * rowWise.lookups).Get("indices of a rank");
            const Amount indices = m_samples * load.lookups + spread / plan.ranks +
                                   (rank < spread % plan.ranks ? 1 : 0);
            m_indices.push_back((indices * plan.indexBytes).Get("bytes of indices"));
            m_pooled.push_back(
                (m_samples * load.columns * plan.embeddingBytes).Get("bytes of vectors"));
        }
        if (plan.ranks > MAX_UNEVEN_RANKS &&
            !(IsEven(m_lengths) && IsEven(m_indices) && IsEven(m_pooled)))
        {
            throw InputError("tables lie unevenly on " + std::to_string(plan.ranks) +
                             " ranks; allowed are up to " + std::to_string(MAX_UNEVEN_RANKS) +
                             ", or tables that give all ranks equal parts");
        }
    }

    /// @param rank a rank @return its load, equal for ranks with equal steps
    std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> GetKey(uint32_t rank) const
    {
        const EmbeddingShards::Load& load = m_shards.Get(rank);
        return {load.tables, load.lookups, load.columns, load.work};
    }

    /// @param rank a rank @return its step
    LayerProgram Write(uint32_t rank) const
    {
        StepList list;
        GradientBuckets buckets(list, m_plan.bucketBytes);
        const Steps pooled = WriteLookups(list, rank);
        const Steps bottom = m_bottom.AddForward(list, {});
        const Steps interaction = list.Compute("interaction",
                                               GetInteractionOperations(),
                                               GetInteractionBytes(),
                                               pooled + bottom);
        const Steps loss = list.Compute("loss",
                                        m_samples * 5,
                                        m_samples * 2 * m_plan.elementBytes,
                                        m_top.AddForward(list, interaction));
        const Steps top = m_top.AddBackward(list, buckets, true, loss);
        const Steps back = list.Compute("interaction dX",
                                        GetInteractionOperations() * 2,
                                        GetInteractionBytes() * 2,
                                        top);
        const Gradients gradients = WriteGradients(list, back);
        m_bottom.AddBackward(list, buckets, false, back);
        const Steps reduced = buckets.Flush();
        WriteUpdates(list, rank, gradients, reduced);
        return list.Take();
    }

  private:
    /// @param plan a plan @return how MLPs are trained
    static LayeredSteps::Setting GetSetting(const DlrmPlan& plan)
    {
        return {plan.ranks, 1, plan.batch, plan.elementBytes, plan.gradientBytes};
    }

    /// @param load tables @param samples looked up @return bytes of their lookup
    Amount GetLookupBytes(const EmbeddingShards::Load& load, Amount samples) const
    {
        return samples * (Amount(m_plan.embeddingBytes) * (Amount(load.work) + load.columns) +
                          Amount(m_plan.indexBytes) * load.lookups);
    }

    /// @param rank a rank @return elements of tables that it reads in a step, but of replicated
    /// ones
    Amount GetElements(uint32_t rank) const
    {
        const Amount batch = m_plan.batch;
        return batch * m_shards.Get(rank).work + batch * m_shards.GetRowWise().work / m_plan.ranks;
    }

    /// @return operations of the interaction, forward
    Amount GetInteractionOperations() const
    {
        const Amount vectors = m_model.tables.size() + 1;
        return Amount(2) * m_samples * vectors * vectors * m_model.vectorSize;
    }

    /// @return bytes of the interaction, forward
    Amount GetInteractionBytes() const
    {
        const Amount inputs = Amount(m_model.tables.size() + 1) * m_model.vectorSize;
        return m_samples * (inputs + m_model.GetTopInput()) * m_plan.elementBytes;
    }

    /// @param list receives the lookups and their exchange @param rank a rank @return vectors of
    /// own samples
    Steps WriteLookups(StepList& list, uint32_t rank) const
    {
        const EmbeddingShards::Load& rowWise = m_shards.GetRowWise();
        const EmbeddingShards::Load& copied = m_shards.GetReplicated();
        const Amount batch = m_plan.batch;
        const Steps lengths = list.AllToAll("lengths", m_lengths, IsEven(m_lengths), {});
        const Steps indices = list.AllToAll("indices", m_indices, IsEven(m_indices), lengths);
        const Steps own = list.Compute("replicated lookup",
                                       m_samples * copied.work,
                                       GetLookupBytes(copied, m_samples),
                                       {});
        const Amount spread = batch *
                                  (Amount(m_plan.embeddingBytes) * rowWise.work +
                                   Amount(m_plan.indexBytes) * rowWise.lookups) /
                                  m_plan.ranks +
                              batch * rowWise.columns * m_plan.embeddingBytes;
        const Steps lookup = list.Compute("lookup",
                                          GetElements(rank),
                                          GetLookupBytes(m_shards.Get(rank), batch) + spread,
                                          indices);
        const std::vector<uint64_t> parts(m_plan.ranks, m_pooled[rank]);
        const Steps pooled = list.AllToAll("pooled", parts, IsEven(m_pooled), lookup);
        const Steps sums = list.Collective("row-wise sums",
                                           CollectiveType::ReduceScatter,
                                           m_all,
                                           batch * rowWise.columns * m_plan.embeddingBytes,
                                           lookup);
        return own + pooled + sums;
    }

    /// Gradients of vectors, by where they go.
    struct Gradients
    {
        Steps sharded;    ///< to sharded tables
        Steps replicated; ///< to tables that every rank has
    };

    /// @param list receives the way back of gradients of vectors @param after gradients
    /// of own samples @return those of tables
    Gradients WriteGradients(StepList& list, const Steps& after) const
    {
        const EmbeddingShards::Load& copied = m_shards.GetReplicated();
        const Steps pooled = list.AllToAll("pooled gradients", m_pooled, IsEven(m_pooled), after);
        const Steps sums =
            list.Collective("row-wise gradients",
                            CollectiveType::AllGather,
                            m_all,
                            m_samples * m_shards.GetRowWise().columns * m_plan.embeddingBytes,
                            after);
        const Amount whole = Amount(copied.elements) * m_plan.gradientBytes;
        const Steps own = list.Compute("replicated gradients",
                                       m_samples * copied.work,
                                       whole + m_samples * copied.work * 2 * m_plan.gradientBytes,
                                       after);
        const Steps reduced =
            list.Collective("replicated gradients", CollectiveType::AllReduce, m_all, whole, own);
        return {pooled + sums, reduced};
    }

    /// @param list receives the updates of all parameters @param rank a rank @param gradients of
    /// tables @param reduced gradients of MLPs
    void WriteUpdates(StepList& list,
                      uint32_t rank,
                      const Gradients& gradients,
                      const Steps& reduced) const
    {
        const Amount elements = GetElements(rank);
        const Amount copied = m_shards.GetReplicated().elements;
        const Amount dense = m_bottom.GetParameters() + m_top.GetParameters();
        const Steps updated = list.Compute("update",
                                           elements * 2,
                                           elements * 3 * m_plan.embeddingBytes,
                                           gradients.sharded);
        const Steps added = list.Compute(
            "replicated update",
            copied * 2,
            copied * (Amount(m_plan.gradientBytes) + Amount(2) * m_plan.embeddingBytes),
            gradients.replicated);
        list.Compute("optimizer",
                     dense * 2,
                     dense * 3 * m_plan.gradientBytes,
                     reduced + updated + added);
    }

    const DlrmModel& m_model;                        ///< the model
    const DlrmPlan& m_plan;                          ///< how it is trained
    EmbeddingShards m_shards;                        ///< who has which tables
    std::vector<LayeredModel::Layer> m_bottomLayers; ///< of the bottom MLP
    std::vector<LayeredModel::Layer> m_topLayers;    ///< of the top MLP
    LayeredSteps m_bottom;                           ///< steps of the bottom MLP
    LayeredSteps m_top;                              ///< steps of the top MLP
    StepList::Group m_all;                           ///< all ranks
    Amount m_samples;                                ///< B / n
    std::vector<uint64_t> m_lengths;                 ///< per receiver, bytes
    std::vector<uint64_t> m_indices;                 ///< per receiver, bytes
    std::vector<uint64_t> m_pooled;                  ///< per sender, bytes to each
};

} // namespace

ClusterWorkload
MakeDlrmWorkload(const DlrmModel& model, const DlrmPlan& plan)
{
    Check(model, plan);
    const DlrmStep step(model, plan);
    std::map<std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>,
             std::shared_ptr<const ExecutionGraph>>
        graphs;
    std::vector<std::shared_ptr<const ExecutionGraph>> graphOf;
    for (uint32_t rank = 0; rank < plan.ranks; ++rank)
    {
        auto& graph = graphs[step.GetKey(rank)];
        graph = graph ? graph : MakeStepGraph(step.Write(rank), plan.steps, plan.ranks);
        graphOf.push_back(graph);
    }
    return ClusterWorkload(graphOf, {});
}

} // namespace mlcluster
} // namespace ns3
