/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-moe-figures.h"

#include "workload-tally.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

RemoteMoeFigures::RemoteMoeFigures(const RemoteMoeModel& model)
    : m_model(model),
      m_layers(model.layers),
      m_element(model.elementBytes),
      m_gradient(model.gradientBytes),
      m_dense(model.GetDenseParameters()),
      m_denseShare(model.GetDenseShare()),
      m_expertShare(model.GetExpertShare())
{
}

Amount
RemoteMoeFigures::GetShare() const
{
    return m_expertShare + m_denseShare;
}

PlanFigures
RemoteMoeFigures::Count() const
{
    PlanFigures figures;
    AddCollectives(figures);
    AddAccesses(figures);
    AddMemory(figures);
    AddSymbols(figures);
    const Amount tokens = Amount(m_model.ranks) * m_model.tokens;
    const Amount weights = m_dense + Amount(m_model.topExperts) * m_model.GetExpertParameters();
    figures.modelOperations = (tokens * m_layers * weights * m_model.operations * 3).GetReal();
    return figures;
}

void
RemoteMoeFigures::AddCollectives(PlanFigures& figures) const
{
    if (m_model.ranks == 1)
    {
        return;
    }
    figures.AddTraffic("",
                       ToString(CollectiveType::AllGather),
                       "2 L beta s (dense weights)",
                       m_layers * m_element * m_denseShare * 2);
    figures.AddTraffic("",
                       ToString(CollectiveType::AllToAll),
                       "4 L beta b k h (tokens)",
                       m_layers * m_model.GetDispatchBytes() * 4);
    figures.AddTraffic("",
                       ToString(CollectiveType::ReduceScatter),
                       "L gamma n s (dense gradients)",
                       m_layers * m_gradient * m_denseShare * m_model.ranks);
}

void
RemoteMoeFigures::AddAccesses(PlanFigures& figures) const
{
    const auto add = [&](uint32_t location,
                         NodeKind kind,
                         const std::string& formula,
                         Amount bytes,
                         bool always = false) {
        if (location != MemoryLocation::LOCAL || always)
        {
            figures.AddTraffic(WorkloadTally::GetMemoryName(location),
                               ToString(kind),
                               formula,
                               bytes);
        }
    };
    const Amount inputs = m_layers * m_model.GetInputBytes();
    const Amount states = m_layers * GetShare() * m_model.optimizerBytes;
    add(m_model.parameterLocation,
        NodeKind::MemoryLoad,
        "2 L beta (e P_e + s) (weights)",
        m_layers * m_element * GetShare() * 2);
    add(m_model.activationLocation, NodeKind::MemoryLoad, "L beta b h (inputs of layers)", inputs);
    add(m_model.optimizerLocation,
        NodeKind::MemoryLoad,
        "L o (e P_e + s) (optimizer states)",
        states,
        true);
    add(m_model.gradientLocation,
        NodeKind::MemoryStore,
        "L gamma (e P_e + s) (gradients)",
        m_layers * m_gradient * GetShare());
    add(m_model.activationLocation, NodeKind::MemoryStore, "L beta b h (inputs of layers)", inputs);
    add(m_model.optimizerLocation,
        NodeKind::MemoryStore,
        "L o (e P_e + s) (optimizer states)",
        states,
        true);
}

