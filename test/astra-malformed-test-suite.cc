/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Malformed inputs of ASTRA-sim's formats: each is refused with its reason, or runs with a warning
// if it does no harm.

#include "astra-inputs.h"
#include "test-tools.h"
#include "unit/chakra-bytes.h"

#include "ns3/test.h"

#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// One way to spoil the inputs.
struct Malformation
{
    std::string name;                        ///< what is wrong
    std::function<void(AstraInputs&)> spoil; ///< makes it so
    std::string error;                       ///< part of the message; "": it must run
    std::string warning;                     ///< part of the error stream
};

/// @param key of the network file @param from value @param to other value @return what replaces it
std::function<void(AstraInputs&)>
InNetwork(const std::string& from, const std::string& to)
{
    return [from, to](AstraInputs& inputs) { AstraInputs::Replace(inputs.network, from, to); };
}

/// @param from part of the system file @param to other text @return what replaces it
std::function<void(AstraInputs&)>
InSystem(const std::string& from, const std::string& to)
{
    return [from, to](AstraInputs& inputs) { AstraInputs::Replace(inputs.system, from, to); };
}

/// @param change made to the node of each rank @return what makes it
std::function<void(AstraInputs&)>
InNodes(const std::function<void(ExecutionNode&)>& change)
{
    return [change](AstraInputs& inputs) {
        for (auto& nodes : inputs.nodes)
        {
            change(nodes[0]);
        }
    };
}

/// @param bytes of the trace of all ranks @return what writes them
std::function<void(AstraInputs&)>
Raw(const std::string& bytes)
{
    return [bytes](AstraInputs& inputs) {
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            inputs.raw[rank] = bytes;
        }
    };
}

/// @param type number of its type @param rest further fields @return a node as a Chakra file has it
std::string
Spoilt(uint64_t type, const std::string& rest = "")
{
    return bytes::Node(1, "spoilt", type, rest);
}

/// @param size of the all-reduce @return the only attributes that it needs
std::string
AllReduceOf(uint64_t size)
{
    return bytes::Int64("comm_type", 0) + bytes::Int64("comm_size", size);
}

/// @param isSend or receive @param peer other rank @param tag tag @return a message of 1 kB
ExecutionNode
Message(bool isSend, uint32_t peer, uint64_t tag)
{
    ExecutionNode node;
    node.id = 9;
    node.name = isSend ? "send" : "receive";
    node.kind = isSend ? NodeKind::Send : NodeKind::Receive;
    node.peer = peer;
    node.tag = tag;
    node.bytes = 1000;
    return node;
}

const std::vector<Malformation> FILES{
    {"nothing", [](AstraInputs&) {}, "", ""},
    {"network file missing", [](AstraInputs& i) { i.network.reset(); }, "network.yml", ""},
    {"system file missing", [](AstraInputs& i) { i.system.reset(); }, "system.json", ""},
    {"memory file missing", [](AstraInputs& i) { i.memory.reset(); }, "memory.json", ""},
    {"group file missing",
     [](AstraInputs& i) { i.options.files.groups = "/nowhere/groups.json"; },
     "/nowhere/groups.json",
     ""},
    {"trace missing", [](AstraInputs& i) { i.nodes.clear(); }, "no file for rank 0-3", ""},
    {"one trace missing", [](AstraInputs& i) { i.nodes.pop_back(); }, "no file for rank 3", ""},
    {"more traces than NPUs",
     [](AstraInputs& i) { i.nodes.push_back(i.nodes[0]); },
     "files of 5 ranks",
     ""},
    {"network not YAML", [](AstraInputs& i) { i.network = "topology: [ Ring"; }, "network.yml", ""},
    {"network empty", [](AstraInputs& i) { i.network = ""; }, "network.yml", ""},
    {"system not JSON", [](AstraInputs& i) { i.system = "topology: Ring"; }, "system.json", ""},
    {"system {}", [](AstraInputs& i) { i.system = "{}"; }, "preferred-dataset-splits", ""},
    {"memory {}", [](AstraInputs& i) { i.memory = "{}"; }, "memory-type", ""},
    {"unknown memory",
     [](AstraInputs& i) { i.memory = "{ \"memory-type\": \"POOL\" }"; },
     "MEMORY_POOL",
     ""},
};

