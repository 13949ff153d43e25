/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-config.h"

#include "astra-section.h"
#include "astra-system.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Reads the keys of one network file.
class NetworkReader
{
  public:
    NetworkReader(const std::string& path, Diagnostics& diagnostics)
        : m_diagnostics(diagnostics),
          m_document(ReadYamlDocument(path, diagnostics)),
          m_section(m_document, diagnostics)
    {
    }

    AstraNetwork Read()
    {
        if (m_document.kind != ConfigNode::Kind::Map)
        {
            return m_network;
        }
        const std::size_t errorsBefore = m_diagnostics.GetErrors().size();
        const auto blocks = m_section.GetTexts("topology", BLOCKS);
        const auto sizes =
            m_section.GetNumbers("npus_count", "NPUs of each dimension, at least 2", 2);
        const auto bandwidth =
            m_section.GetNumbers("bandwidth", BANDWIDTH, AstraSection::ABOVE_ZERO);
        const auto latency = m_section.GetNumbers("latency", LATENCY, 0);
        m_section.ReportUnknown({});
        if (!m_section.Has("topology"))
        {
            m_section.Error("topology", "is missing; needed is a list: " + BLOCKS);
        }
        CheckCount("npus_count", sizes, blocks);
        CheckCount("bandwidth", bandwidth, blocks);
        CheckCount("latency", latency, blocks);
        if (m_diagnostics.GetErrors().size() == errorsBefore)
        {
            m_network.bandwidth = *bandwidth;
            m_network.latency = *latency;
            AddDimensions(*blocks, *sizes);
        }
        return m_network;
    }

  private:
    template <typename Values>
    void CheckCount(const std::string& key,
                    const Values& values,
                    const std::optional<std::vector<std::string>>& blocks)
    {
        if (values && blocks && values->size() != blocks->size())
        {
            m_section.Error(key,
                            std::to_string(values->size()) +
                                " values are given, and topology has " +
                                std::to_string(blocks->size()) + " dimensions; give one for each");
        }
    }

    /// Leaves no dimensions after an error.
    void AddDimensions(const std::vector<std::string>& blocks, const std::vector<double>& sizes)
    {
        for (std::size_t k = 0; k < blocks.size(); ++k)
        {
            AddDimension(k, blocks[k], sizes[k]);
        }
        if (m_network.dimensions.size() < blocks.size() || !CheckTopology())
        {
            m_network.dimensions.clear();
        }
    }

    void AddDimension(std::size_t k, const std::string& block, double size)
    {
        static const std::map<std::string, BuildingBlock> NAMES{
            {"Ring", BuildingBlock::Ring},
            {"FullyConnected", BuildingBlock::FullyConnected},
            {"Switch", BuildingBlock::Switch}};
        const auto found = NAMES.find(block);
        if (found == NAMES.end())
        {
            const std::string nearest = NearestWord(block, {"Ring", "FullyConnected", "Switch"});
            m_section.Error("topology",
                            "'" + block + "' is no building block" +
                                (nearest.empty() ? "" : " (nearest: " + nearest + ")") +
                                "; needed is " + BLOCKS);
            return;
        }
        if (size != std::floor(size) || size > INT32_MAX)
        {
            m_section.Error("npus_count", FormatNumber(size) + " is no whole number below 2^31");
            return;
        }
        try
        {
            m_network.dimensions.push_back(
                {found->second,
                 static_cast<uint32_t>(size),
                 ParseBitRate(FormatNumber(m_network.bandwidth[k]) + "GiB/s"),
                 ParsePicoseconds(FormatNumber(m_network.latency[k]) + "ns")});
        }
        catch (const InputError& e)
        {
            m_section.Error("topology", "dimension " + std::to_string(k) + ": " + e.what());
        }
    }

    bool CheckTopology()
    {
        try
        {
            const ClusterTopology check(m_network.dimensions);
            return true;
        }
        catch (const InputError& e)
        {
            m_section.Error("topology", e.what());
            return false;
        }
    }

    static inline const std::string BLOCKS{
        "a building block for each dimension: Ring, FullyConnected or Switch"};
    static inline const std::string BANDWIDTH{
        "a bandwidth of one link in GB/s of 2^30 B/s for each dimension, above 0, no unit"};
    static inline const std::string LATENCY{
        "a latency of one link in ns for each dimension, not negative, no unit"};

