/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tiered-memory.h"

#include "ns3/log.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterTieredMemory");
NS_OBJECT_ENSURE_REGISTERED(TieredMemory);

namespace
{

/// Keys of experiment files.
const std::string SECTION = "cluster.memory.tiered.";

/// Names that reports have for other memory and the link.
const std::string OWN = "local memory";
const std::string LINK = "link to memory";

/// Most tiers.
constexpr std::size_t MOST = MemoryLocation::LAST - MemoryLocation::REMOTE + 1;

/// @param text entries, separated by commas @return them
std::vector<std::string>
Split(const std::string& text)
{
    std::vector<std::string> entries;
    std::istringstream stream(text);
    for (std::string entry; std::getline(stream, entry, ',');)
    {
        entries.push_back(entry);
    }
    return entries;
}

} // namespace

TypeId
TieredMemory::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::TieredMemory")
            .SetParent<MemoryModel>()
            .SetGroupName("MlCluster")
            .AddConstructor<TieredMemory>()
            .AddAttribute("Names",
                          "Names of the tiers in the order of their locations, from 2 on, "
                          "separated by commas, such as cpu,nvme.",
                          StringValue(""),
                          MakeStringAccessor(&TieredMemory::m_names),
                          MakeStringChecker())
            .AddAttribute("Bandwidths",
                          "Rate of each tier, separated by commas.",
                          StringValue(""),
                          MakeStringAccessor(&TieredMemory::m_bandwidths),
                          MakeStringChecker())
            .AddAttribute("Latencies",
                          "Time of an access of 0 bytes to each tier, separated by commas.",
                          StringValue(""),
                          MakeStringAccessor(&TieredMemory::m_latencies),
                          MakeStringChecker())
            .AddAttribute("LinkBandwidth",
                          "Rate of the link that all tiers of a memory are behind; 0bps: no limit.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&TieredMemory::m_linkBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("NpusPerMemory",
                          "Consecutive NPUs that share tiers and link, a divisor of their number; "
                          "1: each has its own; 0: all share them.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&TieredMemory::m_npusPerMemory),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

TieredMemory::TieredMemory() = default;

TieredMemory::~TieredMemory() = default;

void
TieredMemory::DoDispose()
{
    for (Place& place : m_places)
    {
        place.next.Cancel();
    }
    m_places.clear();
    MemoryModel::DoDispose();
}

void
TieredMemory::Build(uint32_t nRanks)
{
    NS_LOG_FUNCTION(this << nRanks);
    m_nRanks = nRanks;
}

void
TieredMemory::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                      Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    const std::size_t nErrors = diagnostics.GetErrors().size();
    CheckAttributes(diagnostics);
    m_tiers = ReadTiers(diagnostics);
    if (diagnostics.GetErrors().size() > nErrors)
    {
        return;
    }
    MemoryModel::Prepare(workload, diagnostics);
    std::vector<uint64_t> bitRates;
    for (const Tier& tier : m_tiers)
    {
        bitRates.push_back(tier.bitRate);
    }
    const uint64_t link = m_linkBandwidth.GetBitRate();
    const TieredBandwidth bandwidth(bitRates, link > 0 ? std::optional(link) : std::nullopt);
    m_places.assign(m_npusPerMemory == 0 ? 1 : m_nRanks / m_npusPerMemory, Place{bandwidth, {}});
}

void
TieredMemory::CheckAttributes(Diagnostics& diagnostics) const
{
    const auto names = Split(m_names);
    if (names.empty() || names.size() > MOST)
    {
        diagnostics.Error({"", 0, SECTION + "names"},
                          "names " + std::to_string(names.size()) + " tiers; 1 to " +
                              std::to_string(MOST) + " are allowed, such as [cpu, nvme]");
    }
    if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    {
        diagnostics.Error({"", 0, SECTION + "names"},
                          "\"" + m_names + "\" has a name twice; each tier needs one of its own");
    }
    for (const std::string& name : {OWN, LINK})
    {
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            diagnostics.Error({"", 0, SECTION + "names"},
                              "\"" + name +
                                  "\" is the name of another line in memory.csv; a tier " +
                                  "needs one of its own");
        }
    }
    if (m_npusPerMemory != 0 && m_nRanks % m_npusPerMemory != 0)
    {
        diagnostics.Error({"", 0, SECTION + "npus-per-memory"},
                          "is " + std::to_string(m_npusPerMemory) + ", which does not divide the " +
                              std::to_string(m_nRanks) +
                              " NPUs; set it to a divisor, or to 0 for all");
    }
}

