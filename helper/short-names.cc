/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "short-names.h"

#include "ns3/diagnostics.h"
#include "ns3/memory-model.h"
#include "ns3/network-backend.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Short names of classes.
using ShortNames = std::vector<std::pair<std::string, std::string>>;

const ShortNames BACKENDS = {
    {"analytical", "ns3::mlcluster::AnalyticalChannel"},
    {"packet", "ns3::mlcluster::PacketBackend"},
};

const ShortNames MEMORY_MODELS = {
    {"queued", "ns3::mlcluster::QueuedMemoryModel"},
    {"pool", "ns3::mlcluster::HierarchicalMemoryPool"},
    {"network-pool", "ns3::mlcluster::NetworkMemoryPool"},
    {"tiered", "ns3::mlcluster::TieredMemory"},
};

/// @param names a table @return its short names
std::vector<std::string>
GetWords(const ShortNames& names)
{
    std::vector<std::string> words;
    for (const auto& entry : names)
    {
        words.push_back(entry.first);
    }
    return words;
}

/// @param what is chosen, such as "backend" @param type short name or TypeId name @param names the
/// short ones @param parent of the classes allowed @return the class
TypeId
FindClass(const std::string& what,
          const std::string& type,
          const ShortNames& names,
          const TypeId& parent)
{
    const auto known = std::find_if(names.begin(), names.end(), [&](const auto& entry) {
        return entry.first == type;
    });
    TypeId tid;
    if (!TypeId::LookupByNameFailSafe(known == names.end() ? type : known->second, &tid) ||
        !tid.IsChildOf(parent))
    {
        const auto words = GetWords(names);
        const std::string nearest = NearestWord(type, words);
        const std::string base = parent.GetName();
        throw InputError(what + ": \"" + type + "\" is none" +
                         (nearest.empty() ? "" : " (nearest: " + nearest + ")") +
                         "; allowed: " + JoinWords(words) + ", or the TypeId name of a " +
                         base.substr(base.rfind(':') + 1));
    }
    return tid;
}

} // namespace

TypeId
FindBackend(const std::string& type)
{
    return FindClass("backend", type, BACKENDS, NetworkBackend::GetTypeId());
}

TypeId
FindMemoryModel(const std::string& type)
{
    return FindClass("memory model", type, MEMORY_MODELS, MemoryModel::GetTypeId());
}

std::vector<std::string>
GetMemoryModels()
{
    return GetWords(MEMORY_MODELS);
}

} // namespace mlcluster
} // namespace ns3
