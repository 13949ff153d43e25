/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_REPORT_H
#define ML_CLUSTER_RUN_REPORT_H

#include "training-rates.h"

#include "ns3/collective-type.h"
#include "ns3/shared-text.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Where one rank's time went, ps. The six parts from compute to idle add up to the finish time of
 * the run; waiting at the end counts as idle. A moment belongs to the first of these that is going
 * on: compute, communication, remote memory, local memory, host, nothing. Overlapped communication
 * is part of compute: exposed and overlapped communication make up the time in which any
 * communication is going on.
 */
struct RankReport
{
    uint32_t rank{0};                     ///< the rank
    int64_t finishTimePs{0};              ///< end of its last node
    int64_t computePs{0};                 ///< compute stream busy
    int64_t exposedCommunicationPs{0};    ///< communication pending, no compute
    int64_t exposedMemoryPs{0};           ///< access to remote memory, neither of those
    int64_t exposedLocalMemoryPs{0};      ///< access to local memory, none of those
    int64_t hostPs{0};                    ///< host stream busy, none of those
    int64_t idlePs{0};                    ///< none of those
    int64_t overlappedCommunicationPs{0}; ///< communication pending under compute
    uint64_t peakLocalMemoryBytes{0};     ///< most that local memory held (MemoryOccupancy); 0: its
                                          ///< capacity is not known
    uint64_t spilledBytes{0};             ///< of loads, that did not fit in it

    int64_t GetSumPs() const; ///< @return what the parts add up to
};

/**
 * @ingroup ml-cluster
 * What communication of one kind and group took of a rank's time, ps. Kinds and groups overlap, so
 * the times of several do not add up to those of the rank.
 */
struct CommunicationReport
{
    uint32_t rank{0};         ///< the rank
    bool isCollective{false}; ///< collectives, else sends and receives
    std::string group;        ///< group, or family of groups, as the nodes name it; "" if none
    int64_t busyPs{0};        ///< some of it pending
    int64_t exposedPs{0};     ///< some of it pending, no compute

    std::string GetKind() const; ///< @return "collectives" or "messages"
};

/// @param group name of a group @return it, or what it has in common with groups that are numbered
/// like it: "data.3" and "data.0" are "data.*" @ingroup ml-cluster
std::string GetGroupFamily(const std::string& group);

/// One collective of a run, over all its members. @ingroup ml-cluster
struct CollectiveReport
{
    SharedText name;                                ///< name of the node on the first member
    CollectiveType type{CollectiveType::AllReduce}; ///< operation
    SharedText group;                               ///< group name as written; "" means all ranks
    uint64_t bytes{0};           ///< size as in the trace (all-gather: shard of one rank); of an
                                 ///< all-to-all of unequal sizes what the rank that sends most has
    uint32_t ranks{0};           ///< members; if dimensions are left out, those that meet
    int64_t startPs{0};          ///< first member starts
    int64_t endPs{0};            ///< last member ends
    int64_t bandwidthBoundPs{0}; ///< lower bound from bandwidth (CollectiveBounds), ps; 0 if the
                                 ///< group is no sub-box, or memory carries it
    int64_t latencyBoundPs{0};   ///< likewise, from latency
    double utilisation{0};       ///< share of the bandwidth used (CollectiveBounds); likewise

    /// @return nccl-tests' size: bytes, or ranks x bytes for an all-gather or gather
    uint64_t GetBusBytes() const;
    /// @return algorithm bandwidth, 10^9 B/s: nccl-tests' size / time; 0 if it took no time
    double GetAlgorithmBandwidth() const;
    /**
     * @return bus bandwidth, 10^9 B/s (nccl-tests): algorithm bandwidth times 2(n-1)/n for
     *         all-reduce, (n-1)/n for all-gather, reduce-scatter, all-to-all, gather and scatter, 1
     *         for others
     */
    double GetBusBandwidth() const;
};

