/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-workload.h"

#include "model-flops.h"
#include "model-presets.h"
#include "plan-report.h"
#include "transformer-generator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/plain-number.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(TransformerWorkload);

namespace
{

const std::string PREFIX = "ns3::mlcluster::TransformerWorkload::";

const std::map<std::string, TransformerModel::Family> FAMILIES = {
    {"gpt", TransformerModel::Family::Gpt},
    {"llama", TransformerModel::Family::Llama},
};

/// @param name of an attribute @return where a problem of it is
Diagnostics::Place
At(const std::string& name)
{
    return {"", 0, PREFIX + name};
}

} // namespace

TypeId
TransformerWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::TransformerWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<TransformerWorkload>()
            .AddAttribute(
                "Model",
                "Published name of the model, such as GPT-3 175B; empty: its sizes are given.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_modelName),
                MakeStringChecker())
            .AddAttribute(
                "Family",
                "What layers are made of: gpt or llama; empty: as the model has it, else gpt.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_family),
                MakeStringChecker())
            .AddAttribute("Layers",
                          "Layers; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::layers)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HiddenSize",
                          "Hidden size; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::hiddenSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Heads",
                          "Attention heads; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::heads)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KvHeads",
                          "Key-value heads; 0: as the model has it, else one for each head.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::kvHeads)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("FfnSize",
                          "Width of the FFN; 0: as the model has it, else 4 times the hidden size.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::ffnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Vocabulary",
                          "Padded vocabulary; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::vocabulary)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SequenceLength",
                          "Tokens of a sequence; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::sequenceLength)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "FlashAttention",
                "Whether the attention core is fused, so that scores are not written to memory.",
                BooleanValue(false),
                MakeBooleanAccessor(Of(&TransformerModel::flashAttention)),
                MakeBooleanChecker())
            .AddAttribute("Causal",
                          "Whether a fused attention core skips what is masked.",
                          BooleanValue(false),
                          MakeBooleanAccessor(Of(&TransformerModel::causal)),
                          MakeBooleanChecker())
            .AddAttribute("Experts",
                          "Experts of a layer that has some; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::experts)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TopExperts",
                          "Experts a token goes to; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::topExperts)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertInterval",
                          "Layers 0, i, 2 i, ... have experts; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::expertInterval)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ExpertFfnSize",
                          "FFN width of an expert; 0: as the model has it, else that of the FFN.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::expertFfnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SharedFfnSize",
                          "FFN width of the expert that all tokens take; 0: as the model has it.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&TransformerModel::sharedFfnSize)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Tensor",
                          "Tensor parallelism: ranks that share a layer.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::tensor)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Context",
                          "Context parallelism: ranks that share a sequence.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::context)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Pipeline",
                          "Pipeline stages.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::pipeline)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Data",
                          "Data parallelism: copies of the model; 0: as many as fill the topology.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::data)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Expert",
                          "Expert parallelism: ranks that share the experts of a layer.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::expert)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ExpertTensor",
                          "Tensor parallelism of experts: 1 or that of layers; 0: that of layers.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::expertTensor)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("SequenceParallel",
                          "Whether norms and dropout are divided over the tensor group too.",
                          BooleanValue(false),
                          MakeBooleanAccessor(Of(&ParallelPlan::sequenceParallel)),
                          MakeBooleanChecker())
            .AddAttribute(
                "ContextScheme",
                "How context parallelism exchanges keys and values: ring, all-gather or ulysses.",
                StringValue("ring"),
                MakeStringAccessor(Of(&ParallelPlan::contextScheme)),
                MakeStringChecker())
            .AddAttribute("RankOrder",
                          "Kinds of parallelism by which ranks are numbered, fastest first.",
                          StringValue("tensor-context-data-pipeline"),
                          MakeStringAccessor(Of(&ParallelPlan::rankOrder)),
                          MakeStringChecker())
            .AddAttribute("MicroBatch",
                          "Sequences of a micro-batch.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::microBatch)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MicroBatches",
                          "Micro-batches of a step, on each copy of the model.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::microBatches)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "GlobalBatch",
                "Sequences of a step over all copies, instead of MicroBatches; 0: not given.",
                UintegerValue(0),
                MakeUintegerAccessor(&TransformerWorkload::m_globalBatch),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Schedule",
                          "Pipeline schedule: gpipe, 1f1b, interleaved or zero-bubble.",
                          StringValue("1f1b"),
                          MakeStringAccessor(Of(&ParallelPlan::schedule)),
                          MakeStringChecker())
            .AddAttribute("Chunks",
                          "Parts of the model on a stage (interleaved).",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::chunks)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "StageLayers",
                "Layers of each part of the model in order, separated by commas; empty: even.",
                StringValue(""),
                MakeStringAccessor(&TransformerWorkload::m_stageLayers),
                MakeStringChecker())
            .AddAttribute("ZeroStage",
                          "What data parallelism shards: 0 nothing, 1 optimizer states, 2 "
                          "gradients too, 3 weights too (FSDP).",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&ParallelPlan::zeroStage)),
                          MakeUintegerChecker<uint32_t>(0, 3))
            .AddAttribute("BucketBytes",
                          "Bytes of gradients reduced at once; 0: all of a rank.",
                          UintegerValue(26214400),
                          MakeUintegerAccessor(Of(&ParallelPlan::bucketBytes)),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Prefetch",
                          "ZeroStage 3: layers gathered beyond the current one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&ParallelPlan::prefetch)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ReshardAfterForward",
                          "ZeroStage 3: whether weights are gathered again in the backward pass.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::reshardAfterForward)),
                          MakeBooleanChecker())
            .AddAttribute("OverlapGradients",
                          "Whether gradients are reduced while the last backward pass goes on.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::overlapGradients)),
                          MakeBooleanChecker())
            .AddAttribute(
                "Recompute",
                "What the backward pass computes again: none, selective (attention core) or full.",
                StringValue("none"),
                MakeStringAccessor(Of(&ParallelPlan::recompute)),
                MakeStringChecker())
            .AddAttribute("ElementBytes",
                          "Bytes of an activation or weight.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&ParallelPlan::elementBytes)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GradientBytes",
                          "Bytes of a gradient where gradients are added up and reduced.",
                          UintegerValue(4),
                          MakeUintegerAccessor(Of(&ParallelPlan::gradientBytes)),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "CapacityFactor",
                "Capacity of experts over their even share of tokens; 0: no token is dropped.",
                DoubleValue(0.0),
                MakeDoubleAccessor(Of(&ParallelPlan::capacityFactor)),
                MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("ExpertSkew",
                          "Zipf exponent of the load of experts; 0: all have the same.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(Of(&ParallelPlan::expertSkew)),
                          MakeDoubleChecker<double>(0.0, 1000.0))
            .AddAttribute("Optimizer",
                          "Whether the step ends with the optimizer's.",
                          BooleanValue(true),
                          MakeBooleanAccessor(Of(&ParallelPlan::optimizer)),
                          MakeBooleanChecker());
    return tid;
}

