/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-planner.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterCollectivePlanner");
NS_OBJECT_ENSURE_REGISTERED(CollectivePlanner);

namespace
{

uint64_t
Hash(const std::vector<uint32_t>& group, CollectiveType type, uint64_t bytes)
{
    constexpr uint64_t MULTIPLIER = 0x9e3779b97f4a7c15;
    uint64_t hash = bytes + static_cast<uint64_t>(type);
    for (const uint32_t rank : group)
    {
        hash = (hash ^ rank) * MULTIPLIER;
    }
    return hash ^ (hash >> 32);
}

} // namespace

TypeId
CollectivePlanner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::CollectivePlanner")
            .SetParent<Object>()
            .SetGroupName("MlCluster")
            .AddConstructor<CollectivePlanner>()
            .AddAttribute("Chunks",
                          "Chunks a collective is cut into.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&CollectivePlanner::m_chunks),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ChunksInFlight",
                          "Chunk phases of one collective that may use a dimension at once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&CollectivePlanner::m_chunksInFlight),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("AllReduce",
                          "Algorithm of all-reduces per dimension, separated by commas, or auto.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_allReduce),
                          MakeStringChecker())
            .AddAttribute("ReduceScatter",
                          "Algorithm of reduce-scatters, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_reduceScatter),
                          MakeStringChecker())
            .AddAttribute("AllGather",
                          "Algorithm of all-gathers, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_allGather),
                          MakeStringChecker())
            .AddAttribute("AllToAll",
                          "Algorithm of all-to-alls, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_allToAll),
                          MakeStringChecker());
    return tid;
}

CollectivePlanner::CollectivePlanner() = default;

CollectivePlanner::~CollectivePlanner() = default;

void
CollectivePlanner::SetTopology(const ClusterTopology& topology)
{
    NS_LOG_FUNCTION(this << topology.GetNotation());
    m_topology = std::make_unique<ClusterTopology>(topology);
    m_options = GetOptions();
    m_plans.clear();
}

std::shared_ptr<const CollectivePlan>
CollectivePlanner::GetPlan(const std::vector<uint32_t>& group,
                           const std::vector<bool>& involved,
                           CollectiveType type,
                           uint64_t bytes)
{
    NS_LOG_FUNCTION(this << group.size() << ToString(type) << bytes);
    NS_ASSERT_MSG(m_topology, "SetTopology comes first");
    const uint64_t hash = Hash(group, type, bytes);
    const auto [first, last] = m_plans.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& item) {
        const Entry& entry = item.second;
        return entry.type == type && entry.bytes == bytes && entry.involved == involved &&
               entry.plan->GetGroup() == group;
    });
    if (found != last)
    {
        return found->second.plan;
    }
    auto plan =
        std::make_shared<CollectivePlan>(*m_topology, m_options, group, involved, type, bytes);
    m_plans.insert({hash, Entry{involved, type, bytes, plan}});
    return plan;
}

CollectiveOptions
CollectivePlanner::GetOptions() const
{
    Diagnostics diagnostics;
    CollectiveOptions options;
    options.chunks = m_chunks;
    options.chunksInFlight = m_chunksInFlight;
    options.allReduce = ParseAlgorithms("AllReduce", m_allReduce, diagnostics);
    options.reduceScatter = ParseAlgorithms("ReduceScatter", m_reduceScatter, diagnostics);
    options.allGather = ParseAlgorithms("AllGather", m_allGather, diagnostics);
    options.allToAll = ParseAlgorithms("AllToAll", m_allToAll, diagnostics);
    diagnostics.ThrowIfErrors();
    return options;
}

std::vector<std::string>
CollectivePlanner::ParseAlgorithms(const std::string& name,
                                   const std::string& list,
                                   Diagnostics& diagnostics) const
{
    if (list == "auto")
    {
        return {};
    }
    const Diagnostics::Place place{"", 0, "ns3::mlcluster::CollectivePlanner::" + name};
    std::vector<std::string> allowed = CollectiveAlgorithm::GetNames();
    allowed.insert(allowed.begin(), "auto");
    std::vector<std::string> algorithms;
    std::istringstream entries(list + ",");
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        algorithms.push_back(entry);
        if (std::find(allowed.begin(), allowed.end(), entry) == allowed.end())
        {
            const std::string nearest = NearestWord(entry, allowed);
            diagnostics.Error(place,
                              "\"" + entry + "\" is no algorithm" +
                                  (nearest.empty() ? "" : ", did you mean " + nearest + "?") +
                                  "; allowed are " + JoinWords(allowed));
        }
    }
    if (m_topology && algorithms.size() != m_topology->GetNDimensions())
    {
        diagnostics.Error(place,
                          "\"" + list + "\" has " + std::to_string(algorithms.size()) +
                              " entries, and " + m_topology->GetNotation() + " has " +
                              std::to_string(m_topology->GetNDimensions()) +
                              " dimensions: give one algorithm each, or auto");
    }
    return algorithms;
}

} // namespace mlcluster
} // namespace ns3
