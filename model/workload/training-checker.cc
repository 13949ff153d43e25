/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-checker.h"

#include "idle-settings.h"
#include "memory-footprint.h"
#include "model-flops.h"
#include "pipeline-schedule.h"
#include "transformer-costs.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

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
                                 PlaceOf placeOf,
                                 Diagnostics& diagnostics)
    : m_model(model),
      m_plan(plan),
      m_placeOf(std::move(placeOf)),
      m_diagnostics(diagnostics)
{
}

Diagnostics::Place
TrainingChecker::AtMember(const std::string& member)
{
    return {"", 0, member};
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
    const std::vector<Number> numbers{{"layers", m_model.layers, MAX_LAYERS},
                                      {"hiddenSize", m_model.hiddenSize},
                                      {"heads", m_model.heads},
                                      {"vocabulary", m_model.vocabulary},
                                      {"sequenceLength", m_model.sequenceLength},
                                      {"expertInterval", m_model.expertInterval},
                                      {"tensor", m_plan.tensor},
                                      {"context", m_plan.context, MAX_CONTEXT},
                                      {"pipeline", m_plan.pipeline},
                                      {"data", m_plan.data},
                                      {"expert", m_plan.expert},
                                      {"microBatch", m_plan.microBatch},
                                      {"microBatches", m_plan.microBatches},
                                      {"chunks", m_plan.chunks}};
    for (const auto& number : numbers)
    {
        if (number.value == 0 || number.value > number.most)
        {
            Refuse(number.member,
                   std::to_string(number.value),
                   "allowed is 1 to " + std::to_string(number.most));
        }
    }
}

void
TrainingChecker::CheckChoices()
{
    const auto checkWord = [this](const std::string& member,
                                  const std::string& what,
                                  const std::string& word,
                                  const std::vector<std::string>& allowed) {
        Collect(member, [&] { CheckWord(what, word, allowed); });
    };
    const auto checkBytes = [this](const std::string& member, uint32_t bytes) {
        if (bytes != 1 && bytes != 2 && bytes != 4)
        {
            Refuse(member, std::to_string(bytes), "allowed are 1, 2 and 4");
        }
    };
    checkWord("contextScheme",
              "context scheme",
              m_plan.contextScheme,
              {"ring", "all-gather", "ulysses"});
    checkWord("recompute", "recomputation", m_plan.recompute, {"none", "selective", "full"});
    checkBytes("elementBytes", m_plan.elementBytes);
    checkBytes("gradientBytes", m_plan.gradientBytes);
    if (m_plan.zeroStage > 3)
    {
        Refuse("zeroStage", std::to_string(m_plan.zeroStage), "allowed is 0 to 3");
    }
}

void
TrainingChecker::CheckModel()
{
    CheckDivides("heads", m_model.heads, "hidden-size", m_model.hiddenSize);
    CheckDivides("kvHeads", m_model.kvHeads, "heads", m_model.heads);
    if (m_isSound && m_model.HasRotaryPositions() && m_model.GetHeadSize() % 2 != 0)
    {
        Refuse("heads",
               std::to_string(m_model.heads),
               "hidden-size / heads is " + std::to_string(m_model.GetHeadSize()) +
                   "; rotary positions need an even number");
    }
}

void
TrainingChecker::CheckTensor()
{
    CheckDivides("tensor", m_plan.tensor, "heads", m_model.heads);
    CheckDivides("tensor", m_plan.tensor, "kv-heads", m_model.GetKvHeads());
    CheckDivides("tensor", m_plan.tensor, "hidden-size", m_model.hiddenSize);
    CheckDivides("tensor", m_plan.tensor, "ffn-size", m_model.GetFfnSize());
    CheckDivides("tensor", m_plan.tensor, "shared-ffn-size", m_model.sharedFfnSize);
    CheckDivides("tensor", m_plan.tensor, "vocabulary", m_model.vocabulary);
}

void
TrainingChecker::CheckContext()
{
    const uint64_t context = m_plan.context;
    const bool isHalved =
        m_plan.contextScheme == "ring" && m_model.flashAttention && m_model.causal && context > 1;
    const bool isTraded = m_plan.contextScheme == "ulysses" && context > 1;
    CheckDivides("context",
                 isHalved ? 2 * context : context,
                 "sequence-length",
                 m_model.sequenceLength,
                 isHalved ? "2 x context" : "");
    if (m_plan.sequenceParallel)
    {
        CheckDivides("context",
                     m_plan.tensor * context,
                     "sequence-length, with sequence parallelism",
                     m_model.sequenceLength,
                     "tensor x context");
    }
    if (isTraded)
    {
        CheckDivides("context",
                     m_plan.tensor * context,
                     "kv-heads, which ulysses trades",
                     m_model.GetKvHeads(),
                     "tensor x context");
    }
}

