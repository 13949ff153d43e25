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
#include <tuple>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterCollectivePlanner");
NS_OBJECT_ENSURE_REGISTERED(CollectivePlanner);

namespace
{

const std::string PREFIX = "ns3::mlcluster::CollectivePlanner::";

uint64_t
Hash(const std::vector<uint32_t>& group, const CollectiveCall& call)
{
    constexpr uint64_t MULTIPLIER = 0x9e3779b97f4a7c15;
    uint64_t hash = call.bytes + static_cast<uint64_t>(call.type);
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
            .AddAttribute(
                "Composition",
                "How an all-reduce is composed of dimensions: hierarchical or per-dimension.",
                StringValue("hierarchical"),
                MakeStringAccessor(&CollectivePlanner::m_composition),
                MakeStringChecker())
            .AddAttribute("Scheduler",
                          "Order in which each chunk uses the dimensions: baseline, themis, "
                          "round-robin, offline-greedy or offline-greedy-flex.",
                          StringValue("baseline"),
                          MakeStringAccessor(&CollectivePlanner::m_scheduler),
                          MakeStringChecker())
            .AddAttribute("QueuePolicy",
                          "Which chunk phase uses a dimension next: fifo or smallest-first.",
                          StringValue("fifo"),
                          MakeStringAccessor(&CollectivePlanner::m_queuePolicy),
                          MakeStringChecker())
            .AddAttribute("AllReduce",
                          "Algorithm of all-reduces per dimension, separated by commas; auto; or "
                          "one- and a name.",
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
                          MakeStringChecker())
            .AddAttribute("Broadcast",
                          "Algorithm of broadcasts, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_broadcast),
                          MakeStringChecker())
            .AddAttribute("Reduce",
                          "Algorithm of reduces, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_reduce),
                          MakeStringChecker())
            .AddAttribute("Gather",
                          "Algorithm of gathers, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_gather),
                          MakeStringChecker())
            .AddAttribute("Scatter",
                          "Algorithm of scatters, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_scatter),
                          MakeStringChecker())
            .AddAttribute("Barrier",
                          "Algorithm of barriers, likewise.",
                          StringValue("auto"),
                          MakeStringAccessor(&CollectivePlanner::m_barrier),
                          MakeStringChecker())
            .AddAttribute("CustomSchedules",
                          "Schedules of yours: FILE;collective=all-reduce;max-size=1MiB,..., see "
                          "CustomCollectives.",
                          StringValue(""),
                          MakeStringAccessor(&CollectivePlanner::m_customSchedules),
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
    Diagnostics diagnostics;
    diagnostics.Collect({"", 0, PREFIX + "CustomSchedules"}, [&] {
        m_custom = CustomCollectives(CustomCollectives::Parse(m_customSchedules));
    });
    diagnostics.ThrowIfErrors();
    m_plans.clear();
    m_schedules = std::make_shared<ScheduleCache>();
}

std::shared_ptr<const CollectiveAlgorithm>
CollectivePlanner::FindCustom(const std::vector<uint32_t>& group,
                              const CollectiveCall& call,
                              const std::string& name,
                              uint64_t node)
{
    if (m_customSchedules.empty() || call.matrix)
    {
        return nullptr;
    }
    const auto size = static_cast<uint32_t>(group.size());
    const bool isShard =
        call.type == CollectiveType::AllGather || call.type == CollectiveType::Gather;
    const auto root = std::find(group.begin(), group.end(), call.root) - group.begin();
    return m_custom.Find(
        {call.type,
         size,
         isShard ? std::vector<uint64_t>(size, call.bytes) : SplitEvenly(call.bytes, size),
         static_cast<uint32_t>(IsRooted(call.type) ? root : 0)},
        name,
        node);
}

std::shared_ptr<const CollectivePlan>
CollectivePlanner::GetPlan(const std::vector<uint32_t>& group, const CollectiveCall& call)
{
    NS_LOG_FUNCTION(this << group.size() << ToString(call.type) << call.bytes);
    NS_ASSERT_MSG(m_topology, "SetTopology comes first");
    const uint64_t hash = Hash(group, call);
    const auto [first, last] = m_plans.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& entry) {
        return entry.second->GetCall() == call && entry.second->GetGroup() == group;
    });
    if (found != last)
    {
        return found->second;
    }
    auto plan = std::make_shared<CollectivePlan>(*m_topology, m_options, group, call, m_schedules);
    m_plans.emplace(hash, plan);
    return plan;
}

