/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRANSFORMER_WORKLOAD_H
#define ML_CLUSTER_TRANSFORMER_WORKLOAD_H

#include "parallel-plan.h"
#include "transformer-model.h"
#include "workload-generator.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One training step of a transformer: a model, by its published name (FindModel) or by its sizes,
 * and a plan how many NPUs train it. See TransformerGenerator for what is done, TransformerCosts
 * for operations and bytes.
 *
 * Attributes of the model are those of TransformerModel; 0, "" or "auto" means what the model of
 * that name has. Attributes of the plan are those of ParallelPlan. Data 0: as many copies as fill
 * the topology. GlobalBatch sets the number of micro-batches, if it is given.
 */
class TransformerWorkload : public WorkloadGenerator, private TransformerModel, private ParallelPlan
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId
    TransformerWorkload();
    ~TransformerWorkload() override;

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    uint64_t GetNRepetitions() const override;
    uint32_t GetRepetitionUnit() const override;
    uint64_t GetRepetitionsToSettle() const override;
    std::optional<TrainingFigures> GetTraining() const override;
    std::string Describe() const override;
    void CheckMemory(uint64_t capacityBytes, Diagnostics& diagnostics) const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

    /// @return the model, complete after Setup
    const TransformerModel& GetModel() const;
    /// @return the plan, complete after Setup
    const ParallelPlan& GetPlan() const;

  private:
    /// @param diagnostics receives problems; takes what the named model has where nothing is given
    void CompleteModel(Diagnostics& diagnostics);
    /// @param nRanks NPUs @param diagnostics receives problems; sets what follows from the rest
    void CompletePlan(uint32_t nRanks, Diagnostics& diagnostics);
    /// @param diagnostics receives problems; sets the number of micro-batches
    void SetMicroBatches(Diagnostics& diagnostics);

    /// @param member of the model or the plan @return it as one of the workload
    template <typename T, typename B>
    static T TransformerWorkload::* Of(T B::* member)
    {
        return member;
    }

    std::string m_modelName;                     ///< Model
    std::string m_family;                        ///< Family
    std::string m_dropout;                       ///< Dropout
    std::string m_flashAttention;                ///< FlashAttention
    std::string m_causal;                        ///< Causal
    std::string m_stageLayers;                   ///< StageLayers
    uint64_t m_globalBatch{0};                   ///< GlobalBatch
    std::unique_ptr<ClusterTopology> m_topology; ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRANSFORMER_WORKLOAD_H
