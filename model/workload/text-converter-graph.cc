/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-converter-graph.h"

namespace ns3
{
namespace mlcluster
{

TextConverterGraph::TextConverterGraph(const TextWorkload& workload,
                                       const TextScopes& scopes,
                                       const TextGraphOptions& options)
    : m_workload(workload),
      m_scopes(scopes),
      m_nodes(workload, options),
      m_options(options),
      m_now(workload.layers.size())
{
}

std::vector<ExecutionNode>
TextConverterGraph::Build()
{
    for (uint64_t pass = 0; pass < m_options.passes; ++pass)
    {
        m_nodes.SetPass(pass);
        m_previous = m_now;
        m_now.assign(m_workload.layers.size(), {});
        switch (m_workload.policy)
        {
        case TextPolicy::Micro:
            AddMicroPass();
            break;
        case TextPolicy::Data:
            AddDataPass();
            break;
        case TextPolicy::HybridDlrm:
        case TextPolicy::HybridDlrmEnhanced:
            AddDlrmPass();
            break;
        case TextPolicy::DistributedInference:
            AddInferencePass();
            break;
        default:
            AddModelPass();
            break;
        }
    }
    return m_nodes.Get();
}

void
TextConverterGraph::AddMicroPass()
{
    for (std::size_t i = 0; i <= GetLast(); ++i)
    {
        AddCollective(i, Pass::WeightGradient, std::nullopt);
    }
}

void
TextConverterGraph::AddDataPass()
{
    MaybeId before;
    for (std::size_t i = 0; i <= GetLast(); ++i)
    {
        before = AddCompute(i, Pass::Forward, "FWD", {before, m_previous[i].weightCollective});
    }
    for (std::size_t i = GetLast() + 1; i-- > 0;)
    {
        LayerNodes& now = m_now[i];
        now.weightGradient = AddCompute(i, Pass::WeightGradient, "BWD_WG", {before});
        now.weightCollective = AddCollective(i, Pass::WeightGradient, now.weightGradient);
        if (i > 0)
        {
            before = AddCompute(i, Pass::InputGradient, "BWD_IG", {now.weightGradient});
        }
    }
}

void
TextConverterGraph::AddModelPass()
{
    MaybeId before;
    for (std::size_t i = 0; i <= GetLast(); ++i)
    {
        const LayerNodes& previous = m_previous[i];
        const MaybeId& done =
            previous.weightCollective ? previous.weightCollective : previous.weightGradient;
        const uint64_t forward = AddCompute(i, Pass::Forward, "FWD", {before, done});
        before = m_now[i].forwardCollective = AddCollective(i, Pass::Forward, forward);
    }
    for (std::size_t i = GetLast() + 1; i-- > 0;)
    {
        AddModelBackward(i);
    }
}

void
TextConverterGraph::AddModelBackward(std::size_t layer)
{
    const bool isPlain = m_workload.policy == TextPolicy::Model ||
                         m_workload.policy == TextPolicy::HybridDataModel ||
                         m_workload.policy == TextPolicy::HybridModelData ||
                         m_workload.policy == TextPolicy::HybridCustomized;
    const std::vector<MaybeId> before =
        layer == GetLast() ? std::vector<MaybeId>{m_now[layer].forwardCollective}
                           : std::vector<MaybeId>{m_now[layer + 1].weightGradient,
                                                  m_now[layer + 1].inputCollective};
    LayerNodes& now = m_now[layer];
    now.inputGradient =
        AddCompute(layer, Pass::InputGradient, "BWD_IG", AddRecomputation(layer, before));
    if (layer > 0 || !isPlain)
    {
        now.inputCollective = AddCollective(layer, Pass::InputGradient, now.inputGradient);
    }
    now.weightGradient = AddCompute(layer, Pass::WeightGradient, "BWD_WG", {now.inputGradient});
    if (m_workload.policy != TextPolicy::Model)
    {
        now.weightCollective = AddCollective(layer, Pass::WeightGradient, now.weightGradient);
    }
}

std::vector<TextConverterGraph::MaybeId>
TextConverterGraph::AddRecomputation(std::size_t layer, std::vector<MaybeId> before)
{
    if (m_workload.policy == TextPolicy::HybridTransformerRecomputing)
    {
        const auto start = FindRecomputationStart(m_workload, layer);
        for (std::size_t i = start.value_or(layer); i < layer; ++i)
        {
            const uint64_t forward = AddCompute(i, Pass::Forward, "REFWD", before);
            before = {AddCollective(i, Pass::Forward, forward)};
        }
    }
    return before;
}

void
TextConverterGraph::AddDlrmPass()
{
    const std::size_t lastBottom = m_workload.lastBottomLayer;
    MaybeId before;
    for (std::size_t i = 0; i <= GetLast(); ++i)
    {
        const LayerNodes& previous = m_previous[i];
        const MaybeId& done =
            previous.weightCollective ? previous.weightCollective : previous.weightGradient;
        const MaybeId looked = i > 0 && i == lastBottom ? m_now[0].forwardCollective : std::nullopt;
        before = AddCompute(i, Pass::Forward, "FWD", {before, looked, done});
        if (m_workload.layers[i].forward.type == CollectiveType::AllToAll)
        {
            m_now[i].forwardCollective = AddCollective(i, Pass::Forward, before);
        }
    }
    for (std::size_t i = GetLast() + 1; i-- > 0;)
    {
        LayerNodes& now = m_now[i];
        now.weightGradient =
            AddCompute(i, Pass::WeightGradient, "BWD_WG", {before, now.inputCollective});
        if (m_workload.layers[i].weightGradient.type)
        {
            now.weightCollective = AddCollective(i, Pass::WeightGradient, now.weightGradient);
        }
        if (i > 0)
        {
            before = AddCompute(i, Pass::InputGradient, "BWD_IG", {now.weightGradient});
        }
        if (i == lastBottom + 1)
        {
            m_now[0].inputCollective = AddCollective(0, Pass::InputGradient, before);
        }
    }
}

void
TextConverterGraph::AddInferencePass()
{
    MaybeId before = m_previous[GetLast()].forwardCollective;
    for (std::size_t i = 0; i <= GetLast(); ++i)
    {
        const uint64_t forward = AddCompute(i, Pass::Forward, "FWD", {before});
        before = m_now[i].forwardCollective = AddCollective(i, Pass::Forward, forward);
    }
}

uint64_t
TextConverterGraph::AddCompute(std::size_t layer,
                               Pass pass,
                               const std::string& label,
                               const std::vector<MaybeId>& dependencies)
{
    TextGraphNodes::Ids ids;
    for (const MaybeId& dependency : dependencies)
    {
        if (dependency)
        {
            ids.push_back(*dependency);
        }
    }
    const TextLayer& at = m_workload.layers[layer];
    return m_nodes.AddCompute("COMP_NODE_" + at.name + "_" + label, at.Get(pass).cycles, ids);
}

uint64_t
TextConverterGraph::AddCollective(std::size_t layer, Pass pass, const MaybeId& dependency)
{
    const TextLayer& at = m_workload.layers[layer];
    const TextPass& what = at.Get(pass);
    const TextScopes::Scope& scope = m_scopes.Get(layer, pass);
    const bool isMarked =
        m_workload.policy == TextPolicy::HybridDataModel && pass == Pass::InputGradient;
    return m_nodes.AddCollective(
        "COMM_COLL_NODE_" + at.name + (isMarked ? "_IG_COMM__" : "_") + ToTextWord(what.type),
        what,
        m_nodes.IsNeeded(what, scope) ? scope : m_scopes.GetSelf(),
        0,
        dependency ? TextGraphNodes::Ids{*dependency} : TextGraphNodes::Ids{});
}

std::size_t
TextConverterGraph::GetLast() const
{
    return m_workload.layers.size() - 1;
}

} // namespace mlcluster
} // namespace ns3
