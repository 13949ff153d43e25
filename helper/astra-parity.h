/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_PARITY_H
#define ML_CLUSTER_ASTRA_PARITY_H

#include "astra-config.h"
#include "astra-parity-options.h"

#include "ns3/cluster-workload.h"
#include "ns3/run-report.h"

#include <memory>
#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Runs a workload to the nanosecond as ASTRA-sim does, and destroys the simulation.
 * @param config a configuration without errors
 * @param settings the rest
 * @param workload a checked workload of as many ranks as the network has
 * @param os receives a finish line per rank, and what the network's accounts show
 * @return what happened
 * @throw InputError if something is left out of parity or the run cannot finish
 */
RunReport RunAstraParity(const AstraConfig& config,
                         const AstraParitySettings& settings,
                         std::shared_ptr<const ClusterWorkload> workload,
                         std::ostream& os);

/**
 * @ingroup ml-cluster
 * Prints ASTRA-sim's line for a rank that has finished.
 * @param os the stream
 * @param rank the rank
 * @param finishNs end of its last node, ns
 * @param exposedNs exposed communication, ns
 */
void PrintAstraFinish(std::ostream& os, uint32_t rank, uint64_t finishNs, uint64_t exposedNs);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_PARITY_H
