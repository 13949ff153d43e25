/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CONVERTED_TRACES_H
#define ML_CLUSTER_CONVERTED_TRACES_H

#include "linked-traces.h"

#include "ns3/pytorch-converter.h"

namespace ns3
{
namespace mlcluster
{

/// Name of a kernel.
inline const std::string SEND_RECV = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";

/// Converts hand-made traces.
class ConvertedTracesTest : public LinkedTracesTest
{
  protected:
    /// @param nodes the execution trace @param events the Kineto trace @return what they become
    ConvertedTrace Convert(const std::vector<traces::Node>& nodes,
                           const std::vector<std::string>& events)
    {
        TraceLinkOptions link;
        link.parity = m_options.parity;
        const PytorchTrace trace = Link(nodes, events, link);
        return m_errors.empty() ? Convert(trace) : ConvertedTrace();
    }

    /// @param trace a linked trace @return what it becomes
    ConvertedTrace Convert(const PytorchTrace& trace)
    {
        Diagnostics diagnostics;
        ConvertedTrace converted;
        {
            MessageTally tally(diagnostics);
            converted = ConvertTrace(trace, m_kinetoGroups, m_nRanks, m_options, m_ledger, tally);
        }
        m_errors += Join(diagnostics.GetErrors());
        m_warnings += Join(diagnostics.GetWarnings());
        const ExecutionGraph graph(converted.nodes, "", diagnostics);
        EXPECT_EQ(Join(diagnostics.GetErrors()), m_errors) << "the graph is sound";
        return converted;
    }

    /// @param values inputs of a record @param kernel what it launched @param options
    /// @return the node made of that kernel, or an empty one after errors
    ExecutionNode ConvertRecord(const std::string& values,
                                const std::string& kernel = "ncclDevKernel_Generic")
    {
        const auto converted = Convert({{1, traces::PROCESS, 1, 0},
                                        {2, traces::THREAD, 1},
                                        {3, "record_param_comms", 2, 1, 1, values},
                                        {9, "nccl:x", 3, 1, 2}},
                                       {traces::Operator("record_param_comms", 100, 1000, 100, 1),
                                        traces::Operator("nccl:x", 100, 1010, 80, 2),
                                        traces::Call("cudaLaunchKernel", 100, 1020, 5, 71),
                                        traces::Kernel(kernel, 20, 1050, 30, 71)});
        m_exchanges = converted.exchanges;
        return converted.nodes.size() == 4 ? converted.nodes.back() : ExecutionNode();
    }

    PytorchConvertOptions m_options;                   ///< how to convert
    uint64_t m_nRanks{4};                              ///< ranks of the job
    std::vector<ProcessGroup> m_kinetoGroups;          ///< groups of the Kineto trace
    std::vector<ConvertedTrace::Exchange> m_exchanges; ///< of the last ConvertRecord
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CONVERTED_TRACES_H
