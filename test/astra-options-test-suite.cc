/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The options of ml-cluster-astra: what they change, and which are refused.

#include "astra-inputs.h"
#include "test-tools.h"

#include "ns3/test.h"

#include <functional>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Options or keys that one of the two modes refuses.
struct Refusal
{
    std::string name;                      ///< what is asked for
    std::function<void(AstraInputs&)> ask; ///< asks for it
    std::string error;                     ///< part of the message
};

/// @param from part of the system file @param to other text @return what replaces it, with parity
std::function<void(AstraInputs&)>
ParityWith(const std::string& from, const std::string& to)
{
    return [from, to](AstraInputs& inputs) {
        inputs.options.parity = true;
        AstraInputs::Replace(inputs.system, from, to);
    };
}

const std::vector<Refusal> REFUSALS{
    {"parity of packets",
     [](AstraInputs& i) {
         i.options.parity = true;
         i.options.backend = "packet";
     },
     "--parity"},
    {"congestion-aware packets",
     [](AstraInputs& i) {
         i.options.congestionAware = true;
         i.options.backend = "packet";
     },
     "--congestion-aware"},
    {"queues of the engine",
     [](AstraInputs& i) { i.options.queuesPerDimension = 2; },
     "--num-queues"},
    {"rendezvous of the engine",
     [](AstraInputs& i) { i.options.rendezvous = true; },
     "--rendezvous"},
    {"injection scale of a long delay",
     [](AstraInputs& i) {
         AstraInputs::Replace(i.system, "\"endpoint-delay\": 10", "\"endpoint-delay\": 2000000000");
         i.options.injectionScale = 2;
     },
     "--injection-scale makes an endpoint-delay of 4e+09 ns; the most is 2147483647"},
    {"injection scale below 0",
     [](AstraInputs& i) { i.options.injectionScale = -1; },
     "--injection"},
    {"halving-doubling all-to-all",
     [](AstraInputs& i) {
         ParityWith("all-to-all-implementation\": [\"ring\"]",
                    "all-to-all-implementation\": [\"halvingDoubling\"]")(i);
         for (auto& nodes : i.nodes)
         {
             nodes[0].collective = CollectiveType::AllToAll;
         }
     },
     "no all-to-all"},
    {"custom collectives",
     ParityWith("\"endpoint-delay\"",
                "\"all-reduce-implementation-custom\": [\"custom\"], \"endpoint-delay\""),
     "all-reduce-implementation-custom: there is no file custom.0.et, nor "},
    {"custom collectives per node",
     ParityWith("\"endpoint-delay\"",
                "\"per-node-custom-implementation\": \"custom.yml\", \"endpoint-delay\""),
     "per-node-custom-implementation: there is no file custom.yml, nor "},
    {"shared bus",
     ParityWith("\"endpoint-delay\"", "\"model-shared-bus\": 1, \"endpoint-delay\""),
     "model-shared-bus"},
    {"missing algorithm",
     ParityWith("  \"all-reduce-implementation\": [\"ring\"],\n", ""),
     "no algorithm is configured for all-reduce"},
    {"size that cannot be counted",
     [](AstraInputs& i) {
         i.options.parity = true;
         for (auto& nodes : i.nodes)
         {
             nodes[0].bytes = 1ULL << 62;
         }
     },
     "too many to be counted"},
    {"time that cannot be counted",
     [](AstraInputs& i) {
         i.options.parity = true;
         i.memory = "{ \"memory-type\": \"PER_NPU_MEMORY_EXPANSION\", "
                    "\"remote-mem-latency\": 1e18, \"remote-mem-bw\": 10 }";
         for (auto& nodes : i.nodes)
         {
             nodes[0].kind = NodeKind::MemoryStore;
             nodes[0].tensorBytes = 1000;
         }
     },
     "later than time can be counted"},
    {"remote latency that is no time",
     [](AstraInputs& i) {
         i.memory = "{ \"memory-type\": \"MEMORY_POOL\", \"remote-mem-latency\": 1e30, "
                    "\"remote-mem-bw\": 10 }";
     },
     "memory.json: remote-mem-latency: '1e+30ns' is no time"},
    {"nodes that do not divide the NPUs",
     [](AstraInputs& i) {
         i.memory = "{ \"memory-type\": \"PER_NODE_MEMORY_EXPANSION\", \"num-nodes\": 2, "
                    "\"num-npus-per-node\": 3, \"remote-mem-latency\": 1, \"remote-mem-bw\": 10 }";
     },
     "memory.json: num-npus-per-node: is 3, which does not divide the 4 NPUs"},
    {"remote access of one rank without remote memory",
     [](AstraInputs& i) {
         i.nodes[2][0].kind = NodeKind::MemoryLoad;
         i.nodes[2][0].tensorBytes = 1000;
         for (const uint32_t rank : {0, 1, 3})
         {
             i.nodes[rank][0].kind = NodeKind::MemoryLoad;
             i.nodes[rank][0].tensorBytes = 1000;
             i.nodes[rank][0].location = MemoryLocation::LOCAL;
         }
     },
     "NO_MEMORY_EXPANSION leaves no memory to access, and rank 2 node 1 \"gradient\" is"},
};

