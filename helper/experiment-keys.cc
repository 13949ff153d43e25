/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-schema.h"
#include "generator-keys.h"

#include "ns3/chakra-reader.h"
#include "ns3/collective-plan.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

using Value = ExperimentValue;
using Shape = ExperimentShape;

const std::string NPU = "ns3::mlcluster::NpuApplication::";
const std::string TIERED = "ns3::mlcluster::TieredMemory::";
const std::string MEMORY = "ns3::mlcluster::QueuedMemoryModel::";
const std::string POOL = "ns3::mlcluster::MemoryPoolModel::";
const std::string HIERARCHICAL = "ns3::mlcluster::HierarchicalMemoryPool::";
const std::string PLANNER = "ns3::mlcluster::CollectivePlanner::";
const std::string ANALYTICAL = "ns3::mlcluster::AnalyticalChannel::";
const std::string PACKET = "ns3::mlcluster::PacketBackend::";

// clang-format off

std::vector<ExperimentKey>
GetClusterKeys()
{
    return {
        {"cluster.topology", Value::Text, Shape::Single, "",
         "building blocks, innermost first, such as Ring(4)_Switch(2)"},
        {"cluster.bandwidth", Value::Rate, Shape::PerDimension, "",
         "what one NPU can send in the dimension, all its links together", {}, 1},
        {"cluster.link-bandwidth", Value::Rate, Shape::PerDimension, "",
         "rate of one link and direction, instead of bandwidth", {}, 1},
        {"cluster.latency", Value::Time, Shape::PerDimension, "",
         "propagation delay of one link"},
        {"cluster.in-network", Value::Flag, Shape::PerDimension, "",
         "whether the switches of the dimension reduce and multicast, as SHARP and NVLS do"},
        {"cluster.processing-time", Value::Time, Shape::PerDimension, "",
         "time such a switch works on a chunk"},
        {"cluster.slots", Value::Count, Shape::PerDimension, "",
         "chunks of one collective in such a dimension at once; 0: as many as chunks-in-flight",
         {}, 0, UINT32_MAX},
        {"cluster.npu.roofline", Value::Flag, Shape::Single, NPU + "Roofline",
         "compute time from operations and bytes instead of measured durations"},
        {"cluster.npu.peak-flops", Value::Flops, Shape::Single, NPU + "PeakFlops",
         "peak compute rate of one NPU"},
        {"cluster.npu.memory-bandwidth", Value::Rate, Shape::Single, NPU + "MemoryBandwidth",
         "local memory bandwidth of one NPU"},
        {"cluster.npu.compute-efficiency", Value::Factor, Shape::Single, NPU + "ComputeEfficiency",
         "share of peak-flops that compute nodes reach with the roofline", {}, 0, 1},
        {"cluster.npu.memory-efficiency", Value::Factor, Shape::Single, NPU + "MemoryEfficiency",
         "share of memory-bandwidth that is reached", {}, 0, 1},
        {"cluster.npu.memory-latency", Value::Time, Shape::Single, NPU + "MemoryLatency",
         "latency of a local memory access"},
        {"cluster.npu.memory-sharing", Value::Flag, Shape::Single, NPU + "MemorySharing",
         "what uses local memory at once shares its bandwidth"},
        {"cluster.npu.memory-capacity", Value::Size, Shape::Single, NPU + "MemoryCapacity",
         "local memory of one NPU, which plans and runs are compared with"},
        {"cluster.npu.resident-memory", Value::Size, Shape::Single, NPU + "ResidentMemory",
         "local memory that is held throughout"},
        {"cluster.npu.memory-overflow", Value::Word, Shape::Single, NPU + "MemoryOverflow",
         "what happens when runs hold more than memory-capacity", {"ignore", "error", "spill"}},
        {"cluster.npu.concurrent-streams", Value::Flag, Shape::Single, NPU + "ConcurrentStreams",
         "compute nodes on different streams run at once"},
        {"cluster.npu.host-threads", Value::Count, Shape::Single, NPU + "HostThreads",
         "host operations that run at once", {}, 1, UINT32_MAX},
        {"cluster.npu.endpoint-delay", Value::Time, Shape::Single, NPU + "EndpointDelay",
         "fixed cost of a message at its ends"},
        {"cluster.npu.reduction-bandwidth", Value::Rate, Shape::Single, NPU + "ReductionBandwidth",
         "local memory bandwidth of reductions: m bytes take 3 m / bandwidth; 0: no time"},
        {"cluster.npu.reduce-in-memory", Value::Flag, Shape::Single, NPU + "ReduceInMemory",
         "reductions take memory-bandwidth instead of reduction-bandwidth"},
        {"cluster.npu.memory-streams", Value::Count, Shape::Single, HIERARCHICAL + "MemoryStreams",
         "accesses of an NPU to a memory pool at once: 2, a plain and a fused one; 1, either", {}, 1,
         2},
        {"cluster.memory.model", Value::Text, Shape::Single, "",
         "memory that is not an NPU's own: queued, pool, network-pool, tiered, or the TypeId name of a "
         "MemoryModel"},
        {"cluster.memory.latency", Value::Time, Shape::Single, MEMORY + "Latency",
         "latency of a remote memory access"},
        {"cluster.memory.bandwidth", Value::Rate, Shape::Single, MEMORY + "Bandwidth",
         "bandwidth of one remote memory; 0: there is none"},
        {"cluster.memory.npus-per-memory", Value::Count, Shape::Single, MEMORY + "NpusPerMemory",
         "consecutive NPUs that share a remote memory, one access at a time; 0: all", {}, 0,
         UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetTieredMemoryKeys()
{
    return {
        {"cluster.memory.tiered.names", Value::Text, Shape::List, TIERED + "Names",
         "names of memory tiers; the first is location 2 of traces, the next 3"},
        {"cluster.memory.tiered.bandwidth", Value::Rate, Shape::List, TIERED + "Bandwidths",
         "rate of each tier", {}, 1},
        {"cluster.memory.tiered.latency", Value::Time, Shape::List, TIERED + "Latencies",
         "latency of an access to each tier"},
        {"cluster.memory.tiered.link-bandwidth", Value::Rate, Shape::Single,
         TIERED + "LinkBandwidth", "rate of the link that all tiers are behind; 0: no limit"},
        {"cluster.memory.tiered.npus-per-memory", Value::Count, Shape::Single,
         TIERED + "NpusPerMemory", "consecutive NPUs that share tiers and link; 0: all", {}, 0,
         UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetMemoryPoolKeys()
{
    return {
        {"cluster.memory.pool.groups", Value::Count, Shape::Single, POOL + "Groups",
         "remote memory groups", {}, 0, UINT32_MAX},
        {"cluster.memory.pool.out-switches", Value::Count, Shape::Single, POOL + "OutSwitches",
         "out-node switches, each with a link to every group and every node", {}, 0, UINT32_MAX},
        {"cluster.memory.pool.gpus-per-node", Value::Count, Shape::Single, POOL + "GpusPerNode",
         "consecutive NPUs with one in-node switch, a divisor of their number", {}, 0, UINT32_MAX},
        {"cluster.memory.pool.memory-bandwidth", Value::Rate, Shape::Single,
         POOL + "MemoryBandwidth", "rate of the memory of one group"},
        {"cluster.memory.pool.group-link-bandwidth", Value::Rate, Shape::Single,
         POOL + "GroupLinkBandwidth",
         "rate of one link and direction between group and out-node switch"},
        {"cluster.memory.pool.node-link-bandwidth", Value::Rate, Shape::Single,
         POOL + "NodeLinkBandwidth",
         "rate of one link and direction between out-node switch and node"},
        {"cluster.memory.pool.gpu-link-bandwidth", Value::Rate, Shape::Single,
         POOL + "GpuLinkBandwidth",
         "rate of one link and direction between in-node switch and NPU"},
        {"cluster.memory.pool.memory-latency", Value::Time, Shape::Single, POOL + "MemoryLatency",
         "latency of the memory of a group"},
        {"cluster.memory.pool.group-link-latency", Value::Time, Shape::Single,
         POOL + "GroupLinkLatency",
         "latency of a link between group and out-node switch, with the switch"},
        {"cluster.memory.pool.node-link-latency", Value::Time, Shape::Single,
         POOL + "NodeLinkLatency",
         "latency of a link between out-node switch and node, with the in-node switch"},
        {"cluster.memory.pool.gpu-link-latency", Value::Time, Shape::Single,
         POOL + "GpuLinkLatency", "latency of a link between in-node switch and NPU"},
        {"cluster.memory.pool.chunk", Value::Size, Shape::Single, POOL + "Chunk",
         "what one group gives or takes in a full round"},
        {"cluster.memory.pool.rounds", Value::Word, Shape::Single, POOL + "Rounds",
         "rounds of accesses that chunks do not divide", {"balanced", "short-last"}},
        {"cluster.memory.pool.out-backplane-bandwidth", Value::Rate, Shape::Single,
         POOL + "OutBackplaneBandwidth", "what an out-node switch can take in; 0: any rate"},
        {"cluster.memory.pool.in-backplane-bandwidth", Value::Rate, Shape::Single,
         POOL + "InBackplaneBandwidth", "what an in-node switch can take in; 0: any rate"},
        {"cluster.memory.pool.out-adder-bandwidth", Value::Rate, Shape::Single,
         POOL + "OutAdderBandwidth",
         "what the adder of an out-node switch can take in; 0: any rate"},
        {"cluster.memory.pool.in-adder-bandwidth", Value::Rate, Shape::Single,
         POOL + "InAdderBandwidth",
         "what the adder of an in-node switch can take in; 0: any rate"},
        {"cluster.memory.pool.fuse", Value::Flag, Shape::Single, HIERARCHICAL + "Fuse",
         "switches gather loads and reduce stores, where a collective follows or precedes them"},
        {"cluster.memory.pool.sharing", Value::Word, Shape::Single, HIERARCHICAL + "Sharing",
         "how accesses and collectives share the pool", {"fair", "first-come"}},
        {"cluster.memory.pool.collectives", Value::Word, Shape::Single, HIERARCHICAL + "Collectives",
         "collectives that the pool's links carry instead of the network",
         {"none", "all-to-all", "all"}},
        {"cluster.memory.pool.collective-latency", Value::Time, Shape::Single,
         HIERARCHICAL + "CollectiveLatency",
         "time before a collective begins on the pool's links"},
    };
}

std::vector<ExperimentKey>
GetWorkloadKeys()
{
    return {
        {"workload.node-memory", Value::Size, Shape::Single, "",
         "memory for nodes of execution graphs, at least 1MiB; those beyond it wait in a temporary "
         "file; 0: half the memory of the machine"},
        {"workload.chakra", Value::Text, Shape::Single, "",
         "prefix of the Chakra traces: rank r reads PREFIX.r.et or PREFIX.r.json"},
        {"workload.schema", Value::Word, Shape::Single, "",
         "schema of the traces; auto: 0.0.4, and older ones are told", GetChakraSchemaNames()},
        {"workload.groups", Value::Text, Shape::Single, "",
         "communicator group file"},
        {"workload.control-dependencies", Value::Word, Shape::Single, "",
         "how control dependencies of the traces count", {"ignore", "known", "strict"}},
        {"workload.ignore-missing-dependencies", Value::Flag, Shape::Single, "",
         "drop data dependencies on missing nodes with a warning"},
        {"workload.streams", Value::Flag, Shape::Single, "",
         "nodes with a stream run on it, one after the other by ascending id"},
        {"workload.tensor-locations", Value::Flag, Shape::Single, "",
         "tensors of memory nodes lie where tensor_loc says"},
        {"workload.element-bytes", Value::Count, Shape::Single, "",
         "bytes of one of what the sizes in the traces count; above 1 if they count elements", {}, 1,
         UINT32_MAX},
        {"workload.flops-per-operation", Value::Count, Shape::Single, "",
         "floating-point operations of one of what num_ops counts; 2 if it counts "
         "multiply-accumulates", {}, 1, UINT32_MAX},
        {"workload.collective.type", Value::Word, Shape::Single, "",
         "one collective over all ranks",
         {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast", "reduce",
          "gather", "scatter", "barrier"}},
        {"workload.collective.bytes", Value::Size, Shape::Single, "",
         "its size: buffer of one rank; of an all-gather or gather the shard of one rank; of a "
         "barrier none", {}, 1},
        {"workload.collective.root", Value::Count, Shape::Single, "",
         "rank of the root of a broadcast, reduce, gather or scatter; 0 if not given", {}, 0,
         UINT32_MAX},
    };
}

std::vector<ExperimentKey>
GetCollectiveKeys()
{
    return {
        {"collectives.chunks", Value::Count, Shape::Single, PLANNER + "Chunks",
         "chunks a collective is cut into", {}, 1, CollectiveOptions::MAX_CHUNKS},
        {"collectives.chunks-in-flight", Value::Count, Shape::Single, PLANNER + "ChunksInFlight",
         "chunk phases of one collective at once in one dimension", {}, 1, UINT32_MAX},
        {"collectives.composition", Value::Word, Shape::Single, PLANNER + "Composition",
         "how an all-reduce is composed of dimensions", CollectiveOptions::GetCompositions()},
        {"collectives.scheduler", Value::Word, Shape::Single, PLANNER + "Scheduler",
         "order in which each chunk uses the dimensions", ChunkScheduler::GetNames()},
        {"collectives.queue-policy", Value::Word, Shape::Single, PLANNER + "QueuePolicy",
         "which chunk phase uses a dimension next", CollectiveOptions::GetQueuePolicies()},
        {"collectives.custom-schedules", Value::Text, Shape::List, PLANNER + "CustomSchedules",
         "schedules of yours, such as ring.xml;collective=all-reduce;max-size=1MiB", {}, 0, UINT64_MAX,
         true},
        {"collectives.priority", Value::Word, Shape::Single, NPU + "CollectivePriority",
         "whose messages go first where collectives wait for a link at an NPU",
         {"fifo", "lifo", "explicit"}},
        {"collectives.serialise", Value::Flag, Shape::Single, NPU + "SerialiseCollectives",
         "collectives of one group run one after the other on each rank, as with NCCL"},
        {"collectives.all-reduce", Value::Algorithm, Shape::PerDimension, PLANNER + "AllReduce",
         "algorithm of all-reduces"},
        {"collectives.reduce-scatter", Value::Algorithm, Shape::PerDimension, PLANNER + "ReduceScatter",
         "algorithm of reduce-scatters"},
        {"collectives.all-gather", Value::Algorithm, Shape::PerDimension, PLANNER + "AllGather",
         "algorithm of all-gathers"},
        {"collectives.all-to-all", Value::Algorithm, Shape::PerDimension, PLANNER + "AllToAll",
         "algorithm of all-to-alls"},
        {"collectives.broadcast", Value::Algorithm, Shape::PerDimension, PLANNER + "Broadcast",
         "algorithm of broadcasts"},
        {"collectives.reduce", Value::Algorithm, Shape::PerDimension, PLANNER + "Reduce",
         "algorithm of reduces"},
        {"collectives.gather", Value::Algorithm, Shape::PerDimension, PLANNER + "Gather",
         "algorithm of gathers"},
        {"collectives.scatter", Value::Algorithm, Shape::PerDimension, PLANNER + "Scatter",
         "algorithm of scatters"},
        {"collectives.barrier", Value::Algorithm, Shape::PerDimension, PLANNER + "Barrier",
         "algorithm of barriers"},
    };
}

std::vector<ExperimentKey>
GetBackendKeys()
{
    return {
        {"backends.run", Value::Word, Shape::List, "",
         "backends to run, the first is the reference", {"analytical", "packet"}},
        {"backends.analytical.congestion", Value::Word, Shape::Single, ANALYTICAL + "Congestion",
         "whether messages share links", {"Links", "None"}},
        {"backends.analytical.forward-whole", Value::Flag, Shape::Single,
         ANALYTICAL + "ForwardWhole",
         "store messages whole at each hop"},
        {"backends.analytical.first-dimension-only", Value::Flag, Shape::Single,
         ANALYTICAL + "FirstDimensionOnly",
         "a message pays for the lowest dimension it crosses only, as in ASTRA-sim"},
        {"backends.analytical.rounding", Value::Word, Shape::Single, ANALYTICAL + "Rounding",
         "how message times are rounded", {"UpPicosecond", "DownNanosecond"}},
        {"backends.analytical.granularity", Value::Word, Shape::Single, ANALYTICAL + "Granularity",
         "whether collectives are computed message by message or phase by phase",
         {"Message", "Phase"}},
        {"backends.packet.payload", Value::Size, Shape::Single, PACKET + "PayloadBytes",
         "largest payload of a packet", {}, 1, UINT32_MAX},
        {"backends.packet.header", Value::Size, Shape::Single, PACKET + "HeaderBytes",
         "bytes a data packet has on the wire beside its payload", {}, 0, UINT32_MAX},
        {"backends.packet.ack", Value::Size, Shape::Single, PACKET + "AckBytes",
         "bytes of an acknowledgement on the wire", {}, 0, UINT32_MAX},
        {"backends.packet.ack-interval", Value::Count, Shape::Single, PACKET + "AckInterval",
         "packets one acknowledgement stands for; 0 is automatic", {}, 0, UINT32_MAX},
        {"backends.packet.source-packets", Value::Count, Shape::Single, PACKET + "SourcePackets",
         "packets of its own that an NPU has in one port at most", {}, 1, UINT32_MAX},
        {"backends.packet.window", Value::Size, Shape::Single, PACKET + "WindowBytes",
         "most bytes in flight between two NPUs; 0 is automatic"},
        {"backends.packet.window-bdp", Value::Factor, Shape::Single, PACKET + "WindowBdp",
         "automatic window, in bandwidth-delay products"},
    };
}

std::vector<ExperimentKey>
GetOutputKeys()
{
    return {
        {"output.directory", Value::Text, Shape::Single, "",
         "folder for the results, from where the program runs"},
    };
}

// clang-format on

} // namespace

const std::vector<ExperimentKey>&
GetExperimentKeys()
{
    static const std::vector<ExperimentKey> KEYS = [] {
        std::vector<ExperimentKey> keys;
        for (const auto& section : {GetClusterKeys(),
                                    GetTieredMemoryKeys(),
                                    GetMemoryPoolKeys(),
                                    GetWorkloadKeys(),
                                    GetGeneratorKeys(),
                                    GetCollectiveKeys(),
                                    GetBackendKeys(),
                                    GetOutputKeys()})
        {
            keys.insert(keys.end(), section.begin(), section.end());
        }
        return keys;
    }();
    return KEYS;
}

} // namespace mlcluster
} // namespace ns3
