/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRACE_LINKER_H
#define ML_CLUSTER_TRACE_LINKER_H

#include "conversion-ledger.h"
#include "kineto-trace.h"
#include "message-tally.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Options of LinkTraces.
 */
struct TraceLinkOptions
{
    /// reproduce Chakra's linker: match by record-function id only, its launches and owners, no
    /// memsets, no synchronisations
    bool parity{false};
    bool memset{true};           ///< keep operations that fill memory
    bool synchronisations{true}; ///< find who waited for whom, and take waiting off durations
    uint32_t iteration{0};       ///< see MatchOptions
    bool allowFuzzy{false};      ///< see MatchOptions
};

/**
 * @ingroup ml-cluster
 * Joins the execution trace of a process (what operators did) and its Kineto trace (when, and what
 * ran on the device) to one trace.
 *
 * Nodes of the host get start, duration with and without the operators called, and the operator of
 * another thread that they follow. An operation of the device becomes a copy of the node that
 * launched it, with that node as parent and with name, category, times and stream of the event. Ids
 * are given anew from 0: nodes by ascending id, each followed by what it launched, by start. Time
 * that operators spent blocked for what they depend on (see FindSynchronisations) is taken off
 * their durations.
 * @param trace the execution trace
 * @param kineto the Kineto trace
 * @param options how to link
 * @param ledger receives counts
 * @param tally receives problems
 * @return the trace; unusable if the tally gained errors
 */
PytorchTrace LinkTraces(const PytorchTrace& trace,
                        const KinetoTrace& kineto,
                        const TraceLinkOptions& options,
                        ConversionLedger& ledger,
                        MessageTally& tally);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRACE_LINKER_H
