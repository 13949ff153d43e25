/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GEMM_TABLE_H
#define ML_CLUSTER_GEMM_TABLE_H

#include "ns3/diagnostics.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A layer as the product of an m x k matrix (batch by inputs) with a k x n one (weights).
 */
struct GemmLayer
{
    std::string name;   ///< without blanks
    uint64_t m{0};      ///< batch, times places a kernel is put on
    uint64_t n{0};      ///< outputs
    uint64_t k{0};      ///< inputs
    std::string policy; ///< DATA, MODEL, HYBRID_DATA_MODEL or HYBRID_MODEL_DATA; "" if none is told
};

/**
 * @ingroup ml-cluster
 * Reads a table of layers with the heading "Layer,m,n,k", or with policies of layers
 * "Layer,m,n,k,CustomizedParallelization".
 * @param path the table
 * @param hasPolicies whether it must have policies; nothing: it may
 * @param use takes one layer after the other; its InputErrors are problems of the layer
 * @param diagnostics receives problems with line and layer
 * @throw InputError if it cannot be read or has another heading
 */
void ReadGemmTable(const std::string& path,
                   std::optional<bool> hasPolicies,
                   const std::function<void(const GemmLayer&)>& use,
                   Diagnostics& diagnostics);

/// @ingroup ml-cluster
/// @return policies of layers
const std::vector<std::string>& GetGemmPolicies();

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GEMM_TABLE_H
