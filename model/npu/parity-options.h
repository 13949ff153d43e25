/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_OPTIONS_H
#define ML_CLUSTER_PARITY_OPTIONS_H

#include "ns3/chunk-order-scheduler.h"
#include "ns3/collective-type.h"

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
 * An algorithm as ASTRA-sim's system files name it.
 */
struct ParityAlgorithm
{
    /// The message pattern.
    enum class Kind
    {
        Ring,            ///< "ring"
        Direct,          ///< "direct" and "direct<W>"
        HalvingDoubling, ///< "halvingDoubling"
        DoubleBinaryTree ///< "doubleBinaryTree"
    };

    Kind kind{Kind::Ring}; ///< pattern
    uint32_t window{0};    ///< Direct: messages in flight of one rank; 0: to all others at once
    bool isOne{false};     ///< "one...": over all ranks in the order of their numbers

    /**
     * @param type operation
     * @param size members of the group
     * @param isFlat whether the group is smaller than the network
     * @return why the algorithm cannot do it, or "" if it can
     */
    std::string WhyNot(CollectiveType type, uint32_t size, bool isFlat) const;
};

/**
 * @ingroup ml-cluster
 * Where a chunk phase is placed among those that wait for a dimension (ASTRA-sim's intra-dimension
 * policies). All-reduce and all-to-all phases go to the end in any case.
 */
enum class ParityQueuePolicy
{
    Fifo,                   ///< "FIFO": at the end
    Alternating,            ///< "RG": so that reduce-scatter and all-gather alternate
    SmallestFirst,          ///< "SCF": before larger ones; at the end if one phase is to follow
    LessRemainingPhaseFirst ///< before those of chunks with as many phases to follow or more
};

/**
 * @ingroup ml-cluster
 * The parameters of ASTRA-sim's state machine, with its conventions: whole nanoseconds, and
 * floating-point rates where it computes in floating point.
 */
struct ParityOptions
{
    /// Per operation one algorithm per network dimension, dimension 0 first; fewer than dimensions:
    /// the others are not used. One that isOne stands alone.
    std::map<CollectiveType, std::vector<ParityAlgorithm>> algorithms;
    /// Per operation the prefix of the Chakra files that take its place, PREFIX.POSITION.et.
    std::map<CollectiveType, std::string> customOfType;
    std::map<uint64_t, std::string> customOfNode; ///< likewise per node id; comes first
    bool localBandwidthAware{false}; ///< all-reduce as reduce-scatters, one all-reduce,
                                     ///< all-gathers; else an all-reduce per dimension
    ChunkOrderPolicy chunkOrder{ChunkOrderPolicy::Ascending}; ///< order of a chunk's dimensions
    ParityQueuePolicy queuePolicy{ParityQueuePolicy::Fifo};   ///< order of a dimension's chunks
    /// Of one link of each dimension, any unit, for the greedy orders; empty: the topology's, which
    /// are rounded.
    std::vector<double> bandwidths;
    uint64_t splits{1};       ///< chunks a collective is cut into, at least 1 (see ParityPlan)
    uint64_t activeChunks{1}; ///< chunk phases at once in one dimension of one rank, at least 1
    uint64_t queuesPerDimension{1}; ///< logical queues of a dimension, at least 1
    uint64_t endpointDelayNs{10};   ///< before a message may be sent, and after one is received
    double localMemoryBandwidth{0}; ///< bytes per second, above 0: reductions and roofline
    double peakFlops{0};            ///< roofline peak, floating-point operations per second
    bool roofline{false};         ///< compute nodes take the roofline's time, not the measured one
    bool replayOnly{false};       ///< every node takes its measured time, nothing is sent
    bool rendezvous{false};       ///< a receiver asks for each message with one of 8192 bytes
    uint64_t remoteLatencyNs{0};  ///< of a remote memory access
    uint64_t remoteBytesPerNs{1}; ///< rate of a remote memory, 1 to MAX_REMOTE_BYTES_PER_NS
    /// Consecutive ranks whose accesses to a remote memory come one after the other, at least 1;
    /// MemoryQueues::ALL: all.
    uint32_t npusPerRemoteMemory{1};

    /// Largest remoteBytesPerNs: its bit/s must be countable.
    static constexpr uint64_t MAX_REMOTE_BYTES_PER_NS{2'000'000'000};
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_OPTIONS_H
