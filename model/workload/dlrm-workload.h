/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DLRM_WORKLOAD_H
#define ML_CLUSTER_DLRM_WORKLOAD_H

#include "dlrm-generator.h"
#include "workload-generator.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Training steps of a recommendation model, by its published name (FindDlrmModel) or by its sizes:
 * MLPs data-parallel on all NPUs, embedding tables as they are sharded. See MakeDlrmWorkload for
 * what is done, DlrmFigures for the formulas.
 *
 * Attributes of the plan are those of DlrmPlan. Lists have one entry for all tables, or one for
 * each.
 */
class DlrmWorkload : public WorkloadGenerator, private DlrmPlan
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId
    DlrmWorkload();
    ~DlrmWorkload() override;

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    uint64_t GetNRepetitions() const override;
    uint64_t GetRepetitionsToSettle() const override;
    std::optional<TrainingFigures> GetTraining() const override;
    std::string Describe() const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

    const DlrmModel& GetModel() const; ///< @return the model, complete after Setup

  private:
    /// @param diagnostics receives problems; makes the model
    void CompleteModel(Diagnostics& diagnostics);
    /// @param diagnostics receives problems; makes as many tables as there are to be
    void MakeTables(Diagnostics& diagnostics);
    /// @param diagnostics receives problems; tells how tables are divided
    void ShardTables(Diagnostics& diagnostics);
    /// @param diagnostics receives sizes that are missing or do not fit together
    void CheckSizes(Diagnostics& diagnostics) const;
    /// @param diagnostics receives tables that cannot be divided, or be where they are to be
    void CheckShards(Diagnostics& diagnostics) const;
    /// @param word ranks of a table, such as "3", "0+2" or "auto" @return them
    /// @throw InputError if they are none
    static std::vector<uint32_t> ParseRanks(const std::string& word);

    /**
     * Sets something of all tables.
     * @param attribute that tells it
     * @param values one for all, one each, or none: tables stay as they are
     * @param set takes a table and its value
     * @param diagnostics receives another number of values
     */
    template <typename T, typename Set>
    void ForTables(const std::string& attribute,
                   const std::vector<T>& values,
                   const Set& set,
                   Diagnostics& diagnostics);

    /// @param member of the plan @return it as one of the workload
    template <typename T>
    static T DlrmWorkload::* Of(T DlrmPlan::* member)
    {
        return member;
    }

    std::string m_modelName;                     ///< Model
    uint64_t m_vectorSize{0};                    ///< VectorSize
    uint32_t m_nTables{0};                       ///< Tables
    std::string m_rows;                          ///< Rows
    std::string m_pooling;                       ///< Pooling
    std::string m_sharding;                      ///< Sharding
    std::string m_shards;                        ///< Shards
    std::string m_ranks;                         ///< Ranks
    std::string m_bottom;                        ///< BottomWidths
    std::string m_top;                           ///< TopWidths
    DlrmModel m_model;                           ///< the model
    std::unique_ptr<ClusterTopology> m_topology; ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DLRM_WORKLOAD_H
