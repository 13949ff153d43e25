/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-workload.h"

#include "model-flops.h"
#include "model-presets.h"
#include "plan-report.h"
#include "training-checker.h"
#include "transformer-generator.h"

#include <algorithm>
#include <cctype>

namespace ns3
{
namespace mlcluster
{

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
        const auto placeOf = [this](std::string member) {
            member[0] = static_cast<char>(std::toupper(member[0]));
            return At(member);
        };
        TrainingChecker(*this, *this, placeOf, diagnostics).Check();
    }
}

void
TransformerWorkload::CompleteModel(Diagnostics& diagnostics)
{
    TransformerModel named;
    diagnostics.Collect(At("Model"),
                        [&] { named = m_modelName.empty() ? named : FindModel(m_modelName); });
    family = Choose<Family>("Family",
                            m_family,
                            {{"", named.family}, {"gpt", Family::Gpt}, {"llama", Family::Llama}},
                            diagnostics);
    const auto chooseFlag = [&](const std::string& attribute, const std::string& word, bool own) {
        return Choose<bool>(attribute,
                            word,
                            {{"auto", own}, {"true", true}, {"false", false}},
                            diagnostics);
    };
    dropout = chooseFlag("Dropout", m_dropout, named.dropout);
    flashAttention = chooseFlag("FlashAttention", m_flashAttention, named.flashAttention);
    causal = chooseFlag("Causal", m_causal, named.causal);
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
    const auto split = ReadCounts("StageLayers", m_stageLayers, UINT32_MAX, diagnostics);
    stageLayers.assign(split.begin(), split.end());
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
