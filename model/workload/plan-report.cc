/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-report.h"

#include "model-flops.h"
#include "parameter-counts.h"
#include "plan-traffic.h"
#include "transformer-generator.h"

#include "ns3/quantity.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param value a number @param unit of it @param isExact whether to write all of it without unit
/// @return the text
std::string
Write(double value, const std::string& unit, bool isExact)
{
    return isExact ? FormatNumber(value) : FormatRounded(value, unit);
}

} // namespace

PlanReport::PlanReport(const TransformerModel& model,
                       const ParallelPlan& plan,
                       const ClusterTopology* topology,
                       uint64_t capacityBytes)
    : m_shape(TransformerGenerator(model, plan).GetShape()),
      m_capacityBytes(capacityBytes),
      m_tally(Count(topology))
{
    AddStages();
    AddWork();
}

void
PlanReport::AddStages()
{
    for (uint32_t stage = 0; stage < m_shape.plan.pipeline; ++stage)
    {
        std::string layers;
        for (const auto& [first, end] : m_shape.plan.GetLayersOfStage(m_shape.model.layers, stage))
        {
            layers += (layers.empty() ? "" : ", ") + std::to_string(first) +
                      (end > first + 1 ? "-" + std::to_string(end - 1) : "");
        }
        m_stages.push_back({layers,
                            ParameterCounts::OfStage(m_shape, stage).GetTotal().GetReal(),
                            MemoryFootprint(m_shape.model, m_shape.plan, stage)});
        if (m_capacityBytes > 0 && m_stages.back().memory.GetTotal() > m_capacityBytes)
        {
            m_withoutRoom.push_back(stage);
        }
        const PlanTraffic traffic(m_shape, stage);
        for (const auto& term : traffic.GetTerms())
        {
            auto& formulas = m_formulas[{term.family, term.operation}];
            formulas.resize(m_shape.plan.pipeline);
            formulas[stage] += (formulas[stage].empty() ? "" : " + ") + term.formula;
        }
    }
}

ClusterWorkload
PlanReport::Generate(uint32_t microBatches) const
{
    ParallelPlan plan = m_shape.plan;
    plan.microBatches = microBatches;
    return TransformerGenerator(m_shape.model, plan).Generate();
}

WorkloadTally
PlanReport::Count(const ClusterTopology* topology) const
{
    const uint32_t nRanks = m_shape.layout.GetNRanks();
    if (topology && topology->GetNRanks() != nRanks)
    {
        throw InputError("the plan has " + std::to_string(nRanks) + " ranks, " +
                         topology->GetNotation() + " has " + std::to_string(topology->GetNRanks()));
    }
    const uint32_t unit = m_shape.plan.chunks > 1 ? m_shape.plan.pipeline : 1;
    const uint32_t all = m_shape.plan.microBatches;
    WorkloadTally tally(Generate(unit), topology);
    if (all > unit)
    {
        tally.Extrapolate(WorkloadTally(Generate(2 * unit), nullptr), all / unit - 1.0);
    }
    return tally;
}

void
PlanReport::AddWork()
{
    for (const auto& [ranks, work] : m_tally.GetShares())
    {
        Stage& stage = m_stages[m_shape.layout.GetCoordinates(ranks.front()).pipeline];
        stage.nRanks += ranks.size();
        stage.operations = std::max(stage.operations, work.operations);
        stage.allOperations += work.operations * static_cast<double>(ranks.size());
    }
}

std::map<std::string, std::vector<uint32_t>>
PlanReport::GetFormulas(const Key& key) const
{
    std::map<std::string, std::vector<uint32_t>> stagesOf;
    const auto found = m_formulas.find(key);
    for (uint32_t i = 0; found != m_formulas.end() && i < found->second.size(); ++i)
    {
        if (!found->second[i].empty())
        {
            stagesOf[found->second[i]].push_back(i);
        }
    }
    return stagesOf;
}

void
PlanReport::PrintFormulas(std::ostream& os) const
{
    ReportTable table({"family", "operation", "bytes of a rank", "stages"}, 4);
    for (const auto& entry : m_tally.GetTraffic())
    {
        for (const auto& [formula, stages] : GetFormulas(entry.first))
        {
            table.AddRow({WorkloadTally::GetName(entry.first.first),
                          entry.first.second,
                          formula,
                          FormatRanges(stages, SIZE_MAX)});
        }
    }
    table.Print(os);
}

ReportTable
PlanReport::MakeStageTable(bool isExact) const
{
    using Headings = std::vector<std::string>;
    ReportTable table(isExact ? Headings{"stage",
                                         "layers",
                                         "ranks",
                                         "parameters_of_a_rank",
                                         "flop_of_a_rank",
                                         "flop_of_all_ranks",
                                         "memory_of_a_rank_bytes",
                                         "memory_percent"}
                              : Headings{"stage",
                                         "layers",
                                         "ranks",
                                         "parameters",
                                         "work of a rank",
                                         "of all ranks",
                                         "memory",
                                         "of capacity(%)"},
                      2);
    for (std::size_t i = 0; i < m_stages.size(); ++i)
    {
        const Stage& stage = m_stages[i];
        const auto bytes = static_cast<double>(stage.memory.GetTotal());
        const double share = 100 * bytes / static_cast<double>(m_capacityBytes);
        table.AddRow({std::to_string(i),
                      stage.layers,
                      std::to_string(stage.nRanks),
                      Write(stage.parameters, "", isExact),
                      Write(stage.operations, "FLOP", isExact),
                      Write(stage.allOperations, "FLOP", isExact),
                      Write(bytes, "B", isExact),
                      m_capacityBytes == 0 ? "" : FormatFixed(share, 1)});
    }
    return table;
}

