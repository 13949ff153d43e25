/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_CONFIG_H
#define ML_CLUSTER_ASTRA_CONFIG_H

#include "ns3/cluster-topology.h"
#include "ns3/communicator-groups.h"
#include "ns3/diagnostics.h"
#include "ns3/parity-options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The input files of ASTRA-sim, but for the trace.
 */
struct AstraFiles
{
    std::string network; ///< network YAML
    std::string system;  ///< system JSON
    std::string memory;  ///< remote-memory JSON
    std::string
        groups; ///< communicator groups; "", or a path with "empty" in it that does not exist: none
};

/**
 * @ingroup ml-cluster
 * One entry of an "...-implementation" list of the system file.
 */
struct AstraAlgorithm
{
    std::string name; ///< "ring", "direct", "halvingDoubling" or "doubleBinaryTree"
    uint32_t window{
        0}; ///< of "direct<window>": messages under way at once; 0 if not given, that is all
    bool isOne{false}; ///< "one..." form: one logical dimension over all NPUs; then the only entry

    std::string GetText() const; ///< @return as the file has it, such as "oneDirect4"
};

/**
 * @ingroup ml-cluster
 * Network file. Units: bandwidth of one link and direction in GB/s of 2^30 B per 10^9 ns; latency
 * of one link in ns. At least one dimension, sizes above 1, bandwidths above 0, latencies not
 * negative, all finite.
 */
struct AstraNetwork
{
    std::vector<TopologyDimension>
        dimensions;                ///< innermost first; rates in whole bit/s, latencies in whole ps
    std::vector<double> bandwidth; ///< per dimension, as written
    std::vector<double> latency;   ///< per dimension, as written
};

/**
 * @ingroup ml-cluster
 * Everything the system file says about one type of collective.
 */
struct AstraCollective
{
    /// One per dimension, or one alone if it isOne; empty if the key is missing: then the
    /// collective is not available.
    std::vector<AstraAlgorithm> algorithms;
    std::string
        customPrefix; ///< "...-implementation-custom": prefix of files that replace it; "" if none
};

/**
 * @ingroup ml-cluster
 * System file; defaults are those of ASTRA-sim for keys that may be missing.
 */
struct AstraSystem
{
    std::string schedulingPolicy;    ///< "LIFO", "FIFO" or "EXPLICIT"
    bool localBandwidthAware{false}; ///< collective-optimization is "localBWAware", not "baseline"
    ChunkOrderPolicy chunkOrder{ChunkOrderPolicy::Ascending}; ///< inter-dimension-scheduling
    ParityQueuePolicy queuePolicy{ParityQueuePolicy::Fifo};   ///< intra-dimension-scheduling
    AstraCollective allReduce;                                ///< all-reduce
    AstraCollective reduceScatter;                            ///< reduce-scatter
    AstraCollective allGather;                                ///< all-gather
    AstraCollective allToAll;                                 ///< all-to-all
    std::string perNodeCustom;  ///< "per-node-custom-implementation"; "" if none
    uint32_t endpointDelay{10}; ///< whole ns, truncated
    bool hasEndpointDelay{
        false}; ///< whether the key is there; only then injection-scale acts on it
    uint32_t activeChunksPerDimension{1};                ///< at least 1
    uint32_t preferredDatasetSplits{0};                  ///< at least 1
    double localMemoryBandwidth{0};                      ///< GB/s of 10^9 B/s, above 0
    double peakPerformance{0};                           ///< TFLOP/s; above 0 if roofline
    bool roofline{false};                                ///< roofline-enabled
    bool replayOnly{false};                              ///< replay-only: every node is a timer
    bool traceEnabled{false};                            ///< trace-enabled
    bool trackLocalMemory{false};                        ///< track-local-mem
    std::string localMemoryTraceFile{"local_mem_trace"}; ///< local-mem-trace-filename
    uint32_t localReductionDelay{1};                     ///< of the shared bus
    bool sharedBus{false};                               ///< model-shared-bus is 1
    double busLatency{0};                                ///< LogGP L, ns
    double busOverhead{0};                               ///< LogGP o, ns
    double busGap{0};                                    ///< LogGP g, ns
    double busGapPerByte{0};                             ///< LogGP G, ns per byte
};

/**
 * @ingroup ml-cluster
 * Kinds of remote memory.
 */
enum class AstraMemoryType
{
    None,    ///< NO_MEMORY_EXPANSION: memory nodes are an error
    PerNpu,  ///< PER_NPU_MEMORY_EXPANSION
    PerNode, ///< PER_NODE_MEMORY_EXPANSION
    Pool     ///< MEMORY_POOL
};

/**
 * @ingroup ml-cluster
 * Remote-memory file. ASTRA-sim cuts latency and bandwidth to whole numbers.
 */
struct AstraMemory
{
    AstraMemoryType type{AstraMemoryType::None}; ///< memory-type
    double latency{0};                           ///< ns, as written, not negative
    double bandwidth{0};     ///< GB/s of 10^9 B/s, as written, at least 1 unless the type is None
    uint32_t nodes{0};       ///< num-nodes (PerNode)
    uint32_t npusPerNode{0}; ///< num-npus-per-node (PerNode)
};

/**
 * @ingroup ml-cluster
 * A system as ASTRA-sim's input files describe it, checked, in the files' own units where
 * equality with ASTRA-sim needs them.
 */
struct AstraConfig
{
    AstraFiles files;          ///< where it was read from
    AstraNetwork network;      ///< network file
    AstraSystem system;        ///< system file
    AstraMemory memory;        ///< remote-memory file
    CommunicatorGroups groups; ///< group file; empty if none
};

/**
 * @ingroup ml-cluster
 * Reads and checks ASTRA-sim's inputs.
 * @param files the files
 * @param diagnostics receives every problem: missing or malformed files, missing keys, values out
 *        of range, lists that do not fit the number of dimensions (errors); keys that nothing
 *        reads, fractions that are cut off (warnings)
 * @return the configuration; unusable if diagnostics gained errors
 */
AstraConfig ReadAstraConfig(const AstraFiles& files, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_CONFIG_H