TransformerWorkload::TransformerWorkload() = default;

TransformerWorkload::~TransformerWorkload() = default;

void
TransformerWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    CompleteModel(diagnostics);
    CompletePlan(topology.GetNRanks(), diagnostics);
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect({}, [this] { TransformerGenerator(*this, *this); });
    }
}

void
TransformerWorkload::CompleteModel(Diagnostics& diagnostics)
{
    TransformerModel named;
    diagnostics.Collect(At("Model"),
                        [&] { named = m_modelName.empty() ? named : FindModel(m_modelName); });
    family = named.family;
    if (!m_family.empty())
    {
        diagnostics.Collect(At("Family"), [&] {
            CheckWord("family", m_family, {"gpt", "llama"});
            family = FAMILIES.at(m_family);
        });
    }
    name = m_modelName.empty() ? "transformer" : named.name;
    source = named.source;
    for (const auto size : {&TransformerModel::layers,
                            &TransformerModel::hiddenSize,
                            &TransformerModel::heads,
                            &TransformerModel::kvHeads,
                            &TransformerModel::ffnSize,
                            &TransformerModel::vocabulary,
                            &TransformerModel::sequenceLength,
                            &TransformerModel::experts,
                            &TransformerModel::topExperts,
                            &TransformerModel::expertInterval,
                            &TransformerModel::expertFfnSize,
                            &TransformerModel::sharedFfnSize})
    {
        this->*size = this->*size == 0 ? named.*size : this->*size;
    }
}

