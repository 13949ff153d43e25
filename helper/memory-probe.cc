/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-probe.h"

#include "cluster-helper.h"
#include "experiment-attributes.h"
#include "short-names.h"

#include "ns3/amount.h"
#include "ns3/boolean.h"
#include "ns3/cluster-topology.h"
#include "ns3/data-rate.h"
#include "ns3/memory-pool-model.h"
#include "ns3/memory-pool-time.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/quantity.h"
#include "ns3/step-graph.h"
#include "ns3/step-list.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string LOAD = "load";
const std::string STORE = "store";
const std::string GATHER = "gather";
const std::string LOAD_GATHER = "load+all-gather";
const std::string REDUCE = "reduce";
const std::string REDUCE_STORE = "reduce-scatter+store";

/// @param access an access @return whether the NPUs share its tensor
bool
IsShared(const std::string& access)
{
    return access != LOAD && access != STORE;
}

/// @param access an access @return whether the switches of the memory do a part of it
bool
IsFused(const std::string& access)
{
    return access == GATHER || access == REDUCE;
}

/// @param access an access @return whether it writes
bool
IsStore(const std::string& access)
{
    return access == STORE || access == REDUCE || access == REDUCE_STORE;
}

/// @param kind a hop @return its name
std::string
Describe(PoolHopKind kind)
{
    static const std::vector<std::string> NAMES = {"memory",
                                                   "group link",
                                                   "out-node backplane",
                                                   "out-node adder",
                                                   "node link",
                                                   "in-node backplane",
                                                   "in-node adder",
                                                   "GPU link"};
    return NAMES.at(static_cast<std::size_t>(kind));
}

} // namespace

double
MemoryProbe::Point::GetRate() const
{
    return timePs > 0 ? 1e3 * static_cast<double>(bytes) / static_cast<double>(timePs) : 0;
}

MemoryProbe::MemoryProbe(const ExperimentConfig& config)
    : m_config(config),
      m_nRanks(ClusterTopology(config.dimensions).GetNRanks())
{
}

const std::vector<std::string>&
MemoryProbe::GetAccesses()
{
    static const std::vector<std::string> ACCESSES{LOAD,
                                                   STORE,
                                                   GATHER,
                                                   LOAD_GATHER,
                                                   REDUCE,
                                                   REDUCE_STORE};
    return ACCESSES;
}

std::vector<std::string>
MemoryProbe::GetPossibleAccesses() const
{
    std::vector<std::string> accesses = GetAccesses();
    const bool isAll = !GetAttribute("Fuse").empty();
    accesses.erase(
        std::remove_if(accesses.begin(),
                       accesses.end(),
                       [isAll](const auto& access) { return IsFused(access) && !isAll; }),
        accesses.end());
    return accesses;
}

