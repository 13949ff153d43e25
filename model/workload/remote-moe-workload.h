/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REMOTE_MOE_WORKLOAD_H
#define ML_CLUSTER_REMOTE_MOE_WORKLOAD_H

#include "remote-moe-model.h"
#include "workload-generator.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Training steps of a mixture of experts whose parameters lie in remote memory, or where placement
 * attributes tell. The traces of published studies of disaggregated memory are proprietary; this is
 * a stand-in for them, and every size of it is a formula of RemoteMoeModel. See
 * MakeRemoteMoeWorkload for what is done, RemoteMoeFigures for what it takes.
 */
class RemoteMoeWorkload : public WorkloadGenerator, private RemoteMoeModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId
    RemoteMoeWorkload();
    ~RemoteMoeWorkload() override;

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    uint64_t GetNRepetitions() const override;
    uint64_t GetRepetitionsToSettle() const override;
    std::optional<TrainingFigures> GetTraining() const override;
    std::string Describe() const override;
    void CheckMemory(uint64_t capacityBytes, Diagnostics& diagnostics) const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

    const RemoteMoeModel& GetModel() const; ///< @return the model, complete after Setup

  private:
    /// @param attribute a place of tensors @param text its value, such as "remote" @param
    /// diagnostics receives what is none @return the MemoryLocation
    uint32_t ReadLocation(const std::string& attribute,
                          const std::string& text,
                          Diagnostics& diagnostics) const;

    /// @param member of the model @return it as one of the workload
    template <typename T>
    static T RemoteMoeWorkload::* Of(T RemoteMoeModel::* member)
    {
        return member;
    }

    std::string m_parameterLocation;             ///< ParameterLocation
    std::string m_gradientLocation;              ///< GradientLocation
    std::string m_optimizerLocation;             ///< OptimizerLocation
    std::string m_activationLocation;            ///< ActivationLocation
    std::unique_ptr<ClusterTopology> m_topology; ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REMOTE_MOE_WORKLOAD_H
