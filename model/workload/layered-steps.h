/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYERED_STEPS_H
#define ML_CLUSTER_LAYERED_STEPS_H

#include "layered-model.h"
#include "step-list.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How one layer of a network is divided over N ranks, t of them a tensor group.
 */
enum class LayerParallelism
{
    Data,   ///< each rank has all weights and 1/N of the batch: degree g = 1
    Hybrid, ///< a tensor group has all weights and t/N of the batch: g = t
    Tensor  ///< all ranks together have all weights and the batch: g = N
};

/**
 * @ingroup ml-cluster
 * What a rank does for the layers of a network in a training step.
 *
 * A layer of degree g has n / g of the outputs on each of g ranks (rounded up) for B g / N samples,
 * and needs all its inputs for them. Sizes are of S = B g / N samples, p positions, k inputs of an
 * output, n' = n / g outputs, X elements of a sample that come in, beta bytes of an element, gamma
 * of a gradient of weights:
 *
 * | step | operations | bytes |
 * |---|---|---|
 * | forward | 2 S p k n' | beta (S X + k n' + S p n') |
 * | gradient of weights | 2 S p k n' | beta (S X + S p n') + gamma k n' |
 * | gradient of inputs | 2 S p k n' | beta (S p n' + k n' + S X) |
 *
 * Between layers of degrees g' and g, forward: if g > 1, an all-gather over the g ranks of the
 * beta S X / g bytes that each has, be it of other samples (g' = 1) or of other outputs (g' = g);
 * before that, if g' is neither 1 nor g, an all-to-all of beta X B / N bytes over its ranks, from
 * outputs to samples. Backward likewise: a reduce-scatter of beta S X bytes, which sums up what the
 * g ranks found, then an all-to-all. The first layer reads its samples from storage and gives no
 * gradient to them, unless asked for. The last one hands on samples, as of degree 1 (for g = 1 data
 * parallelism, for g' = g tensor parallelism as ASTRA-sim 1.0's workload generator has it, for g' =
 * 1 and g > 1 the "one weird trick" of Krizhevsky, 2014).
 *
 * Gradients of weights, gamma n' (k + vectors) bytes, are all-reduced over the N / g ranks with the
 * same weights, in buckets, as soon as they are there.
 */
class LayeredSteps
{
  public:
    using Steps = StepList::Steps; ///< steps to wait for

    /// How layers are trained.
    struct Setting
    {
        uint64_t ranks{1};         ///< N
        uint64_t tensor{1};        ///< t
        uint64_t batch{1};         ///< B, samples of all ranks
        uint64_t elementBytes{2};  ///< beta
        uint64_t gradientBytes{4}; ///< gamma
    };

    /**
     * @param layers the layers; must outlive this
     * @param parallelism per layer; empty: all Data
     * @param setting how they are trained
     * @throw InputError if the parallelism is not one per layer, t does not divide N, N not B, or
     * there are no layers
     */
    LayeredSteps(const std::vector<LayeredModel::Layer>& layers,
                 const std::vector<LayerParallelism>& parallelism,
                 const Setting& setting);

    /// @param list receives the steps @param after what the first layer waits for @return output
    Steps AddForward(StepList& list, const Steps& after) const;
    /**
     * @param list receives the steps
     * @param buckets receive the gradients of weights
     * @param toInput whether the first layer gives a gradient to what comes in
     * @param after the output's gradient
     * @return the gradient to what comes in; without that, the last step
     */
    Steps AddBackward(StepList& list,
                      GradientBuckets& buckets,
                      bool toInput,
                      const Steps& after) const;
    Amount GetParameters() const; ///< @return those on a rank
    /// @return whether a layer is divided over some ranks, but not all
    bool HasTensorGroups() const;

  private:
    /// @param index of a layer, or one more than there are @return its degree
    uint64_t GetDegree(std::size_t index) const;
    /// @param degree a degree @return ranks that divide outputs by it
    StepList::Group GetTensorGroup(uint64_t degree) const;
    /// @param degree a degree @return ranks with the same weights
    StepList::Group GetDataGroup(uint64_t degree) const;
    /// @param index of a layer @return n', outputs on a rank
    Amount GetOutputs(std::size_t index) const;
    /// @param index of a layer @return S, samples on a rank
    Amount GetSamples(std::size_t index) const;
    /// @param list receives the step @param index of a layer @param label which of its products
    /// @param after what it waits for @return the product
    Steps Multiply(StepList& list,
                   std::size_t index,
                   const std::string& label,
                   const Steps& after) const;
    /// @param list receives the steps @param index of the layer whose inputs they are, or one more
    /// than there are @param after outputs of the layer before @return its inputs
    Steps AddExchange(StepList& list, std::size_t index, const Steps& after) const;
    /// @param list receives the steps @param index of the layer whose inputs they are, or one more
    /// than there are @param after their gradient @return gradient of outputs of the layer before
    Steps AddExchangeBackward(StepList& list, std::size_t index, const Steps& after) const;
    /// @param index of a layer, or one more than there are @return beta X B / N, bytes of the
    /// inputs of a rank's own samples
    Amount GetOwnBytes(std::size_t index) const;
    /// @param index of a layer, or one more than there are @return before its name in names
    std::string GetName(std::size_t index) const;

    const std::vector<LayeredModel::Layer>& m_layers; ///< the layers
    std::vector<LayerParallelism> m_parallelism;      ///< per layer
    Setting m_setting;                                ///< how they are trained
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYERED_STEPS_H
