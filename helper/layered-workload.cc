/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layered-workload.h"

#include "gemm-table.h"

#include "ns3/layered-figures.h"
#include "ns3/report-table.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-list.h"
#include "ns3/workload-tally.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(LayeredWorkload);

namespace
{

const std::map<std::string, LayerParallelism> PARALLELISMS = {
    {"data", LayerParallelism::Data},
    {"hybrid", LayerParallelism::Hybrid},
    {"tensor", LayerParallelism::Tensor},
};

/// @param policy of a table of products @return the parallelism
LayerParallelism
GetParallelism(const std::string& policy)
{
    return policy == "DATA"    ? LayerParallelism::Data
           : policy == "MODEL" ? LayerParallelism::Tensor
                               : LayerParallelism::Hybrid;
}

} // namespace

TypeId
LayeredWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::LayeredWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<LayeredWorkload>()
            .AddAttribute(
                "Model",
                "Published name of the network, resnet-50 or vgg-16; empty: File or Widths "
                "tell its layers.",
                StringValue(""),
                MakeStringAccessor(&LayeredWorkload::m_modelName),
                MakeStringChecker())
            .AddAttribute("File",
                          "Table Layer,m,n,k of layers as products of matrices m x k and k x n.",
                          StringValue(""),
                          MakeStringAccessor(&LayeredWorkload::m_file),
                          MakeStringChecker())
            .AddAttribute("Widths",
                          "Widths of an MLP, that of its input first, separated by commas.",
                          StringValue(""),
                          MakeStringAccessor(&LayeredWorkload::m_widths),
                          MakeStringChecker())
            .AddAttribute(
                "Parallelism",
                "How layers that no list names are trained: data (all NPUs have the "
                "weights), tensor (each has a part), hybrid (each of a tensor group has).",
                StringValue("data"),
                MakeStringAccessor(&LayeredWorkload::m_parallelism),
                MakeStringChecker())
            .AddAttribute("DataLayers",
                          "Names of layers that are data-parallel, separated by commas.",
                          StringValue(""),
                          MakeStringAccessor(&LayeredWorkload::m_dataLayers),
                          MakeStringChecker())
            .AddAttribute("HybridLayers",
                          "Names of layers that tensor groups share.",
                          StringValue(""),
                          MakeStringAccessor(&LayeredWorkload::m_hybridLayers),
                          MakeStringChecker())
            .AddAttribute("TensorLayers",
                          "Names of layers that all NPUs share.",
                          StringValue(""),
                          MakeStringAccessor(&LayeredWorkload::m_tensorLayers),
                          MakeStringChecker())
            .AddAttribute("Tensor",
                          "NPUs in a row that are a tensor group, of hybrid layers.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LayeredWorkload::m_tensor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Batch",
                          "Samples of a step, on all NPUs together.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LayeredWorkload::m_batch),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Steps",
                          "Training steps.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&LayeredWorkload::m_steps),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ElementBytes",
                          "Bytes of an activation or weight.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&LayeredWorkload::m_elementBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("GradientBytes",
                          "Bytes of a gradient of weights.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&LayeredWorkload::m_gradientBytes),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients reduced at once; 0: all of a rank.",
                          UintegerValue(26214400),
                          MakeUintegerAccessor(&LayeredWorkload::m_bucketBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

LayeredWorkload::LayeredWorkload() = default;

LayeredWorkload::~LayeredWorkload() = default;

void
LayeredWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    const uint32_t nRanks = topology.GetNRanks();
    m_plan.setting = {nRanks, m_tensor, m_batch, m_elementBytes, m_gradientBytes};
    m_plan.bucketBytes = m_bucketBytes;
    if (m_batch % nRanks != 0)
    {
        diagnostics.Error(At("Batch"),
                          std::to_string(m_batch) + " samples; needed is a multiple of the " +
                              std::to_string(nRanks) + " NPUs");
    }
    if (nRanks % m_tensor != 0)
    {
        diagnostics.Error(At("Tensor"),
                          std::to_string(m_tensor) + "; it must divide the " +
                              std::to_string(nRanks) + " NPUs");
    }
    MakeModel(diagnostics);
    ChooseParallelism(diagnostics);
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect(At(""), [this] {
            Generate(1);
            GetLayeredFigures(m_model, m_plan).GetMemoryBytes();
        });
    }
}

void
LayeredWorkload::MakeModel(Diagnostics& diagnostics)
{
    const auto nGiven = !m_modelName.empty() + !m_file.empty() + !m_widths.empty();
    if (nGiven != 1)
    {
        diagnostics.Error(
            At("Model"),
            std::string(nGiven == 0 ? "no network is given" : "several networks are given") +
                "; needed is one of model, file and widths");
        return;
    }
    if (!m_file.empty())
    {
        ReadTable(diagnostics);
        return;
    }
    diagnostics.Collect(At(m_modelName.empty() ? "Widths" : "Model"), [&] {
        if (!m_modelName.empty())
        {
            m_model = FindLayeredModel(m_modelName);
            return;
        }
        const auto widths = ReadCounts("Widths", m_widths, UINT64_MAX, diagnostics);
        if (widths.size() == 1)
        {
            throw InputError(m_widths + "; needed are at least two, that of the input first");
        }
        m_model.name = "mlp";
        m_model.layers = widths.empty() ? m_model.layers : LayeredModel::MakeMlp("fc", widths);
    });
}

