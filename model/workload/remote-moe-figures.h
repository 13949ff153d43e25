/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REMOTE_MOE_FIGURES_H
#define ML_CLUSTER_REMOTE_MOE_FIGURES_H

#include "plan-figures.h"
#include "remote-moe-model.h"

#include <map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a training step of a mixture of experts in remote memory takes, with the symbols of
 * RemoteMoeModel and s = ceil(P_d / n).
 */
class RemoteMoeFigures
{
  public:
    /// @param model the model, without problems (RemoteMoeModel::Check), must outlive this
    explicit RemoteMoeFigures(const RemoteMoeModel& model);

    /**
     * Accesses to memory are traffic too, of the family that WorkloadTally::GetMemoryName tells.
     *
     * The memory is an NPU's own: tensors that are placed there, and what a rank has of others at
     * once, weights of the m = min(L, prefetch + 1) layers whose loads have begun, gradients of
     * one layer, its tokens on the way to experts and there. Left out: other activations than
     * inputs of layers, gradients that wait for a slow memory, workspaces.
     *
     * Operations of the model: 3 w n b L (P_d + k P_e).
     * @return the figures
     * @throw InputError if a number does not fit
     */
    PlanFigures Count() const;
    /// @return sizes of a layer on a rank @throw InputError if a number does not fit
    std::vector<MemoryPart> GetLayer() const;
    /// @return what lies in memories other than the NPU's own, of a rank, by MemoryLocation
    /// @throw InputError if a number does not fit
    std::map<uint32_t, std::vector<MemoryPart>> GetPlaced() const;

  private:
    /// @param figures receives traffic between ranks
    void AddCollectives(PlanFigures& figures) const;
    /// @param figures receives traffic to and from memory
    void AddAccesses(PlanFigures& figures) const;
    /// @param figures receives memory of the NPU itself
    void AddMemory(PlanFigures& figures) const;
    /// @param figures receives what symbols mean
    void AddSymbols(PlanFigures& figures) const;
    Amount GetShare() const; ///< @return e P_e + s, parameters of a layer on a rank

    const RemoteMoeModel& m_model; ///< the model
    Amount m_layers;               ///< L
    Amount m_element;              ///< beta
    Amount m_gradient;             ///< gamma
    Amount m_dense;                ///< P_d
    Amount m_denseShare;           ///< s
    Amount m_expertShare;          ///< e P_e
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REMOTE_MOE_FIGURES_H
