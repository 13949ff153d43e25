/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-parity-options.h"

#include "astra-custom.h"

#include "ns3/memory-queues.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Refuses what parity leaves out, and names keys without effect.
void
CheckSystem(const AstraConfig& config, Diagnostics& diagnostics)
{
    const AstraSystem& system = config.system;
    const std::string& file = config.files.system;
    if (system.sharedBus)
    {
        diagnostics.Error(
            {file, 0, "model-shared-bus"},
            "parity has no shared bus; allowed is 0, which makes endpoint-delay count");
    }
    for (const auto& [isSet, key] :
         {std::pair(system.chunkOrder != ChunkOrderPolicy::Ascending, "inter-dimension-scheduling"),
          std::pair(system.queuePolicy != ParityQueuePolicy::Fifo, "intra-dimension-scheduling")})
    {
        if (isSet)
        {
            diagnostics.Warning({file, 0, key},
                                "is followed as ASTRA-sim's code has it; ASTRA-sim 2 itself does "
                                "not read the key and takes FIFO and ascending");
        }
    }
    for (const auto& [isSet, key] : {std::pair(system.traceEnabled, "trace-enabled"),
                                     std::pair(system.trackLocalMemory, "track-local-mem")})
    {
        if (isSet)
        {
            diagnostics.Warning({file, 0, key},
                                "has no effect here; results come in the module's own files");
        }
    }
}

/// Translates the remote memory.
void
AddMemory(const AstraConfig& config, ParityOptions& options, Diagnostics& diagnostics)
{
    const AstraMemory& memory = config.memory;
    constexpr double NEVER_NS = 1e16;
    constexpr uint64_t FASTEST = ParityOptions::MAX_REMOTE_BYTES_PER_NS;
    if (memory.bandwidth > FASTEST)
    {
        diagnostics.Error({config.files.memory, 0, "remote-mem-bw"},
                          FormatNumber(memory.bandwidth) + " GB/s is more than can be counted; " +
                              "parity takes 1 to " + std::to_string(FASTEST));
        return;
    }
    options.remoteLatencyNs = static_cast<uint64_t>(std::min(memory.latency, NEVER_NS));
    options.remoteBytesPerNs = std::max<uint64_t>(1, static_cast<uint64_t>(memory.bandwidth));
    if (memory.type == AstraMemoryType::PerNode)
    {
        options.npusPerRemoteMemory = memory.npusPerNode;
    }
    else if (memory.type == AstraMemoryType::Pool)
    {
        options.npusPerRemoteMemory = MemoryQueues::ALL;
    }
}

} // namespace

ParityAlgorithm
MakeParityAlgorithm(const AstraAlgorithm& algorithm)
{
    static const std::map<std::string, ParityAlgorithm::Kind> KINDS{
        {"ring", ParityAlgorithm::Kind::Ring},
        {"direct", ParityAlgorithm::Kind::Direct},
        {"halvingDoubling", ParityAlgorithm::Kind::HalvingDoubling},
        {"doubleBinaryTree", ParityAlgorithm::Kind::DoubleBinaryTree}};
    return {KINDS.at(algorithm.name), algorithm.window, algorithm.isOne};
}

ParityOptions
MakeParityOptions(const AstraConfig& config,
                  const AstraParitySettings& settings,
                  Diagnostics& diagnostics)
{
    const AstraSystem& system = config.system;
    ParityOptions options;
    for (const auto& [type, collective] :
         {std::pair(CollectiveType::AllReduce, &system.allReduce),
          std::pair(CollectiveType::ReduceScatter, &system.reduceScatter),
          std::pair(CollectiveType::AllGather, &system.allGather),
          std::pair(CollectiveType::AllToAll, &system.allToAll)})
    {
        for (const AstraAlgorithm& algorithm : collective->algorithms)
        {
            options.algorithms[type].push_back(MakeParityAlgorithm(algorithm));
        }
    }
    const AstraCustom custom = ReadAstraCustom(config, diagnostics);
    options.customOfType = custom.byType;
    options.customOfNode = custom.byNode;
    options.localBandwidthAware = system.localBandwidthAware;
    options.chunkOrder = system.chunkOrder;
    options.queuePolicy = system.queuePolicy;
    options.bandwidths = config.network.bandwidth;
    options.splits = system.preferredDatasetSplits;
    options.activeChunks = system.activeChunksPerDimension;
    options.queuesPerDimension = settings.queuesPerDimension;
    options.endpointDelayNs = system.endpointDelay;
    options.localMemoryBandwidth = system.localMemoryBandwidth * 1e9;
    options.peakFlops = system.peakPerformance * 1e12;
    options.roofline = system.roofline;
    options.replayOnly = system.replayOnly;
    options.rendezvous = settings.rendezvous;
    AddMemory(config, options, diagnostics);
    CheckSystem(config, diagnostics);
    return options;
}

} // namespace mlcluster
} // namespace ns3