const std::vector<Malformation> VALUES{
    {"bandwidth 0", InNetwork("50.0", "0"), "bandwidth", ""},
    {"bandwidth negative", InNetwork("50.0", "-50"), "bandwidth", ""},
    {"bandwidth NaN", InNetwork("50.0", ".nan"), "bandwidth", ""},
    {"bandwidth infinite", InNetwork("50.0", ".inf"), "bandwidth", ""},
    {"bandwidth a word", InNetwork("50.0", "fast"), "bandwidth", ""},
    {"bandwidth with a unit", InNetwork("50.0", "50GB"), "bandwidth", ""},
    {"latency negative", InNetwork("500.0", "-1"), "latency", ""},
    {"one NPU", InNetwork("[ 4 ]", "[ 1 ]"), "npus_count", ""},
    {"NPUs 7.5", InNetwork("[ 4 ]", "[ 7.5 ]"), "npus_count", ""},
    {"unknown topology", InNetwork("Ring", "Rings"), "Ring", ""},
    {"dimensions differ", InNetwork("[ 4 ]", "[ 4, 2 ]"), "npus_count", ""},
    {"network key missing", InNetwork("latency: [ 500.0 ]\n", ""), "latency", ""},
    {"network key misspelt", InNetwork("bandwidth", "bandwith"), "bandwidth", ""},
    {"extra network key", InNetwork("topology", "colour: red\ntopology"), "", "colour"},
    {"extra system key",
     InSystem("\"endpoint-delay\"", "\"colour\": 1, \"endpoint-delay\""),
     "",
     "colour"},
    {"system key misspelt", InSystem("endpoint-delay", "endpoint-dealy"), "", "endpoint-delay"},
    {"more NPUs than traces", InNetwork("[ 4 ]", "[ 8 ]"), "no file for rank 4-7", ""},
    {"more dimensions in the network",
     [](AstraInputs& i) {
         i.network = "topology: [ Ring, Ring ]\nnpus_count: [ 2, 2 ]\nbandwidth: [ 50, 50 ]\n"
                     "latency: [ 500, 500 ]\n";
     },
     "all-reduce-implementation",
     ""},
    {"more dimensions in the system",
     InSystem("[\"ring\"]", "[\"ring\", \"ring\"]"),
     "all-reduce-implementation",
     ""},
    {"unknown algorithm", InSystem("[\"ring\"]", "[\"rong\"]"), "rong", ""},
    {"unknown policy", InSystem("LIFO", "LILO"), "LILO", ""},
    {"unknown optimization", InSystem("localBWAware", "local"), "collective-optimization", ""},
    {"wrong type",
     InSystem("\"endpoint-delay\": 10", "\"endpoint-delay\": \"ten\""),
     "endpoint-delay",
     ""},
    {"splits missing",
     InSystem("  \"preferred-dataset-splits\": 4,\n", ""),
     "preferred-dataset-splits",
     ""},
    {"splits 0", InSystem("splits\": 4", "splits\": 0"), "preferred-dataset-splits", ""},
    {"splits negative", InSystem("splits\": 4", "splits\": -4"), "preferred-dataset-splits", ""},
    {"memory bandwidth missing", InSystem(",\n  \"local-mem-bw\": 50", ""), "local-mem-bw", ""},
    {"active chunks 0",
     InSystem("dimension\": 1", "dimension\": 0"),
     "active-chunks-per-dimension",
     ""},
    {"queues 0",
     [](AstraInputs& i) { i.options.queuesPerDimension = 0; },
     "--num-queues-per-dim",
     ""},
    {"unknown backend", [](AstraInputs& i) { i.options.backend = "ns3"; }, "--backend", ""},
    {"roofline without a peak",
     InSystem("\"local-mem-bw\"", "\"roofline-enabled\": 1, \"local-mem-bw\""),
     "peak-perf",
     ""},
};

