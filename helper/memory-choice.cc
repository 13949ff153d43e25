/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-choice.h"

#include "experiment-schema.h"
#include "short-names.h"

#include "ns3/memory-model.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param setting an attribute that exists @return its class
TypeId
GetClass(const AttributeSetting& setting)
{
    return TypeId::LookupByName(setting.attribute.substr(0, setting.attribute.rfind("::")));
}

/// @param setting an attribute that exists @param memory the memory model in use @return whether it
/// is of another memory model
bool
IsOfOtherMemory(const AttributeSetting& setting, const TypeId& memory)
{
    const TypeId type = GetClass(setting);
    return type.IsChildOf(MemoryModel::GetTypeId()) && type != memory && !memory.IsChildOf(type);
}

/// @param config an experiment @param memory the memory model in use @param diagnostics receives a
/// warning of keys of other models, but for those of a file whose model another place overrides
void
WarnOfOtherMemory(const ExperimentConfig& config, const TypeId& memory, Diagnostics& diagnostics)
{
    const auto& choice = config.memoryModelPlace;
    std::vector<AttributeSetting> useless;
    std::copy_if(config.attributes.begin(),
                 config.attributes.end(),
                 std::back_inserter(useless),
                 [&](const auto& setting) {
                     return (choice.key.empty() || choice.file == config.file ||
                             setting.place.file != config.file) &&
                            FindExperimentKey(setting.place.key) &&
                            IsOfOtherMemory(setting, memory);
                 });
    if (useless.empty())
    {
        return;
    }
    std::vector<std::string> fitting;
    for (const auto& word : GetMemoryModels())
    {
        if (!IsOfOtherMemory(useless.front(), FindMemoryModel(word)))
        {
            fitting.push_back(word);
        }
    }
    const std::string further = useless.size() == 1
                                    ? ""
                                    : ", and " + std::to_string(useless.size() - 1) +
                                          " further keys of other models have none either";
    diagnostics.Warning(useless.front().place,
                        "has no effect with the memory model " + config.memoryModel +
                            " (cluster.memory.model), only with " + JoinWords(fitting) + further);
}

} // namespace

void
CheckMemoryModel(const ExperimentConfig& config, Diagnostics& diagnostics)
{
    const auto& given = config.memoryModelPlace;
    const Diagnostics::Place elsewhere{config.file, 0, "cluster.memory.model"};
    diagnostics.Collect(given.key.empty() ? elsewhere : given, [&] {
        WarnOfOtherMemory(config, FindMemoryModel(config.memoryModel), diagnostics);
    });
}

std::vector<AttributeSetting>
LeaveOutOtherMemory(std::vector<AttributeSetting> settings, const std::string& model)
{
    const TypeId memory = FindMemoryModel(model);
    settings.erase(
        std::remove_if(settings.begin(),
                       settings.end(),
                       [&](const auto& setting) { return IsOfOtherMemory(setting, memory); }),
        settings.end());
    return settings;
}

} // namespace mlcluster
} // namespace ns3
