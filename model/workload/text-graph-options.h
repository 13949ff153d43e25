/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_GRAPH_OPTIONS_H
#define ML_CLUSTER_TEXT_GRAPH_OPTIONS_H

#include "libra-communicators.h"
#include "loop-formula.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a text workload becomes execution graphs.
 */
struct TextGraphOptions
{
    /// Whose order of things.
    enum class Form
    {
        Loop,     ///< the training loop of ASTRA-sim 1.0 (TextLoopGraph)
        Converter ///< the graph of Chakra's text converter (TextConverterGraph)
    };

    /// Which collective goes first where the loop says nothing, "scheduling-policy" of ASTRA-sim.
    enum class Scheduling
    {
        Lifo, ///< the one issued last
        Fifo  ///< the one issued first
    };

    /// What a loop with model parallelism does while input gradients are exchanged.
    enum class InputGradients
    {
        Overlapped, ///< it computes weight gradients, as the public ASTRA-sim 1.0 does
        Blocking    ///< it waits, as the Themis paper has it (section 5.2)
    };

    Form form{Form::Loop};        ///< see there
    uint64_t passes{1};           ///< training steps, at least 1
    double computeScale{1};       ///< factor to compute times (not to update times), at least 0
    double communicationScale{1}; ///< factor to sizes of collectives, at least 0
    int64_t cyclePs{1000};        ///< time of a cycle, ps; Chakra's converter writes 1 us for it
    Scheduling scheduling{Scheduling::Lifo};                   ///< see there
    InputGradients inputGradients{InputGradients::Overlapped}; ///< see there
    std::optional<LoopFormula> trainingLoop; ///< the loop; none: that of the file's policy
    LibraCommunicators communicators;        ///< of LIBRA's workloads, which need them
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_GRAPH_OPTIONS_H
