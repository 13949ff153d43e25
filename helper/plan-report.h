/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_REPORT_H
#define ML_CLUSTER_PLAN_REPORT_H

#include "report-table.h"

#include "ns3/cluster-topology.h"
#include "ns3/cluster-workload.h"
#include "ns3/memory-footprint.h"
#include "ns3/rank-shape.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
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
 * Collectives, messages and operations are counted in the graphs; beside them stand the formulas of
 * PlanTraffic, whose symbols the text explains. Sizes are those of buffers (see PlanTraffic).
 */
class PlanReport
{
  public:
    /**
     * @param shape model and plan, checked (see TrainingChecker)
     * @param workload that they give (see TransformerGenerator)
     * @param topology the network; null to leave out where groups lie
     * @param capacityBytes memory of an NPU; 0 to compare with none
     * @throw InputError if the network has another number of ranks
     */
    PlanReport(const RankShape& shape,
               const ClusterWorkload& workload,
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
    /// What all ranks do over one family of groups with one operation.
    struct Traffic
    {
        uint64_t fewest{UINT64_MAX}; ///< nodes of a rank that has some
        uint64_t most{0};            ///< nodes of a rank
        double bytesPerRank{0};      ///< most of a rank
        double bytes{0};             ///< of all ranks
    };

    /// A family of groups.
    struct Family
    {
        std::size_t nGroups; ///< groups
        uint32_t nMembers;   ///< members of each
        std::string where;   ///< where they lie
    };

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

    using Key = std::pair<std::string, std::string>; ///< family and operation

    /// @param topology the network, or null; finds what groups there are
    void AddFamilies(const ClusterTopology* topology);
    void AddStages(); ///< Finds what the stages have.
    /// @param workload whose graphs are counted
    void AddTraffic(const ClusterWorkload& workload);
    /// @param workload the workload @param rank a rank @param nRanks ranks with its graph; counts
    /// what it has
    void AddGraph(const ClusterWorkload& workload, uint32_t rank, uint64_t nRanks);
    /// @param key family and operation @return per formula of its bytes the stages it is of
    std::map<std::string, std::vector<uint32_t>> GetFormulas(const Key& key) const;
    ReportTable MakeTrafficTable() const; ///< @return what is communicated
    /// @param isExact whether for programs, with exact numbers @return what stages do
    ReportTable MakeStageTable(bool isExact) const;
    /// @param os receives the table of groups
    void PrintFamilies(std::ostream& os) const;
    /// @param os receives the formulas of what is communicated
    void PrintFormulas(std::ostream& os) const;
    /// @param os receives the parts of the fullest stage's memory
    void PrintMemory(std::ostream& os) const;
    /// @param os receives what symbols mean
    void PrintSymbols(std::ostream& os) const;

    RankShape m_shape;                                  ///< model and plan
    uint32_t m_nRanks;                                  ///< ranks
    uint64_t m_capacityBytes;                           ///< memory of an NPU
    std::map<std::string, Family> m_families;           ///< by name
    std::map<Key, Traffic> m_traffic;                   ///< by family and operation
    std::map<Key, std::vector<std::string>> m_formulas; ///< per stage, "" if it has none
    std::vector<Stage> m_stages;                        ///< by number
    std::vector<uint32_t> m_withoutRoom;                ///< stages that need too much memory
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_REPORT_H
