/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_PARITY_OPTIONS_H
#define ML_CLUSTER_ASTRA_PARITY_OPTIONS_H

#include "astra-config.h"

#include "ns3/diagnostics.h"
#include "ns3/parity-options.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What of a parity run is not in ASTRA-sim's files.
 */
struct AstraParitySettings
{
    bool congestionAware{false};    ///< ASTRA-sim's congestion-aware network
    uint32_t queuesPerDimension{1}; ///< logical queues of a dimension
    bool rendezvous{false};         ///< receivers ask for each message
};

/**
 * @ingroup ml-cluster
 * @param algorithm an algorithm of the system file
 * @return the same for the parity mode
 */
ParityAlgorithm MakeParityAlgorithm(const AstraAlgorithm& algorithm);

/**
 * @ingroup ml-cluster
 * @param config a configuration without errors
 * @param settings the rest
 * @param diagnostics receives what parity leaves out, with the reason (errors), and keys without
 * effect (warnings)
 * @return the parameters of ASTRA-sim's state machine
 */
ParityOptions MakeParityOptions(const AstraConfig& config,
                                const AstraParitySettings& settings,
                                Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_PARITY_OPTIONS_H
