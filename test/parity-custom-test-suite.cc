/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parity's collectives from Chakra files: what they take, and which are refused.

#include "astra-inputs.h"
#include "test-tools.h"

#include "ns3/test.h"

#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const uint64_t BYTES = 131072;
const int64_t US = 1000000; ///< ps in a microsecond

/// The files of a collective, by position.
using Files = std::vector<std::vector<ExecutionNode>>;

/**
 * A ring all-reduce: 2(n-1) messages to the next member, the first n-1 received ones reduced.
 * @param size members @param reductionPs of each message @return the files
 */
Files
MakeRing(uint32_t size, int64_t reductionPs)
{
    Files files(size);
    for (uint32_t position = 0; position < size; ++position)
    {
        std::vector<ExecutionNode>& nodes = files[position];
        std::vector<uint64_t> last;
        for (uint32_t round = 0; round + 2 < 2 * size; ++round)
        {
            const uint64_t id = 3 * round;
            const uint32_t next = (position + 1) % size;
            const uint32_t previous = (position + size - 1) % size;
            nodes.push_back(PeerNode(NodeKind::Send, id, next, BYTES, 0, last));
            nodes.push_back(PeerNode(NodeKind::Receive, id + 1, previous, BYTES, 0, last));
            last = {id + 1};
            if (round + 1 < size)
            {
                nodes.push_back(ComputeNode(id + 2, reductionPs, last));
                last = {id + 2};
            }
        }
    }
    return files;
}

/// Inputs on Ring(8), 50 GB/s, 500 ns, where message and hop take 2941 ns.
struct CustomInputs : AstraInputs
{
    CustomInputs()
    {
        options.parity = true;
        Replace(network, "npus_count: [ 4 ]", "npus_count: [ 8 ]");
        nodes.assign(8, nodes[0]);
    }

    /// @param files files of a collective @param prefix their prefix, in the folder of the inputs
    void Add(const Files& files, const std::string& prefix)
    {
        customs.emplace_back(prefix, files);
    }

    /// @param keys keys of the system file, each with a comma behind
    void AddKeys(const std::string& keys)
    {
        Replace(system, "\"endpoint-delay\"", keys + " \"endpoint-delay\"");
    }

    /// @param folder where to @return error and warnings of a run
    std::pair<std::string, std::string> RunCustom(const std::string& folder)
    {
        const std::string files = folder + "-files/";
        std::filesystem::remove_all(files);
        std::filesystem::create_directories(files);
        for (const auto& [prefix, graphs] : customs)
        {
            for (std::size_t position = 0; position < graphs.size(); ++position)
            {
                WriteChakraGraph(graphs[position],
                                 files + prefix + "." + std::to_string(position) + ".et");
            }
        }
        for (const auto& [name, text] : texts)
        {
            std::ofstream(files + name) << text;
        }
        return Run(folder);
    }

    std::vector<std::pair<std::string, Files>> customs;     ///< files by prefix
    std::vector<std::pair<std::string, std::string>> texts; ///< other files by name
};

const std::string RING_KEY = "\"all-reduce-implementation-custom\": [\"../inputs-files/ring\"],";
const std::string NODES_KEY = "\"per-node-custom-implementation\": \"../inputs-files/nodes.yml\",";

} // namespace

/// What collectives from files take.
class ParityCustomTestCase : public TestCase
{
  public:
    ParityCustomTestCase()
        : TestCase("times")
    {
    }

  private:
    /// @param inputs runs them @param finishNs expected of all ranks @param what for messages
    void Expect(CustomInputs& inputs, uint64_t finishNs, const std::string& what)
    {
        const auto [error, warnings] = inputs.RunCustom(CreateTempDirFilename("inputs"));
        NS_TEST_EXPECT_MSG_EQ(error, "", what);
        std::size_t count = 0;
        const std::string part = "finished, " + std::to_string(finishNs) + " cycles";
        for (std::size_t at = inputs.output.find(part); at != std::string::npos;
             at = inputs.output.find(part, at + 1))
        {
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, inputs.nodes.size(), what << inputs.output);
    }

