/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAUNCH_FINDER_H
#define ML_CLUSTER_LAUNCH_FINDER_H

#include "operator-timeline.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How an operation of the device came about; positions in the two traces.
 */
struct DeviceLaunch
{
    std::size_t operation; ///< the operation, among KinetoTrace::operations
    std::size_t call;      ///< the call that launched it, among KinetoTrace::calls
    std::size_t node;      ///< the node of the execution trace that made the call
};

/**
 * @ingroup ml-cluster
 * Options of FindLaunches.
 */
struct LaunchOptions
{
    bool memset{true};  ///< keep gpu_memset
    bool parity{false}; ///< find calls and nodes as Chakra's linker does
};

/**
 * @ingroup ml-cluster
 * Finds for each operation of the device the call that launched it, which has the same correlation
 * number, and the node of the execution trace that made the call: the innermost operator that
 * encloses the call and has a node, or, for a call outside all operators, the one that started last
 * before it on the thread. An operation whose record-function id is that of a node belongs to this
 * one.
 *
 * With parity a call must have one of the names that Chakra's linker knows, and the operator is the
 * last one on the thread that started before the call, one with the operation's External id if
 * there is any.
 * @param traces the traces
 * @param options how to find
 * @param ledger receives counts by category and what has no call or no node, by correlation
 * @param tally receives an error if two calls with one correlation could have launched an
 *        operation
 * @return the launches, in order of the calls
 */
std::vector<DeviceLaunch> FindLaunches(const MatchedTraces& traces,
                                       const LaunchOptions& options,
                                       ConversionLedger& ledger,
                                       MessageTally& tally);

/**
 * @ingroup ml-cluster
 * @param name name of an operation of the device
 * @return whether it communicates, by the names of NCCL and RCCL
 */
bool IsCommunicationKernel(const std::string& name);

/**
 * @ingroup ml-cluster
 * @param event an event @return `correlation "name"`, for messages
 */
std::string ShowEvent(const KinetoEvent& event);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAUNCH_FINDER_H