bool
CollectivePlanner::HasCustomSchedules() const
{
    return !m_customSchedules.empty();
}

CollectiveOptions
CollectivePlanner::GetOptions() const
{
    Diagnostics diagnostics;
    const auto check = [&](const std::string& attribute,
                           const std::string& what,
                           const std::string& word,
                           const std::vector<std::string>& allowed) {
        diagnostics.Collect({"", 0, PREFIX + attribute}, [&] { CheckWord(what, word, allowed); });
        return word;
    };
    CollectiveOptions options;
    options.chunks = m_chunks;
    options.chunksInFlight = m_chunksInFlight;
    options.composition =
        check("Composition", "composition", m_composition, CollectiveOptions::GetCompositions());
    options.scheduler = check("Scheduler", "scheduler", m_scheduler, ChunkScheduler::GetNames());
    options.queuePolicy =
        check("QueuePolicy", "queue policy", m_queuePolicy, CollectiveOptions::GetQueuePolicies());
    const std::tuple<CollectiveType, std::string, const std::string&> lists[] = {
        {CollectiveType::AllReduce, "AllReduce", m_allReduce},
        {CollectiveType::ReduceScatter, "ReduceScatter", m_reduceScatter},
        {CollectiveType::AllGather, "AllGather", m_allGather},
        {CollectiveType::AllToAll, "AllToAll", m_allToAll},
        {CollectiveType::Broadcast, "Broadcast", m_broadcast},
        {CollectiveType::Reduce, "Reduce", m_reduce},
        {CollectiveType::Gather, "Gather", m_gather},
        {CollectiveType::Scatter, "Scatter", m_scatter},
        {CollectiveType::Barrier, "Barrier", m_barrier}};
    for (const auto& [type, name, list] : lists)
    {
        options.algorithms[type] = ParseAlgorithms(name, list, diagnostics);
    }
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
    std::vector<std::string> algorithms;
    std::istringstream entries(list + ",");
    for (std::string entry; std::getline(entries, entry, ',');)
    {
        algorithms.push_back(entry);
    }
    for (const auto& entry : algorithms)
    {
        diagnostics.Collect({"", 0, PREFIX + name},
                            [&] { CollectiveOptions::CheckAlgorithm(entry); });
    }
    const bool hasFlat =
        std::any_of(algorithms.begin(), algorithms.end(), [](const std::string& entry) {
            return !CollectiveOptions::GetFlatName(entry).empty();
        });
    if (hasFlat && algorithms.size() > 1)
    {
        diagnostics.Error({"", 0, PREFIX + name},
                          "\"" + list + "\": an algorithm over all members (one-) stands alone");
    }
    if (!hasFlat)
    {
        CheckNumber(name, algorithms, diagnostics);
    }
    return algorithms;
}

void
CollectivePlanner::CheckNumber(const std::string& name,
                               const std::vector<std::string>& algorithms,
                               Diagnostics& diagnostics) const
{
    if (m_topology && algorithms.size() != m_topology->GetNDimensions())
    {
        diagnostics.Error({"", 0, PREFIX + name},
                          std::to_string(algorithms.size()) + " algorithms, and " +
                              m_topology->GetNotation() + " has " +
                              std::to_string(m_topology->GetNDimensions()) +
                              " dimensions: give one each, one after \"one-\", or auto");
    }
}

} // namespace mlcluster
} // namespace ns3
