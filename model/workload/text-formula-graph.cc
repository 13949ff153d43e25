/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-formula-graph.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param bytes a size @param factor to it @return it, rounded to the nearest byte
uint64_t
Multiply(uint64_t bytes, double factor)
{
    constexpr long double LIMIT = 9223372036854775808.0L; // 2^63
    const long double product = std::round(static_cast<long double>(bytes) * factor);
    if (product >= LIMIT)
    {
        throw InputError(std::to_string(bytes) + " bytes times " + FormatNumber(factor) +
                         " are no size; allowed are sizes below 2^63 bytes");
    }
    return static_cast<uint64_t>(product);
}

} // namespace

TextFormulaGraph::TextFormulaGraph(const TextWorkload& workload,
                                   const TextScopes& scopes,
                                   const TextGraphOptions& options)
    : m_workload(workload),
      m_scopes(scopes),
      m_options(options),
      m_nodes(workload, options)
{
}

std::vector<ExecutionNode>
TextFormulaGraph::Build()
{
    for (uint64_t pass = 0; pass < m_options.passes; ++pass)
    {
        m_nodes.SetPass(pass);
        Add(m_options.trainingLoop->GetWhole(), {0, m_workload.layers.size()}, 1, -1);
    }
    return m_nodes.Get();
}

bool
TextFormulaGraph::GoesBack(const Part& part)
{
    const bool isGradient = part.kind == Part::Kind::Phase && part.pass != TextLayer::Pass::Forward;
    return isGradient || std::any_of(part.parts.begin(), part.parts.end(), GoesBack);
}

std::vector<std::size_t>
TextFormulaGraph::GetOrder(const Layers& layers, bool back)
{
    std::vector<std::size_t> order(layers.end - layers.first);
    std::iota(order.begin(), order.end(), layers.first);
    if (back)
    {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

void
TextFormulaGraph::Add(const Part& part, const Layers& layers, double factor, int64_t stream)
{
    const double product = factor * part.factor;
    switch (part.kind)
    {
    case Part::Kind::Phase:
        for (const std::size_t layer : GetOrder(layers, GoesBack(part)))
        {
            AddPhase(part, layer, product, stream);
        }
        break;
    case Part::Kind::Sum:
        for (const Part& inner : part.parts)
        {
            Add(inner, layers, product, stream);
        }
        break;
    case Part::Kind::Maximum:
        AddBeside(part, layers, product, stream);
        break;
    case Part::Kind::Layers:
        for (const std::size_t layer : GetOrder(layers, GoesBack(part)))
        {
            Add(part.parts[0], {layer, layer + 1}, product, stream);
        }
        break;
    }
}

void
TextFormulaGraph::AddBeside(const Part& part, const Layers& layers, double factor, int64_t stream)
{
    const TextGraphNodes::Ids begin = m_cursor;
    TextGraphNodes::Ids ends;
    for (const Part& inner : part.parts)
    {
        m_cursor = begin;
        const auto own = static_cast<int64_t>(m_streams.size());
        const bool isFirst = &inner == &part.parts[0];
        Add(inner,
            layers,
            factor,
            isFirst ? stream : m_streams.try_emplace(&inner, own).first->second);
        ends.insert(ends.end(), m_cursor.begin(), m_cursor.end());
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    m_cursor = ends;
}

void
TextFormulaGraph::AddPhase(const Part& part, std::size_t layer, double factor, int64_t stream)
{
    const TextLayer& at = m_workload.layers[layer];
    const std::string label = part.pass == TextLayer::Pass::Forward         ? " FWD"
                              : part.pass == TextLayer::Pass::InputGradient ? " IG"
                                                                            : " WG";
    TextPass what = at.Get(part.pass);
    if (part.hasCompute && what.cycles * factor > 0)
    {
        m_cursor = {m_nodes.AddCompute(at.name + label, what.cycles * factor, m_cursor, stream)};
    }
    what.bytes = Multiply(what.bytes, factor);
    const TextScopes::Scope& scope = m_scopes.Get(layer, part.pass);
    if (part.hasCommunication && m_nodes.IsNeeded(what, scope))
    {
        ++m_nIssued;
        const bool isLifo = m_options.scheduling == TextGraphOptions::Scheduling::Lifo;
        m_cursor = {m_nodes.AddCollective(at.name + label + " " + ToTextWord(what.type),
                                          what,
                                          scope,
                                          isLifo ? m_nIssued : -m_nIssued,
                                          m_cursor)};
    }
}

} // namespace mlcluster
} // namespace ns3
