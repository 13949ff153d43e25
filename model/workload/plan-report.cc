/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-report.h"

#include "group-mapping.h"
#include "model-flops.h"
#include "parameter-counts.h"
#include "plan-traffic.h"
#include "transformer-generator.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param value a number @param unit of it @return four digits with a prefix, such as "50.33 MB"
std::string
Round(double value, const std::string& unit)
{
    constexpr std::array PREFIXES{"", "k", "M", "G", "T", "P", "E", "Z"};
    std::size_t i = 0;
    while (value >= 999.95 && i + 1 < PREFIXES.size())
    {
        value /= 1000;
        ++i;
    }
    const int decimals = i == 0 ? 0 : value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    const std::string prefixed = PREFIXES.at(i) + unit;
    return FormatFixed(value, decimals) + (prefixed.empty() ? "" : " " + prefixed);
}

/// @param value a number @param unit of it @param isExact whether to write all of it without unit
/// @return the text
std::string
Write(double value, const std::string& unit, bool isExact)
{
    return isExact ? FormatNumber(value) : Round(value, unit);
}

/// @param numbers some, ascending @return such as "0, 2 to 5"
std::string
WriteRanges(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();)
    {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
        {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]) +
                (last > i ? " to " + std::to_string(numbers[last]) : "");
        i = last + 1;
    }
    return text;
}

/// @param family a family of groups @return its name in tables
std::string
GetName(const std::string& family)
{
    return family.empty() ? "all ranks" : family;
}

} // namespace

PlanReport::PlanReport(const TransformerModel& model,
                       const ParallelPlan& plan,
                       const ClusterTopology* topology,
                       uint64_t capacityBytes)
    : m_shape(TransformerGenerator(model, plan).GetShape()),
      m_capacityBytes(capacityBytes)
{
    const uint32_t nRanks = m_shape.layout.GetNRanks();
    if (topology && topology->GetNRanks() != nRanks)
    {
        throw InputError("the plan has " + std::to_string(nRanks) + " ranks, " +
                         topology->GetNotation() + " has " + std::to_string(topology->GetNRanks()));
    }
    AddStages();
    AddTraffic();
    AddFamilies(topology);
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

void
PlanReport::AddTraffic()
{
    const uint32_t unit = m_shape.plan.chunks > 1 ? m_shape.plan.pipeline : 1;
    const uint32_t all = m_shape.plan.microBatches;
    const auto generate = [this](uint32_t microBatches) {
        ParallelPlan plan = m_shape.plan;
        plan.microBatches = microBatches;
        return TransformerGenerator(m_shape.model, plan).Generate();
    };
    const ClusterWorkload once = generate(unit);
    const ClusterWorkload twice = generate(all > unit ? 2 * unit : unit);
    std::map<const ExecutionGraph*, std::pair<uint32_t, uint64_t>> ranksOf;
    for (uint32_t rank = 0; rank < once.GetNRanks(); ++rank)
    {
        ++ranksOf.emplace(&once.GetGraph(rank), std::pair{rank, 0}).first->second.second;
    }
    const double times = all / unit - 1.0;
    const auto extrapolate = [times](double first, double second) {
        return first + times * (second - first);
    };
    for (const auto& entry : ranksOf)
    {
        const auto [rank, nRanks] = entry.second;
        const Work first = Count(once, rank);
        Work work = Count(twice, rank);
        for (auto& [key, amounts] : work.traffic)
        {
            const Amounts& before = first.traffic.at(key);
            amounts = {extrapolate(before.nodes, amounts.nodes),
                       extrapolate(before.bytes, amounts.bytes)};
        }
        work.operations = extrapolate(first.operations, work.operations);
        Add(m_stages[m_shape.layout.GetCoordinates(rank).pipeline], nRanks, work);
    }
}

PlanReport::Work
PlanReport::Count(const ClusterWorkload& workload, uint32_t rank) const
{
    Work work;
    const ExecutionGraph& graph = workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = graph.GetNode(i);
        const bool isCollective = node.kind == NodeKind::Collective;
        work.operations += static_cast<double>(node.operations);
        if (isCollective || node.kind == NodeKind::Send)
        {
            const bool isGather = isCollective && node.collective == CollectiveType::AllGather;
            const uint32_t n = isGather ? m_shape.layout.GetGroupSize(node.group) : 1;
            auto& amounts =
                work.traffic[{node.group, isCollective ? ToString(node.collective) : "send"}];
            amounts.nodes += 1;
            amounts.bytes += static_cast<double>(node.bytes) * n;
        }
    }
    return work;
}

