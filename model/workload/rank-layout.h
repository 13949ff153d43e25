/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_LAYOUT_H
#define ML_CLUSTER_RANK_LAYOUT_H

#include "parallel-plan.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Where the ranks of a plan stand: rank = sum of coordinate x stride over the four kinds of
 * parallelism, in the plan's rank order (Megatron: tensor-context-data-pipeline, fastest first),
 * and which of them communicate with each other.
 *
 * Experts cut the ranks of a stage once more: expert-tensor fastest, then expert, then expert-data,
 * in rank order over data and context, and over tensor too if experts are not cut by tensor
 * parallelism (expertTensor = 1).
 *
 * Families of groups, members in ascending order, groups numbered by their first member. What the
 * members of a group have in common:
 *
 * - "", the group of all ranks: nothing;
 * - tensor, context, pipeline: all other coordinates;
 * - data: tensor and pipeline (so data x context ranks, which hold the same dense parameters);
 * - embedding: as pipeline, but only the first and the last stage;
 * - model: context and data (tensor x pipeline ranks, which hold one copy of the dense parameters);
 * - expert-tensor, expert, expert-data: stage and the other two coordinates of experts.
 */
class RankLayout
{
  public:
    /// Coordinates of a rank, each from 0 to its degree.
    struct Coordinates
    {
        uint32_t tensor{0};       ///< part of a layer
        uint32_t context{0};      ///< part of a sequence
        uint32_t data{0};         ///< part of the batch
        uint32_t pipeline{0};     ///< stage
        uint32_t expertTensor{0}; ///< part of an expert
        uint32_t expert{0};       ///< part of the experts
        uint32_t expertData{0};   ///< which of the ranks with the same part of the same experts
    };

    /**
     * @param plan degrees and rank order
     * @throw InputError if a degree is 0, there are more than 2^24 ranks, the rank order is no
     * order of the four kinds, expertTensor is not 0, 1 or tensor, or expert does not divide the
     * ranks it lies in
     */
    explicit RankLayout(const ParallelPlan& plan);

    uint32_t GetNRanks() const; ///< @return number of ranks
    /// @param rank a rank @return its coordinates
    Coordinates GetCoordinates(uint32_t rank) const;

    static std::vector<std::string> GetFamilies(); ///< @return names of all families
    /// @param family a family @return members of each of its groups
    uint32_t GetGroupSize(const std::string& family) const;
    /// @return whether the ranks that hold the same experts are those that hold the same parameters
    /// outside of experts
    bool AreExpertsLikeDense() const;
    /// @param family a family @return per group its members
    std::vector<std::vector<uint32_t>> GetGroups(const std::string& family) const;
    /// @param family a family @return per rank the number of its group; of a rank between the first
    /// and the last stage the number of the embedding group of its pipeline
    std::vector<uint32_t> GetNumbers(const std::string& family) const;

  private:
    /// One kind of parallelism.
    struct Axis
    {
        uint32_t Coordinates::* coordinate; ///< what it is called
        uint32_t size;                      ///< degree
    };

    std::array<Axis, 4> m_axes;                   ///< fastest first
    uint64_t m_nRanks{1};                         ///< product of the degrees
    bool m_isTensorOfExperts{false};              ///< whether experts are cut by the tensor degree
    std::map<std::string, uint32_t> m_groupSizes; ///< by family
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_LAYOUT_H