/// @param inputs runs them @param folder where to @return the finish lines, sorted; or the error
std::string
GetOutput(AstraInputs& inputs, const std::string& folder)
{
    const std::string error = inputs.Run(folder).first;
    std::istringstream is(inputs.output);
    std::multiset<std::string> lines;
    for (std::string line; std::getline(is, line);)
    {
        lines.insert(line + "\n");
    }
    return std::accumulate(lines.begin(), lines.end(), error);
}

/// @param finishNs of each of 4 ranks, nothing but communication @return lines that are expected
std::string
MakeLines(uint64_t finishNs)
{
    const std::string cycles = std::to_string(finishNs);
    std::string text;
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        text += "sys[" + std::to_string(rank) + "] finished, " + cycles +
                " cycles, exposed communication " + cycles + " cycles.\n";
    }
    return text;
}

} // namespace

/// Every refusal names what is refused.
class AstraRefusalTestCase : public TestCase
{
  public:
    AstraRefusalTestCase()
        : TestCase("refusals")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        for (const Refusal& refusal : REFUSALS)
        {
            AstraInputs inputs;
            refusal.ask(inputs);
            const std::string error = inputs.Run(CreateTempDirFilename("inputs")).first;
            NS_TEST_EXPECT_MSG_EQ((error.find(refusal.error) != std::string::npos),
                                  true,
                                  refusal.name << ": " << error);
        }
    }
};

/// Options that change the result: an all-reduce of 1 MiB on Ring(4), one chunk, closed forms.
class AstraEffectTestCase : public TestCase
{
  public:
    AstraEffectTestCase()
        : TestCase("effects")
    {
    }

  private:
    /// @param parity mode @return inputs of one chunk
    static AstraInputs MakeInputs(bool parity)
    {
        AstraInputs inputs;
        inputs.options.parity = parity;
        AstraInputs::Replace(inputs.system, "splits\": 4", "splits\": 1");
        for (auto& nodes : inputs.nodes)
        {
            nodes[0].bytes = 1048576;
        }
        return inputs;
    }

    void DoRun() override;
};

void
AstraEffectTestCase::DoRun()
{
    UsePicoseconds();
    const std::string folder = CreateTempDirFilename("inputs");
    AstraInputs inputs = MakeInputs(true);
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540), "parity");
    inputs.options.congestionAware = true;
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540), "neighbours only");
    inputs.options.rendezvous = true;
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540 + 6 * 652), "rendezvous");
    inputs = MakeInputs(true);
    inputs.options.injectionScale = 2.55;
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540 + 7 * 15), "25 ns, not 10");
    AstraInputs::Replace(inputs.system, "  \"endpoint-delay\": 10,\n", "");
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540), "the default is not scaled");
    NS_TEST_EXPECT_MSG_EQ(
        (inputs.heading.find("--injection-scale has no effect") != std::string::npos),
        true,
        inputs.heading);
    inputs.options.computeScale = 2;
    inputs.options.loggingFolder = "logs";
    NS_TEST_EXPECT_MSG_EQ(GetOutput(inputs, folder), MakeLines(79540), "no effect");
    NS_TEST_EXPECT_MSG_EQ((inputs.heading.find("--compute-scale") != std::string::npos &&
                           inputs.heading.find("--logging-folder") != std::string::npos),
                          true,
                          inputs.heading);

    AstraInputs engine = MakeInputs(false);
    const std::string plain = GetOutput(engine, folder);
    engine.options.injectionScale = 10;
    const std::string scaled = GetOutput(engine, folder);
    engine.options.injectionScale = 1;
    AstraInputs::Replace(engine.system, "delay\": 10", "delay\": 100");
    NS_TEST_EXPECT_MSG_EQ(GetOutput(engine, folder), scaled, "scale of the engine");
    NS_TEST_EXPECT_MSG_EQ((plain.rfind("sys[0] finished, ", 0) == 0 && plain != scaled),
                          true,
                          plain << scaled);
}

/// All.
class AstraOptionsTestSuite : public TestSuite
{
  public:
    AstraOptionsTestSuite()
        : TestSuite("ml-cluster-astra-options", Type::UNIT)
    {
        AddTestCase(new AstraRefusalTestCase);
        AddTestCase(new AstraEffectTestCase);
    }
};

static AstraOptionsTestSuite g_astraOptionsTestSuite;
