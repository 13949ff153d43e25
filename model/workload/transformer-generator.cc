/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-generator.h"

#include "parameter-counts.h"
#include "stage-workload.h"
#include "training-checker.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param name put before names of steps @param parameters on the rank @return a unit without
/// programs
ModelUnit
MakeUnit(const std::string& name, const ParameterCounts& parameters)
{
    ModelUnit unit;
    unit.name = name;
    unit.parameters = parameters.GetDense().Get("parameters");
    unit.expertParameters = parameters.experts.Get("parameters of experts");
    return unit;
}

/// @param model a model @param plan how it is trained @return what is odd about that
/// @throw InputError if it cannot be trained like that
std::vector<std::string>
Check(const TransformerModel& model, const ParallelPlan& plan)
{
    Diagnostics diagnostics;
    TrainingChecker(model, plan, TrainingChecker::AtMember, diagnostics).Check();
    diagnostics.ThrowIfErrors();
    return diagnostics.GetWarnings();
}

} // namespace

TransformerGenerator::TransformerGenerator(const TransformerModel& model, const ParallelPlan& plan)
    : m_warnings(Check(model, plan)),
      m_model(model),
      m_plan(plan),
      m_costs(model, plan)
{
}

ClusterWorkload
TransformerGenerator::Generate() const
{
    return MakeStageWorkload(
        m_plan,
        [this](uint32_t stage, uint32_t expert) { return GetStageProgram(stage, expert); },
        m_model.experts > 0 && m_plan.expertSkew > 0);
}

const std::vector<std::string>&
TransformerGenerator::GetWarnings() const
{
    return m_warnings;
}

const RankShape&
TransformerGenerator::GetShape() const
{
    return m_costs.GetShape();
}

StageProgram
TransformerGenerator::GetStageProgram(uint32_t stage, uint32_t expert) const
{
    const RankShape& shape = m_costs.GetShape();
    const bool isFirst = stage == 0;
    const bool isLast = stage + 1 == m_plan.pipeline;
    StageProgram program;
    for (const auto& layers : m_plan.GetLayersOfStage(m_model.layers, stage))
    {
        program.chunks.emplace_back();
        for (uint32_t layer = layers.first; layer < layers.end; ++layer)
        {
            program.chunks.back().push_back(GetLayer(layer, expert));
        }
    }
    if (isFirst)
    {
        auto& chunk = program.chunks.front();
        const auto embedding =
            chunk.insert(chunk.begin(), MakeUnit("", ParameterCounts::OfEmbedding(shape)));
        embedding->forward = m_costs.GetEmbeddingForward();
        embedding->backward = m_costs.GetEmbeddingBackward();
    }
    const ParameterCounts ofHead = ParameterCounts::OfHead(shape);
    if (isLast)
    {
        ModelUnit head = MakeUnit("", ofHead);
        head.forward = m_costs.GetHeadForward();
        head.backward = m_costs.GetHeadBackward();
        program.chunks.back().push_back(std::move(head));
    }
    const ParameterCounts all = ParameterCounts::OfStage(shape, stage);
    program.optimizer = m_costs.GetOptimizer(all);
    program.boundaryBytes = m_costs.GetBoundaryBytes();
    program.replicatedParameters = all.replicated.Get("replicated parameters");
    if (m_model.IsTied() && isFirst != isLast)
    {
        program.tiedParameters = ofHead.divided.Get("parameters of the embedding");
    }
    return program;
}

ModelUnit
TransformerGenerator::GetLayer(uint32_t layer, uint32_t expert) const
{
    ModelUnit unit = MakeUnit("layer " + std::to_string(layer),
                              ParameterCounts::OfLayer(m_costs.GetShape(), layer));
    unit.forward = m_costs.GetForward(layer, expert);
    unit.backward = m_costs.GetBackward(layer, expert);
    return unit;
}

} // namespace mlcluster
} // namespace ns3
