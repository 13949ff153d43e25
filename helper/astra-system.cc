/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-system.h"

#include "astra-section.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Keys of shipped and older files that ASTRA-sim does not read.
const std::vector<std::string> UNUSED{"boost-mode", "seprate-log"};

/// Values of inter-dimension-scheduling.
const std::vector<std::pair<std::string, ChunkOrderPolicy>> CHUNK_ORDERS{
    {"ascending", ChunkOrderPolicy::Ascending},
    {"baseline", ChunkOrderPolicy::Ascending},
    {"roundRobin", ChunkOrderPolicy::RoundRobin},
    {"onlineGreedy", ChunkOrderPolicy::OnlineGreedy},
    {"offlineGreedy", ChunkOrderPolicy::OfflineGreedy},
    {"themis", ChunkOrderPolicy::OfflineGreedy},
    {"offlineGreedyFlex", ChunkOrderPolicy::OfflineGreedyFlex},
    {"themisFlex", ChunkOrderPolicy::OfflineGreedyFlex}};

/// Values of intra-dimension-scheduling.
const std::vector<std::pair<std::string, ParityQueuePolicy>> QUEUE_POLICIES{
    {"FIFO", ParityQueuePolicy::Fifo},
    {"RG", ParityQueuePolicy::Alternating},
    {"SCF", ParityQueuePolicy::SmallestFirst},
    {"smallestFirst", ParityQueuePolicy::SmallestFirst},
    {"lessRemainingPhaseFirst", ParityQueuePolicy::LessRemainingPhaseFirst}};

/// Reads the keys of one system file.
class SystemReader
{
  public:
    SystemReader(const std::string& path, uint32_t nDimensions, Diagnostics& diagnostics)
        : m_section(ReadJsonDocument(path, diagnostics), diagnostics),
          m_nDimensions(nDimensions)
    {
    }

    AstraSystem Read()
    {
        m_system.schedulingPolicy = m_section.GetText("scheduling-policy",
                                                      "the order of collectives",
                                                      {"LIFO", "FIFO", "EXPLICIT"});
        ReadCollective("all-reduce", m_system.allReduce);
        ReadCollective("reduce-scatter", m_system.reduceScatter);
        ReadCollective("all-gather", m_system.allGather);
        ReadCollective("all-to-all", m_system.allToAll);
        m_system.perNodeCustom = m_section.GetText("per-node-custom-implementation", "a YAML file");
        ReadOptimization();
        ReadChoice("inter-dimension-scheduling",
                   "the order in which a chunk visits the dimensions",
                   CHUNK_ORDERS,
                   m_system.chunkOrder);
        ReadChoice("intra-dimension-scheduling",
                   "the order of chunks within a dimension",
                   QUEUE_POLICIES,
                   m_system.queuePolicy);
        ReadChunks();
        ReadCompute();
        ReadBus();
        m_section.ReportUnknown(UNUSED);
        return m_system;
    }

  private:
    void ReadCollective(const std::string& type, AstraCollective& collective)
    {
        const std::string key = type + "-implementation";
        const auto texts = m_section.GetTexts(key, "one algorithm per dimension");
        for (const auto& text : texts.value_or(std::vector<std::string>()))
        {
            try
            {
                collective.algorithms.push_back(ParseAstraAlgorithm(text));
            }
            catch (const InputError& e)
            {
                m_section.Error(key, e.what());
            }
        }
        if (texts && collective.algorithms.size() == texts->size())
        {
            CheckCount(key, collective.algorithms);
        }
        const std::string customKey = key + "-custom";
        const auto custom = m_section.GetTexts(customKey, "one prefix of files");
        if (custom && (custom->size() != 1 || custom->front().empty()))
        {
            m_section.Error(customKey,
                            std::to_string(custom->size()) +
                                " entries are given; needed is a list of one prefix of files");
        }
        collective.customPrefix = custom && !custom->empty() ? custom->front() : "";
    }

    void CheckCount(const std::string& key, const std::vector<AstraAlgorithm>& algorithms)
    {
        const bool hasOne = std::any_of(algorithms.begin(), algorithms.end(), [](const auto& a) {
            return a.isOne;
        });
        const std::string count = std::to_string(algorithms.size());
        if (hasOne && algorithms.size() > 1)
        {
            m_section.Error(key,
                            "a \"one...\" algorithm, over all NPUs, must be the only entry; " +
                                count + " are given");
        }
        else if (!hasOne && m_nDimensions > 0 && algorithms.size() != m_nDimensions)
        {
            m_section.Error(key,
                            count + " algorithms are given, and the network has " +
                                std::to_string(m_nDimensions) + " dimensions; give one for each");
        }
    }

    void ReadOptimization()
    {
        const std::string key = "collective-optimization";
        const bool isNeeded = m_nDimensions > 1 && !m_system.allReduce.algorithms.empty();
        if (m_section.Has(key) || isNeeded)
        {
            const std::string text =
                m_section.GetText(key,
                                  "how an all-reduce is composed of dimensions",
                                  {"baseline", "localBWAware"});
            m_system.localBandwidthAware = text == "localBWAware";
        }
    }

