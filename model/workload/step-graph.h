/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STEP_GRAPH_H
#define ML_CLUSTER_STEP_GRAPH_H

#include "execution-graph.h"
#include "layer-program.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Repeats the program of a training step, each after the one before, on one compute stream (see
 * GraphWriter).
 * @param program the step, at least one step of it is there
 * @param steps how often, at least once
 * @param nRanks ranks in all
 * @return the graph
 * @throw InputError if there are more than 2^22 nodes, no ranks, or no steps
 */
std::shared_ptr<const ExecutionGraph> MakeStepGraph(const LayerProgram& program,
                                                    uint32_t steps,
                                                    uint64_t nRanks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STEP_GRAPH_H
