/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYERED_WORKLOAD_H
#define ML_CLUSTER_LAYERED_WORKLOAD_H

#include "ns3/layered-generator.h"
#include "ns3/workload-generator.h"

#include <memory>
#include <set>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Training steps of a network of layers: of a published name (FindLayeredModel), of a table of
 * products of matrices (ReadGemmTable), or an MLP of widths. Layers are trained as Parallelism
 * says, others than that are named in lists. See MakeLayeredWorkload for what is done,
 * GetLayeredFigures for the formulas.
 *
 * Of a table, m is the batch times the positions of a layer; what comes into a layer are all m x k
 * elements of its matrix (of a convolution pixels count as often as kernels cover them). Policies
 * of the table hold for its layers: DATA is data, MODEL tensor, the others are hybrid.
 */
class LayeredWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId
    LayeredWorkload();
    ~LayeredWorkload() override;

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    uint64_t GetNRepetitions() const override;
    uint64_t GetRepetitionsToSettle() const override;
    std::optional<TrainingFigures> GetTraining() const override;
    std::string Describe() const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

    const LayeredModel& GetModel() const; ///< @return the network, complete after Setup

  private:
    /// @param diagnostics receives problems; makes the network
    void MakeModel(Diagnostics& diagnostics);
    /// @param diagnostics receives problems; reads File
    void ReadTable(Diagnostics& diagnostics);
    /// @param diagnostics receives problems; tells how layers are divided
    void ChooseParallelism(Diagnostics& diagnostics);
    /// @param attribute a list of layers @param names its value @param parallelism of those
    /// @param diagnostics receives problems
    void NameLayers(const std::string& attribute,
                    const std::string& names,
                    LayerParallelism parallelism,
                    Diagnostics& diagnostics);

    std::string m_modelName;                     ///< Model
    std::string m_file;                          ///< File
    std::string m_widths;                        ///< Widths
    std::string m_parallelism;                   ///< Parallelism
    std::string m_dataLayers;                    ///< DataLayers
    std::string m_hybridLayers;                  ///< HybridLayers
    std::string m_tensorLayers;                  ///< TensorLayers
    uint32_t m_tensor{1};                        ///< Tensor
    uint64_t m_batch{1};                         ///< Batch
    uint32_t m_steps{1};                         ///< Steps
    uint64_t m_elementBytes{0};                  ///< ElementBytes
    uint64_t m_gradientBytes{0};                 ///< GradientBytes
    uint64_t m_bucketBytes{0};                   ///< BucketBytes
    LayeredModel m_model;                        ///< the network
    LayeredPlan m_plan;                          ///< how it is trained
    std::set<std::string> m_named;               ///< layers that lists name
    std::unique_ptr<ClusterTopology> m_topology; ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYERED_WORKLOAD_H
