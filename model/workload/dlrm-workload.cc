/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-workload.h"

#include "dlrm-figures.h"
#include "embedding-shards.h"
#include "workload-tally.h"

#include "ns3/plain-number.h"
#include "ns3/report-table.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-list.h"

#include <map>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(DlrmWorkload);

namespace
{

constexpr uint32_t MAX_TABLES = 1 << 20;

const std::map<std::string, DlrmModel::Sharding> SHARDINGS = {
    {"table", DlrmModel::Sharding::Table},
    {"row", DlrmModel::Sharding::Row},
    {"column", DlrmModel::Sharding::Column},
    {"data", DlrmModel::Sharding::Data},
};

/// @param text a list, or "" @return its words
std::vector<std::string>
Split(const std::string& text)
{
    return text.empty() ? std::vector<std::string>{} : SplitWords(text, ',');
}

} // namespace

TypeId
DlrmWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::DlrmWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<DlrmWorkload>()
            .AddAttribute("Model",
                          "Published name of the model, such as dlrm-mlperf; empty: its sizes are "
                          "given.",
                          StringValue(""),
                          MakeStringAccessor(&DlrmWorkload::m_modelName),
                          MakeStringChecker())
            .AddAttribute("VectorSize",
                          "Columns of all tables; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DlrmWorkload::m_vectorSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "Tables",
                "Embedding tables; 0: as many as the model has, or as rows are given for.",
                UintegerValue(0),
                MakeUintegerAccessor(&DlrmWorkload::m_nTables),
                MakeUintegerChecker<uint32_t>(0, MAX_TABLES))
            .AddAttribute("Rows",
                          "Rows of tables, one number for all or one each, separated by commas; "
                          "empty: as the model has it.",
                          StringValue(""),
                          MakeStringAccessor(&DlrmWorkload::m_rows),
                          MakeStringChecker())
            .AddAttribute(
                "Pooling",
                "Rows looked up and summed up for a sample, for all tables or each; empty: "
                "as the model has it, else 1.",
                StringValue(""),
                MakeStringAccessor(&DlrmWorkload::m_pooling),
                MakeStringChecker())
            .AddAttribute(
                "Sharding",
                "How tables lie on NPUs, all or each: table (whole, on one), row or column "
                "(divided), data (whole, on all).",
                StringValue("table"),
                MakeStringAccessor(&DlrmWorkload::m_sharding),
                MakeStringChecker())
            .AddAttribute("Shards",
                          "NPUs that the columns of column-wise tables are divided over, for all "
                          "tables or each.",
                          StringValue("1"),
                          MakeStringAccessor(&DlrmWorkload::m_shards),
                          MakeStringChecker())
            .AddAttribute(
                "Ranks",
                "Ranks that table- and column-wise tables are on, such as 3, for all tables "
                "or each; several are joined by +; auto: so that all have equal work.",
                StringValue("auto"),
                MakeStringAccessor(&DlrmWorkload::m_ranks),
                MakeStringChecker())
            .AddAttribute("BottomWidths",
                          "Dense features, then widths of the bottom MLP, the last of them "
                          "VectorSize; empty: as the model has it.",
                          StringValue(""),
                          MakeStringAccessor(&DlrmWorkload::m_bottom),
                          MakeStringChecker())
            .AddAttribute(
                "TopWidths",
                "Widths of the top MLP behind its input, the last of them 1; empty: as the "
                "model has it.",
                StringValue(""),
                MakeStringAccessor(&DlrmWorkload::m_top),
                MakeStringChecker())
            .AddAttribute("Batch",
                          "Samples of a step, on all NPUs together.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&DlrmPlan::batch)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Steps",
                          "Training steps.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&DlrmPlan::steps)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ElementBytes",
                          "Bytes of an element of the MLPs.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&DlrmPlan::elementBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("GradientBytes",
                          "Bytes of a gradient of the MLPs, and of replicated tables.",
                          UintegerValue(4),
                          MakeUintegerAccessor(Of(&DlrmPlan::gradientBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("EmbeddingBytes",
                          "Bytes of an element of tables, and of the vectors exchanged.",
                          UintegerValue(4),
                          MakeUintegerAccessor(Of(&DlrmPlan::embeddingBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("IndexBytes",
                          "Bytes of an index of a row, and of a count of indices.",
                          UintegerValue(8),
                          MakeUintegerAccessor(Of(&DlrmPlan::indexBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients of the MLPs reduced at once; 0: all.",
                          UintegerValue(26214400),
                          MakeUintegerAccessor(Of(&DlrmPlan::bucketBytes)),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

DlrmWorkload::DlrmWorkload() = default;

DlrmWorkload::~DlrmWorkload() = default;

void
DlrmWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    ranks = topology.GetNRanks();
    CompleteModel(diagnostics);
    if (batch % ranks != 0)
    {
        diagnostics.Error(At("Batch"),
                          std::to_string(batch) + " samples; needed is a multiple of the " +
                              std::to_string(ranks) + " NPUs");
    }
    CheckSizes(diagnostics);
    CheckShards(diagnostics);
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect(At(""), [this] {
            Generate(1);
            GetDlrmFigures(m_model, *this).GetMemoryBytes();
        });
    }
}

void
DlrmWorkload::CompleteModel(Diagnostics& diagnostics)
{
    m_model.name = "dlrm";
    diagnostics.Collect(At("Model"), [this] {
        m_model = m_modelName.empty() ? m_model : FindDlrmModel(m_modelName);
    });
    m_model.vectorSize = m_vectorSize == 0 ? m_model.vectorSize : m_vectorSize;
    const auto bottom = ReadCounts("BottomWidths", m_bottom, UINT64_MAX, diagnostics);
    const auto top = ReadCounts("TopWidths", m_top, UINT64_MAX, diagnostics);
    m_model.bottomWidths = bottom.empty() ? m_model.bottomWidths : bottom;
    m_model.topWidths = top.empty() ? m_model.topWidths : top;
    MakeTables(diagnostics);
    ShardTables(diagnostics);
}

void
DlrmWorkload::CheckSizes(Diagnostics& diagnostics) const
{
    if (diagnostics.HasErrors())
    {
        return;
    }
    const auto& bottom = m_model.bottomWidths;
    RequireSizes({{"vector-size", m_model.vectorSize},
                  {"rows", m_model.tables.size()},
                  {"bottom-widths", bottom.size()},
                  {"top-widths", m_model.topWidths.size()}},
                 diagnostics);
    if (!bottom.empty() && (bottom.size() < 2 || bottom.back() != m_model.vectorSize))
    {
        diagnostics.Error(At("BottomWidths"),
                          JoinNumbers(bottom) +
                              "; needed are at least two, the last of them vector-size, " +
                              std::to_string(m_model.vectorSize));
    }
    if (!m_model.topWidths.empty() && m_model.topWidths.back() != 1)
    {
        diagnostics.Error(At("TopWidths"),
                          JoinNumbers(m_model.topWidths) + "; the last of them must be 1");
    }
    diagnostics.Collect(At("BottomWidths"), [this] { m_model.GetBottomLayers(); });
    diagnostics.Collect(At("TopWidths"), [this] { m_model.GetTopLayers(); });
}

void
DlrmWorkload::CheckShards(Diagnostics& diagnostics) const
{
    DlrmModel model = m_model;
    for (auto& table : model.tables)
    {
        table.pooling = 1;
        table.shards = 1;
        table.ranks.clear();
    }
    const auto check = [&](const std::string& attribute) {
        if (!diagnostics.HasErrors())
        {
            diagnostics.Collect(At(attribute), [&] { EmbeddingShards(model, ranks); });
        }
    };
    check("Rows");
    for (std::size_t i = 0; i < model.tables.size(); ++i)
    {
        model.tables[i].pooling = m_model.tables[i].pooling;
    }
    check("Pooling");
    for (std::size_t i = 0; i < model.tables.size(); ++i)
    {
        model.tables[i].shards = m_model.tables[i].shards;
    }
    check("Shards");
    model = m_model;
    check("Ranks");
}

void
DlrmWorkload::MakeTables(Diagnostics& diagnostics)
{
    const auto rows = ReadCounts("Rows", m_rows, UINT64_MAX, diagnostics);
    if (m_nTables > 0 && rows.empty())
    {
        diagnostics.Error(At("Rows"),
                          "is missing; needed are rows of the " + std::to_string(m_nTables) +
                              " tables, one number for all or one each");
    }
    if (!rows.empty())
    {
        m_model.tables.assign(m_nTables == 0 ? rows.size() : m_nTables, {});
    }
    ForTables(
        "Rows",
        rows,
        [](DlrmModel::Table& table, uint64_t value) { table.rows = value; },
        diagnostics);
    ForTables(
        "Pooling",
        ReadCounts("Pooling", m_pooling, UINT64_MAX, diagnostics),
        [](DlrmModel::Table& table, uint64_t value) { table.pooling = value; },
        diagnostics);
}

void
DlrmWorkload::ShardTables(Diagnostics& diagnostics)
{
    std::vector<DlrmModel::Sharding> shardings;
    for (const auto& word : Split(m_sharding))
    {
        shardings.push_back(Choose("Sharding", word, SHARDINGS, diagnostics));
    }
    ForTables(
        "Sharding",
        shardings,
        [](DlrmModel::Table& table, DlrmModel::Sharding value) { table.sharding = value; },
        diagnostics);
    ForTables(
        "Shards",
        ReadCounts("Shards", m_shards, UINT32_MAX, diagnostics),
        [](DlrmModel::Table& table, uint64_t value) {
            const bool isColumns = table.sharding == DlrmModel::Sharding::Column;
            table.shards = isColumns ? static_cast<uint32_t>(value) : 1;
        },
        diagnostics);
    std::vector<std::vector<uint32_t>> ranksOf;
    diagnostics.Collect(At("Ranks"), [&] {
        for (const auto& word : Split(m_ranks))
        {
            ranksOf.push_back(ParseRanks(word));
        }
    });
    ForTables(
        "Ranks",
        ranksOf,
        [](DlrmModel::Table& table, const std::vector<uint32_t>& value) { table.ranks = value; },
        diagnostics);
}

std::vector<uint32_t>
DlrmWorkload::ParseRanks(const std::string& word)
{
    std::vector<uint32_t> numbers;
    if (word != "auto")
    {
        for (const auto& rank : SplitWords(word, '+'))
        {
            numbers.push_back(static_cast<uint32_t>(ParseLimitedCount(rank, UINT32_MAX)));
        }
    }
    return numbers;
}

template <typename T, typename Set>
void
DlrmWorkload::ForTables(const std::string& attribute,
                        const std::vector<T>& values,
                        const Set& set,
                        Diagnostics& diagnostics)
{
    const std::size_t nTables = m_model.tables.size();
    if (values.size() > 1 && values.size() != nTables)
    {
        diagnostics.Error(At(attribute),
                          std::to_string(values.size()) + " values are given for " +
                              std::to_string(nTables) +
                              " tables; allowed is one for all, or one for each");
        return;
    }
    for (std::size_t i = 0; i < nTables && !values.empty(); ++i)
    {
        set(m_model.tables[i], values[values.size() > 1 ? i : 0]);
    }
}

std::shared_ptr<const ClusterWorkload>
DlrmWorkload::Generate(uint64_t nRepetitions) const
{
    DlrmPlan plan = *this;
    plan.steps = static_cast<uint32_t>(nRepetitions);
    return std::make_shared<const ClusterWorkload>(MakeDlrmWorkload(m_model, plan));
}

uint64_t
DlrmWorkload::GetNRepetitions() const
{
    return steps;
}

uint64_t
DlrmWorkload::GetRepetitionsToSettle() const
{
    return 3;
}

std::optional<TrainingFigures>
DlrmWorkload::GetTraining() const
{
    TrainingFigures figures;
    figures.modelOperations = GetDlrmFigures(m_model, *this).modelOperations;
    figures.samples = static_cast<double>(batch);
    figures.steps = steps;
    return figures;
}

std::string
DlrmWorkload::Describe() const
{
    std::map<DlrmModel::Sharding, uint32_t> counts;
    for (const auto& table : m_model.tables)
    {
        ++counts[table.sharding];
    }
    std::string shardings;
    for (const auto& [word, sharding] : SHARDINGS)
    {
        if (counts[sharding] > 0)
        {
            shardings +=
                (shardings.empty() ? "" : ", ") + std::to_string(counts[sharding]) + " " + word;
        }
    }
    return m_model.name + ", " + std::to_string(m_model.tables.size()) + " tables (" + shardings +
           "), " + std::to_string(steps) + (steps == 1 ? " step of " : " steps of ") +
           std::to_string(batch) + " samples";
}

bool
DlrmWorkload::HasOperations() const
{
    return true;
}

void
DlrmWorkload::PrintPlan(std::ostream& os, uint64_t capacityBytes) const
{
    const PlanFigures figures = GetDlrmFigures(m_model, *this);
    const auto round = [](uint64_t value) { return FormatRounded(static_cast<double>(value), ""); };
    os << m_model.name << ", tables of " << round(m_model.CountEmbeddingParameters())
       << " parameters, MLPs of " << round(m_model.CountDenseParameters()) << ", on " << ranks
       << " ranks\nA step: " << batch << " samples, "
       << FormatRounded(figures.modelOperations, "FLOP") << " of the model's products\n\n";
    WorkloadTally(*Generate(1), m_topology.get()).Print(os, "step");
    os << "\n";
    figures.Print(os, capacityBytes);
}

const DlrmModel&
DlrmWorkload::GetModel() const
{
    return m_model;
}

} // namespace mlcluster
} // namespace ns3
