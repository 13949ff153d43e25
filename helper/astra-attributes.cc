/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-attributes.h"

#include "astra-custom.h"

#include "ns3/cluster-topology.h"
#include "ns3/custom-collectives.h"
#include "ns3/quantity.h"

#include <functional>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Finds out what the engine makes of one configuration.
class AttributeMaker
{
  public:
    AttributeMaker(const AstraConfig& config, Diagnostics& diagnostics)
        : m_config(config),
          m_system(config.system),
          m_diagnostics(diagnostics)
    {
    }

    std::vector<AttributeSetting> Make()
    {
        AddNpu();
        Add("CollectivePlanner::Chunks", std::to_string(m_system.preferredDatasetSplits));
        Add("CollectivePlanner::ChunksInFlight", std::to_string(m_system.activeChunksPerDimension));
        AddAlgorithms("AllReduce", "all-reduce", m_system.allReduce);
        AddAlgorithms("ReduceScatter", "reduce-scatter", m_system.reduceScatter);
        AddAlgorithms("AllGather", "all-gather", m_system.allGather);
        AddAlgorithms("AllToAll", "all-to-all", m_system.allToAll);
        AddCustom();
        AddPolicies();
        AddMemory();
        RefuseMissingModels();
        WarnOfDifferences();
        return m_settings;
    }

  private:
    void Add(const std::string& name, const std::string& value)
    {
        m_settings.push_back({"ns3::mlcluster::" + name, value});
    }

    void Error(const std::string& key, const std::string& message)
    {
        m_diagnostics.Error({m_config.files.system, 0, key}, message);
    }

    void Warning(const std::string& key, const std::string& message)
    {
        m_diagnostics.Warning({m_config.files.system, 0, key}, message);
    }

    /// Sets an attribute to a quantity; out of range is an error of the key it comes from.
    void AddQuantity(const std::string& name,
                     const std::string& file,
                     const std::string& key,
                     const std::function<std::string()>& convert)
    {
        try
        {
            Add(name, convert());
        }
        catch (const InputError& e)
        {
            m_diagnostics.Error({file, 0, key}, e.what());
        }
    }

    void AddNpu()
    {
        const auto memory = [this] {
            return FormatBitRate(
                ParseBitRate(FormatNumber(m_system.localMemoryBandwidth) + "GB/s"));
        };
        const std::string& system = m_config.files.system;
        Add("NpuApplication::EndpointDelay", std::to_string(m_system.endpointDelay) + "ns");
        AddQuantity("NpuApplication::MemoryBandwidth", system, "local-mem-bw", memory);
        AddQuantity("NpuApplication::ReductionBandwidth", system, "local-mem-bw", memory);
        AddQuantity("NpuApplication::PeakFlops", system, "peak-perf", [this] {
            return FormatNumber(ParseFlops(FormatNumber(m_system.peakPerformance) + "TFLOPS"));
        });
        Add("NpuApplication::Roofline", m_system.roofline ? "true" : "false");
    }

    void AddAlgorithms(const std::string& name,
                       const std::string& type,
                       const AstraCollective& collective)
    {
        const std::string key = type + "-implementation";
        if (!collective.customPrefix.empty())
        {
            return;
        }
        if (collective.algorithms.empty())
        {
            Warning(key,
                    "is missing: an " + type +
                        " runs with the default algorithm of each building block");
            return;
        }
        std::string list;
        for (std::size_t k = 0; k < collective.algorithms.size(); ++k)
        {
            list += (k == 0 ? "" : ",") + Translate(key, collective.algorithms[k], k);
        }
        Add("CollectivePlanner::" + name, list);
    }

    /// @return the engine's name of an algorithm of dimension k
    std::string Translate(const std::string& key, const AstraAlgorithm& algorithm, std::size_t k)
    {
        const ClusterTopology topology(m_config.network.dimensions);
        const uint32_t size =
            algorithm.isOne ? topology.GetNRanks() : topology.GetDimension(k).size;
        const bool isAllToAll = key == "all-to-all-implementation";
        const bool isAllReduce = key == "all-reduce-implementation";
        if ((algorithm.name == "halvingDoubling" && isAllToAll) ||
            (algorithm.name == "doubleBinaryTree" && !isAllReduce))
        {
            Error(key,
                  "the engine has no such " + algorithm.name + "; allowed are ring, direct" +
                      (isAllToAll ? "" : ", halvingDoubling"));
        }
        static const std::map<std::string, std::string> NAMES{
            {"ring", "ring"},
            {"direct", "direct"},
            {"halvingDoubling", "halving-doubling"},
            {"doubleBinaryTree", "double-binary-tree"}};
        std::string name =
            algorithm.name == "ring" && isAllToAll ? "relay" : NAMES.at(algorithm.name);
        if (algorithm.window > 0 && algorithm.window < size - 1)
        {
            name += "-" + std::to_string(algorithm.window);
        }
        return (algorithm.isOne && topology.GetNDimensions() > 1 ? "one-" : "") + name;
    }

