/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

Amount
ProgramBuilder::Product::GetOperations() const
{
    return 2 * rows * inner * columns;
}

ProgramBuilder::ProgramBuilder(const RankShape& shape)
    : m_shape(shape)
{
}

const RankShape&
ProgramBuilder::GetShape() const
{
    return m_shape;
}

void
ProgramBuilder::SetPrefix(const std::string& prefix)
{
    m_prefix = prefix;
}

ProgramBuilder::Steps
ProgramBuilder::Compute(const std::string& name,
                        Amount operations,
                        Amount bytes,
                        const Steps& after)
{
    ProgramStep step;
    step.operations = operations.Get("operations of '" + name + "'");
    step.tensorBytes = bytes.Get("bytes moved by '" + name + "'");
    return Add(step, name, after);
}

ProgramBuilder::Steps
ProgramBuilder::ComputeWeightGradient(const std::string& name,
                                      Amount operations,
                                      Amount bytes,
                                      const Steps& after)
{
    const Steps step = Compute(name, operations, bytes, after);
    m_program.steps[step.front()].isWeightGradient = true;
    return step;
}

ProgramBuilder::Steps
ProgramBuilder::Communicate(const std::string& name,
                            CollectiveType type,
                            const std::string& family,
                            Amount bytes,
                            const Steps& after)
{
    if (m_shape.layout.GetGroupSize(family) == 1)
    {
        return after;
    }
    ProgramStep step;
    step.kind = NodeKind::Collective;
    step.collective = type;
    step.family = family;
    step.bytes = bytes.Get("bytes of '" + name + "'");
    return Add(step, name, after);
}

ProgramBuilder::Steps
ProgramBuilder::Scatter(const std::string& name,
                        const std::vector<uint64_t>& peerBytes,
                        const Steps& after)
{
    const auto bytes = std::accumulate(peerBytes.begin(), peerBytes.end(), Amount());
    const Steps step = Communicate(name, CollectiveType::AllToAll, "expert", bytes, after);
    if (step != after)
    {
        m_program.steps[step.front()].peerBytes = peerBytes;
    }
    return step;
}

ProgramBuilder::Steps
ProgramBuilder::Exchange(const std::string& name,
                         const std::string& family,
                         Amount bytes,
                         const Steps& after)
{
    ProgramStep step;
    step.kind = NodeKind::Send;
    step.family = family;
    step.bytes = bytes.Get("bytes of '" + name + "'");
    Add(step, name + " send", after);
    step.kind = NodeKind::Receive;
    return Add(step, name + " receive", after);
}

ProgramBuilder::Steps
ProgramBuilder::Multiply(const Product& product, const Steps& after)
{
    return Compute(product.name, product.GetOperations(), GetBytes(product), after);
}

ProgramBuilder::Steps
ProgramBuilder::MultiplyBackward(const Product& product, const Steps& after)
{
    const Steps input =
        Compute(product.name + " dX", product.GetOperations(), GetBytes(product), after);
    ComputeWeightGradient(product, after);
    return input;
}

ProgramBuilder::Steps
ProgramBuilder::MultiplyRowsBackward(const Product& product,
                                     const Division& division,
                                     const Steps& after)
{
    return MultiplyBackward(product, Gather(product.name + " dY all-gather", division, after));
}

ProgramBuilder::Steps
ProgramBuilder::MultiplyColumnsBackward(const Product& product,
                                        const Division& division,
                                        const Steps& after)
{
    const Steps saved =
        division.gathersAgain ? Gather(product.name + " input all-gather", division, after) : after;
    const Steps part =
        Compute(product.name + " dX", product.GetOperations(), GetBytes(product), after);
    const Steps input = Sum(product.name + " dX", division, part);
    ComputeWeightGradient(product, Join(after, saved));
    return input;
}

ProgramBuilder::Steps
ProgramBuilder::Gather(const std::string& name, const Division& division, const Steps& after)
{
    return m_shape.plan.sequenceParallel ? Communicate(name,
                                                       CollectiveType::AllGather,
                                                       division.family,
                                                       m_shape.GetActivationBytes(division.rows),
                                                       after)
                                         : after;
}

ProgramBuilder::Steps
ProgramBuilder::Sum(const std::string& name, const Division& division, const Steps& after)
{
    const Amount bytes = m_shape.GetActivationBytes(division.rows);
    return m_shape.plan.sequenceParallel
               ? Communicate(name + " reduce-scatter",
                             CollectiveType::ReduceScatter,
                             division.family,
                             bytes * m_shape.layout.GetGroupSize(division.family),
                             after)
               : Communicate(name + " all-reduce",
                             CollectiveType::AllReduce,
                             division.family,
                             bytes,
                             after);
}

ProgramBuilder::Division
ProgramBuilder::GetTokenDivision() const
{
    return {"tensor", m_shape.ownTokens, true};
}

LayerProgram
ProgramBuilder::Finish(const Steps& output)
{
    m_program.output = output.back();
    return std::exchange(m_program, {});
}

ProgramBuilder::Steps
ProgramBuilder::Add(ProgramStep step, const std::string& name, const Steps& after)
{
    step.name = m_prefix + name;
    step.dependencies = after;
    m_program.steps.push_back(std::move(step));
    return {static_cast<uint32_t>(m_program.steps.size() - 1)};
}

Amount
ProgramBuilder::GetBytes(const Product& product) const
{
    return m_shape.element *
           (product.rows * product.inner + product.matrices * product.inner * product.columns +
            product.rows * product.columns);
}

void
ProgramBuilder::ComputeWeightGradient(const Product& product, const Steps& after)
{
    ComputeWeightGradient(product.name + " dW",
                          product.GetOperations(),
                          m_shape.element * product.rows * (product.columns + product.inner) +
                              2 * m_shape.gradient * product.matrices * product.inner *
                                  product.columns,
                          after);
}

ProgramBuilder::Steps
Join(ProgramBuilder::Steps a, const ProgramBuilder::Steps& b)
{
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    a.erase(std::unique(a.begin(), a.end()), a.end());
    return a;
}

} // namespace mlcluster
} // namespace ns3
