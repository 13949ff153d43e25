/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-writer.h"

#include "ns3/amount.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Bytes of the loss.
constexpr uint64_t LOSS_BYTES = 4;

} // namespace

StageWriter::StageWriter(const StageProgram& program,
                         const ParallelPlan& plan,
                         const RankLayout& layout,
                         uint32_t stage)
    : m_program(program),
      m_plan(plan),
      m_layout(layout),
      m_stage(stage),
      m_nParts(plan.pipeline * plan.chunks),
      m_writer(layout, uint64_t{2} * plan.microBatches * m_nParts),
      m_data(m_writer, plan, layout, program)
{
}

NodeStore
StageWriter::Write()
{
    const auto passes = PipelineSchedule(m_plan).GetPasses(m_stage);
    std::map<uint32_t, std::size_t> last;
    for (std::size_t i = 0; i < passes.size(); ++i)
    {
        last[passes[i].chunk] = i;
    }
    for (std::size_t i = 0; i < passes.size(); ++i)
    {
        const PipelinePass& pass = passes[i];
        const bool isLast = last[pass.chunk] == i;
        if (pass.kind == PassKind::Forward)
        {
            WriteForward(pass);
        }
        else if (pass.kind == PassKind::WeightGradient)
        {
            WriteWeightGradients(pass, isLast);
        }
        else
        {
            WriteBackward(pass, isLast);
        }
    }
    m_writer.SetScope("", -1);
    WriteLoss();
    WriteOptimizer();
    return m_writer.TakeNodes();
}

const std::set<std::string>&
StageWriter::GetFamilies() const
{
    return m_writer.GetFamilies();
}

void
StageWriter::WriteForward(const PipelinePass& pass)
{
    const uint32_t part = GetModelPart(pass);
    SetScope(pass, nullptr);
    Ids x = part == 0 ? m_writer.GetLastCompute() : m_writer.Receive(GetTransfer(pass, true));
    for (const auto& unit : m_program.chunks[pass.chunk])
    {
        SetScope(pass, &unit);
        Ids steps;
        m_data.BeginUnit(unit);
        x = m_writer.Run(unit.forward, Part::All, x, steps);
        m_data.EndUnit(unit, false);
    }
    SetScope(pass, nullptr);
    if (part + 1 == m_nParts)
    {
        m_outputs[{pass.microBatch, pass.chunk}] = x;
    }
    else
    {
        m_writer.Send(GetTransfer(pass, false), x);
    }
}

void
StageWriter::WriteBackward(const PipelinePass& pass, bool isLast)
{
    const uint32_t part = GetModelPart(pass);
    const bool isSplit = pass.kind == PassKind::InputGradient;
    const Slot slot{pass.microBatch, pass.chunk};
    const auto& units = m_program.chunks[pass.chunk];
    std::vector<Ids> steps(units.size());
    SetScope(pass, nullptr);
    Ids x = part + 1 == m_nParts ? m_outputs[slot] : m_writer.Receive(GetTransfer(pass, true));
    for (std::size_t i = units.size(); i-- > 0;)
    {
        SetScope(pass, &units[i]);
        m_data.BeginUnit(units[i]);
        x = m_writer.Run(units[i].backward, isSplit ? Part::Input : Part::All, x, steps[i]);
        m_data.EndUnit(units[i], true);
        if (!isSplit)
        {
            m_data.AddGradients(units[i], isLast);
        }
    }
    SetScope(pass, nullptr);
    if (part > 0)
    {
        m_writer.Send(GetTransfer(pass, false), x);
    }
    if (isSplit)
    {
        m_steps[slot] = std::move(steps);
    }
    else
    {
        m_data.EndPass();
    }
}

void
StageWriter::WriteWeightGradients(const PipelinePass& pass, bool isLast)
{
    const auto& units = m_program.chunks[pass.chunk];
    auto steps = m_steps.extract({pass.microBatch, pass.chunk});
    const Ids start = m_writer.GetLastCompute();
    for (std::size_t i = units.size(); i-- > 0;)
    {
        SetScope(pass, &units[i]);
        m_writer.Run(units[i].backward, Part::WeightGradient, start, steps.mapped()[i]);
        m_data.AddGradients(units[i], isLast);
    }
    SetScope(pass, nullptr);
    m_data.EndPass();
}

void
StageWriter::WriteLoss()
{
    if (!m_outputs.empty())
    {
        m_writer.Collective("loss all-reduce",
                            CollectiveType::AllReduce,
                            "data",
                            LOSS_BYTES,
                            m_outputs.rbegin()->second);
    }
}

void
StageWriter::WriteOptimizer()
{
    const auto add = [](Ids& ids, const Ids& more) {
        ids.insert(ids.end(), more.begin(), more.end());
    };
    Ids reduced = m_data.FinishGradients();
    add(reduced, m_writer.GetLastCompute());
    Ids ready = reduced;
    if (m_plan.sequenceParallel && m_program.replicatedParameters > 0)
    {
        add(ready,
            m_writer.Collective("replicated gradients all-reduce",
                                CollectiveType::AllReduce,
                                "tensor",
                                GetReducedBytes(m_program.replicatedParameters),
                                reduced));
    }
    if (m_program.tiedParameters > 0)
    {
        add(ready,
            m_writer.Collective("embedding gradients all-reduce",
                                CollectiveType::AllReduce,
                                "embedding",
                                GetReducedBytes(m_program.tiedParameters),
                                reduced));
    }
    if (m_plan.optimizer)
    {
        Ids steps;
        m_data.GatherUpdated(m_writer.Run(m_program.optimizer, Part::All, ready, steps));
    }
}

void
StageWriter::SetScope(const PipelinePass& pass, const ModelUnit* unit)
{
    std::string prefix = "mb" + std::to_string(pass.microBatch) + " ";
    if (unit && !unit->name.empty())
    {
        prefix += unit->name + " ";
    }
    if (!unit && m_plan.chunks > 1)
    {
        prefix += "chunk " + std::to_string(pass.chunk) + " ";
    }
    m_writer.SetScope(prefix, pass.microBatch);
}

uint32_t
StageWriter::GetModelPart(const PipelinePass& pass) const
{
    return pass.chunk * m_plan.pipeline + m_stage;
}

StageWriter::Transfer
StageWriter::GetTransfer(const PipelinePass& pass, bool isInput) const
{
    const uint32_t part = GetModelPart(pass);
    const bool isForward = pass.kind == PassKind::Forward;
    const uint32_t boundary = isForward == isInput ? part - 1 : part;
    const uint32_t p = m_plan.pipeline;
    const uint32_t other = (m_stage + (isForward == isInput ? p - 1 : 1)) % p;
    Transfer transfer;
    transfer.name = std::string(isForward ? "activation " : "gradient ") +
                    (isInput ? "receive from stage " : "send to stage ") + std::to_string(other);
    transfer.isForward = isForward;
    transfer.tag = (uint64_t{pass.microBatch} * m_nParts + boundary) * 2 + (isForward ? 0 : 1);
    transfer.bytes = m_program.boundaryBytes;
    return transfer;
}

uint64_t
StageWriter::GetReducedBytes(uint64_t parameters) const
{
    const uint64_t parts = m_plan.zeroStage >= 2 ? m_layout.GetGroupSize("data") : 1;
    return (Amount(parameters) / parts * m_plan.gradientBytes).Get("bytes of gradients");
}

} // namespace mlcluster
} // namespace ns3