void
PlanReport::PrintMemory(std::ostream& os) const
{
    const auto fullest =
        std::max_element(m_stages.begin(), m_stages.end(), [](const Stage& a, const Stage& b) {
            return a.memory.GetTotal() < b.memory.GetTotal();
        });
    os << "Memory of a rank of stage " << fullest - m_stages.begin() << "\n";
    PrintMemoryParts(os, fullest->memory.GetParts());
    if (!m_withoutRoom.empty())
    {
        os << "Without room in " << FormatBytes(m_capacityBytes) << ": stages "
           << JoinNumbers(m_withoutRoom) << "\n";
    }
}

void
PlanReport::PrintSymbols(std::ostream& os) const
{
    const auto& model = m_shape.model;
    const auto& plan = m_shape.plan;
    os << "m = " << plan.microBatches << " micro-batches of b = " << plan.microBatch
       << " sequences of s = " << model.sequenceLength << " tokens; h = " << model.hiddenSize
       << ", u = " << model.GetKvSize() << ", V = " << model.vocabulary << "\nt = " << plan.tensor
       << ", c = " << plan.context << ", n = " << m_shape.layout.GetGroupSize("data")
       << ", beta = " << plan.elementBytes << ", gamma = " << plan.gradientBytes
       << "\nS = b s / c tokens of a rank, T = " << (plan.sequenceParallel ? "S / t" : "S")
       << " where norms work; l layers of the stage, B attention and FFN blocks\n"
       << "P parameters of a rank, R of them held by all ranks of a tensor group\n";
    if (model.experts > 0)
    {
        os << "E = " << model.experts << ", e = " << plan.expert
           << ", t_e = " << plan.GetExpertTensor()
           << ", n_e = " << m_shape.layout.GetGroupSize("expert-data")
           << "; l_x layers with experts, P_x parameters of experts\n"
           << "X tokens a rank sends to experts, I of them to itself, N tokens its experts get\n";
    }
}

void
PlanReport::Print(std::ostream& os) const
{
    const ModelFlops flops(m_shape.model, m_shape.plan);
    const auto& plan = m_shape.plan;
    const std::string name = m_shape.model.name.empty() ? "the model" : m_shape.model.name;
    os << name << ", "
       << FormatRounded(static_cast<double>(ParameterCounts::OfModel(m_shape.model)), "")
       << " parameters, on " << m_shape.layout.GetNRanks() << " ranks: tensor " << plan.tensor
       << " x context " << plan.context << " x data " << plan.data << " x pipeline "
       << plan.pipeline << "\n"
       << "A step: " << FormatRounded(flops.GetTokens(), "") << " tokens, "
       << FormatRounded(flops.GetModel(), "FLOP") << " of the model, "
       << FormatRounded(flops.GetHardware(), "FLOP") << " with what is computed again\n\nGroups\n";
    m_tally.PrintFamilies(os);
    os << "\nCommunication in a step\n";
    m_tally.PrintTraffic(os);
    os << "\n";
    PrintFormulas(os);
    os << "\nStages\n";
    MakeStageTable(false).Print(os);
    os << "\n";
    PrintMemory(os);
    os << "\n";
    PrintSymbols(os);
}

void
PlanReport::WriteTrafficCsv(std::ostream& os) const
{
    ReportTable table({"family",
                       "groups",
                       "members",
                       "where",
                       "operation",
                       "fewest_of_a_rank",
                       "most_of_a_rank",
                       "bytes_of_a_rank",
                       "bytes_of_all_ranks",
                       "formula"},
                      1);
    for (const auto& [key, traffic] : m_tally.GetTraffic())
    {
        std::string text;
        for (const auto& [formula, stages] : GetFormulas(key))
        {
            text += (text.empty() ? "" : "; ") + formula + " on stages " +
                    FormatRanges(stages, SIZE_MAX);
        }
        const auto& family = m_tally.GetFamilies().at(key.first);
        table.AddRow({WorkloadTally::GetName(key.first),
                      std::to_string(family.nGroups),
                      family.GetMembers(),
                      family.where,
                      key.second,
                      FormatFixed(traffic.fewest, 0),
                      FormatFixed(traffic.most, 0),
                      FormatNumber(traffic.bytesPerRank),
                      FormatNumber(traffic.bytes),
                      text});
    }
    table.WriteCsv(os);
}

void
PlanReport::WriteStageCsv(std::ostream& os) const
{
    MakeStageTable(true).WriteCsv(os);
}

const std::vector<uint32_t>&
PlanReport::GetStagesWithoutRoom() const
{
    return m_withoutRoom;
}

} // namespace mlcluster
} // namespace ns3
