/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-checker.h"

#include "memory-footprint.h"
#include "model-flops.h"
#include "pipeline-schedule.h"
#include "transformer-costs.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MAX_LAYERS = 100000;  // counted one by one
constexpr uint64_t MAX_EXPERTS = 100000; // of a layer, likewise
constexpr uint64_t MAX_CONTEXT = 65536;  // steps round a ring

} // namespace

TrainingChecker::TrainingChecker(const TransformerModel& model,
                                 const ParallelPlan& plan,
                                 const std::string& file,
                                 Diagnostics& diagnostics)
    : m_model(model),
      m_plan(plan),
      m_file(file),
      m_diagnostics(diagnostics)
{
}

void
TrainingChecker::Check()
{
    CheckNumbers();
    CheckChoices();
    CheckModel();
    CheckTensor();
    CheckContext();
    CheckPipeline();
    CheckExperts();
    CheckLoad();
    if (m_isSound)
    {
        CheckSizes();
        WarnOfNoEffect();
    }
}

void
TrainingChecker::CheckNumbers()
{
    const std::vector<Number> numbers{{"model.layers", m_model.layers, MAX_LAYERS},
                                      {"model.hidden-size", m_model.hiddenSize},
                                      {"model.heads", m_model.heads},
                                      {"model.vocabulary", m_model.vocabulary},
                                      {"model.sequence-length", m_model.sequenceLength},
                                      {"model.expert-interval", m_model.expertInterval},
                                      {"plan.tensor", m_plan.tensor},
                                      {"plan.context", m_plan.context, MAX_CONTEXT},
                                      {"plan.pipeline", m_plan.pipeline},
                                      {"plan.data", m_plan.data},
                                      {"plan.expert", m_plan.expert},
                                      {"plan.micro-batch", m_plan.microBatch},
                                      {"plan.micro-batches", m_plan.microBatches},
                                      {"plan.chunks", m_plan.chunks}};
    for (const auto& number : numbers)
    {
        if (number.value == 0 || number.value > number.most)
        {
            Refuse(number.key,
                   std::to_string(number.value),
                   "allowed is 1 to " + std::to_string(number.most));
        }
    }
}

void
TrainingChecker::CheckChoices()
{
    const auto checkWord = [this](const std::string& key,
                                  const std::string& what,
                                  const std::string& word,
                                  const std::vector<std::string>& allowed) {
        const auto before = m_diagnostics.GetErrors().size();
        m_diagnostics.Collect({m_file, 0, key}, [&] { CheckWord(what, word, allowed); });
        m_isSound = m_isSound && m_diagnostics.GetErrors().size() == before;
    };
    const auto checkBytes = [this](const std::string& key, uint32_t bytes) {
        if (bytes != 1 && bytes != 2 && bytes != 4)
        {
            Refuse(key, std::to_string(bytes), "allowed are 1, 2 and 4");
        }
    };
    checkWord("plan.context-scheme",
              "context scheme",
              m_plan.contextScheme,
              {"ring", "all-gather", "ulysses"});
    checkWord("plan.recompute", "recomputation", m_plan.recompute, {"none", "selective", "full"});
    checkBytes("plan.element-bytes", m_plan.elementBytes);
    checkBytes("plan.gradient-bytes", m_plan.gradientBytes);
    if (m_plan.zeroStage > 3)
    {
        Refuse("plan.zero-stage", std::to_string(m_plan.zeroStage), "allowed is 0 to 3");
    }
}

void
TrainingChecker::CheckModel()
{
    CheckDivides("model.heads", m_model.heads, "hidden-size", m_model.hiddenSize);
    CheckDivides("model.kv-heads", m_model.kvHeads, "heads", m_model.heads);
    if (m_isSound && m_model.HasRotaryPositions() && m_model.GetHeadSize() % 2 != 0)
    {
        Refuse("model.heads",
               std::to_string(m_model.heads),
               "hidden-size / heads is " + std::to_string(m_model.GetHeadSize()) +
                   "; rotary positions need an even number");
    }
}

