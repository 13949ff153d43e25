/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SYNCHRONISATION_FINDER_H
#define ML_CLUSTER_SYNCHRONISATION_FINDER_H

#include "synchronisation-book.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Finds who waited for whom, by the rules of HTA's critical path analysis, but for all waits and
 * not only those on the critical path. "Launched before" goes by the start of the launching calls.
 *
 * - cudaStreamSynchronize, cudaDeviceSynchronize, cudaEventSynchronize, a copy that blocks (not
 *   Async, or to pageable memory): the last operation on the stream, on every stream of the device,
 *   before the event was recorded, or the copy itself -> next operator of the thread.
 * - cudaStreamWaitEvent: the last operation before the event was recorded on the other stream ->
 * next operation on the waiting stream.
 * - A collective: the last operation on the thread's stream before the call -> the collective.
 * - wait on a collective: it -> next operation on the thread's stream.
 * - An operator that ran a backward pass on other threads: their last operator during it -> the
 *   operator after it.
 *
 * Streams and events are those of cuda_sync events with the correlation of the call. Without these,
 * a stream is that of the thread's launches around the call, and an event the one recorded last on
 * another stream (or, if the trace has no calls that record events, the last operation of the
 * thread on another stream). An assumption must not contradict the times: what is waited for ended
 * before the second started, or the call ended. Waits of which nothing is known are left out.
 *
 * Time that an operator spent blocked for what it now depends on is counted, so that it can be
 * taken off its duration; it would count twice otherwise.
 * @param traces the traces
 * @param launches operations of the device, by start of the calls
 * @param ledger receives counts by kind of synchronisation and those left out
 * @param tally receives warnings about assumptions
 * @return the dependencies
 */
Synchronisations FindSynchronisations(const MatchedTraces& traces,
                                      const std::vector<DeviceLaunch>& launches,
                                      ConversionLedger& ledger,
                                      MessageTally& tally);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SYNCHRONISATION_FINDER_H