void
TransformerWorkload::CompletePlan(uint32_t nRanks, Diagnostics& diagnostics)
{
    stageLayers.clear();
    diagnostics.Collect(At("StageLayers"), [&] {
        for (const auto& word : SplitWords(m_stageLayers, ','))
        {
            if (!m_stageLayers.empty())
            {
                stageLayers.push_back(ParseLimitedCount(word, UINT32_MAX));
            }
        }
    });
    const uint64_t nShared = uint64_t{tensor} * context * pipeline;
    data = data == 0 ? std::max<uint64_t>(1, nRanks / nShared) : data;
    const uint64_t nPlanned = nShared * data;
    if (nPlanned != nRanks)
    {
        diagnostics.Error(At("Data"),
                          "tensor " + std::to_string(tensor) + " x context " +
                              std::to_string(context) + " x pipeline " + std::to_string(pipeline) +
                              " x data " + std::to_string(data) + " are " +
                              std::to_string(nPlanned) + " ranks, but the topology has " +
                              std::to_string(nRanks) + " NPUs");
    }
    const uint64_t perMicroBatch = uint64_t{microBatch} * data;
    if (m_globalBatch > 0 &&
        (m_globalBatch % perMicroBatch > 0 || m_globalBatch / perMicroBatch > UINT32_MAX))
    {
        diagnostics.Error(At("GlobalBatch"),
                          std::to_string(m_globalBatch) +
                              " sequences are no multiple of micro-batch " +
                              std::to_string(microBatch) + " x data " + std::to_string(data));
    }
    else if (m_globalBatch > 0)
    {
        microBatches = m_globalBatch / perMicroBatch;
    }
}

std::shared_ptr<const ClusterWorkload>
TransformerWorkload::Generate(uint64_t nRepetitions) const
{
    ParallelPlan plan = *this;
    plan.microBatches = nRepetitions;
    return std::make_shared<const ClusterWorkload>(TransformerGenerator(*this, plan).Generate());
}

uint64_t
TransformerWorkload::GetNRepetitions() const
{
    return microBatches;
}

uint32_t
TransformerWorkload::GetRepetitionUnit() const
{
    return schedule == "interleaved" ? pipeline : 1;
}

uint64_t
TransformerWorkload::GetRepetitionsToSettle() const
{
    return 4 * uint64_t{pipeline} + 2;
}

std::optional<TrainingFigures>
TransformerWorkload::GetTraining() const
{
    const ModelFlops flops(*this, *this);
    return TrainingFigures{flops.GetModel(), flops.GetTokens()};
}

std::string
TransformerWorkload::Describe() const
{
    return name + ", tensor " + std::to_string(tensor) + " x context " + std::to_string(context) +
           " x pipeline " + std::to_string(pipeline) + " x data " + std::to_string(data) + ", " +
           std::to_string(microBatches) + " micro-batches of " + std::to_string(microBatch) +
           " sequences of " + std::to_string(sequenceLength) + " tokens";
}

void
TransformerWorkload::PrintPlan(std::ostream& os, uint64_t capacityBytes) const
{
    PlanReport(*this, *this, m_topology.get(), capacityBytes).Print(os);
}

bool
TransformerWorkload::HasOperations() const
{
    return true;
}

const TransformerModel&
TransformerWorkload::GetModel() const
{
    return *this;
}

const ParallelPlan&
TransformerWorkload::GetPlan() const
{
    return *this;
}

} // namespace mlcluster
} // namespace ns3
