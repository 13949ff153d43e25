/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_FLEXFLOW_CONVERTER_H
#define ML_CLUSTER_FLEXFLOW_CONVERTER_H

#include "conversion-ledger.h"
#include "execution-graph.h"
#include "flexflow-graph.h"
#include "message-tally.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Options of the FlexFlow converter.
 */
struct FlexflowOptions
{
    std::string timeUnit{"ms"}; ///< unit of simulated_run_time: "s", "ms", "us" or "ns"
    bool parity{false};         ///< as Chakra's converter does it, faults included
    uint32_t parityMhz{1000};   ///< clock of an NPU that Chakra's converter is told, MHz
};

/**
 * @ingroup ml-cluster
 * Makes one execution graph per device of a FlexFlow task graph; devices are ranks.
 *
 * Compute goes to its device. A transfer becomes a send at its source and a receive at its target,
 * which have the transfer's number as id and a tag of their own. Compute and sends wait for all
 * their parents, a transfer among them being its part on this rank; receives wait for nothing, as
 * the network gives their order. A transfer within a device takes no time: what waits for it waits
 * for its parents. Times are exact to 1 ps. FlexFlow's estimate of a transfer's time is not used.
 *
 * With parity the names are those of Chakra's converter and durations, in microseconds, have the
 * numbers of the cycles that it computes, taking the file's milliseconds for seconds; ranks are the
 * devices that compute, and a transfer from or to another is an error.
 */
class FlexflowConverter
{
  public:
    /// @param graph a graph without errors; must outlive this @param options options
    /// @throw InputError if the time unit is none or the clock 0
    FlexflowConverter(const FlexflowGraph& graph, const FlexflowOptions& options);

    /**
     * @param diagnostics receives cycles, edges between tasks that share no device, times that are
     * none, and devices numbered beyond 2^20
     * @return the nodes per rank, by ascending id, none for ranks without tasks; unusable if
     * diagnostics gained errors
     */
    std::vector<std::vector<ExecutionNode>> Convert(Diagnostics& diagnostics);

    const ConversionLedger& GetLedger() const; ///< @return what came in and what was kept

  private:
    /// @return the tag of each transfer (by position of the task): a running number, those of the
    /// first rank first, in the order of the file
    std::vector<uint64_t> NumberTransfers() const;
    /// @param task a task @param tag tag if it is a transfer @param ranks receives its nodes @throw
    /// InputError if it cannot be converted
    void AddNodes(const FlexflowTask& task,
                  uint64_t tag,
                  std::vector<std::vector<ExecutionNode>>& ranks) const;
    /// @param task a task @param device a device @return whether part of it is there
    static bool IsOn(const FlexflowTask& task, uint32_t device);
    /// @param task a task @return whether it is a transfer within a device
    static bool IsLocal(const FlexflowTask& task);
    /// @param tally receives transfers from or to a device without compute
    void CheckEnds(MessageTally& tally) const;
    void CheckCycles(Diagnostics& diagnostics) const; ///< @param diagnostics receives a cycle
    uint32_t CountRanks() const;                      ///< @return highest device + 1
    /// @param task compute @return its node but for dependencies
    ExecutionNode MakeCompute(const FlexflowTask& task) const;
    /// @param task a transfer @param kind Send or Receive @param tag its tag @return its node but
    /// for dependencies
    ExecutionNode MakeMessage(const FlexflowTask& task, NodeKind kind, uint64_t tag) const;
    /// @param task compute, or a transfer's send @param device where it is @return ids it waits for
    /// @throw InputError if a parent is not there
    std::vector<uint64_t> GetDependencies(const FlexflowTask& task, uint32_t device) const;
    void KeepBooks(); ///< Enters tasks and edges into the ledger.

    const FlexflowGraph& m_graph; ///< what to convert
    FlexflowOptions m_options;    ///< how
    ConversionLedger m_ledger;    ///< books
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_FLEXFLOW_CONVERTER_H
