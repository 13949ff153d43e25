/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-scopes.h"

#include <set>

namespace ns3
{
namespace mlcluster
{

TextScopes::TextScopes(const TextWorkload& workload,
                       const ClusterTopology& topology,
                       const LibraCommunicators& communicators)
    : m_workload(workload),
      m_topology(topology),
      m_communicators(communicators)
{
    const std::map<Role, std::string> names{{Role::None, ""},
                                            {Role::All, ""},
                                            {Role::FirstDimension, ""},
                                            {Role::Others, ""},
                                            {Role::Model, "tensor"},
                                            {Role::Data, "data"},
                                            {Role::Expert, "expert"},
                                            {Role::ExpertData, "expert-data"},
                                            {Role::Forward, "forward"},
                                            {Role::InputGradient, "input-gradient"},
                                            {Role::WeightGradient, "weight-gradient"}};
    m_self.involvedDimensions.assign(topology.GetNDimensions(), false);
    CheckDegrees();
    std::set<Role> roles;
    for (std::size_t i = 0; i < workload.layers.size(); ++i)
    {
        for (const Pass pass : {Pass::Forward, Pass::InputGradient, Pass::WeightGradient})
        {
            roles.insert(GetRole(i, pass));
        }
    }
    for (const Role role : roles)
    {
        Make(role, names.at(role));
    }
}

const TextScopes::Scope&
TextScopes::Get(std::size_t layer, Pass pass) const
{
    return m_scopes.at(GetRole(layer, pass));
}

const TextScopes::Scope&
TextScopes::GetSelf() const
{
    return m_self;
}

const CommunicatorGroups&
TextScopes::GetGroups() const
{
    return m_groups;
}

const GroupFamilies&
TextScopes::GetFamilies() const
{
    return m_families;
}

void
TextScopes::CheckDegrees() const
{
    const uint64_t nRanks = m_topology.GetNRanks();
    uint64_t rest = nRanks;
    bool fits = m_workload.ranks == 0 || m_workload.ranks == nRanks;
    for (const uint64_t degree :
         {m_workload.pipeline, m_workload.modelGroup, m_workload.expertGroup})
    {
        fits = fits && degree > 0 && rest % degree == 0;
        rest = fits ? rest / degree : rest;
    }
    if (!fits)
    {
        throw InputError(
            "the topology has " + std::to_string(nRanks) +
            " ranks; a model-parallel group (model_parallel_NPU_group) has " +
            std::to_string(m_workload.modelGroup) + ", an expert group (ep) " +
            std::to_string(m_workload.expertGroup) + ", the pipeline (pp) " +
            std::to_string(m_workload.pipeline) +
            " stages, whose product must divide "
            "the ranks" +
            (m_workload.ranks == 0
                 ? std::string()
                 : ", and the file is for " + std::to_string(m_workload.ranks) + " (all_gpus)"));
    }
}

TextScopes::Role
TextScopes::GetRole(TextPolicy policy, Pass pass)
{
    const bool isWeights = pass == Pass::WeightGradient;
    switch (policy)
    {
    case TextPolicy::Model:
    case TextPolicy::DistributedInference:
        return isWeights ? Role::None : Role::All;
    case TextPolicy::HybridDataModel:
        return isWeights ? Role::Others : Role::FirstDimension;
    case TextPolicy::HybridModelData:
        return isWeights ? Role::FirstDimension : Role::Others;
    case TextPolicy::HybridTransformer:
    case TextPolicy::HybridTransformerRecomputing:
        return isWeights ? Role::Data : Role::Model;
    case TextPolicy::WithoutOverlap:
        return isWeights               ? Role::WeightGradient
               : pass == Pass::Forward ? Role::Forward
                                       : Role::InputGradient;
    default:
        return isWeights ? Role::All : Role::None;
    }
}

TextScopes::Role
TextScopes::GetRole(std::size_t layer, Pass pass) const
{
    const TextLayer& at = m_workload.layers[layer];
    const TextPass& what = at.Get(pass);
    const bool isDlrm = m_workload.policy == TextPolicy::HybridDlrm ||
                        m_workload.policy == TextPolicy::HybridDlrmEnhanced;
    if (what.suffix != TextPass::Suffix::None)
    {
        return what.suffix == TextPass::Suffix::Expert ? Role::Expert : Role::ExpertData;
    }
    if (isDlrm && layer == 0)
    {
        return Role::All;
    }
    const bool isOwn = m_workload.policy == TextPolicy::HybridCustomized;
    return GetRole(isOwn ? at.policy : m_workload.policy, pass);
}

std::vector<RankDigits::Digit>
TextScopes::GetDigits(const std::vector<uint32_t>& members, bool isOuter) const
{
    if (members.size() != m_topology.GetNDimensions())
    {
        throw InputError("a workload of LIBRA needs communicators, the members of a group in each "
                         "of the " +
                         std::to_string(m_topology.GetNDimensions()) +
                         " dimensions for each pass; given are " + std::to_string(members.size()));
    }
    std::vector<RankDigits::Digit> digits;
    for (uint32_t i = 0; i < members.size(); ++i)
    {
        const uint32_t size = m_topology.GetDimension(i).size;
        if (members[i] == 0 || size % members[i] != 0)
        {
            throw InputError(std::to_string(members[i]) + " members of dimension " +
                             std::to_string(i) + " do not divide its size, " +
                             std::to_string(size));
        }
        const uint64_t inner = isOuter ? size / members[i] : 1;
        digits.push_back({m_topology.GetStride(i) * inner, members[i]});
    }
    return digits;
}

std::vector<RankDigits::Digit>
TextScopes::GetDigits(Role role) const
{
    const uint64_t nRanks = m_topology.GetNRanks();
    const uint64_t first = m_topology.GetDimension(0).size;
    const uint64_t model = m_workload.modelGroup;
    const uint64_t expert = m_workload.expertGroup;
    const uint64_t stage = nRanks / m_workload.pipeline;
    switch (role)
    {
    case Role::None:
        return {};
    case Role::All:
        return {{1, nRanks}};
    case Role::FirstDimension:
        return {{1, first}};
    case Role::Others:
        return {{first, nRanks / first}};
    case Role::Model:
        return {{1, model}};
    case Role::Data:
        return {{model, stage / model}};
    case Role::Expert:
        return {{model, expert}};
    case Role::ExpertData:
        return {{model * expert, stage / (model * expert)}};
    case Role::Forward:
        return GetDigits(m_communicators.forward, false);
    case Role::InputGradient:
        return GetDigits(m_communicators.inputGradient, false);
    case Role::WeightGradient:
        return GetDigits(m_communicators.weightGradient, true);
    }
    return {};
}

void
TextScopes::Make(Role role, const std::string& family)
{
    const RankDigits digits(GetDigits(role), m_topology.GetNRanks());
    Scope& scope = m_scopes[role];
    scope.size = digits.GetSize();
    if (const auto involved = digits.FindDimensions(m_topology))
    {
        scope.involvedDimensions = *involved;
    }
    else
    {
        scope.group = family;
        digits.AddFamily(family, m_groups, m_families);
    }
}

} // namespace mlcluster
} // namespace ns3