void
TrainingChecker::CheckTensor()
{
    CheckDivides("plan.tensor", m_plan.tensor, "heads", m_model.heads);
    CheckDivides("plan.tensor", m_plan.tensor, "kv-heads", m_model.GetKvHeads());
    CheckDivides("plan.tensor", m_plan.tensor, "hidden-size", m_model.hiddenSize);
    CheckDivides("plan.tensor", m_plan.tensor, "ffn-size", m_model.GetFfnSize());
    CheckDivides("plan.tensor", m_plan.tensor, "shared-ffn-size", m_model.sharedFfnSize);
    CheckDivides("plan.tensor", m_plan.tensor, "vocabulary", m_model.vocabulary);
}

void
TrainingChecker::CheckContext()
{
    const uint64_t context = m_plan.context;
    const bool isHalved =
        m_plan.contextScheme == "ring" && m_model.flashAttention && m_model.causal && context > 1;
    const bool isTraded = m_plan.contextScheme == "ulysses" && context > 1;
    CheckDivides(isHalved ? "2 x plan.context" : "plan.context",
                 isHalved ? 2 * context : context,
                 "sequence-length",
                 m_model.sequenceLength);
    if (m_plan.sequenceParallel)
    {
        CheckDivides("plan.tensor x plan.context",
                     m_plan.tensor * context,
                     "sequence-length, with sequence parallelism",
                     m_model.sequenceLength);
    }
    if (isTraded)
    {
        CheckDivides("plan.tensor x plan.context",
                     m_plan.tensor * context,
                     "kv-heads, which ulysses trades",
                     m_model.GetKvHeads());
    }
}

void
TrainingChecker::CheckPipeline()
{
    const auto before = m_diagnostics.GetErrors().size();
    m_diagnostics.Collect({m_file, 0, "plan"}, [this] { PipelineSchedule{m_plan}; });
    m_diagnostics.Collect({m_file, 0, "plan"}, [this] { RankLayout{m_plan}; });
    m_isSound = m_isSound && m_diagnostics.GetErrors().size() == before;
    const uint64_t parts = uint64_t{m_plan.pipeline} * m_plan.chunks;
    const auto& split = m_plan.stageLayers;
    if (split.empty() && parts > m_model.layers)
    {
        Refuse("plan.pipeline x plan.chunks",
               std::to_string(parts),
               "each part needs a layer, and there are " + std::to_string(m_model.layers));
    }
    const uint64_t sum = std::accumulate(split.begin(), split.end(), uint64_t{0});
    const bool hasEmpty = std::find(split.begin(), split.end(), 0U) != split.end();
    if (!split.empty() && (split.size() != parts || sum != m_model.layers || hasEmpty))
    {
        Refuse("plan.stage-layers",
               JoinNumbers(split),
               "allowed are " + std::to_string(parts) +
                   " numbers (pipeline x chunks), none 0, that add up to layers, " +
                   std::to_string(m_model.layers));
    }
}

void
TrainingChecker::CheckExperts()
{
    if (m_model.experts == 0)
    {
        const std::vector<std::pair<std::string, uint32_t>> settings{
            {"model.top-experts", m_model.topExperts},
            {"model.expert-ffn-size", m_model.expertFfnSize},
            {"model.shared-ffn-size", m_model.sharedFfnSize},
            {"plan.expert", m_plan.expert > 1 ? m_plan.expert : 0}};
        for (const auto& [key, value] : settings)
        {
            if (value != 0)
            {
                Refuse(key,
                       std::to_string(value),
                       "the model has no experts; model.experts is their number");
            }
        }
        return;
    }
    if (m_model.experts > MAX_EXPERTS)
    {
        Refuse("model.experts",
               std::to_string(m_model.experts),
               "allowed is 0 to " + std::to_string(MAX_EXPERTS));
    }
    if (m_model.topExperts == 0 || m_model.topExperts > m_model.experts)
    {
        Refuse("model.top-experts",
               std::to_string(m_model.topExperts),
               "allowed is 1 to the number of experts, " + std::to_string(m_model.experts));
    }
    CheckDivides("plan.expert", m_plan.expert, "experts", m_model.experts);
    CheckDivides("plan.expert-tensor",
                 m_plan.GetExpertTensor(),
                 "expert-ffn-size",
                 m_model.GetExpertFfnSize());
    if (m_plan.GetExpertTensor() < m_plan.tensor && !m_plan.sequenceParallel)
    {
        Refuse("plan.expert-tensor",
               std::to_string(m_plan.expertTensor),
               "less than tensor, " + std::to_string(m_plan.tensor) +
                   ", needs sequence-parallel, since all ranks of a tensor group else send the "
                   "same tokens");
    }
}

