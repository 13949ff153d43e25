/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-loop-graph.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

TextLoopGraph::TextLoopGraph(const TextWorkload& workload,
                             const TextScopes& scopes,
                             const TextGraphOptions& options,
                             const Neighbours& neighbours)
    : m_workload(workload),
      m_scopes(scopes),
      m_options(options),
      m_neighbours(neighbours),
      m_nodes(workload, options),
      m_weightsDone(workload.layers.size())
{
}

std::vector<ExecutionNode>
TextLoopGraph::Build()
{
    for (uint64_t pass = 0; pass < m_options.passes; ++pass)
    {
        m_nodes.SetPass(pass);
        AddPass();
    }
    return m_nodes.Get();
}

void
TextLoopGraph::AddPass()
{
    switch (m_workload.policy)
    {
    case TextPolicy::Data:
        AddDataPass();
        break;
    case TextPolicy::Model:
    case TextPolicy::HybridDataModel:
    case TextPolicy::HybridModelData:
    case TextPolicy::HybridCustomized:
    case TextPolicy::HybridTransformer:
    case TextPolicy::HybridTransformerRecomputing:
        AddModelPass();
        break;
    case TextPolicy::HybridDlrm:
    case TextPolicy::HybridDlrmEnhanced:
        AddDlrmPass();
        break;
    case TextPolicy::DistributedInference:
        AddInferencePass();
        break;
    case TextPolicy::Micro:
        Issue(0, Pass::WeightGradient, Order::Default);
        break;
    case TextPolicy::WithoutOverlap:
        AddSerialPass();
        break;
    }
}

void
TextLoopGraph::AddDataPass()
{
    for (std::size_t i = 0; i < m_workload.layers.size(); ++i)
    {
        Wait(m_weightsDone[i]);
        Compute(i, Pass::Forward, "FWD");
    }
    for (std::size_t i = m_workload.layers.size(); i-- > 0;)
    {
        Compute(i, Pass::WeightGradient, "WG");
        m_weightsDone[i] = Issue(i, Pass::WeightGradient, Order::Default);
        if (i > 0)
        {
            Compute(i, Pass::InputGradient, "IG");
        }
    }
}

void
TextLoopGraph::AddModelPass()
{
    const bool isTransformer = m_workload.policy == TextPolicy::HybridTransformer ||
                               m_workload.policy == TextPolicy::HybridTransformerRecomputing;
    for (std::size_t i = 0; i < m_workload.layers.size(); ++i)
    {
        AddForward(i, "FWD");
    }
    AddTransfers(true);
    for (std::size_t i = m_workload.layers.size(); i-- > 0;)
    {
        AddRecomputation(i);
        Compute(i, Pass::InputGradient, "IG");
        const bool exchanges = i > 0 || isTransformer;
        const MaybeId exchanged =
            exchanges ? Issue(i, Pass::InputGradient, Order::Lifo) : std::nullopt;
        if (m_options.inputGradients == TextGraphOptions::InputGradients::Blocking)
        {
            Block(exchanged);
        }
        Compute(i, Pass::WeightGradient, "WG");
        m_weightsDone[i] = Issue(i, Pass::WeightGradient, Order::Fifo);
        Wait(exchanged);
    }
    AddTransfers(false);
}

void
TextLoopGraph::AddDlrmPass()
{
    const std::size_t lastBottom = m_workload.lastBottomLayer;
    MaybeId looked;
    for (std::size_t i = 0; i < m_workload.layers.size(); ++i)
    {
        Wait(m_weightsDone[i]);
        Compute(i, Pass::Forward, "FWD");
        if (m_workload.layers[i].forward.type == CollectiveType::AllToAll)
        {
            const MaybeId end = Issue(i, Pass::Forward, Order::Highest);
            looked = i == 0 ? end : looked;
        }
        else if (i == lastBottom)
        {
            Wait(looked);
        }
    }
    MaybeId returned;
    for (std::size_t i = m_workload.layers.size(); i-- > 0;)
    {
        Compute(i, Pass::WeightGradient, "WG");
        m_weightsDone[i] = Issue(i, Pass::WeightGradient, Order::Default);
        if (i > 0)
        {
            Compute(i, Pass::InputGradient, "IG");
        }
        if (i == lastBottom + 1)
        {
            returned = Issue(0, Pass::InputGradient, Order::Highest);
        }
    }
    if (m_workload.policy == TextPolicy::HybridDlrm)
    {
        Wait(returned);
    }
}