void
LayeredWorkload::ReadTable(Diagnostics& diagnostics)
{
    m_model.name = m_file;
    const auto add = [this](const GemmLayer& given) {
        if (given.m % m_batch != 0)
        {
            throw InputError("m is " + std::to_string(given.m) +
                             "; needed is a multiple of the batch, " + std::to_string(m_batch));
        }
        LayeredModel::Layer layer;
        layer.name = given.name;
        layer.positions = given.m / m_batch;
        layer.inputs = given.k;
        layer.outputs = given.n;
        layer.inputElements = (Amount(layer.positions) * given.k).Get("elements of a sample");
        layer.vectors = 0;
        m_model.layers.push_back(layer);
        if (!given.policy.empty())
        {
            m_plan.parallelism.push_back(GetParallelism(given.policy));
        }
    };
    const auto read = [&] {
        const std::size_t nErrors = diagnostics.GetErrors().size();
        ReadGemmTable(m_file, std::nullopt, add, diagnostics);
        if (m_model.layers.empty() && diagnostics.GetErrors().size() == nErrors)
        {
            throw InputError("there are no layers; needed is a line of each");
        }
    };
    ReadFile("File", m_file, read, diagnostics);
}

void
LayeredWorkload::ChooseParallelism(Diagnostics& diagnostics)
{
    const auto others = Choose("Parallelism", m_parallelism, PARALLELISMS, diagnostics);
    m_plan.parallelism.resize(m_model.layers.size(), others);
    NameLayers("DataLayers", m_dataLayers, LayerParallelism::Data, diagnostics);
    NameLayers("HybridLayers", m_hybridLayers, LayerParallelism::Hybrid, diagnostics);
    NameLayers("TensorLayers", m_tensorLayers, LayerParallelism::Tensor, diagnostics);
}

void
LayeredWorkload::NameLayers(const std::string& attribute,
                            const std::string& names,
                            LayerParallelism parallelism,
                            Diagnostics& diagnostics)
{
    std::vector<std::string> known;
    for (const auto& layer : m_model.layers)
    {
        known.push_back(layer.name);
    }
    diagnostics.Collect(At(attribute), [&] {
        for (const auto& name : names.empty() ? std::vector<std::string>{} : SplitWords(names, ','))
        {
            CheckWord("layer", name, known);
            if (!m_named.insert(name).second)
            {
                throw InputError("\"" + name +
                                 "\" is named twice; allowed is once, in one of the lists");
            }
            for (std::size_t i = 0; i < known.size(); ++i)
            {
                m_plan.parallelism[i] = known[i] == name ? parallelism : m_plan.parallelism[i];
            }
        }
    });
}

std::shared_ptr<const ClusterWorkload>
LayeredWorkload::Generate(uint64_t nRepetitions) const
{
    LayeredPlan plan = m_plan;
    plan.steps = static_cast<uint32_t>(nRepetitions);
    return std::make_shared<const ClusterWorkload>(MakeLayeredWorkload(m_model, plan));
}

uint64_t
LayeredWorkload::GetNRepetitions() const
{
    return m_steps;
}

uint64_t
LayeredWorkload::GetRepetitionsToSettle() const
{
    return 3;
}

std::optional<TrainingFigures>
LayeredWorkload::GetTraining() const
{
    TrainingFigures figures;
    figures.modelOperations = GetLayeredFigures(m_model, m_plan).modelOperations;
    figures.samples = static_cast<double>(m_batch);
    figures.steps = m_steps;
    return figures;
}

std::string
LayeredWorkload::Describe() const
{
    std::string kinds;
    for (const auto& [word, parallelism] : PARALLELISMS)
    {
        const auto count =
            std::count(m_plan.parallelism.begin(), m_plan.parallelism.end(), parallelism);
        if (count > 0)
        {
            kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + word + "-parallel";
        }
    }
    return m_model.name + ", " + std::to_string(m_model.layers.size()) + " layers (" + kinds +
           "), " + std::to_string(m_steps) + (m_steps == 1 ? " step of " : " steps of ") +
           std::to_string(m_batch) + " samples";
}

bool
LayeredWorkload::HasOperations() const
{
    return true;
}

void
LayeredWorkload::PrintPlan(std::ostream& os, uint64_t capacityBytes) const
{
    const PlanFigures figures = GetLayeredFigures(m_model, m_plan);
    os << m_model.name << ", " << m_model.layers.size() << " layers, "
       << FormatRounded(static_cast<double>(m_model.CountParameters()), "") << " parameters, on "
       << m_plan.setting.ranks << " ranks\nA step: " << m_batch << " samples, "
       << FormatRounded(figures.modelOperations, "FLOP") << " of the model's products\n\n";
    WorkloadTally(*Generate(1), m_topology.get()).Print(os, "step");
    os << "\n";
    figures.Print(os, capacityBytes);
}

const LayeredModel&
LayeredWorkload::GetModel() const
{
    return m_model;
}

} // namespace mlcluster
} // namespace ns3
