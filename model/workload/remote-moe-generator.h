/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REMOTE_MOE_GENERATOR_H
#define ML_CLUSTER_REMOTE_MOE_GENERATOR_H

#include "cluster-workload.h"
#include "remote-moe-model.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes the execution graph of training a mixture of experts from other memory, which all ranks
 * share. With w operations of a token per weight and the other symbols of RemoteMoeModel, a rank
 * does for each layer, forward:
 *
 * - load experts: beta e P_e bytes;
 * - load dense: beta ceil(P_d / n), and after that gather dense, an all-gather of them;
 * - dense, after the layer before and gather dense: w b P_d operations, beta P_d bytes;
 * - dispatch: all-to-all of b k h beta bytes;
 * - experts, after dispatch and load experts: w b k P_e operations, beta e P_e bytes;
 * - combine: as dispatch;
 *
 * then, from the last layer to the first, backward:
 *
 * - both loads and the gather again;
 * - combine dX: as combine; experts backward: twice experts; dispatch dX; dense backward, after
 * that and gather dense: twice dense; both three times if products are recomputed, of what the
 * all-to-alls brought before;
 * - reduce dense: reduce-scatter of gamma n ceil(P_d / n) bytes, and store dense of gamma ceil(P_d
 * / n), after dense backward;
 * - store experts: gamma e P_e, after experts backward;
 * - with an optimizer of o bytes per parameter, after both stores: load optimizer and store
 *   optimizer of o (e P_e + ceil(P_d / n)).
 *
 * If inputs of layers do not stay in local memory, a layer begins forward with a store of its
 * input, b h beta bytes, once that is there, and the dense part waits backward for a load of it.
 * Parameters and gradients that lie in local memory are not loaded or stored, which computation
 * does.
 *
 * The step ends when all stores have. Experts get equal numbers of tokens. Loads for a layer begin
 * when the layer `prefetch` places before it does, the backward pass following the forward one;
 * everything else begins when what it waits for is there, or in a serial step one after the other
 * in the order above. Computation has one stream.
 *
 * Left out: what the optimizer computes, embedding and head, other activations than inputs of
 * layers, experts of unequal load, layers kept between the passes.
 * @param model the model and how it is trained
 * @return the workload
 * @throw InputError if values make no workload (see RemoteMoeModel::Check), a number does not fit
 *        or there are too many nodes
 */
ClusterWorkload MakeRemoteMoeWorkload(const RemoteMoeModel& model);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REMOTE_MOE_GENERATOR_H
