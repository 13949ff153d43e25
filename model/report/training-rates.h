/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRAINING_RATES_H
#define ML_CLUSTER_TRAINING_RATES_H

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

struct RunReport;

/// What a run trains, which the execution graphs do not tell. @ingroup ml-cluster
struct TrainingFigures
{
    double modelOperations{0}; ///< floating-point operations of the model in a step, all ranks
                               ///< together, recomputation left out; 0: not known
    double samples{0};         ///< sequences, images or other samples of a step; 0: not known
    double tokens{0};          ///< tokens of a step; 0: not known, or there are none
    double peakFlops{0};       ///< floating-point operations per second of an NPU; 0: not known
    uint64_t steps{1};         ///< training steps in the run
};

/**
 * @ingroup ml-cluster
 * How fast a run trains. With t the finish time over the steps, n the ranks and P the peak of an
 * NPU: samples / t; tokens / t; model FLOPs utilisation (Chowdhery et al., PaLM, 2022, appendix B)
 * = operations of the model / (n P t); hardware FLOPs utilisation, the same with the operations
 * that the graphs of the ranks have for accelerators, recomputation included. What follows from
 * something unknown or from no time is 0.
 */
struct TrainingRates
{
    /// @param run whose training is set and which has its finish time, ranks and operations
    explicit TrainingRates(const RunReport& run);

    double stepPs{0};                ///< time of a step, ps
    double samplesPerSecond{0};      ///< of all ranks
    double tokensPerSecond{0};       ///< of all ranks
    double tokensPerSecondPerNpu{0}; ///< of one rank
    double modelUtilisation{0};      ///< MFU, a share
    double hardwareUtilisation{0};   ///< HFU, a share
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRAINING_RATES_H