void
PlanReport::Add(Stage& stage, uint64_t nRanks, const Work& work)
{
    const auto ranks = static_cast<double>(nRanks);
    for (const auto& [key, amounts] : work.traffic)
    {
        Traffic& traffic = m_traffic[key];
        traffic.fewest = std::min(traffic.fewest, amounts.nodes);
        traffic.most = std::max(traffic.most, amounts.nodes);
        traffic.bytesPerRank = std::max(traffic.bytesPerRank, amounts.bytes);
        traffic.bytes += amounts.bytes * ranks;
    }
    stage.nRanks += nRanks;
    stage.operations = std::max(stage.operations, work.operations);
    stage.allOperations += work.operations * ranks;
}

void
PlanReport::AddFamilies(const ClusterTopology* topology)
{
    for (const auto& entry : m_traffic)
    {
        const std::string& family = entry.first.first;
        const auto groups = m_shape.layout.GetGroups(family);
        m_families[family] = {groups.size(),
                              m_shape.layout.GetGroupSize(family),
                              topology ? DescribeMapping(groups, *topology) : ""};
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
    for (const auto& entry : m_traffic)
    {
        for (const auto& [formula, stages] : GetFormulas(entry.first))
        {
            table.AddRow(
                {GetName(entry.first.first), entry.first.second, formula, WriteRanges(stages)});
        }
    }
    table.Print(os);
}

ReportTable
PlanReport::MakeTrafficTable() const
{
    ReportTable table(
        {"family", "operation", "fewest", "most", "bytes of a rank", "bytes of all ranks"},
        2);
    for (const auto& [key, traffic] : m_traffic)
    {
        table.AddRow({GetName(key.first),
                      key.second,
                      FormatFixed(traffic.fewest, 0),
                      FormatFixed(traffic.most, 0),
                      Round(traffic.bytesPerRank, "B"),
                      Round(traffic.bytes, "B")});
    }
    return table;
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
PlanReport::PrintFamilies(std::ostream& os) const
{
    ReportTable table({"family", "where a group lies", "groups", "members"}, 2);
    for (const auto& [name, family] : m_families)
    {
        table.AddRow({GetName(name),
                      family.where,
                      std::to_string(family.nGroups),
                      std::to_string(family.nMembers)});
    }
    table.Print(os);
}

void
PlanReport::PrintMemory(std::ostream& os) const
{
    const auto fullest =
        std::max_element(m_stages.begin(), m_stages.end(), [](const Stage& a, const Stage& b) {
            return a.memory.GetTotal() < b.memory.GetTotal();
        });
    os << "Memory of a rank of stage " << fullest - m_stages.begin() << "\n";
    ReportTable table({"part", "formula", "bytes"}, 2);
    for (const auto& part : fullest->memory.GetParts())
    {
        table.AddRow({part.name, part.formula, Round(static_cast<double>(part.bytes), "B")});
    }
    table.Print(os);
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
    os << name << ", " << Round(static_cast<double>(ParameterCounts::OfModel(m_shape.model)), "")
       << " parameters, on " << m_shape.layout.GetNRanks() << " ranks: tensor " << plan.tensor
       << " x context " << plan.context << " x data " << plan.data << " x pipeline "
       << plan.pipeline << "\n"
       << "A step: " << Round(flops.GetTokens(), "") << " tokens, "
       << Round(flops.GetModel(), "FLOP") << " of the model, " << Round(flops.GetHardware(), "FLOP")
       << " with what is computed again\n\nGroups\n";
    PrintFamilies(os);
    os << "\nCommunication in a step\n";
    MakeTrafficTable().Print(os);
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
    for (const auto& [key, traffic] : m_traffic)
    {
        std::string text;
        for (const auto& [formula, stages] : GetFormulas(key))
        {
            text += (text.empty() ? "" : "; ") + formula + " on stages " + WriteRanges(stages);
        }
        const Family& family = m_families.at(key.first);
        table.AddRow({GetName(key.first),
                      std::to_string(family.nGroups),
                      std::to_string(family.nMembers),
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