void
TrainingChecker::CheckLoad()
{
    const double factor = m_plan.capacityFactor;
    const double skew = m_plan.expertSkew;
    const double most = m_model.topExperts == 0 ? 0 : 1.0 * m_model.experts / m_model.topExperts;
    if (!(factor >= 0 && factor <= most))
    {
        Refuse("plan.capacity-factor",
               FormatNumber(factor),
               "allowed is 0 to experts / top-experts, " + FormatNumber(most) +
                   ", where each expert has room for all tokens");
    }
    if (!(skew >= 0 && std::isfinite(skew)) || (skew > 0 && m_model.experts == 0))
    {
        Refuse("plan.expert-skew",
               FormatNumber(skew),
               "allowed is a number of at least 0, and 0 without experts");
    }
}

void
TrainingChecker::CheckSizes()
{
    m_diagnostics.Collect({m_file, 0, "plan"}, [this] {
        const TransformerCosts costs(m_model, m_plan);
        for (uint32_t layer = 0; layer < std::min(m_model.layers, 2U); ++layer)
        {
            costs.GetForward(layer);
            costs.GetBackward(layer);
        }
        costs.GetHeadForward();
        costs.GetHeadBackward();
        costs.GetEmbeddingBackward();
        ModelFlops(m_model, m_plan).GetHardware();
        uint32_t largest = 0;
        for (uint32_t i = 0; i < m_plan.stageLayers.size(); ++i)
        {
            largest = m_plan.stageLayers[i] > m_plan.stageLayers[largest] ? i : largest;
        }
        for (const uint32_t stage : {0U, largest % m_plan.pipeline, m_plan.pipeline - 1})
        {
            MemoryFootprint(m_model, m_plan, stage);
            costs.GetOptimizer(ParameterCounts::OfStage(costs.GetShape(), stage));
        }
    });
}

void
TrainingChecker::WarnOfNoEffect()
{
    const auto warn = [this](const std::string& key, const std::string& text) {
        m_diagnostics.Warning({m_file, 0, key}, text);
    };
    if (m_model.causal && !m_model.flashAttention)
    {
        warn("model.causal",
             "has no effect without flash-attention: attention that is not fused computes all "
             "scores and masks half of them");
    }
    if (m_model.flashAttention && m_plan.recompute == "selective")
    {
        warn("plan.recompute",
             "selective recomputation saves next to nothing with flash-attention, whose backward "
             "pass computes scores again anyway");
    }
    if (m_plan.capacityFactor > 0 && m_plan.expertSkew > 0)
    {
        warn("plan.expert-skew",
             "has no effect with a capacity-factor: all the room is sent and computed on, filled "
             "or not");
    }
}

void
TrainingChecker::Refuse(const std::string& key,
                        const std::string& value,
                        const std::string& allowed)
{
    m_isSound = false;
    m_diagnostics.Error({m_file, 0, key}, value + ": " + allowed);
}

void
TrainingChecker::CheckDivides(const std::string& key,
                              uint64_t divisor,
                              const std::string& what,
                              uint64_t dividend)
{
    if (divisor != 0 && dividend % divisor != 0)
    {
        Refuse(key,
               std::to_string(divisor),
               "it must divide " + what + ", " + std::to_string(dividend));
    }
}

} // namespace mlcluster
} // namespace ns3
