/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATION_CONVERTER_H
#define ML_CLUSTER_COMMUNICATION_CONVERTER_H

#include "conversion-ledger.h"
#include "execution-graph.h"
#include "process-group-table.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A send, receive or collective made of a PyTorch trace.
 */
struct ConvertedCommunication
{
    ExecutionNode node;                  ///< kind, operation, sizes, peer and group; no id yet
    std::vector<uint64_t> receivedBytes; ///< all-to-all of unequal parts: bytes from each member
};

/**
 * @ingroup ml-cluster
 * Makes communication of the kernels that communicate in a linked trace.
 *
 * What a kernel does is told by the record_param_comms node around the node that launched it. A
 * kernel without one, or with one that only ends a batch (endCoalescing), does what the records of
 * its thread since the kernel before it tell that no other kernel does; it becomes one node for
 * each. A kernel with no record at all is taken by its name, with the tensors of the node that
 * launched it; if these do not tell operation and size, that is an error.
 *
 * Sizes are Chakra's: the whole buffer of a rank for all-reduce, all-to-all, reduce-scatter,
 * broadcast, reduce and scatter; what a rank gives for all-gather and gather; split sizes become
 * bytes for each member, of elements or rows as large as the sum of the splits makes them. A second
 * kernel for one record (some operations take several) stays a compute node, as the first stands
 * for all.
 *
 * With parity, type and size are those that Chakra's converter gives: type by the name of the
 * kernel, size that of the tensors of the node that launched it.
 */
class CommunicationConverter
{
  public:
    /**
     * @param trace a linked trace; must outlive this
     * @param groups its process groups; must outlive this
     * @param parity whether to do as Chakra's converter does
     * @param ledger receives counts of records; must outlive this
     * @param tally receives problems; must outlive this
     */
    CommunicationConverter(const PytorchTrace& trace,
                           ProcessGroupTable& groups,
                           bool parity,
                           ConversionLedger& ledger,
                           MessageTally& tally);

    /**
     * @param node position of an operation of the device
     * @return what it communicates; nothing if it computes
     */
    std::vector<ConvertedCommunication> Convert(std::size_t node);

    /**
     * @param node position of an operation of the device
     * @return whether it communicates, but neither records nor its name and the tensors of the node
     * that launched it tell operation and size; always false with parity
     */
    bool IsUnknown(std::size_t node) const;

  private:
    /// Finds out which kernels the records belong to.
    void AssignRecords();
    /// @param node position of a kernel without a record @param after id behind which its records
    /// are
    void ClaimBatch(std::size_t node, uint64_t after);
    /// @param record a record @param kernelGroup process group as the kernel has it
    /// @return the communication
    ConvertedCommunication MakeOf(const CommunicationRecord& record,
                                  const std::string& kernelGroup);
    /// @param record an all-to-all @param communication receives the bytes for each member
    void AddSplits(const CommunicationRecord& record, ConvertedCommunication& communication) const;
    /// @param node position of a kernel @return what it does by its name
    ConvertedCommunication MakeByName(std::size_t node);
    /// @param node position of a kernel @return what Chakra's converter makes of it
    ConvertedCommunication MakeLikeChakra(std::size_t node);

    const PytorchTrace& m_trace;                              ///< the trace
    ProcessGroupTable& m_groups;                              ///< its process groups
    bool m_parity;                                            ///< as Chakra's converter does
    ConversionLedger& m_ledger;                               ///< receives counts
    MessageTally& m_tally;                                    ///< receives problems
    std::map<std::size_t, std::vector<uint64_t>> m_recordsOf; ///< ids of records by kernel
    std::map<uint64_t, std::size_t> m_kernelOf;               ///< first kernel by id of the record
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATION_CONVERTER_H
