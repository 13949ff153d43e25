/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_AICB_WORKLOAD_H
#define ML_CLUSTER_AICB_WORKLOAD_H

#include "workload-generator.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The work that a workload log of AICB tells (see ReadAicbLog), with the durations that it has. The
 * log is that of one step; it has no equal parts.
 */
class AicbWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    std::string Describe() const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

  private:
    std::string m_file;                                ///< File
    bool m_initialisation{false};                      ///< Initialisation
    std::shared_ptr<const ClusterWorkload> m_workload; ///< what the log tells
    std::unique_ptr<ClusterTopology> m_topology;       ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_AICB_WORKLOAD_H
