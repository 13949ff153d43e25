/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PYTORCH_CONVERTER_H
#define ML_CLUSTER_PYTORCH_CONVERTER_H

#include "chakra-extras.h"
#include "communicator-groups.h"
#include "conversion-ledger.h"
#include "execution-graph.h"
#include "message-tally.h"
#include "pytorch-trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Options of ConvertTrace.
 */
struct PytorchConvertOptions
{
    /// reproduce Chakra's converter: order of ids, whole microseconds, communication by names of
    /// kernels, no dependencies of synchronisations and streams
    bool parity{false};
    bool streamOrderEdges{true}; ///< an operation depends on the one before it on its stream
    bool allowFuzzy{false};      ///< leave out communication of which nothing tells what it is
    bool values{true};           ///< keep inputs and outputs of operators as texts
};

/**
 * @ingroup ml-cluster
 * What a rank's trace becomes.
 */
struct ConvertedTrace
{
    /// An all-to-all of unequal parts.
    struct Exchange
    {
        std::size_t node;                    ///< position of its node
        std::vector<uint64_t> receivedBytes; ///< bytes from each member in group order
    };

    std::vector<ExecutionNode> nodes; ///< by id
    ChakraExtras extras;              ///< what else the file is to hold
    CommunicatorGroups groups;        ///< groups that its communication uses
    std::vector<Exchange> exchanges;  ///< those that tell what they receive
};

/**
 * @ingroup ml-cluster
 * Makes an execution graph of a linked trace.
 *
 * Host operators become compute nodes of the host with the time they took without those they
 * called, 0 if they were not timed (with parity also those of an `Optimizer.step`);
 * nodes that define process groups become METADATA; operations of the device become what
 * CommunicationConverter says, or compute nodes with their measured time. Dependencies: see
 * FindCallDependencies; what synchronisations tell; the operation before on the stream. Nodes that
 * nothing depends on and that depend on nothing, such as that of the process, are left out. On
 * each stream ids ascend in time; nodes of the host keep the order of the trace, and between
 * streams operations have that of their launches (see OrderByTime).
 *
 * PyTorch records no tags: the k-th message to or from a rank in a group gets the tag k G + g, g
 * the place of the group, by name, among the G groups in which messages go between the two.
 *
 * Kept as attributes: rf_id, fw_parent (id in the PyTorch trace), seq_id, scope, tid, fw_tid,
 * op_schema; as control dependency the node that called; start, inputs and outputs; schema, pid,
 * time and range of the trace in the GlobalMetadata.
 * @param trace a linked trace
 * @param kinetoGroups process groups that its Kineto trace defines
 * @param nRanks ranks of the job, 0 if not known
 * @param options how to convert
 * @param ledger receives counts
 * @param tally receives problems
 * @return what it becomes; unusable if the tally gained errors
 */
ConvertedTrace ConvertTrace(const PytorchTrace& trace,
                            const std::vector<ProcessGroup>& kinetoGroups,
                            uint64_t nRanks,
                            const PytorchConvertOptions& options,
                            ConversionLedger& ledger,
                            MessageTally& tally);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_CONVERTER_H
