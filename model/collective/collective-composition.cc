/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-composition.h"

#include "in-network-algorithm.h"

#include "ns3/diagnostics.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @return names of the algorithms that can do it
std::vector<std::string>
FindPossibleNames(CollectiveType type, uint32_t size, bool hasSwitch)
{
    std::vector<std::string> names;
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        if (algorithm->WhyNot(type, size).empty() && (hasSwitch || !algorithm->NeedsSwitch()))
        {
            names.push_back(name);
        }
    }
    return names;
}

/// @return the algorithm names for a type, by topology dimension
std::vector<std::string>
GetNames(const CollectiveOptions& options, CollectiveType type)
{
    const auto found = options.algorithms.find(type);
    return found == options.algorithms.end() ? std::vector<std::string>() : found->second;
}

} // namespace

std::string
CollectiveComposition::GetFlatAlgorithm(const CollectiveOptions& options, CollectiveType type)
{
    const auto names = GetNames(options, type);
    return names.size() == 1 ? CollectiveOptions::GetFlatName(names[0]) : "";
}

CollectiveComposition::CollectiveComposition(const CollectiveGroup& group,
                                             const CollectiveOptions& options,
                                             const CollectiveCall& call)
    : m_group(group),
      m_type(call.type),
      m_hasMatrix(call.matrix != nullptr),
      m_isHierarchical(options.composition == "hierarchical")
{
    CheckWord("composition", options.composition, CollectiveOptions::GetCompositions());
    const auto names = GetNames(options, m_type);
    const std::string flat = GetFlatAlgorithm(options, m_type);
    for (uint32_t level = 0; level < m_group.GetLevels().size(); ++level)
    {
        const uint32_t k = m_group.GetLevels()[level].dimension;
        const bool isGiven = flat.empty() && k < names.size() && names[k] != "auto";
        if (call.algorithm)
        {
            m_algorithms.push_back(call.algorithm);
            m_isCut.push_back(false);
            continue;
        }
        AddLevel(level, isGiven ? names[k] : flat);
    }
}

void
CollectiveComposition::AddLevel(uint32_t level, const std::string& name)
{
    const uint32_t size = m_group.GetLevels()[level].size;
    const auto block = m_group.GetBlock(level).value_or(BuildingBlock::Ring);
    const std::string chosen = name.empty() ? GetDefault(level) : name;
    const bool isOneWay =
        chosen == "ring" && block != BuildingBlock::Ring && m_type != CollectiveType::AllToAll;
    auto algorithm = CollectiveAlgorithm::Create(isOneWay ? "ring-one-way" : chosen);
    m_isCut.push_back(m_type == CollectiveType::AllReduce && m_isHierarchical &&
                      algorithm->WhyNot(CollectiveType::ReduceScatter, size).empty() &&
                      algorithm->WhyNot(CollectiveType::AllGather, size).empty());
    const bool hasSwitch = m_group.GetInNetwork(level).enabled;
    std::string whyNot = algorithm->NeedsSwitch() && !hasSwitch
                             ? "it has no switches that reduce in the network"
                         : m_isCut.back() ? ""
                                          : algorithm->WhyNot(m_type, size);
    if (whyNot.empty() && m_hasMatrix)
    {
        whyNot = algorithm->WhyNotMatrix();
    }
    if (!whyNot.empty())
    {
        throw InputError(ToString(m_type) + " over " + std::to_string(size) + " members in " +
                         m_group.Describe(level) + ": algorithm \"" + chosen +
                         "\" is not possible, " + whyNot + "; possible are " +
                         JoinWords(FindPossibleNames(m_type, size, hasSwitch)));
    }
    m_algorithms.push_back(std::move(algorithm));
}

std::string
CollectiveComposition::GetDefault(uint32_t level) const
{
    const auto block = m_group.GetBlock(level);
    if (m_group.GetInNetwork(level).enabled && InNetworkAlgorithm().WhyNot(m_type, 2).empty())
    {
        return "in-network";
    }
    const bool isRing = block.value_or(BuildingBlock::Ring) == BuildingBlock::Ring;
    switch (m_type)
    {
    case CollectiveType::AllToAll:
        return block && isRing && !m_hasMatrix ? "relay" : "direct";
    case CollectiveType::Broadcast:
    case CollectiveType::Reduce:
        return isRing ? "ring" : "double-binary-tree";
    case CollectiveType::Gather:
    case CollectiveType::Scatter:
        return "direct";
    case CollectiveType::Barrier:
        return "recursive-doubling";
    default:
        break;
    }
    if (isRing)
    {
        return "ring";
    }
    return *block == BuildingBlock::FullyConnected ? "direct" : "halving-doubling";
}

std::vector<CollectiveComposition::Phase>
CollectiveComposition::MakeRoute(const std::vector<uint32_t>& order, bool isLastShared) const
{
    const auto isCut = [&](uint32_t level) {
        const bool isWhole = IsInNetwork(level) && isLastShared && level == order.back();
        return IsCut(level) && !isWhole;
    };
    std::vector<Phase> route;
    for (const uint32_t level : order)
    {
        const auto type = isCut(level) ? CollectiveType::ReduceScatter : m_type;
        route.push_back({type, level, m_algorithms[level]});
    }
    for (auto level = order.rbegin(); level != order.rend(); ++level)
    {
        if (isCut(*level))
        {
            route.push_back({CollectiveType::AllGather, *level, m_algorithms[*level]});
        }
    }
    return route;
}

bool
CollectiveComposition::IsCut(uint32_t level) const
{
    return m_isCut[level];
}

bool
CollectiveComposition::IsInNetwork(uint32_t level) const
{
    return m_algorithms[level]->NeedsSwitch();
}

} // namespace mlcluster
} // namespace ns3