    void DoRun() override
    {
        UsePicoseconds();
        const uint64_t hop = 2941;
        CustomInputs inputs;
        inputs.Add(MakeRing(8, 7 * US), "ring");
        inputs.AddKeys(RING_KEY);
        Expect(inputs, 90174, "observed; four splits, on which ASTRA-sim waits for ever");
        inputs.customs[0].second = MakeRing(8, 0);
        Expect(inputs, 7 * (hop + 1) + 7 * hop, "work of no time takes 1 ns");
        for (auto& nodes : inputs.nodes)
        {
            nodes.push_back(CollectiveNode(2, CollectiveType::AllReduce, 1, {1}));
        }
        Expect(inputs, 2 * (7 * (hop + 1) + 7 * hop), "one after the other, whatever their size");
    }
};

/// Which files run which collective.
class ParityCustomChoiceTestCase : public TestCase
{
  public:
    ParityCustomChoiceTestCase()
        : TestCase("choice")
    {
    }

  private:
    /// @param inputs runs them @return finish of rank 0, ns
    uint64_t FinishOf(CustomInputs& inputs)
    {
        const auto [error, warnings] = inputs.RunCustom(CreateTempDirFilename("inputs"));
        NS_TEST_EXPECT_MSG_EQ(error, "", "it must run");
        m_warnings = warnings;
        const std::string begin = "sys[0] finished, ";
        const std::size_t at = inputs.output.find(begin);
        return at == std::string::npos ? 0 : std::stoull(inputs.output.substr(at + begin.size()));
    }

    /// @return inputs with two all-reduces, nodes 1 and 2, and files that take 90174 ns
    static CustomInputs MakeTwo()
    {
        CustomInputs inputs;
        inputs.Add(MakeRing(8, 7 * US), "ring");
        for (auto& nodes : inputs.nodes)
        {
            nodes.push_back(CollectiveNode(2, CollectiveType::AllReduce, 65536, {1}));
        }
        return inputs;
    }

    void ExpectNodes();  ///< files of one node
    void ExpectGroups(); ///< files for groups

    void DoRun() override
    {
        UsePicoseconds();
        ExpectNodes();
        ExpectGroups();
    }

    std::string m_warnings; ///< of the latest run
};

void
ParityCustomChoiceTestCase::ExpectNodes()
{
    CustomInputs native = MakeTwo();
    native.AddKeys("\"all-gather-implementation-custom\": [\"../inputs-files/ring\"],");
    const uint64_t alone = FinishOf(native) / 2;
    CustomInputs second = MakeTwo();
    second.texts = {{"nodes.yml", "2: ../inputs-files/ring\n17: ../inputs-files/ring\n"}};
    second.AddKeys(NODES_KEY);
    NS_TEST_EXPECT_MSG_EQ(FinishOf(second), alone + 90174, "node 2 only");
    NS_TEST_EXPECT_MSG_EQ((m_warnings.find("node 17: the files") != std::string::npos),
                          true,
                          m_warnings);
    CustomInputs both = MakeTwo();
    both.Add(MakeRing(8, 0), "fast");
    both.texts = {{"nodes.yml", "2: ../inputs-files/fast\n"}};
    both.AddKeys(RING_KEY + NODES_KEY);
    NS_TEST_EXPECT_MSG_EQ(FinishOf(both), 90174 + 14 * 2941 + 7, "a node's files come first");
}

