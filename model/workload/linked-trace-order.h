/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINKED_TRACE_ORDER_H
#define ML_CLUSTER_LINKED_TRACE_ORDER_H

#include "pytorch-trace.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The order of a linked trace in time: nodes of the host by id, operations of the device before the
 * first host node that started after the call that launched them (after themselves if the call is
 * not known), those of one stream by start.
 * @param trace the trace
 * @return positions of its nodes
 */
std::vector<std::size_t> OrderByTime(const PytorchTrace& trace);

/**
 * @ingroup ml-cluster
 * What the nodes of a linked trace wait for, by Chakra's rules: every thread's nodes in the order
 * of the tree of calls, a node before those it called and these by id. A host node waits for the
 * one before it on its thread and for the one of another thread that it follows; an operation of
 * the device waits for the node before it, or the host node before it if that is an operation too.
 * @param trace the trace
 * @param order in which the nodes called by one are taken, see OrderByTime
 * @return per node positions of others
 */
std::vector<std::vector<std::size_t>> FindCallDependencies(const PytorchTrace& trace,
                                                           const std::vector<std::size_t>& order);

/**
 * @ingroup ml-cluster
 * The operation before each on its stream, by start.
 * @param trace the trace
 * @return per node the position of another, or NONE
 */
std::vector<std::size_t> FindStreamOrder(const PytorchTrace& trace);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINKED_TRACE_ORDER_H