    Diagnostics& m_diagnostics;
    ConfigNode m_document;
    AstraSection m_section;
    AstraNetwork m_network;
};

AstraMemory
ReadMemory(const std::string& path, Diagnostics& diagnostics)
{
    static const std::vector<std::string> TYPES{"NO_MEMORY_EXPANSION",
                                                "PER_NPU_MEMORY_EXPANSION",
                                                "PER_NODE_MEMORY_EXPANSION",
                                                "MEMORY_POOL"};
    AstraSection section(ReadJsonDocument(path, diagnostics), diagnostics);
    const std::string text = section.GetText("memory-type", "the kind of remote memory", TYPES);
    AstraMemory memory;
    const auto found = std::find(TYPES.begin(), TYPES.end(), text);
    memory.type = static_cast<AstraMemoryType>(found == TYPES.end() ? 0 : found - TYPES.begin());
    const bool isThere = memory.type != AstraMemoryType::None;
    const bool isPerNode = memory.type == AstraMemoryType::PerNode;
    const auto fallback = isThere ? std::nullopt : std::optional<double>(0);
    const auto count = isPerNode ? std::nullopt : std::optional<uint32_t>(0);
    memory.latency =
        section.GetNumber("remote-mem-latency", "a latency in ns, not negative", 0, fallback);
    memory.bandwidth = section.GetNumber("remote-mem-bw",
                                         "a bandwidth in GB/s of 10^9 B/s, at least 1",
                                         isThere ? 1 : 0,
                                         fallback);
    memory.nodes =
        section.GetWhole("num-nodes", "the number of nodes, at least 1", isPerNode ? 1 : 0, count);
    memory.npusPerNode = section.GetWhole("num-npus-per-node",
                                          "the NPUs of one node, at least 1",
                                          isPerNode ? 1 : 0,
                                          count);
    section.ReportUnknown({});
    for (const std::string key : {"remote-mem-latency", "remote-mem-bw"})
    {
        const double value = key == "remote-mem-bw" ? memory.bandwidth : memory.latency;
        if (value != std::floor(value))
        {
            section.Warning(key,
                            FormatNumber(value) +
                                " counts in full here; ASTRA-sim, and parity with it, "
                                "cuts it to a whole number");
        }
    }
    return memory;
}

/// A path with "empty" in it stands for no file, unless it is one.
bool
IsNoFile(const std::string& path)
{
    std::error_code ignored;
    return path.empty() ||
           (path.find("empty") != std::string::npos && !std::filesystem::exists(path, ignored));
}

void
CheckNodes(const AstraConfig& config, Diagnostics& diagnostics)
{
    uint64_t nRanks = 1;
    for (const auto& dimension : config.network.dimensions)
    {
        nRanks *= dimension.size;
    }
    const uint64_t nServed = uint64_t{config.memory.nodes} * config.memory.npusPerNode;
    if (config.memory.type == AstraMemoryType::PerNode && nServed < nRanks)
    {
        diagnostics.Error({config.files.memory, 0, "num-nodes"},
                          std::to_string(config.memory.nodes) + " nodes of " +
                              std::to_string(config.memory.npusPerNode) +
                              " NPUs are given, and the network has " + std::to_string(nRanks) +
                              " NPUs");
    }
}

} // namespace

AstraConfig
ReadAstraConfig(const AstraFiles& files, Diagnostics& diagnostics)
{
    AstraConfig config;
    config.files = files;
    config.network = NetworkReader(files.network, diagnostics).Read();
    const auto nDimensions = static_cast<uint32_t>(config.network.dimensions.size());
    config.system = ReadAstraSystem(files.system, nDimensions, diagnostics);
    config.memory = ReadMemory(files.memory, diagnostics);
    if (!IsNoFile(files.groups))
    {
        config.groups = ReadCommunicatorGroups(files.groups, diagnostics);
    }
    if (!diagnostics.HasErrors())
    {
        CheckNodes(config, diagnostics);
    }
    return config;
}

} // namespace mlcluster
} // namespace ns3
