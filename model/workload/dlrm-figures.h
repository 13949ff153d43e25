/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DLRM_FIGURES_H
#define ML_CLUSTER_DLRM_FIGURES_H

#include "dlrm-generator.h"
#include "plan-figures.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a training step of a DLRM takes (see MakeDlrmWorkload).
 *
 * Memory: tables, gradients of replicated ones; of the P parameters of the MLPs weights beta P,
 * gradients gamma P and, if gamma is not beta, a master copy gamma P; indices looked up, vectors
 * before and behind their exchange, inputs of the layers of the MLPs. Left out: workspaces, buffers
 * of collectives, state of adaptive optimizers.
 *
 * Operations of the model: products of matrices, three times the forward pass but for the gradient
 * of dense features: B (6 M - 2 M_0 + 6 (N + 1)^2 d) with M multiply-accumulates of a sample in the
 * MLPs, M_0 of them in the first layer.
 * @param model the model
 * @param plan how it is trained, which MakeDlrmWorkload accepts
 * @return the figures
 * @throw InputError if a number does not fit
 */
PlanFigures GetDlrmFigures(const DlrmModel& model, const DlrmPlan& plan);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DLRM_FIGURES_H
