/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_FILE_WORKLOAD_H
#define ML_CLUSTER_TEXT_FILE_WORKLOAD_H

#include "ns3/nstime.h"
#include "ns3/part-bandwidth.h"
#include "ns3/text-graph-options.h"
#include "ns3/text-workload.h"
#include "ns3/time-expression.h"
#include "ns3/workload-generator.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The work that a text file of layers describes: ASTRA-sim 1.0's format, LIBRA's or SimAI's (see
 * TextWorkloadReader), run as ASTRA-sim's training loop runs it, or as the graph of Chakra's
 * converter (see MakeTextWorkload).
 */
class TextFileWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) override;
    std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const override;
    uint64_t GetNRepetitions() const override;
    std::string Describe() const override;
    bool HasOperations() const override;
    void PrintPlan(std::ostream& os, uint64_t capacityBytes) const override;

    /// @return whether the time of a pass is a formula: with communicators, by a training loop or
    /// without overlap
    bool HasFormula() const;
    /// @param parts what groups have that are a part of a block @param time receives collectives
    /// and maxima @return the time of all passes; only if there is a formula
    TimeExpression::Sum MakeTime(PartBandwidth parts, TimeExpression& time) const;

  private:
    std::string m_file;           ///< File
    std::string m_dialect;        ///< Dialect
    std::string m_form;           ///< Form
    uint32_t m_passes;            ///< Passes
    double m_computeScale;        ///< ComputeScale
    double m_communicationScale;  ///< CommunicationScale
    Time m_cycle;                 ///< Cycle
    std::string m_scheduling;     ///< Scheduling
    std::string m_inputGradients; ///< InputGradients
    std::string m_trainingLoop;   ///< TrainingLoop
    std::string m_communicators;  ///< Communicators

    TextWorkload m_workload;                     ///< what the file says
    TextGraphOptions m_options;                  ///< how to run it
    std::unique_ptr<ClusterTopology> m_topology; ///< where
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_FILE_WORKLOAD_H