void
RemoteMoeFigures::AddMemory(PlanFigures& figures) const
{
    const auto isLocal = [](uint32_t location) { return location == MemoryLocation::LOCAL; };
    const uint64_t atHand = std::min<uint64_t>(m_model.layers, uint64_t{m_model.prefetch} + 1);
    if (isLocal(m_model.parameterLocation))
    {
        figures.AddMemory("weights", "L beta (e P_e + s)", m_layers * m_element * GetShare());
        figures.AddMemory("gathered weights", "m beta P_d", m_element * m_dense * atHand);
    }
    else
    {
        figures.AddMemory("weights of layers at hand",
                          "m beta (e P_e + P_d)",
                          m_element * (m_expertShare + m_dense) * atHand);
    }
    if (isLocal(m_model.gradientLocation))
    {
        figures.AddMemory("gradients", "L gamma (e P_e + s)", m_layers * m_gradient * GetShare());
    }
    figures.AddMemory("gradients of a layer",
                      "gamma (e P_e + n s)",
                      m_gradient * (m_expertShare + m_denseShare * m_model.ranks));
    if (isLocal(m_model.optimizerLocation))
    {
        figures.AddMemory("optimizer states",
                          "L o (e P_e + s)",
                          m_layers * GetShare() * m_model.optimizerBytes);
    }
    if (isLocal(m_model.activationLocation))
    {
        figures.AddMemory("inputs of layers", "L beta b h", m_layers * m_model.GetInputBytes());
    }
    figures.AddMemory("tokens for experts", "2 beta b k h", m_model.GetDispatchBytes() * 2);
}

void
RemoteMoeFigures::AddSymbols(PlanFigures& figures) const
{
    std::ostringstream os;
    os << "n = " << m_model.ranks << " ranks; L = " << m_model.layers
       << " layers of P_d = " << m_model.GetDenseParameters()
       << " dense parameters, s = " << m_model.GetDenseShare()
       << " of them on a rank, and experts of P_e = " << m_model.GetExpertParameters()
       << ", e = " << m_model.expertsPerRank << " on a rank\n"
       << "b = " << m_model.tokens << " tokens of h = " << m_model.GetHiddenSize()
       << " elements on a rank, each for k = " << m_model.topExperts
       << " experts; beta = " << m_model.elementBytes << ", gamma = " << m_model.gradientBytes
       << ", o = " << m_model.optimizerBytes << " bytes; m = min(L, prefetch + 1)\n";
    figures.symbols = os.str();
}

std::vector<MemoryPart>
RemoteMoeFigures::GetLayer() const
{
    PlanFigures parts;
    parts.AddMemory("weights of experts", "beta e P_e", m_element * m_expertShare);
    parts.AddMemory("dense weights, own share", "beta s", m_element * m_denseShare);
    parts.AddMemory("dense weights, gathered", "beta P_d", m_element * m_dense);
    parts.AddMemory("gradients of experts", "gamma e P_e", m_gradient * m_expertShare);
    parts.AddMemory("dense gradients, own share", "gamma s", m_gradient * m_denseShare);
    parts.AddMemory("optimizer states", "o (e P_e + s)", GetShare() * m_model.optimizerBytes);
    parts.AddMemory("input", "beta b h", m_model.GetInputBytes());
    parts.AddMemory("tokens for experts", "beta b k h", m_model.GetDispatchBytes());
    return parts.GetMemory();
}

std::map<uint32_t, std::vector<MemoryPart>>
RemoteMoeFigures::GetPlaced() const
{
    std::map<uint32_t, PlanFigures> parts;
    const Amount share = m_layers * GetShare();
    parts[m_model.parameterLocation].AddMemory("weights", "L beta (e P_e + s)", share * m_element);
    parts[m_model.gradientLocation].AddMemory("gradients",
                                              "L gamma (e P_e + s)",
                                              share * m_gradient);
    parts[m_model.optimizerLocation].AddMemory("optimizer states",
                                               "L o (e P_e + s)",
                                               share * m_model.optimizerBytes);
    parts[m_model.activationLocation].AddMemory("inputs of layers",
                                                "L beta b h",
                                                m_layers * m_model.GetInputBytes());
    parts.erase(MemoryLocation::LOCAL);
    std::map<uint32_t, std::vector<MemoryPart>> placed;
    for (const auto& [location, figures] : parts)
    {
        if (!figures.GetMemory().empty())
        {
            placed[location] = figures.GetMemory();
        }
    }
    return placed;
}

} // namespace mlcluster
} // namespace ns3
