/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-workload.h"

#include "memory-footprint.h"
#include "message-tally.h"
#include "model-flops.h"
#include "model-presets.h"
#include "plan-report.h"
#include "training-checker.h"
#include "transformer-generator.h"

#include "ns3/amount.h"
#include "ns3/quantity.h"

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
    if (!diagnostics.HasErrors())
    {
        const uint64_t given = bucketBytes;
        bucketBytes = 0;
        diagnostics.Collect(At(""), [this] { Generate(GetRepetitionUnit()); });
        bucketBytes = given;
        diagnostics.Collect(At("BucketBytes"), [this] { Generate(GetRepetitionUnit()); });
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
    TakeSizes(named);
    if (m_modelName.empty())
    {
        RequireSizes({{"layers", layers},
                      {"hidden-size", hiddenSize},
                      {"heads", heads},
                      {"vocabulary", vocabulary},
                      {"sequence-length", sequenceLength}},
                     diagnostics);
    }
}

void
TransformerWorkload::CompletePlan(uint32_t nRanks, Diagnostics& diagnostics)
{
    const auto split = ReadCounts("StageLayers", m_stageLayers, UINT32_MAX, diagnostics);
    stageLayers.assign(split.begin(), split.end());
    const Amount nShared = Amount(tensor) * context * pipeline;
    const bool isFilled = data == 0;
    if (isFilled)
    {
        data = Amount(nRanks) < nShared ? 1 : nRanks / nShared.Get("ranks");
    }
    const Amount nPlanned = nShared * data;
    if (nPlanned < Amount(nRanks) || Amount(nRanks) < nPlanned)
    {
        diagnostics.Error(
            isFilled ? At("Tensor") : At("Data"),
            "tensor " + std::to_string(tensor) + " x context " + std::to_string(context) +
                " x pipeline " + std::to_string(pipeline) +
                (isFilled ? " must divide" : " x data " + std::to_string(data) + " must be") +
                " the number of NPUs, " + std::to_string(nRanks));
    }
    SetMicroBatches(diagnostics);
}

void
TransformerWorkload::SetMicroBatches(Diagnostics& diagnostics)
{
    const uint64_t perMicroBatch = uint64_t{microBatch} * data;
    if (m_globalBatch == 0)
    {
        microBatches = microBatches == 0 ? 1 : microBatches;
        return;
    }
    const uint64_t count = m_globalBatch / perMicroBatch;
    if (m_globalBatch % perMicroBatch > 0 || count > UINT32_MAX)
    {
        diagnostics.Error(At("GlobalBatch"),
                          std::to_string(m_globalBatch) +
                              " sequences are no multiple, up to 2^32 - 1, of micro-batch " +
                              std::to_string(microBatch) + " x data " + std::to_string(data));
        return;
    }
    if (microBatches > 0 && microBatches != count)
    {
        diagnostics.Error(At("MicroBatches"),
                          std::to_string(microBatches) + " contradicts the global batch of " +
                              std::to_string(m_globalBatch) + " sequences, which makes " +
                              std::to_string(count) + " micro-batches; give one of both");
    }
    microBatches = count;
}

void
TransformerWorkload::CheckMemory(uint64_t capacityBytes, Diagnostics& diagnostics) const
{
    MessageTally tally(diagnostics);
    for (uint32_t stage = 0; stage < pipeline; ++stage)
    {
        const uint64_t bytes = MemoryFootprint(*this, *this, stage).GetTotal();
        if (bytes > capacityBytes)
        {
            tally.Warning("a rank of stage " + std::to_string(stage) + " needs " +
                              FormatBytes(bytes) + ", an NPU has " + FormatBytes(capacityBytes) +
                              "; ml-cluster-generate shows what for",
                          {"", 0, "memory"});
        }
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
    return schedule == "gpipe" ? microBatches : 4 * uint64_t{pipeline} + 2;
}

std::optional<TrainingFigures>
TransformerWorkload::GetTraining() const
{
    const ModelFlops flops(*this, *this);
    return TrainingFigures{flops.GetModel(), flops.GetTokens() / sequenceLength, flops.GetTokens()};
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