    /// Hands over collectives from files; those of one node come first.
    void AddCustom()
    {
        const AstraCustom custom = ReadAstraCustom(m_config, m_diagnostics);
        std::vector<CustomCollectives::Rule> rules;
        for (const auto& [node, prefix] : custom.byNode)
        {
            rules.push_back({});
            rules.back().file = prefix;
            rules.back().node = node;
        }
        for (const auto& [type, prefix] : custom.byType)
        {
            rules.push_back({});
            rules.back().file = prefix;
            rules.back().collective = type;
        }
        if (!rules.empty())
        {
            Add("CollectivePlanner::CustomSchedules", CustomCollectives::Format(rules));
        }
    }

    /// Translates how collectives are composed and scheduled.
    void AddPolicies()
    {
        if (m_config.network.dimensions.size() > 1 && !m_system.localBandwidthAware)
        {
            Add("CollectivePlanner::Composition", "per-dimension");
        }
        static const std::map<ChunkOrderPolicy, std::string> SCHEDULERS{
            {ChunkOrderPolicy::RoundRobin, "round-robin"},
            {ChunkOrderPolicy::OfflineGreedy, "offline-greedy"},
            {ChunkOrderPolicy::OfflineGreedyFlex, "offline-greedy-flex"}};
        const auto scheduler = SCHEDULERS.find(m_system.chunkOrder);
        if (scheduler != SCHEDULERS.end())
        {
            Add("CollectivePlanner::Scheduler", scheduler->second);
        }
        if (m_system.queuePolicy == ParityQueuePolicy::SmallestFirst)
        {
            Add("CollectivePlanner::QueuePolicy", "smallest-first");
        }
        else if (m_system.queuePolicy != ParityQueuePolicy::Fifo)
        {
            Warning("intra-dimension-scheduling",
                    "acts with --parity only; the engine has FIFO, which counts, and SCF");
        }
    }

    void AddMemory()
    {
        if (m_config.memory.type == AstraMemoryType::None)
        {
            return;
        }
        const AstraMemory& memory = m_config.memory;
        const std::string& file = m_config.files.memory;
        AddQuantity("QueuedMemoryModel::Latency", file, "remote-mem-latency", [&memory] {
            return FormatPicoseconds(ParsePicoseconds(FormatNumber(memory.latency) + "ns"));
        });
        AddQuantity("QueuedMemoryModel::Bandwidth", file, "remote-mem-bw", [&memory] {
            return FormatBitRate(ParseBitRate(FormatNumber(memory.bandwidth) + "GB/s"));
        });
        const uint32_t npusPerMemory = memory.type == AstraMemoryType::PerNode ? memory.npusPerNode
                                       : memory.type == AstraMemoryType::Pool  ? 0
                                                                               : 1;
        const uint32_t nRanks = ClusterTopology(m_config.network.dimensions).GetNRanks();
        if (npusPerMemory > 0 && nRanks % npusPerMemory != 0)
        {
            m_diagnostics.Error({file, 0, "num-npus-per-node"},
                                "is " + std::to_string(npusPerMemory) +
                                    ", which does not divide the " + std::to_string(nRanks) +
                                    " NPUs; only --parity takes a last node of fewer NPUs");
            return;
        }
        Add("QueuedMemoryModel::NpusPerMemory", std::to_string(npusPerMemory));
    }

    void RefuseMissingModels()
    {
        if (m_system.replayOnly)
        {
            Error("replay-only", "nodes as mere timers are not supported; allowed is 0");
        }
        if (m_system.sharedBus)
        {
            Error(
                "model-shared-bus",
                "the shared bus is not supported; allowed is 0, which makes endpoint-delay count");
        }
    }

    void WarnOfDifferences()
    {
        for (const auto& [isSet, key] : {std::pair(m_system.traceEnabled, "trace-enabled"),
                                         std::pair(m_system.trackLocalMemory, "track-local-mem")})
        {
            if (isSet)
            {
                Warning(key, "has no effect here; results come in the module's own files");
            }
        }
    }

    const AstraConfig& m_config;
    const AstraSystem& m_system;
    Diagnostics& m_diagnostics;
    std::vector<AttributeSetting> m_settings;
};

} // namespace

std::vector<AttributeSetting>
GetAstraAttributes(const AstraConfig& config, Diagnostics& diagnostics)
{
    return AttributeMaker(config, diagnostics).Make();
}

std::vector<std::string>
GetAstraRemarks(const AstraConfig& config)
{
    std::vector<std::string> remarks;
    for (std::size_t k = 0; k < config.network.dimensions.size(); ++k)
    {
        const auto& dimension = config.network.dimensions[k];
        remarks.push_back(
            "dimension " + std::to_string(k) + ", " + ToString(dimension.block) + "(" +
            std::to_string(dimension.size) + "): " + FormatNumber(config.network.bandwidth[k]) +
            " GB/s = " + FormatBitRate(dimension.linkBitRate) + " per link and direction, " +
            FormatNumber(config.network.latency[k]) + " ns per link");
    }
    remarks.insert(
        remarks.end(),
        {"network: 1 GB/s is 2^30 B/s of one link and direction; a message through a Switch passes "
         "two links",
         "local and remote memory: 1 GB/s is 10^9 B/s; peak-perf: TFLOP/s of 10^12; times in ns"});
    if (!config.system.hasEndpointDelay)
    {
        remarks.push_back("endpoint-delay is not given: 10 ns, as in ASTRA-sim");
    }
    return remarks;
}

} // namespace mlcluster
} // namespace ns3
