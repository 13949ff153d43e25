/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRAINING_LOOP_H
#define ML_CLUSTER_TRAINING_LOOP_H

#include "time-expression.h"

#include "ns3/cluster-topology.h"
#include "ns3/libra-communicators.h"
#include "ns3/loop-formula.h"
#include "ns3/text-workload.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The time of a text workload whose passes follow each other or overlap as a LoopFormula says.
 */
class TrainingLoop
{
  public:
    /// @param text a formula or a name of one @throw InputError naming the word that cannot be read
    explicit TrainingLoop(const std::string& text);

    static std::vector<std::string> GetNames(); ///< @return the names of formulas
    const std::string& GetFormula() const;      ///< @return the formula

    /**
     * @param workload layers whose sizes count as in LIBRA's and ASTRA-sim's
     * files
     * @param communicators who takes part, a number for each dimension of the
     * expression
     * @param cycleNs how long a cycle of compute takes, ns
     * @param time receives collectives and maxima
     * @param links the network, if a group that is a part of a block has only what lies between its
     * members (PartBandwidth::Links); null: all of the dimension's bandwidth
     * @return the time of a training step, to be added to it
     * @throw InputError if the communicators have another number of dimensions
     */
    TimeExpression::Sum Make(const TextWorkload& workload,
                             const LibraCommunicators& communicators,
                             double cycleNs,
                             TimeExpression& time,
                             const ClusterTopology* links = nullptr) const;

  private:
    class Builder; ///< makes an expression of it

    LoopFormula m_formula; ///< what it says
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRAINING_LOOP_H
