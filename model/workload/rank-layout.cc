/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-layout.h"

#include "ns3/diagnostics.h"
#include "ns3/word-list.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Coordinates = RankLayout::Coordinates; ///< of a rank

/// A kind of parallelism.
struct Kind
{
    const char* name;                   ///< in the rank order
    uint32_t ParallelPlan::* degree;    ///< in the plan
    uint32_t Coordinates::* coordinate; ///< of a rank
};

/// The four kinds.
constexpr std::array KINDS{
    Kind{"tensor", &ParallelPlan::tensor, &Coordinates::tensor},
    Kind{"context", &ParallelPlan::context, &Coordinates::context},
    Kind{"data", &ParallelPlan::data, &Coordinates::data},
    Kind{"pipeline", &ParallelPlan::pipeline, &Coordinates::pipeline},
};

/// Per family, the coordinates that the members of a group have in common.
const std::map<std::string, std::vector<uint32_t Coordinates::*>> COMMON{
    {"", {}},
    {"tensor", {&Coordinates::context, &Coordinates::data, &Coordinates::pipeline}},
    {"context", {&Coordinates::tensor, &Coordinates::data, &Coordinates::pipeline}},
    {"data", {&Coordinates::tensor, &Coordinates::pipeline}},
    {"pipeline", {&Coordinates::tensor, &Coordinates::context, &Coordinates::data}},
    {"embedding", {&Coordinates::tensor, &Coordinates::context, &Coordinates::data}},
    {"model", {&Coordinates::context, &Coordinates::data}},
    {"expert-tensor", {&Coordinates::expert, &Coordinates::expertData, &Coordinates::pipeline}},
    {"expert", {&Coordinates::expertTensor, &Coordinates::expertData, &Coordinates::pipeline}},
    {"expert-data", {&Coordinates::expertTensor, &Coordinates::expert, &Coordinates::pipeline}},
};

/// Largest number of ranks.
constexpr uint64_t MAX_RANKS = 1 << 24;

/// @param order a rank order @return its kinds @throw InputError if it is none
std::vector<Kind>
ParseOrder(const std::string& order)
{
    std::vector<Kind> kinds;
    for (const auto& word : SplitWords(order, '-'))
    {
        for (const auto& kind : KINDS)
        {
            if (word == kind.name && std::none_of(kinds.begin(), kinds.end(), [&](const Kind& k) {
                    return word == k.name;
                }))
            {
                kinds.push_back(kind);
            }
        }
    }
    if (kinds.size() != KINDS.size() || SplitWords(order, '-').size() != KINDS.size())
    {
        throw InputError("\"" + order +
                         "\" is no rank order; allowed is each of tensor, context, data and "
                         "pipeline once, fastest first, such as tensor-context-data-pipeline");
    }
    return kinds;
}

} // namespace

RankLayout::RankLayout(const ParallelPlan& plan)
{
    const auto kinds = ParseOrder(plan.rankOrder);
    for (std::size_t i = 0; i < kinds.size(); ++i)
    {
        const uint32_t degree = plan.*kinds[i].degree;
        m_nRanks *= degree;
        if (m_nRanks == 0 || m_nRanks > MAX_RANKS)
        {
            throw InputError("tensor x context x pipeline x data must give 1 to 2^24 ranks; the " +
                             std::string(kinds[i].name) + " degree is " + std::to_string(degree));
        }
        m_axes[i] = {kinds[i].coordinate, degree};
    }
    const uint32_t nExpertTensor = plan.GetExpertTensor();
    if (nExpertTensor != 1 && nExpertTensor != plan.tensor)
    {
        throw InputError("the tensor degree of experts is " + std::to_string(nExpertTensor) +
                         "; allowed are 1 and that of the plan, " + std::to_string(plan.tensor));
    }
    m_isTensorOfExperts = nExpertTensor == plan.tensor;
    const uint64_t nExpertRanks = m_nRanks / plan.pipeline / nExpertTensor;
    if (plan.expert == 0 || nExpertRanks % plan.expert != 0)
    {
        throw InputError("the expert degree is " + std::to_string(plan.expert) +
                         "; it must divide the " + std::to_string(nExpertRanks) +
                         " ranks of a stage that experts are spread over, data x context" +
                         (m_isTensorOfExperts ? "" : " x tensor"));
    }
    m_groupSizes = {{"", m_nRanks},
                    {"tensor", plan.tensor},
                    {"context", plan.context},
                    {"data", plan.data * plan.context},
                    {"pipeline", plan.pipeline},
                    {"embedding", std::min(plan.pipeline, 2U)},
                    {"model", plan.tensor * plan.pipeline},
                    {"expert-tensor", nExpertTensor},
                    {"expert", plan.expert},
                    {"expert-data", nExpertRanks / plan.expert}};
}

uint32_t
RankLayout::GetNRanks() const
{
    return m_nRanks;
}

RankLayout::Coordinates
RankLayout::GetCoordinates(uint32_t rank) const
{
    Coordinates coordinates;
    uint32_t place = 0;
    uint32_t stride = 1;
    for (const auto& [coordinate, size] : m_axes)
    {
        const uint32_t digit = rank % size;
        rank /= size;
        coordinates.*coordinate = digit;
        const bool isTensor = coordinate == &Coordinates::tensor;
        if (coordinate != &Coordinates::pipeline && !(isTensor && m_isTensorOfExperts))
        {
            place += digit * stride;
            stride *= size;
        }
    }
    const uint32_t nExpert = m_groupSizes.at("expert");
    coordinates.expertTensor = m_isTensorOfExperts ? coordinates.tensor : 0;
    coordinates.expert = place % nExpert;
    coordinates.expertData = place / nExpert;
    return coordinates;
}

std::vector<std::string>
RankLayout::GetFamilies()
{
    std::vector<std::string> families;
    for (const auto& entry : COMMON)
    {
        families.push_back(entry.first);
    }
    return families;
}

uint32_t
RankLayout::GetGroupSize(const std::string& family) const
{
    return m_groupSizes.at(family);
}

bool
RankLayout::AreExpertsLikeDense() const
{
    return GetGroupSize("expert") == 1 && m_isTensorOfExperts;
}

std::vector<std::vector<uint32_t>>
RankLayout::GetGroups(const std::string& family) const
{
    const auto numbers = GetNumbers(family);
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t rank = 0; rank < m_nRanks; ++rank)
    {
        const uint32_t stage = GetCoordinates(rank).pipeline;
        groups.resize(std::max<std::size_t>(groups.size(), numbers[rank] + 1));
        if (family != "embedding" || stage == 0 || stage + 1 == GetGroupSize("pipeline"))
        {
            groups[numbers[rank]].push_back(rank);
        }
    }
    return groups;
}

std::vector<uint32_t>
RankLayout::GetNumbers(const std::string& family) const
{
    const auto& common = COMMON.at(family);
    std::map<std::vector<uint32_t>, uint32_t> numberOf;
    std::vector<uint32_t> numbers;
    for (uint32_t rank = 0; rank < m_nRanks; ++rank)
    {
        const Coordinates coordinates = GetCoordinates(rank);
        std::vector<uint32_t> key;
        for (const auto coordinate : common)
        {
            key.push_back(coordinates.*coordinate);
        }
        numbers.push_back(numberOf.emplace(key, numberOf.size()).first->second);
    }
    return numbers;
}

} // namespace mlcluster
} // namespace ns3