const std::vector<Malformation> TRACES{
    {"trace cut", Raw(bytes::File({Spoilt(7, AllReduceOf(9))}).substr(0, 30)), "workload.0.et", ""},
    {"trace empty", Raw(""), "workload.0.et", ""},
    {"text", Raw("these are no nodes but words"), "workload.0.et", ""},
    {"random bytes", Raw("\x81\x92\x3f\xee\x01\x17\xff\xff\xff\xff\xff\x0f"), "workload.0.et", ""},
    {"cycle",
     [](AstraInputs& i) {
         for (auto& nodes : i.nodes)
         {
             nodes.push_back(nodes[0]);
             nodes[0].dependencies = {2};
             nodes[1].id = 2;
             nodes[1].dependencies = {1};
         }
     },
     "cycl",
     ""},
    {"cycle beside a free node",
     [](AstraInputs& i) {
         for (auto& nodes : i.nodes)
         {
             nodes.resize(3, nodes[0]);
             nodes[1].id = 2;
             nodes[1].dependencies = {3};
             nodes[2].id = 3;
             nodes[2].dependencies = {2};
         }
     },
     "cycl",
     ""},
    {"node after itself", InNodes([](ExecutionNode& n) { n.dependencies = {1}; }), "itself", ""},
    {"missing dependency",
     InNodes([](ExecutionNode& n) { n.dependencies = {7}; }),
     "depends on node 7",
     ""},
    {"id twice",
     [](AstraInputs& i) {
         for (auto& nodes : i.nodes)
         {
             nodes.push_back(nodes[0]);
         }
     },
     "node 1",
     ""},
    {"one NPU not in the collective", [](AstraInputs& i) { i.nodes[2].clear(); }, "rank 2", ""},
    {"sizes differ", [](AstraInputs& i) { i.nodes[2][0].bytes = 1; }, "65536", ""},
    {"operations differ",
     [](AstraInputs& i) { i.nodes[2][0].collective = CollectiveType::AllGather; },
     "all-gather",
     ""},
    {"send without receive",
     [](AstraInputs& i) { i.nodes[0].push_back(Message(true, 1, 3)); },
     "receive",
     ""},
    {"receive without send",
     [](AstraInputs& i) { i.nodes[0].push_back(Message(false, 1, 3)); },
     "send",
     ""},
    {"send to itself",
     [](AstraInputs& i) { i.nodes[0].push_back(Message(true, 0, 3)); },
     "itself",
     ""},
    {"send out of range",
     [](AstraInputs& i) { i.nodes[0].push_back(Message(true, 4, 3)); },
     "rank 4",
     ""},
    {"sizes of a message differ",
     [](AstraInputs& i) {
         i.nodes[0].push_back(Message(true, 1, 3));
         i.nodes[1].push_back(Message(false, 0, 3));
         i.nodes[1].back().bytes = 2000;
     },
     "2000",
     ""},
    {"size 0", InNodes([](ExecutionNode& n) { n.bytes = 0; }), "", ""},
    {"size 1", InNodes([](ExecutionNode& n) { n.bytes = 1; }), "", ""},
    {"size 2^50", InNodes([](ExecutionNode& n) { n.bytes = 1ULL << 50; }), "", ""},
    {"size -1", Raw(bytes::File({Spoilt(7, AllReduceOf(UINT64_MAX))})), "comm_size", ""},
    {"reduce-scatter-block with parity",
     [](AstraInputs& i) {
         InNodes([](ExecutionNode& n) { n.collective = CollectiveType::ReduceScatterBlock; })(i);
         i.options.parity = true;
     },
     "reduce-scatter-block",
     ""},
    {"unknown group", InNodes([](ExecutionNode& n) { n.group = "7"; }), "\"7\"", ""},
    {"group name no number", InNodes([](ExecutionNode& n) { n.group = "tensor"; }), "tensor", ""},
    {"group file not JSON", [](AstraInputs& i) { i.groups = "1: [0, 1]"; }, "groups.json", ""},
    {"group member out of range", [](AstraInputs& i) { i.groups = "{ \"1\": [0, 4] }"; }, "4", ""},
    {"group of some, used by all",
     [](AstraInputs& i) {
         i.groups = "{ \"1\": [0, 1] }";
         for (auto& nodes : i.nodes)
         {
             nodes[0].group = "1";
         }
     },
     "rank 2",
     ""},
    {"one trace cut",
     [](AstraInputs& i) { i.raw[2] = bytes::File({Spoilt(7, AllReduceOf(65536))}).substr(0, 30); },
     "workload.2.et",
     ""},
    {"metadata only", Raw(bytes::File({})), "no rank has any node", ""},
    {"broadcast with parity",
     [](AstraInputs& i) {
         i.options.parity = true;
         InNodes([](ExecutionNode& n) { n.collective = CollectiveType::Broadcast; })(i);
     },
     "",
     "a broadcast takes its measured time"},
    {"broadcast without parity",
     [](AstraInputs& i) {
         i.options.parity = false;
         InNodes([](ExecutionNode& n) { n.collective = CollectiveType::Broadcast; })(i);
     },
     "",
     ""},
    {"groups in opposite order, one communication at a time",
     [](AstraInputs& i) {
         i.options.parity = true;
         i.groups = "{ \"1\": [0, 1, 2, 3], \"2\": [0, 1, 2, 3] }";
         for (uint32_t rank = 0; rank < 4; ++rank)
         {
             i.nodes[rank].resize(2, i.nodes[rank][0]);
             i.nodes[rank][1].id = 2;
             i.nodes[rank][0].group = rank < 2 ? "1" : "2";
             i.nodes[rank][1].group = rank < 2 ? "2" : "1";
         }
     },
     "not begun by rank 2, 3",
     ""},
    {"collective without attributes", Raw(bytes::File({Spoilt(7)})), "comm_type", ""},
    {"node type 42", Raw(bytes::File({Spoilt(42)})), "type is 42", ""},
    {"duration 2^64-1",
     Raw(bytes::File({Spoilt(4, bytes::Number(7, UINT64_MAX))})),
     "duration",
     ""},
    {"memory access without memory",
     InNodes([](ExecutionNode& n) {
         n.kind = NodeKind::MemoryLoad;
         n.tensorBytes = 1000;
     }),
     "NO_MEMORY_EXPANSION leaves no memory to access, and rank 0 node 1 \"gradient\" is",
     ""},
    {"empty node after a compute node",
     [](AstraInputs& i) {
         for (auto& nodes : i.nodes)
         {
             nodes.resize(2, nodes[0]);
             nodes[0].kind = NodeKind::Compute;
             nodes[1].id = 2;
             nodes[1].kind = NodeKind::Invalid;
             nodes[1].dependencies = {1};
         }
     },
     "",
     ""},
};

} // namespace

