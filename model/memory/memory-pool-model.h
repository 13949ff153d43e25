/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_MODEL_H
#define ML_CLUSTER_MEMORY_POOL_MODEL_H

#include "memory-model.h"
#include "memory-pool-shape.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A memory pool that all NPUs share, as users describe it: the attributes are the values of a
 * MemoryPoolShape. NPU r is GPU r; consecutive ones make up the nodes.
 */
class MemoryPoolModel : public MemoryModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    MemoryPoolModel();
    ~MemoryPoolModel() override;

    /// @copydoc MemoryModel::Build
    void Build(uint32_t nRanks) override;
    /**
     * Reports every value of the attributes that makes no pool, and what MemoryModel::Prepare does.
     * Their keys are those of experiment files, "cluster.memory.pool.chunk".
     * @param workload see MemoryModel::Prepare
     * @param diagnostics receives problems
     */
    void Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                 Diagnostics& diagnostics) override;

    /// @return the pool, after Build; of use if Prepare found no problem
    const MemoryPoolShape& GetShape() const;

  protected:
    /// @param key of an attribute in experiment files, such as "chunk"; "" for all @return it with
    /// its section, as the place of a problem
    static Diagnostics::Place GetPlace(const std::string& key = "");
    /// @param shape the pool, where it is not what the attributes say
    void SetShape(const MemoryPoolShape& shape);
    /// @param diagnostics receives what is wrong with the attributes
    void CheckAttributes(Diagnostics& diagnostics) const;

  private:
    uint32_t m_groups;             ///< Groups
    uint32_t m_outSwitches;        ///< OutSwitches
    uint32_t m_gpusPerNode;        ///< GpusPerNode
    DataRate m_memoryBandwidth;    ///< MemoryBandwidth
    DataRate m_groupLinkBandwidth; ///< GroupLinkBandwidth
    DataRate m_nodeLinkBandwidth;  ///< NodeLinkBandwidth
    DataRate m_gpuLinkBandwidth;   ///< GpuLinkBandwidth
    Time m_memoryLatency;          ///< MemoryLatency
    Time m_groupLinkLatency;       ///< GroupLinkLatency
    Time m_nodeLinkLatency;        ///< NodeLinkLatency
    Time m_gpuLinkLatency;         ///< GpuLinkLatency
    uint64_t m_chunk;              ///< Chunk, bytes
    std::string m_rounds;          ///< Rounds
    DataRate m_outBackplane;       ///< OutBackplaneBandwidth
    DataRate m_inBackplane;        ///< InBackplaneBandwidth
    DataRate m_outAdder;           ///< OutAdderBandwidth
    DataRate m_inAdder;            ///< InAdderBandwidth
    uint32_t m_nRanks{0};          ///< NPUs
    MemoryPoolShape m_shape;       ///< the pool, after Build
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_MODEL_H