void
TextLoopGraph::AddInferencePass()
{
    for (std::size_t i = 0; i < m_workload.layers.size(); ++i)
    {
        AddForward(i, "FWD");
    }
}

void
TextLoopGraph::AddSerialPass()
{
    for (std::size_t i = 0; i < m_workload.layers.size(); ++i)
    {
        AddForward(i, "FWD");
    }
    for (std::size_t i = m_workload.layers.size(); i-- > 0;)
    {
        Compute(i, Pass::InputGradient, "IG");
        Block(Issue(i, Pass::InputGradient, Order::Default));
        Compute(i, Pass::WeightGradient, "WG");
        Block(Issue(i, Pass::WeightGradient, Order::Default));
    }
}

void
TextLoopGraph::AddForward(std::size_t layer, const std::string& label)
{
    Wait(m_weightsDone[layer]);
    Compute(layer, Pass::Forward, label);
    Block(Issue(layer, Pass::Forward, Order::Default));
}

void
TextLoopGraph::AddRecomputation(std::size_t layer)
{
    if (m_workload.policy != TextPolicy::HybridTransformerRecomputing)
    {
        return;
    }
    const auto start = FindRecomputationStart(m_workload, layer);
    for (std::size_t i = start.value_or(layer); i < layer; ++i)
    {
        AddForward(i, "REFWD");
    }
}

void
TextLoopGraph::AddTransfers(bool forward)
{
    const uint32_t nRanks = m_neighbours.distance * static_cast<uint32_t>(m_workload.pipeline);
    const uint32_t up = m_neighbours.distance;
    const uint32_t down = nRanks - m_neighbours.distance;
    const bool sends = forward ? m_neighbours.hasNext : m_neighbours.hasPrevious;
    const bool receives = forward ? m_neighbours.hasPrevious : m_neighbours.hasNext;
    const std::string name = forward ? "activations " : "gradients ";
    TextGraphNodes::Ids ends;
    for (uint64_t i = 0; (sends || receives) && i < m_workload.microBatches; ++i)
    {
        const std::string label = name + std::to_string(i);
        if (sends)
        {
            ends.push_back(
                m_nodes.AddTransfer(NodeKind::Send, label, forward ? up : down, m_cursor));
        }
        if (receives)
        {
            ends.push_back(
                m_nodes.AddTransfer(NodeKind::Receive, label, forward ? down : up, m_cursor));
        }
    }
    m_cursor = ends.empty() ? m_cursor : ends;
}

void
TextLoopGraph::Compute(std::size_t layer, Pass pass, const std::string& label)
{
    m_cursor = {m_nodes.AddCompute(m_workload.layers[layer].name + " " + label,
                                   m_workload.layers[layer].Get(pass).cycles,
                                   m_cursor)};
}

TextLoopGraph::MaybeId
TextLoopGraph::Issue(std::size_t layer, Pass pass, Order order)
{
    const TextLayer& at = m_workload.layers[layer];
    const TextPass& what = at.Get(pass);
    const TextScopes::Scope& scope = m_scopes.Get(layer, pass);
    if (!m_nodes.IsNeeded(what, scope))
    {
        return std::nullopt;
    }
    const std::string label = pass == Pass::Forward         ? " FWD "
                              : pass == Pass::InputGradient ? " IG "
                                                            : " WG ";
    const uint64_t id = m_nodes.AddCollective(at.name + label + ToTextWord(what.type),
                                              what,
                                              scope,
                                              GetPriority(order),
                                              m_cursor);
    const bool updates = at.updateCycles > 0 && m_workload.policy != TextPolicy::WithoutOverlap;
    return updates ? m_nodes.AddDelay(at.name + label + "update", at.updateCycles, {id}) : id;
}

void
TextLoopGraph::Wait(const MaybeId& end)
{
    if (end)
    {
        m_cursor.push_back(*end);
    }
}

void
TextLoopGraph::Block(const MaybeId& end)
{
    if (end)
    {
        m_cursor = {*end};
    }
}

int32_t
TextLoopGraph::GetPriority(Order order)
{
    ++m_nIssued;
    switch (order)
    {
    case Order::Highest:
        return std::numeric_limits<int32_t>::max();
    case Order::Lifo:
        return m_nIssued;
    case Order::Fifo:
        return -m_nIssued;
    case Order::Default:
        break;
    }
    return m_options.scheduling == TextGraphOptions::Scheduling::Lifo ? m_nIssued : -m_nIssued;
}

} // namespace mlcluster
} // namespace ns3
