/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a user sets of an NpuApplication and what it tells while it runs.

#include "npu-application.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(NpuApplication);

TypeId
NpuApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::NpuApplication")
            .SetParent<Application>()
            .SetGroupName("MlCluster")
            .AddConstructor<NpuApplication>()
            .AddAttribute("Roofline",
                          "Whether the time of an accelerator's compute node is "
                          "max(operations / PeakFlops, tensor bytes / MemoryBandwidth) instead of "
                          "its measured duration.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NpuApplication::m_roofline),
                          MakeBooleanChecker())
            .AddAttribute("PeakFlops",
                          "Floating-point operations per second of the roofline; above 0 if "
                          "Roofline is set.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&NpuApplication::m_peakFlops),
                          MakeDoubleChecker<double>(0.0, 1e18))
            .AddAttribute(
                "MemoryBandwidth",
                "Local memory bandwidth; above 0 if Roofline or ReduceInMemory is set, or "
                "memory nodes access local memory.",
                DataRateValue(DataRate(0)),
                MakeDataRateAccessor(&NpuApplication::m_memoryBandwidth),
                MakeDataRateChecker())
            .AddAttribute("MemoryLatency",
                          "Time of an access of 0 bytes to local memory.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&NpuApplication::m_memoryLatency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MemorySharing",
                          "Whether accesses to local memory, and compute nodes with Roofline, "
                          "share MemoryBandwidth while they run at once; otherwise each has all of "
                          "it.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&NpuApplication::m_memorySharing),
                          MakeBooleanChecker())
            .AddAttribute("ReduceInMemory",
                          "Whether reductions take MemoryBandwidth, all of it, as "
                          "ReductionBandwidth, which is then 0.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NpuApplication::m_reduceInMemory),
                          MakeBooleanChecker())
            .AddAttribute("MemoryCapacity",
                          "Local memory, bytes, that plans of generated workloads, and what runs "
                          "hold, are compared with; 0: not known.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&NpuApplication::m_memoryCapacity),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute(
                "ResidentMemory",
                "Bytes of local memory that are held throughout, besides what memory nodes "
                "bring.",
                UintegerValue(0),
                MakeUintegerAccessor(&NpuApplication::m_residentMemory),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("MemoryOverflow",
                          "What happens when local memory holds more than MemoryCapacity: ignore, "
                          "the peak is reported; error, the run stops; spill, loads move what does "
                          "not fit twice more.",
                          StringValue("ignore"),
                          MakeStringAccessor(&NpuApplication::m_memoryOverflow),
                          MakeStringChecker())
            .AddAttribute("ComputeEfficiency",
                          "Share of PeakFlops that compute nodes reach with Roofline, above 0.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&NpuApplication::m_computeEfficiency),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("MemoryEfficiency",
                          "Share of MemoryBandwidth that is reached, above 0.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&NpuApplication::m_memoryEfficiency),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("EndpointDelay",
                          "Fixed time before the first messages of a collective's phase, and "
                          "between the arrival of a message and its use.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&NpuApplication::m_endpointDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReductionBandwidth",
                          "Local memory bandwidth of reductions: one of m bytes takes 3 m / "
                          "bandwidth. 0: reductions take no time.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&NpuApplication::m_reductionBandwidth),
                          MakeDataRateChecker())
            .AddAttribute("CollectivePriority",
                          "Which collective's messages go first where they wait at this NPU: fifo, "
                          "those of none; lifo, those of the one started last; explicit, those of "
                          "the one whose node has the largest comm_priority.",
                          StringValue("fifo"),
                          MakeStringAccessor(&NpuApplication::m_collectivePriority),
                          MakeStringChecker())
            .AddAttribute("SerialiseCollectives",
                          "Whether a communicator is a queue, as with NCCL: a collective starts "
                          "when the one before it of the same group has finished on this rank.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&NpuApplication::m_serialiseCollectives),
                          MakeBooleanChecker())
            .AddAttribute("ConcurrentStreams",
                          "Whether compute nodes on different streams run at once, instead of "
                          "one after the other; their operations do not slow each other down.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&NpuApplication::m_concurrentStreams),
                          MakeBooleanChecker())
            .AddAttribute("HostThreads",
                          "Host operations that run at once.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&NpuApplication::m_hostThreads),
                          MakeUintegerChecker<uint32_t>(1))
            .AddTraceSource("NodeStart",
                            "A node of the graph has started.",
                            MakeTraceSourceAccessor(&NpuApplication::m_nodeStartTrace),
                            "ns3::mlcluster::NpuApplication::NodeTracedCallback")
            .AddTraceSource("NodeEnd",
                            "A node of the graph has finished.",
                            MakeTraceSourceAccessor(&NpuApplication::m_nodeEndTrace),
                            "ns3::mlcluster::NpuApplication::NodeTracedCallback")
            .AddTraceSource("CollectiveStart",
                            "This rank has entered a collective.",
                            MakeTraceSourceAccessor(&NpuApplication::m_collectiveStartTrace),
                            "ns3::mlcluster::NpuApplication::CollectiveTracedCallback")
            .AddTraceSource("CollectiveEnd",
                            "This rank has finished a collective.",
                            MakeTraceSourceAccessor(&NpuApplication::m_collectiveEndTrace),
                            "ns3::mlcluster::NpuApplication::CollectiveTracedCallback")
            .AddTraceSource("MessageSent",
                            "This rank has handed a message to the network.",
                            MakeTraceSourceAccessor(&NpuApplication::m_messageSentTrace),
                            "ns3::mlcluster::NpuApplication::MessageTracedCallback")
            .AddTraceSource("MessageReceived",
                            "A message to this rank has arrived.",
                            MakeTraceSourceAccessor(&NpuApplication::m_messageReceivedTrace),
                            "ns3::mlcluster::NpuApplication::MessageTracedCallback");
    return tid;
}

} // namespace mlcluster
} // namespace ns3