std::vector<TieredMemory::Tier>
TieredMemory::ReadTiers(Diagnostics& diagnostics) const
{
    std::vector<Tier> tiers;
    for (const std::string& name : Split(m_names))
    {
        tiers.push_back({name, 0, 0, {name}});
    }
    const auto read = [&](const std::string& key, const std::string& text, const auto& take) {
        const auto entries = Split(text);
        if (entries.size() != tiers.size())
        {
            diagnostics.Error({"", 0, SECTION + key},
                              std::to_string(entries.size()) + " values are given for " +
                                  std::to_string(tiers.size()) + " tiers; give one for each");
            return;
        }
        for (std::size_t i = 0; i < entries.size(); ++i)
        {
            diagnostics.Collect({"", 0, SECTION + key}, [&] { take(tiers[i], entries[i]); });
        }
    };
    read("bandwidth", m_bandwidths, [](Tier& tier, const std::string& text) {
        tier.bitRate = ParseBitRate(text);
        if (tier.bitRate == 0)
        {
            throw InputError("that of " + tier.name +
                             " is 0, so that no access would end; give a rate, such as 25GB/s");
        }
    });
    read("latency", m_latencies, [](Tier& tier, const std::string& text) {
        tier.latencyPs = ParsePicoseconds(text);
    });
    return tiers;
}

AccessCosts
TieredMemory::CountCosts(const ClusterWorkload& workload, const MessageCosts& messages) const
{
    AccessCosts costs = MemoryModel::CountCosts(workload, messages);
    const LargeCount accesses = costs.events.most;
    const LargeCount alone = accesses + accesses;
    costs.events =
        m_npusPerMemory == 1 ? CountRange(alone) : CountRange(accesses, alone, alone + accesses);
    return costs;
}

std::string
TieredMemory::GetObstacle(uint32_t location) const
{
    if (location < MemoryLocation::REMOTE + m_tiers.size())
    {
        return "";
    }
    std::string allowed;
    for (std::size_t i = 0; i < m_tiers.size(); ++i)
    {
        allowed += ", " + std::to_string(MemoryLocation::REMOTE + i) + " (" + m_tiers[i].name + ")";
    }
    return "its tensor lies in memory " + std::to_string(location) +
           " (tensor_loc), which does not exist; allowed are 1, the NPU's own" + allowed +
           ", and 0, the first of these tiers; or set workload.tensor-locations to false";
}

std::vector<MemoryUsage>
TieredMemory::GetUsage() const
{
    std::vector<MemoryUsage> usage;
    MemoryUsage link{LINK};
    for (const Tier& tier : m_tiers)
    {
        usage.push_back(tier.usage);
        link.loadedBytes += tier.usage.loadedBytes;
        link.storedBytes += tier.usage.storedBytes;
    }
    if (m_linkBandwidth.GetBitRate() > 0)
    {
        usage.push_back(link);
    }
    return usage;
}

void
TieredMemory::Access(const MemoryRequest& request, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << request.rank << request.bytes << request.isStore << request.location);
    if (m_places.empty())
    {
        throw InputError("a TieredMemory is not ready: call Build and Prepare before the first "
                         "access, or let a ClusterHelper do it");
    }
    const uint32_t first = MemoryLocation::REMOTE;
    const uint32_t tier = std::max(request.location, first) - first;
    const uint32_t place = m_npusPerMemory == 0 ? 0 : request.rank / m_npusPerMemory;
    m_tiers[tier].usage.Add(request);
    TakeEnds(place);
    Place& here = m_places[place];
    const uint64_t transfer =
        here.bandwidth.Start(tier, request.bytes, Simulator::Now().GetPicoSeconds());
    here.running[transfer] = {m_tiers[tier].latencyPs, std::move(done)};
    Await(place);
}

void
TieredMemory::Await(uint32_t place)
{
    Place& here = m_places[place];
    const auto nextPs = here.bandwidth.GetNextEnd();
    if (!nextPs || *nextPs == here.nextPs)
    {
        return;
    }
    here.next.Cancel();
    here.nextPs = *nextPs;
    here.next = Simulator::Schedule(PicoSeconds(here.nextPs) - Simulator::Now(),
                                    &TieredMemory::Advance,
                                    this,
                                    place);
}

void
TieredMemory::TakeEnds(uint32_t place)
{
    Place& here = m_places[place];
    for (const uint64_t transfer : here.bandwidth.Advance(Simulator::Now().GetPicoSeconds()))
    {
        Running ended = std::move(here.running.extract(transfer).mapped());
        Simulator::Schedule(PicoSeconds(ended.latencyPs), std::move(ended.done));
    }
}

void
TieredMemory::Advance(uint32_t place)
{
    m_places[place].nextPs = -1;
    TakeEnds(place);
    Await(place);
}

} // namespace mlcluster
} // namespace ns3
