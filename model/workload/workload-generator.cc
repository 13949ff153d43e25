/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-generator.h"

#include "ns3/boolean.h"
#include "ns3/plain-number.h"
#include "ns3/word-list.h"

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadGenerator);

TypeId
WorkloadGenerator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::mlcluster::WorkloadGenerator")
                            .SetParent<Object>()
                            .SetGroupName("MlCluster")
                            .AddAttribute("SkipRepeats",
                                          "Whether equal parts of the work, such as micro-batches, "
                                          "that are proven to repeat are left out of the "
                                          "simulation and their times and bytes added.",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&WorkloadGenerator::m_skipRepeats),
                                          MakeBooleanChecker());
    return tid;
}

bool
WorkloadGenerator::SkipsRepeats() const
{
    return m_skipRepeats;
}

std::optional<TrainingFigures>
WorkloadGenerator::GetTraining() const
{
    return std::nullopt;
}

uint64_t
WorkloadGenerator::GetNRepetitions() const
{
    return 1;
}

uint32_t
WorkloadGenerator::GetRepetitionUnit() const
{
    return 1;
}

void
WorkloadGenerator::CheckMemory(uint64_t /* capacityBytes */, Diagnostics& /* diagnostics */) const
{
}

uint64_t
WorkloadGenerator::GetRepetitionsToSettle() const
{
    return 1;
}

Diagnostics::Place
WorkloadGenerator::At(const std::string& attribute) const
{
    const std::string name = GetInstanceTypeId().GetName();
    return {"", 0, attribute.empty() ? name : name + "::" + attribute};
}

std::vector<uint64_t>
WorkloadGenerator::ReadCounts(const std::string& attribute,
                              const std::string& text,
                              uint64_t largest,
                              Diagnostics& diagnostics) const
{
    std::vector<uint64_t> counts;
    diagnostics.Collect(At(attribute), [&] {
        for (const auto& word : text.empty() ? std::vector<std::string>{} : SplitWords(text, ','))
        {
            counts.push_back(ParseLimitedCount(word, largest));
        }
    });
    return counts;
}

void
WorkloadGenerator::RequireSizes(const std::vector<std::pair<std::string, uint64_t>>& sizes,
                                Diagnostics& diagnostics) const
{
    std::vector<std::string> keys;
    std::vector<std::string> missing;
    for (const auto& [key, size] : sizes)
    {
        keys.push_back(key);
        missing.insert(missing.end(), size == 0 ? 1 : 0, key);
    }
    if (!missing.empty())
    {
        diagnostics.Error(At("Model"),
                          "needed is the name of a published model, or all of " + JoinWords(keys) +
                              "; missing: " + JoinWords(missing));
    }
}

void
WorkloadGenerator::ReadFile(const std::string& attribute,
                            const std::string& path,
                            const std::function<void()>& read,
                            Diagnostics& diagnostics) const
{
    diagnostics.Collect(At(attribute), [&] {
        if (path.empty())
        {
            throw InputError("is missing; needed is the path of a file");
        }
        try
        {
            read();
        }
        catch (const InputError& error)
        {
            throw InputError(path + ": " + error.what());
        }
    });
}

} // namespace mlcluster
} // namespace ns3
