/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_REPORT_H
#define ML_CLUSTER_PLAN_REPORT_H

#include "memory-footprint.h"
#include "rank-shape.h"
#include "workload-tally.h"

#include "ns3/cluster-topology.h"
#include "ns3/report-table.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a plan means before anything is simulated: who communicates with whom and where that lies in
 * the network, what is communicated in a step, what each stage computes and whether it fits in
 * memory.
 *
 * Collectives, messages and operations are counted in graphs (TransformerGenerator); beside them
 * stand the formulas of PlanTraffic, whose symbols the text explains. Sizes are those of
 * Chakra traces (see PlanTraffic). All counts are linear in the number of micro-batches, so that of
 * many not more than twice the smallest number that the schedule allows are generated.
 */
class PlanReport
{
  public:
    /**
     * @param model the model
     * @param plan how it is trained
     * @param topology the network; null to leave out where groups lie
     * @param capacityBytes memory of an NPU; 0 to compare with none
     * @throw InputError if model, plan and network do not fit together, or numbers get too large
     */
    PlanReport(const TransformerModel& model,
               const ParallelPlan& plan,
               const ClusterTopology* topology,
               uint64_t capacityBytes);

    /// @param os receives all tables, with rounded numbers, and what the symbols mean
    void Print(std::ostream& os) const;
    /// @param os receives the table of what is communicated, as CSV with exact numbers
    void WriteTrafficCsv(std::ostream& os) const;
    /// @param os receives the table of stages, as CSV with exact numbers
    void WriteStageCsv(std::ostream& os) const;

    /// @return stages that need more memory than an NPU has
    const std::vector<uint32_t>& GetStagesWithoutRoom() const;

  private:
    using Key = WorkloadTally::Key; ///< family and operation

    /// What a stage does.
    struct Stage
    {
        std::string layers;      ///< its layers
        double parameters;       ///< of a rank, before they are sharded
        MemoryFootprint memory;  ///< of a rank, with the most loaded experts
        uint64_t nRanks{0};      ///< its ranks
        double operations{0};    ///< most of a rank
        double allOperations{0}; ///< of all its ranks
    };

    void AddStages(); ///< Finds what the stages have.
    void AddWork();   ///< Finds what the stages compute.
    /// @param microBatches so many @return the workload
    ClusterWorkload Generate(uint32_t microBatches) const;
    /// @param topology the network, or null @return what graphs have
    WorkloadTally Count(const ClusterTopology* topology) const;
    /// @param key family and operation @return per formula of its bytes the stages it is of
    std::map<std::string, std::vector<uint32_t>> GetFormulas(const Key& key) const;
    /// @param isExact whether for programs, with exact numbers @return what stages do
    ReportTable MakeStageTable(bool isExact) const;
    /// @param os receives the formulas of what is communicated
    void PrintFormulas(std::ostream& os) const;
    /// @param os receives the parts of the fullest stage's memory
    void PrintMemory(std::ostream& os) const;
    /// @param os receives what symbols mean
    void PrintSymbols(std::ostream& os) const;

    RankShape m_shape;                                  ///< model and plan
    uint64_t m_capacityBytes;                           ///< memory of an NPU
    WorkloadTally m_tally;                              ///< what graphs have
    std::map<Key, std::vector<std::string>> m_formulas; ///< per stage, "" if it has none
    std::vector<Stage> m_stages;                        ///< by number
    std::vector<uint32_t> m_withoutRoom;                ///< stages that need too much memory
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_REPORT_H
