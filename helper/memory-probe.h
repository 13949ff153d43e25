/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_PROBE_H
#define ML_CLUSTER_MEMORY_PROBE_H

#include "experiment-config.h"

#include "ns3/cluster-workload.h"
#include "ns3/memory-pool-access.h"
#include "ns3/memory-pool-shape.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Accesses of all NPUs of an experiment to its memory, each alone and from an idle start, beside
 * the closed form. An access is one of
 *
 * | access | each NPU |
 * |---|---|
 * | load, store | its own tensor |
 * | gather | a share of a tensor that all get, gathered by the memory's switches |
 * | load + all-gather | likewise, but loads its share and communicates |
 * | reduce | a tensor; a share of the sum of all is stored, added up by the memory's switches |
 * | reduce-scatter + store | likewise, but communicates and stores its share |
 *
 * A size is what each NPU gets, or gives, in the end: its own tensor, or the whole one.
 *
 * The closed form of an access to a memory pool is that of ComputeMemoryPoolTime, of another memory
 * with latency L, rate B and k NPUs at each memory k (L + bytes / B); of a collective beside it
 * both bounds of CollectiveBounds, which a direct exchange over one Switch meets, or the exchange
 * on the pool's links if these carry it.
 */
class MemoryProbe
{
  public:
    /// What an access took.
    struct Point
    {
        std::string access;       ///< which
        uint64_t bytes{0};        ///< that each NPU gets or gives: a multiple of NPUs if shared
        int64_t timePs{0};        ///< of the access, simulated
        int64_t formulaPs{0};     ///< by the closed form; 0: none
        std::string bottleneck{}; ///< slowest hop of the pool; "" if there is no pool
        double fill{0};           ///< share of the pool's time to fill and drain its pipeline
        uint64_t rounds{0};       ///< of the pool's pipeline

        /// @return bytes per ns
        double GetRate() const;
    };

    /// @param config an experiment whose attributes are in force (ApplyAttributes); its workload is
    /// not used
    explicit MemoryProbe(const ExperimentConfig& config);

    /// @return words for accesses
    static const std::vector<std::string>& GetAccesses();

    /// @return those of them that the memory can do
    std::vector<std::string> GetPossibleAccesses() const;

    /**
     * Runs an access.
     * @param access one of GetAccesses
     * @param bytes size, rounded up to a multiple of the NPUs if they share the tensor
     * @return what it took
     * @throw InputError if there is no such access, the memory cannot do it, or the run cannot
     * finish
     */
    Point Measure(const std::string& access, uint64_t bytes) const;

  private:
    /// @param access which @param bytes size @return what the NPUs do, without what is together
    std::shared_ptr<const ClusterWorkload> MakeWorkload(const std::string& access,
                                                        uint64_t bytes) const;
    /// @param run of the access @param point receives the closed form, has access and bytes
    void AddFormula(const RunReport& run, Point& point) const;
    /// @param point likewise @return its time in memory that is no pool, ps
    int64_t GetFormulaWithoutPool(const Point& point) const;
    /// @param shape a pool @param point likewise
    void AddPoolFormula(const MemoryPoolShape& shape, Point& point) const;
    /// @param name an attribute of the memory @return its text; "" if it has no such attribute
    std::string GetAttribute(const std::string& name) const;

    ExperimentConfig m_config; ///< the experiment
    uint32_t m_nRanks;         ///< NPUs
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_PROBE_H
