/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GEMM_LAYERS_H
#define ML_CLUSTER_GEMM_LAYERS_H

#include "ns3/diagnostics.h"
#include "ns3/text-workload.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * For what machine and how layers given as products of matrices are trained.
 */
struct GemmOptions
{
    TextPolicy policy{TextPolicy::Data}; ///< DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA or
                                         ///< HYBRID_CUSTOMIZED, for which the table has a column
    uint64_t ranks{1};                   ///< N
    uint64_t packages{1};      ///< P, number of groups of ranks that differ in dimension 0
    uint64_t elementBytes{2};  ///< e, bytes of an element, up to 64
    double peakFlops{0};       ///< floating-point operations per second, above 0
    uint64_t memoryBitRate{0}; ///< local memory bandwidth, bit/s, above 0
    int64_t cyclePs{1000};     ///< time of a cycle of the workload, ps
};

/**
 * @ingroup ml-cluster
 * Makes a text workload of layers given as products of an m x k matrix (batch by inputs) with a k x
 * n one (weights), as ASTRA-sim 1.0's workload generator does: a table with the heading
 * "Layer,m,n,k", with HYBRID_CUSTOMIZED "Layer,m,n,k,CustomizedParallelization". m is the batch of
 * all ranks. With N ranks in P packages, layers have d-fold data and t-fold model parallelism, d t
 * = N: DATA d = N, MODEL d = 1, HYBRID_DATA_MODEL d = P, HYBRID_MODEL_DATA d = N / P. Collectives
 * of e-byte elements: forward, unless DATA, an all-gather of m n e / N bytes; input gradient,
 * unless DATA, a reduce-scatter of m k e / d; weight gradient, unless MODEL, an all-reduce of n k e
 * / t.
 *
 * UPD_T is 100. Compute times are a roofline's, max(2 a b c / peak, e (a b + b c + a c) / memory
 * bandwidth) of a product of a x b with b x c matrices, where the original asks a model of a
 * systolic array: forward (m / d) x k by k x (n / t), input gradient (m / d) x (n / t) by (n / t) x
 * k, weight gradient k x (m / d) by (m / d) x (n / t). Divisions are rounded up, and times to whole
 * cycles.
 *
 * @param path the table
 * @param options how and for what
 * @param diagnostics receives problems with line and column
 * @return the workload; unusable if diagnostics gained errors
 */
TextWorkload ReadGemmLayers(const std::string& path,
                            const GemmOptions& options,
                            Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GEMM_LAYERS_H