void
TrainingChecker::CheckSchedule()
{
    ParallelPlan plan;
    plan.schedule = m_plan.schedule;
    if (Collect("schedule", [&] { PipelineSchedule{plan}; }))
    {
        Collect(m_plan.chunks > 1 ? "chunks" : "microBatches",
                [this] { PipelineSchedule{m_plan}; });
    }
}

void
TrainingChecker::CheckLayout()
{
    ParallelPlan plan = m_plan;
    plan.expert = 1;
    plan.expertTensor = 0;
    if (Collect("rankOrder", [&] { RankLayout{plan}; }))
    {
        plan.expertTensor = m_plan.expertTensor;
        const bool fits = Collect("expertTensor", [&] { RankLayout{plan}; });
        plan.expertTensor = fits ? plan.expertTensor : 0;
        plan.expert = m_plan.expert;
        Collect("expert", [&] { RankLayout{plan}; });
    }
}

void
TrainingChecker::CheckPipeline()
{
    CheckSchedule();
    CheckLayout();
    const uint64_t parts = uint64_t{m_plan.pipeline} * m_plan.chunks;
    const auto& split = m_plan.stageLayers;
    if (split.empty() && parts > m_model.layers)
    {
        Refuse("pipeline",
               "pipeline x chunks = " + std::to_string(parts),
               "each part needs a layer, and there are " + std::to_string(m_model.layers));
    }
    const uint64_t sum = std::accumulate(split.begin(), split.end(), uint64_t{0});
    const bool hasEmpty = std::find(split.begin(), split.end(), 0U) != split.end();
    if (!split.empty() && (split.size() != parts || sum != m_model.layers || hasEmpty))
    {
        Refuse("stageLayers",
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
            {"topExperts", m_model.topExperts},
            {"expertFfnSize", m_model.expertFfnSize},
            {"sharedFfnSize", m_model.sharedFfnSize},
            {"expert", m_plan.expert > 1 ? m_plan.expert : 0}};
        for (const auto& [member, value] : settings)
        {
            if (value != 0)
            {
                Refuse(member,
                       std::to_string(value),
                       "the model has no experts; experts is their number");
            }
        }
        return;
    }
    if (m_model.experts > MAX_EXPERTS)
    {
        Refuse("experts",
               std::to_string(m_model.experts),
               "allowed is 0 to " + std::to_string(MAX_EXPERTS));
    }
    if (m_model.topExperts == 0 || m_model.topExperts > m_model.experts)
    {
        Refuse("topExperts",
               std::to_string(m_model.topExperts),
               "allowed is 1 to the number of experts, " + std::to_string(m_model.experts));
    }
    CheckDivides("expert", m_plan.expert, "experts", m_model.experts);
    CheckDivides("expertTensor",
                 m_plan.GetExpertTensor(),
                 "expert-ffn-size",
                 m_model.GetExpertFfnSize());
    if (m_plan.GetExpertTensor() < m_plan.tensor && !m_plan.sequenceParallel)
    {
        Refuse("expertTensor",
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
        Refuse("capacityFactor",
               FormatNumber(factor),
               "allowed is 0 to experts / top-experts, " + FormatNumber(most) +
                   ", where each expert has room for all tokens");
    }
    if (!(skew >= 0 && std::isfinite(skew)) || (skew > 0 && m_model.experts == 0))
    {
        Refuse("expertSkew",
               FormatNumber(skew),
               "allowed is a number of at least 0, and 0 without experts");
    }
}

void
TrainingChecker::CheckSizes()
{
    Collect("model", [this] {
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
    for (const auto& setting : FindIdleSettings(m_model, m_plan))
    {
        m_diagnostics.Warning(m_placeOf(setting.member), "has no effect " + setting.reason);
    }
    if (m_model.flashAttention && m_plan.recompute == "selective")
    {
        m_diagnostics.Warning(m_placeOf("recompute"),
                              "selective recomputation saves next to nothing with "
                              "flash-attention, whose backward pass computes scores again anyway");
    }
}

void
TrainingChecker::Refuse(const std::string& member,
                        const std::string& value,
                        const std::string& allowed)
{
    m_isSound = false;
    m_diagnostics.Error(m_placeOf(member), value + ": " + allowed);
}

void
TrainingChecker::CheckDivides(const std::string& member,
                              uint64_t divisor,
                              const std::string& what,
                              uint64_t dividend,
                              const std::string& product)
{
    if (divisor != 0 && dividend % divisor != 0)
    {
        Refuse(member,
               (product.empty() ? "" : product + " = ") + std::to_string(divisor),
               "it must divide " + what + ", " + std::to_string(dividend));
    }
}

bool
TrainingChecker::Collect(const std::string& member, const std::function<void()>& check)
{
    const auto before = m_diagnostics.GetErrors().size();
    m_diagnostics.Collect(m_placeOf(member), check);
    const bool isSound = m_diagnostics.GetErrors().size() == before;
    m_isSound = m_isSound && isSound;
    return isSound;
}

} // namespace mlcluster
} // namespace ns3