/// One malformation, by the engine over both backends and with parity.
class AstraMalformedTestCase : public TestCase
{
  public:
    /// @param malformation what is wrong
    explicit AstraMalformedTestCase(const Malformation& malformation)
        : TestCase(malformation.name),
          m_malformation(malformation)
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        for (const std::string mode : {"analytical", "packet", "parity"})
        {
            AstraInputs inputs;
            inputs.options.parity = mode == "parity";
            inputs.options.backend = mode == "packet" ? mode : "analytical";
            m_malformation.spoil(inputs);
            if (mode == "packet" && (inputs.options.parity || IsHuge(inputs)))
            {
                continue;
            }
            const auto [error, warnings] = inputs.Run(CreateTempDirFilename("inputs"));
            const bool isRight = m_malformation.error.empty()
                                     ? error.empty()
                                     : error.find(m_malformation.error) != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isRight, true, mode << ": " << error);
            NS_TEST_EXPECT_MSG_EQ((warnings.find(m_malformation.warning) != std::string::npos),
                                  true,
                                  mode << ": " << warnings);
        }
    }

    /// @param inputs inputs @return whether they are too much to be run packet by packet
    static bool IsHuge(const AstraInputs& inputs)
    {
        return inputs.nodes.size() > 0 && inputs.nodes[0].size() > 0 &&
               inputs.nodes[0][0].bytes > 1ULL << 40;
    }

    Malformation m_malformation; ///< what is wrong
};

/// All malformations.
class AstraMalformedTestSuite : public TestSuite
{
  public:
    AstraMalformedTestSuite()
        : TestSuite("ml-cluster-astra-malformed", Type::UNIT)
    {
        for (const auto* list : {&FILES, &VALUES, &TRACES})
        {
            for (const Malformation& malformation : *list)
            {
                AddTestCase(new AstraMalformedTestCase(malformation));
            }
        }
    }
};

static AstraMalformedTestSuite g_astraMalformedTestSuite;