void
ParityCustomChoiceTestCase::ExpectGroups()
{
    for (const std::string ranks : {"0, 2, 4, 6", "6, 4, 2, 0"})
    {
        CustomInputs inputs;
        inputs.Add(MakeRing(4, 7 * US), "ring");
        inputs.AddKeys(RING_KEY);
        inputs.groups = "{ \"1\": [" + ranks + "], \"2\": [1] }";
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            inputs.nodes[rank].clear();
            if (rank % 2 == 0 || rank == 1)
            {
                inputs.nodes[rank].push_back(
                    CollectiveNode(1, CollectiveType::AllReduce, 1, {}, rank == 1 ? "2" : "1"));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(FinishOf(inputs), 3 * (3441 + 7000) + 3 * 3441, ranks);
    }
}

namespace
{

/// Files that cannot run.
struct CustomRefusal
{
    std::string name;                        ///< what is wrong
    std::function<void(CustomInputs&)> harm; ///< makes it wrong
    std::string error;                       ///< part of the message
};

/// @param text of the map of nodes @return what gives it
std::function<void(CustomInputs&)>
NodesOf(const std::string& text)
{
    return [text](CustomInputs& inputs) {
        inputs.texts = {{"nodes.yml", text}};
        inputs.AddKeys(NODES_KEY);
    };
}

const std::vector<CustomRefusal> REFUSALS{
    {"too few files",
     [](CustomInputs& i) { i.customs[0].second = MakeRing(4, 0); },
     "for a group of 4 members, not of 8"},
    {"a receive without its send",
     [](CustomInputs& i) { i.customs[0].second[3].erase(i.customs[0].second[3].begin()); },
     "has 13 sends to member 4 with tag 0"},
    {"unequal sizes", [](CustomInputs& i) { i.customs[0].second[3][0].bytes = 1; }, "131072"},
    {"a memory access",
     [](CustomInputs& i) { i.customs[0].second[3][2].kind = NodeKind::MemoryLoad; },
     "send, receive and compute nodes only"},
    {"everybody waits",
     [](CustomInputs& i) {
         for (uint32_t p = 0; p < 8; ++p)
         {
             i.customs[0].second[p] = {PeerNode(NodeKind::Receive, 1, (p + 7) % 8, 1, 0),
                                       PeerNode(NodeKind::Send, 2, (p + 1) % 8, 1, 0, {1})};
         }
     },
     "wait"},
    {"a member that does not exist",
     [](CustomInputs& i) { i.customs[0].second[7][0].peer = 8; },
     "member 8"},
    {"no files",
     [](CustomInputs& i) { i.customs.clear(); },
     "all-reduce-implementation-custom: there is no file ../inputs-files/ring.0.et, nor "},
    {"no map of nodes",
     [](CustomInputs& i) { i.AddKeys(NODES_KEY); },
     "per-node-custom-implementation: there is no file ../inputs-files/nodes.yml, nor "},
    {"a list of nodes", NodesOf("[a, b]\n"), "nodes.yml"},
    {"a node without a number", NodesOf("one: ring\n"), "nodes.yml:1: one: \"one\" is no node id"},
    {"a node with a list", NodesOf("1: [ring]\n"), "nodes.yml:1: 1: a list is given"},
    {"a node without files", NodesOf("1: none\n"), "nodes.yml:1: 1: there is no file none.0.et"},
};

} // namespace

/// Every refusal names what is refused.
class ParityCustomRefusalTestCase : public TestCase
{
  public:
    ParityCustomRefusalTestCase()
        : TestCase("refusals")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        for (const CustomRefusal& refusal : REFUSALS)
        {
            CustomInputs inputs;
            inputs.Add(MakeRing(8, 0), "ring");
            inputs.AddKeys(RING_KEY);
            refusal.harm(inputs);
            const std::string error = inputs.RunCustom(CreateTempDirFilename("inputs")).first;
            NS_TEST_EXPECT_MSG_EQ((error.find(refusal.error) != std::string::npos),
                                  true,
                                  refusal.name << ": " << error);
        }
    }
};

/// Collectives from files.
class ParityCustomTestSuite : public TestSuite
{
  public:
    ParityCustomTestSuite()
        : TestSuite("ml-cluster-parity-custom", Type::UNIT)
    {
        AddTestCase(new ParityCustomTestCase);
        AddTestCase(new ParityCustomChoiceTestCase);
        AddTestCase(new ParityCustomRefusalTestCase);
    }
};

static ParityCustomTestSuite g_parityCustomTestSuite;