MemoryProbe::Point
MemoryProbe::Measure(const std::string& access, uint64_t bytes) const
{
    CheckWord("access", access, GetAccesses());
    if (IsFused(access) && GetAttribute("Fuse").empty())
    {
        throw InputError("the access " + access + " needs a memory whose switches do it; " +
                         m_config.memoryModel +
                         " (cluster.memory.model) has none; allowed is pool");
    }
    Point point;
    point.access = access;
    point.bytes = bytes;
    if (IsShared(access))
    {
        point.bytes = (Amount(bytes) / m_nRanks * m_nRanks).Get("bytes of an access");
    }
    ClusterHelper cluster{ClusterTopology(m_config.dimensions)};
    cluster.SetBackend(m_config.backends.at(0));
    cluster.SetMemoryModel(m_config.memoryModel);
    if (IsShared(access) && !GetAttribute("Fuse").empty())
    {
        cluster.SetMemoryAttribute("Fuse", BooleanValue(IsFused(access)));
    }
    cluster.EnableProgress(true);
    Diagnostics diagnostics;
    FindAttributePlaces(m_config, diagnostics);
    cluster.Install(MakeWorkload(access, point.bytes), diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    const RunReport run = cluster.Run();
    point.timePs = run.finishTimePs;
    AddFormula(run, point);
    return point;
}

std::shared_ptr<const ClusterWorkload>
MemoryProbe::MakeWorkload(const std::string& access, uint64_t bytes) const
{
    StepList list;
    const auto load = [&](uint64_t size) {
        return list.Access(NodeKind::MemoryLoad, LOAD, size, MemoryLocation::REMOTE, {});
    };
    const auto store = [&](uint64_t size, const StepList::Steps& after) {
        return list.Access(NodeKind::MemoryStore, STORE, size, MemoryLocation::REMOTE, after);
    };
    const StepList::Group all{"", m_nRanks};
    const uint64_t share = bytes / m_nRanks;
    if (!IsShared(access))
    {
        IsStore(access) ? store(bytes, {}) : load(bytes);
    }
    else if (IsStore(access))
    {
        store(share, list.Collective("reduce", CollectiveType::ReduceScatter, all, bytes, {}));
    }
    else
    {
        list.Collective("gather", CollectiveType::AllGather, all, share, load(share));
    }
    return std::make_shared<const ClusterWorkload>(
        std::vector<std::shared_ptr<const ExecutionGraph>>(m_nRanks,
                                                           MakeStepGraph(list.Take(), 1, m_nRanks)),
        std::map<std::string, std::vector<uint32_t>>());
}

std::string
MemoryProbe::GetAttribute(const std::string& name) const
{
    const TypeId type = FindMemoryModel(m_config.memoryModel);
    TypeId::AttributeInformation information;
    if (!type.LookupAttributeByName(name, &information))
    {
        return "";
    }
    const auto memory = ObjectFactory(type.GetName()).Create<Object>();
    StringValue value;
    memory->GetAttribute(name, value);
    return value.Get();
}

void
MemoryProbe::AddFormula(const RunReport& run, Point& point) const
{
    const TypeId type = FindMemoryModel(m_config.memoryModel);
    if (type.IsChildOf(MemoryPoolModel::GetTypeId()))
    {
        const auto pool = ObjectFactory(type.GetName()).Create<MemoryPoolModel>();
        Diagnostics diagnostics;
        pool->Build(m_nRanks);
        pool->Attach(ClusterTopology(m_config.dimensions), diagnostics);
        AddPoolFormula(pool->GetShape(), point);
    }
    else if (!GetAttribute("NpusPerMemory").empty())
    {
        point.formulaPs = GetFormulaWithoutPool(point);
    }
    if (point.formulaPs > 0 && GetAttribute("Collectives") != "all")
    {
        for (const auto& collective : run.collectives)
        {
            point.formulaPs += collective.bandwidthBoundPs + collective.latencyBoundPs;
        }
    }
}

int64_t
MemoryProbe::GetFormulaWithoutPool(const Point& point) const
{
    const uint64_t given = std::stoull(GetAttribute("NpusPerMemory"));
    const uint64_t npus = given == 0 ? m_nRanks : given;
    const uint64_t bytes = IsShared(point.access) ? point.bytes / m_nRanks : point.bytes;
    if (GetAttribute("Bandwidths").empty())
    {
        const int64_t once =
            Time(GetAttribute("Latency")).GetPicoSeconds() +
            SerialisationPicoseconds(bytes, DataRate(GetAttribute("Bandwidth")).GetBitRate());
        return once * static_cast<int64_t>(npus);
    }
    const auto first = [this](const std::string& name) {
        const std::string entries = GetAttribute(name);
        return entries.substr(0, entries.find(','));
    };
    const uint64_t link = DataRate(GetAttribute("LinkBandwidth")).GetBitRate();
    const uint64_t tier = ParseBitRate(first("Bandwidths"));
    return ParsePicoseconds(first("Latencies")) +
           SerialisationPicoseconds((Amount(bytes) * npus).Get("bytes of all accesses to a memory"),
                                    link > 0 ? std::min(link, tier) : tier);
}

void
MemoryProbe::AddPoolFormula(const MemoryPoolShape& shape, Point& point) const
{
    const bool isFused = IsFused(point.access);
    const bool isAlone = IsShared(point.access) && !isFused;
    const auto access = MemoryPoolAccess::OfAll(shape,
                                                IsStore(point.access),
                                                isAlone ? point.bytes / m_nRanks : point.bytes,
                                                isFused ? shape.nodes : 1,
                                                isFused ? shape.gpusPerNode : 1);
    const MemoryPoolTime time = ComputeMemoryPoolTime(shape, access);
    point.formulaPs = time.totalPs;
    point.rounds = time.rounds;
    if (time.totalPs > 0)
    {
        point.bottleneck = Describe(time.hops.at(time.bottleneck).kind);
        point.fill = static_cast<double>(time.fillPs) / static_cast<double>(time.totalPs);
    }
    if (isAlone && GetAttribute("Collectives") == "all")
    {
        MemoryPoolAccess exchange = MemoryPoolAccess::OfAll(shape, false, 0);
        exchange.isExchange = true;
        exchange.nodeCopies = shape.nodes;
        exchange.gpuCopies = shape.gpusPerNode;
        exchange.uniqueBytes = point.bytes * (m_nRanks - 1);
        point.formulaPs += ComputeMemoryPoolTime(shape, exchange).totalPs +
                           Time(GetAttribute("CollectiveLatency")).GetPicoSeconds();
    }
}

} // namespace mlcluster
} // namespace ns3
