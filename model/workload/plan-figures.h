/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_FIGURES_H
#define ML_CLUSTER_PLAN_FIGURES_H

#include "ns3/amount.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A part of what one rank communicates in a training step. Sizes are those of buffers: all-reduce
 * and all-to-all the buffer of a rank, reduce-scatter its input, all-gather the shard of a rank.
 */
struct TrafficTerm
{
    std::string family;    ///< family of groups, "" for all ranks
    std::string operation; ///< "all-reduce", ..., or "send"
    std::string formula;   ///< in symbols that are explained elsewhere
    uint64_t bytes;        ///< its value
};

/**
 * @ingroup ml-cluster
 * A part of the memory that training takes on a rank.
 */
struct MemoryPart
{
    std::string name;    ///< "weights", "gradients", "activations", ...
    uint64_t bytes;      ///< size
    std::string formula; ///< how it comes about, in symbols that are explained elsewhere
};

/**
 * @ingroup ml-cluster
 * What a training step takes, as formulas of model and plan alone: nothing is read from the graphs,
 * which have to agree (see WorkloadTally).
 */
class PlanFigures
{
  public:
    /// @param family of groups @param operation what @param formula of its size @param bytes most
    /// of a rank; left out if 0
    void AddTraffic(const std::string& family,
                    const std::string& operation,
                    const std::string& formula,
                    Amount bytes);
    /// @param name of a part @param formula of its size @param bytes size; left out if 0
    void AddMemory(const std::string& name, const std::string& formula, Amount bytes);

    const std::vector<TrafficTerm>& GetTraffic() const; ///< @return terms, as added
    const std::vector<MemoryPart>& GetMemory() const;   ///< @return parts of the fullest rank
    uint64_t GetMemoryBytes() const;                    ///< @return bytes of all parts
    /**
     * @param os receives all parts
     * @param capacityBytes memory of an NPU to compare with; 0: none
     */
    void Print(std::ostream& os, uint64_t capacityBytes) const;

    double modelOperations{0}; ///< of the model's products of matrices in a step, all ranks
    std::string symbols;       ///< what symbols of formulas mean, lines

  private:
    std::vector<TrafficTerm> m_traffic; ///< of a rank
    std::vector<MemoryPart> m_memory;   ///< of the fullest rank
};

/// @ingroup ml-cluster
/// @param os receives a table @param parts its lines
void PrintMemoryParts(std::ostream& os, const std::vector<MemoryPart>& parts);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_FIGURES_H
