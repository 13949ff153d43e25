/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYERED_FIGURES_H
#define ML_CLUSTER_LAYERED_FIGURES_H

#include "layered-generator.h"
#include "plan-figures.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a training step of a network of layers takes (see MakeLayeredWorkload).
 *
 * Memory: of the P parameters on a rank weights beta P, gradients and momentum gamma P each and, if
 * gamma is not beta, a master copy gamma P; inputs of all layers, which the gradients of weights
 * need, and the network's outputs. Left out: what is between layers, workspaces, buffers of
 * collectives.
 *
 * Operations of the model: products of matrices, three times the forward pass but for the gradient
 * of the first layer's inputs: B (6 M - 2 M_0) with M multiply-accumulates of a sample, M_0 of them
 * in the first layer.
 * @param model the network
 * @param plan how it is trained, which MakeLayeredWorkload accepts
 * @return the figures
 * @throw InputError if a number does not fit
 */
PlanFigures GetLayeredFigures(const LayeredModel& model, const LayeredPlan& plan);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYERED_FIGURES_H