/// One directed link of a run. @ingroup ml-cluster
struct LinkReport
{
    uint32_t link{0};          ///< index
    std::string from;          ///< vertex name
    std::string to;            ///< vertex name
    uint32_t dimension{0};     ///< network dimension
    uint64_t bitRate{0};       ///< bit/s
    uint64_t payloadBytes{0};  ///< message bytes
    uint64_t wireBytes{0};     ///< bytes on the wire
    int64_t busyPs{0};         ///< time sending, ps
    double utilisation{0};     ///< busyPs / finish time of the run; 0 if that is 0
    uint64_t maxQueueBytes{0}; ///< largest queue at its sending end
};

/// What a memory, or a link to it, has carried in a run, for all NPUs together. @ingroup ml-cluster
struct MemoryReport
{
    std::string name;          ///< "local memory" is the NPUs' own; others as MemoryUsage has them
    uint64_t loadedBytes{0};   ///< by memory nodes, towards NPUs
    uint64_t storedBytes{0};   ///< by memory nodes, from NPUs
    uint64_t computedBytes{0}; ///< by compute nodes of a roofline, either way (local memory)

    /// @return whether it has carried anything
    bool IsUsed() const;
};

/// What was computed phase by phase instead of message by message, in chunk phases of collectives.
/// @ingroup ml-cluster
struct PhaseReport
{
    uint64_t computed{0};                         ///< phases computed
    uint64_t overlapped{0};                       ///< of these, beside other traffic: not exact
    std::map<std::string, uint64_t> byMessages{}; ///< phases that fell back to messages, by reason

    /// @return phases that fell back
    uint64_t GetFallenBack() const;
    /// @return one line for the user, such as "512 phases computed, 0 fell back to messages"
    std::string Describe() const;
};

/// Equal parts of a run, such as micro-batches, that were proven to repeat and were not simulated.
/// @ingroup ml-cluster
struct RepeatReport
{
    uint64_t simulated{0}; ///< parts simulated
    uint64_t skipped{0};   ///< further parts, whose times and bytes were added
    uint64_t unit{1};      ///< parts that make up a period
    int64_t periodPs{0};   ///< time a period adds, ps; 0: a signal came before that was known

    /// @return one line for the user, such as "8 of 1024 repetitions simulated, 1 adds 2.5ms"
    std::string Describe() const;
};

/// Everything one simulation run gave. @ingroup ml-cluster
struct RunReport
{
    std::string backend;         ///< short name, "analytical" or "packet"
    std::string description;     ///< NetworkBackend::Describe
    int64_t finishTimePs{0};     ///< end of the last node of all ranks
    double wallSeconds{0};       ///< wall time of the simulation
    uint64_t events{0};          ///< simulator events executed
    uint64_t peakMemoryBytes{0}; ///< largest resident size of the process so far
    uint64_t nodeFileBytes{0};   ///< nodes that did not fit in memory, as they lie in a temporary
                                 ///< file
    bool partial{false};         ///< stopped by a signal before the end
    double operations{0}; ///< floating-point operations of the accelerators in the graphs of all
                          ///< ranks
    std::optional<TrainingFigures> training;        ///< what is trained, if the caller has told
    std::vector<std::string> memoryRemarks;         ///< MemoryModel::GetRemarks
    std::optional<PhaseReport> phases;              ///< with phase granularity
    std::optional<RepeatReport> repeats;            ///< if parts of the run were not simulated
    std::vector<RankReport> ranks;                  ///< by rank
    std::vector<CommunicationReport> communication; ///< by rank, messages before collectives, group
    std::vector<CollectiveReport> collectives;      ///< by start, then name
    std::vector<LinkReport> links;                  ///< by index
    std::vector<MemoryReport> memory; ///< local memory first; none that nothing has used

    /// @param usage of local memory by one rank, is added to that of others
    void AddLocalMemory(const MemoryReport& usage);
};

/// One run against another of the same workload. @ingroup ml-cluster
struct RunComparison
{
    std::string backend;   ///< the run compared
    std::string reference; ///< the run it is compared with
    /// (finish - reference finish) / reference finish; 0 if both are 0
    double finishRelativeError{0};
};

/**
 * @ingroup ml-cluster
 * @param runs at least one run
 * @return every further run against the first; partial runs are left out
 */
std::vector<RunComparison> CompareRuns(const std::vector<RunReport>& runs);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_REPORT_H
