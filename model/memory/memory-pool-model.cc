/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-model.h"

#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterMemoryPoolModel");
NS_OBJECT_ENSURE_REGISTERED(MemoryPoolModel);

TypeId
MemoryPoolModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::MemoryPoolModel")
            .SetParent<MemoryModel>()
            .SetGroupName("MlCluster")
            .AddAttribute("Groups",
                          "Remote memory groups, at least 1.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MemoryPoolModel::m_groups),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("OutSwitches",
                          "Out-node switches, each with a link to every group and every node; at "
                          "least 1.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MemoryPoolModel::m_outSwitches),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("GpusPerNode",
                          "Consecutive NPUs with one in-node switch, a divisor of their number.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&MemoryPoolModel::m_gpusPerNode),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MemoryBandwidth",
                          "Rate of the memory of one group, above 0.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_memoryBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("GroupLinkBandwidth",
                          "Rate of one link and direction between a group and an out-node switch, "
                          "above 0.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_groupLinkBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("NodeLinkBandwidth",
                          "Rate of one link and direction between an out-node switch and a node, "
                          "above 0.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_nodeLinkBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("GpuLinkBandwidth",
                          "Rate of one link and direction between an in-node switch and an NPU, "
                          "above 0.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_gpuLinkBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("MemoryLatency",
                          "Latency of the memory of a group.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MemoryPoolModel::m_memoryLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GroupLinkLatency",
                          "Latency of a link between a group and an out-node switch, with the "
                          "switch.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MemoryPoolModel::m_groupLinkLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("NodeLinkLatency",
                          "Latency of a link between an out-node switch and a node, with the "
                          "in-node switch.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MemoryPoolModel::m_nodeLinkLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GpuLinkLatency",
                          "Latency of a link between an in-node switch and an NPU.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MemoryPoolModel::m_gpuLinkLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Chunk",
                          "What one group gives or takes in a full round, bytes; above 0.",
                          UintegerValue(262144),
                          MakeUintegerAccessor(&MemoryPoolModel::m_chunk),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Rounds",
                          "Rounds of an access that chunks do not divide: balanced, they differ by "
                          "at most one byte; short-last, full ones and the rest.",
                          StringValue("balanced"),
                          MakeStringAccessor(&MemoryPoolModel::m_rounds),
                          MakeStringChecker())
            .AddAttribute("OutBackplaneBandwidth",
                          "What an out-node switch can take in; 0: any rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_outBackplane),
                          MakeDataRateChecker())
            .AddAttribute("InBackplaneBandwidth",
                          "What an in-node switch can take in; 0: any rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_inBackplane),
                          MakeDataRateChecker())
            .AddAttribute("OutAdderBandwidth",
                          "What the adder of an out-node switch can take in; 0: any rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_outAdder),
                          MakeDataRateChecker())
            .AddAttribute("InAdderBandwidth",
                          "What the adder of an in-node switch can take in; 0: any rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&MemoryPoolModel::m_inAdder),
                          MakeDataRateChecker());
    return tid;
}

MemoryPoolModel::MemoryPoolModel() = default;

MemoryPoolModel::~MemoryPoolModel() = default;

void
MemoryPoolModel::Build(uint32_t nRanks)
{
    NS_LOG_FUNCTION(this << nRanks);
    m_nRanks = nRanks;
    m_shape.groups = m_groups;
    m_shape.outSwitches = m_outSwitches;
    m_shape.gpusPerNode = m_gpusPerNode;
    m_shape.nodes = m_gpusPerNode == 0 ? 1 : std::max(1U, nRanks / m_gpusPerNode);
    m_shape.memoryBitRate = m_memoryBandwidth.GetBitRate();
    m_shape.groupLinkBitRate = m_groupLinkBandwidth.GetBitRate();
    m_shape.nodeLinkBitRate = m_nodeLinkBandwidth.GetBitRate();
    m_shape.gpuLinkBitRate = m_gpuLinkBandwidth.GetBitRate();
    m_shape.memoryLatencyPs = m_memoryLatency.GetPicoSeconds();
    m_shape.groupLinkLatencyPs = m_groupLinkLatency.GetPicoSeconds();
    m_shape.nodeLinkLatencyPs = m_nodeLinkLatency.GetPicoSeconds();
    m_shape.gpuLinkLatencyPs = m_gpuLinkLatency.GetPicoSeconds();
    m_shape.chunkBytes = m_chunk;
    m_shape.rounds =
        m_rounds == "short-last" ? PoolRoundPolicy::ShortLast : PoolRoundPolicy::Balanced;
    m_shape.outBackplaneBitRate = m_outBackplane.GetBitRate();
    m_shape.inBackplaneBitRate = m_inBackplane.GetBitRate();
    m_shape.outAdderBitRate = m_outAdder.GetBitRate();
    m_shape.inAdderBitRate = m_inAdder.GetBitRate();
}

void
MemoryPoolModel::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                         Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    CheckAttributes(diagnostics);
    MemoryModel::Prepare(workload, diagnostics);
}

const MemoryPoolShape&
MemoryPoolModel::GetShape() const
{
    return m_shape;
}

Diagnostics::Place
MemoryPoolModel::GetPlace(const std::string& key)
{
    return {"", 0, "cluster.memory.pool" + (key.empty() ? "" : "." + key)};
}

void
MemoryPoolModel::SetShape(const MemoryPoolShape& shape)
{
    m_shape = shape;
}

void
MemoryPoolModel::CheckAttributes(Diagnostics& diagnostics) const
{
    diagnostics.Collect(GetPlace("rounds"),
                        [this] { CheckWord("rounds", m_rounds, {"balanced", "short-last"}); });
    if (m_gpusPerNode != 0 && m_nRanks % m_gpusPerNode != 0)
    {
        diagnostics.Error(GetPlace("gpus-per-node"),
                          std::to_string(m_gpusPerNode) + " does not divide the " +
                              std::to_string(m_nRanks) + " NPUs; allowed are divisors");
    }
    m_shape.Check(m_shape.nodes * m_shape.gpusPerNode, GetPlace(), diagnostics);
}

} // namespace mlcluster
} // namespace ns3