    /// Reads a key that may be missing, one of some words.
    template <typename T>
    void ReadChoice(const std::string& key,
                    const std::string& meaning,
                    const std::vector<std::pair<std::string, T>>& choices,
                    T& value)
    {
        std::vector<std::string> words;
        for (const auto& choice : choices)
        {
            words.push_back(choice.first);
        }
        const std::string text = m_section.Has(key) ? m_section.GetText(key, meaning, words) : "";
        for (const auto& [word, meant] : choices)
        {
            value = word == text ? meant : value;
        }
    }

    void ReadChunks()
    {
        m_system.preferredDatasetSplits =
            m_section.GetWhole("preferred-dataset-splits",
                               "the number of chunks of a collective, at least 1",
                               1);
        m_system.activeChunksPerDimension =
            m_section.GetWhole("active-chunks-per-dimension",
                               "the number of chunks in flight, at least 1",
                               1,
                               1);
        m_system.hasEndpointDelay = m_section.Has("endpoint-delay");
        m_system.endpointDelay =
            m_section.GetWhole("endpoint-delay", "a time in ns, not negative", 0, 10);
    }

    void ReadCompute()
    {
        m_system.localMemoryBandwidth =
            m_section.GetNumber("local-mem-bw",
                                "a bandwidth in GB/s of 10^9 B/s, above 0",
                                AstraSection::ABOVE_ZERO);
        m_system.roofline = m_section.GetFlag("roofline-enabled");
        const double least = m_system.roofline ? AstraSection::ABOVE_ZERO : 0;
        const std::string meaning = m_system.roofline
                                        ? "the peak of the roofline in TFLOP/s, above 0"
                                        : "a compute rate in TFLOP/s, not negative";
        const auto fallback = m_system.roofline ? std::nullopt : std::optional<double>(0);
        m_system.peakPerformance = m_section.GetNumber("peak-perf", meaning, least, fallback);
        m_system.replayOnly = m_section.GetFlag("replay-only");
        m_system.traceEnabled = m_section.GetFlag("trace-enabled");
        m_system.trackLocalMemory = m_section.GetFlag("track-local-mem");
        const std::string file = m_section.GetText("local-mem-trace-filename", "a file name");
        m_system.localMemoryTraceFile = file.empty() ? m_system.localMemoryTraceFile : file;
    }

    void ReadBus()
    {
        m_system.localReductionDelay =
            m_section.GetWhole("local-reduction-delay", "a time in ns, not negative", 0, 1);
        m_system.sharedBus =
            m_section.GetWhole("model-shared-bus", "1 for the shared bus, else 0", 0, 0) == 1;
        const std::string meaning = "a time in ns, not negative";
        m_system.busLatency = m_section.GetNumber("L", meaning, 0, 0);
        m_system.busOverhead = m_section.GetNumber("o", meaning, 0, 0);
        m_system.busGap = m_section.GetNumber("g", meaning, 0, 0);
        m_system.busGapPerByte =
            m_section.GetNumber("G", "a time in ns per byte, not negative", 0, 0);
    }

    AstraSection m_section;
    uint32_t m_nDimensions;
    AstraSystem m_system;
};

} // namespace

AstraSystem
ReadAstraSystem(const std::string& path, uint32_t nDimensions, Diagnostics& diagnostics)
{
    return SystemReader(path, nDimensions, diagnostics).Read();
}

AstraAlgorithm
ParseAstraAlgorithm(const std::string& text)
{
    static const std::vector<std::string> NAMES{"ring",
                                                "direct",
                                                "halvingDoubling",
                                                "doubleBinaryTree"};
    AstraAlgorithm algorithm;
    algorithm.isOne = text.compare(0, 3, "one") == 0;
    algorithm.name = text.substr(algorithm.isOne ? 3 : 0);
    if (algorithm.isOne && !algorithm.name.empty() &&
        std::isupper(static_cast<unsigned char>(algorithm.name[0])))
    {
        algorithm.name[0] =
            static_cast<char>(std::tolower(static_cast<unsigned char>(algorithm.name[0])));
    }
    const auto digits = algorithm.name.find_last_not_of("0123456789") + 1;
    const std::string window = algorithm.name.substr(digits);
    if (algorithm.name.compare(0, digits, "direct") == 0 && window.size() <= 5 && window[0] != '0')
    {
        algorithm.window = window.empty() ? 0 : static_cast<uint32_t>(std::stoul(window));
        algorithm.name = "direct";
    }
    const bool isKnown = std::find(NAMES.begin(), NAMES.end(), algorithm.name) != NAMES.end() &&
                         algorithm.GetText() == text;
    if (!isKnown || (algorithm.isOne && algorithm.name == NAMES.back()))
    {
        const std::string nearest = NearestWord(text, NAMES);
        throw InputError(
            "'" + text + "' is no algorithm" +
            (nearest.empty() ? "" : " (nearest: " + nearest + ")") +
            "; allowed are ring, direct, direct<window>, halvingDoubling, doubleBinaryTree, " +
            "oneRing, oneDirect, oneDirect<window>, oneHalvingDoubling, with a window of 1 to "
            "99999");
    }
    return algorithm;
}

std::string
AstraAlgorithm::GetText() const
{
    std::string text = name;
    if (isOne)
    {
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        text = "one" + text;
    }
    return text + (window > 0 ? std::to_string(window) : "");
}

} // namespace mlcluster
} // namespace ns3
