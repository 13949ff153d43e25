/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_OPERATOR_MATCHER_H
#define ML_CLUSTER_OPERATOR_MATCHER_H

#include "conversion-ledger.h"
#include "kineto-trace.h"
#include "message-tally.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which operator of a Kineto trace is which node of an execution trace; positions, NONE for none.
 */
struct OperatorMatch
{
    static constexpr std::size_t NONE = SIZE_MAX; ///< no partner

    std::vector<std::size_t> operatorOf; ///< per node of the execution trace
    std::vector<std::size_t> nodeOf;     ///< per operator of the Kineto trace
};

/**
 * @ingroup ml-cluster
 * How operators of the two traces are matched.
 */
struct MatchOptions
{
    uint32_t iteration{0};  ///< which of several equal passages of the Kineto trace
    bool allowFuzzy{false}; ///< accept threads of which some operators have no partner
    bool byIdOnly{false};   ///< only by record-function id
};

/**
 * @ingroup ml-cluster
 * Matches the operators of an execution trace and a Kineto trace of the same process.
 *
 * An operator is the node whose rf_id is its "Record function id". If of those linked so more than
 * a tenth have another name, or more than a tenth of the nodes with an rf_id find no operator, the
 * traces are of different runs, which is an error unless `allowFuzzy`. If the Kineto trace has none
 * of these, threads are compared: the names of an execution trace's thread, by id, must be those of
 * a Kineto thread, by External id; or those of a passage of it, by start, if the Kineto trace
 * covers more than the execution trace. Of several passages the one numbered `iteration` counts, on
 * all threads. With `allowFuzzy` up to a tenth of the operators of a thread may lack a partner.
 * @param trace the execution trace
 * @param kineto the Kineto trace
 * @param options how to match
 * @param ledger receives counts of operators and what has no partner
 * @param tally receives an error if the traces do not match, with what the trace lacks
 * @return the match
 */
OperatorMatch MatchOperators(const PytorchTrace& trace,
                             const KinetoTrace& kineto,
                             const MatchOptions& options,
                             ConversionLedger& ledger,
                             MessageTally& tally);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_OPERATOR_MATCHER_H
