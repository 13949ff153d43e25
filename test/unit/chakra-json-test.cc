/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader-fixture.h"

#include "ns3/chakra-writer.h"

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

/// Tests of files in JSON.
class ChakraJsonTest : public ChakraReaderTest
{
  protected:
    /// @param text content of the file @param options how to read @return what became of it
    Outcome ReadJson(const std::string& text, const ChakraOptions& options = {}) const
    {
        return Read(text, options, "a.0.json");
    }

    /// @param text content of the file @return its nodes, if there is no error
    std::vector<ExecutionNode> ReadNodes(const std::string& text) const
    {
        const auto outcome = ReadJson(text);
        EXPECT_EQ(outcome.errors, Texts{});
        std::vector<ExecutionNode> nodes;
        for (uint32_t i = 0; outcome.graph && i < outcome.graph->GetNNodes(); ++i)
        {
            nodes.push_back(*outcome.graph->GetNode(i));
        }
        return nodes;
    }
};

/// @param members members of a node but for Id, Name and is_cpu_op @return a file of the feeder's
/// form with that node on the accelerator
std::string
Feeder(const std::string& members)
{
    return "{\"workload_graph\": [\n{\"Id\": 1, \"Name\": \"n\", \"is_cpu_op\": false, " + members +
           "}]}";
}

/// @param members members of a node but for id and name @return a file of STG's form with that node
std::string
Stg(const std::string& members)
{
    return "{\"nodes\": [\n{\"id\": 1, \"name\": \"n\", " + members + "}]}";
}

} // namespace

TEST_F(ChakraJsonTest, ReadsTheFeedersForm)
{
    const auto nodes = ReadNodes(R"({"workload_name": "w",
        "workload_graph": [
            {"Id": 9, "Name": "kernel", "NodeType": 4, "data_deps": [7, 8], "runtime": 2.25,
             "is_cpu_op": false, "num_ops": 5, "tensor_size": 6, "stream": 3, "soc": {"x": [1]}},
            {"Id": 7, "Name": "op", "NodeType": 4, "data_deps": [], "runtime": 318, "is_cpu_op": true},
            {"Id": 8, "Name": "ar", "NodeType": 7, "data_deps": [], "ctrlDeps": [7],
             "is_cpu_op": false, "comm_type": 0, "comm_size": 1024, "comm_priority": -3,
             "pg_name": "tp", "involved_dim": [true, false]},
            {"Id": 10, "Name": "s", "NodeType": 5, "data_deps": [], "is_cpu_op": false,
             "comm_size": 8, "comm_dst": 1, "comm_tag": 4}],
        "ngpus": 8})");
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(nodes[0].name, "op");
    EXPECT_TRUE(nodes[0].onHost);
    EXPECT_EQ(nodes[0].durationPs, 318000000);
    EXPECT_EQ(nodes[1].kind, NodeKind::Collective);
    EXPECT_EQ(nodes[1].bytes, 1024u);
    EXPECT_EQ(nodes[1].priority, -3);
    EXPECT_EQ(nodes[1].group, "tp");
    EXPECT_EQ(nodes[1].involvedDimensions, (std::vector<bool>{true, false}));
    EXPECT_EQ(nodes[1].dependencies, (std::vector<uint64_t>{7}));
    EXPECT_EQ(nodes[2].durationPs, 2250000);
    EXPECT_EQ(nodes[2].operations, 5u);
    EXPECT_EQ(nodes[2].tensorBytes, 6u);
    EXPECT_EQ(nodes[2].stream, 3);
    EXPECT_EQ(nodes[2].dependencies, (std::vector<uint64_t>{7, 8}));
    EXPECT_EQ(nodes[3].peer, 1u);
    EXPECT_EQ(nodes[3].tag, 4u);
}

TEST_F(ChakraJsonTest, TheFeedersFormNeedsItsMembers)
{
    const auto errors = [&](const std::string& node) {
        return ReadJson("{\"workload_graph\": [{},\n{" + node + "}]}").errors;
    };
    EXPECT_EQ(errors("\"Id\": 1"),
              (Texts{":1: workload_graph: attribute Id is missing",
                     ":2: workload_graph: Name is missing"}));
    const std::string start = "\"Id\": 1, \"Name\": \"n\", ";
    EXPECT_EQ(errors(start + "\"NodeType\": \"COMP\"")[1],
              ":2: workload_graph: NodeType is the text \"COMP\"; an integer from 0 to "
              "18446744073709551615 is needed");
    EXPECT_EQ(errors(start + "\"NodeType\": 4")[1],
              ":2: workload_graph: attribute is_cpu_op is missing");
    const std::string compute = start + "\"NodeType\": 4, \"is_cpu_op\": true, ";
    EXPECT_EQ(errors(compute + "\"x\": 1")[1],
              ":2: workload_graph: attribute data_deps is missing");
    EXPECT_EQ(
        errors(compute + "\"data_deps\": [], \"runtime\": -1.5")[1],
        ":2: workload_graph: runtime is -1.5; microseconds from 0 to 9223372036854 are needed");
    EXPECT_EQ(errors("\"Id\": 1, \"Name\": 5")[1], ":2: workload_graph: Name is no text");
}

TEST_F(ChakraJsonTest, DurationsOfTheFeedersFormAreExact)
{
    const auto duration = [&](const std::string& runtime) {
        return ReadNodes(Feeder("\"NodeType\": 4, \"data_deps\": [], \"runtime\": " + runtime))
            .at(0)
            .durationPs;
    };
    EXPECT_EQ(duration("0"), 0);
    EXPECT_EQ(duration("3.0"), 3000000);
    EXPECT_EQ(duration("0.0000011"), 1);
    EXPECT_EQ(duration("9223372036854"), 9223372036854000000);
    EXPECT_EQ(
        ReadJson(Feeder("\"NodeType\": 4, \"data_deps\": [], \"runtime\": 1e300")).errors,
        Texts{":2: workload_graph: runtime is 1e+300; microseconds from 0 to 9223372036854 are "
              "needed"});
}

TEST_F(ChakraJsonTest, CommunicationOfUnknownSizeTakesItsRuntime)
{
    const auto outcome = ReadJson(Feeder("\"NodeType\": 7, \"data_deps\": [], \"runtime\": 28"));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0)->kind, NodeKind::Compute);
    EXPECT_EQ(outcome.graph->GetNode(0)->durationPs, 28000000);
    EXPECT_GT(outcome.graph->GetNode(0)->stream, 0);
    EXPECT_EQ(
        outcome.warnings,
        Texts{":2: node 1 \"n\": a communication node has neither comm_type nor comm_size: it "
              "takes its runtime and sends nothing"});
    const auto pair = ReadNodes(R"({"workload_graph": [
        {"Id": 1, "Name": "a", "is_cpu_op": false, "NodeType": 7, "data_deps": [2]},
        {"Id": 2, "Name": "b", "is_cpu_op": false, "NodeType": 5, "data_deps": []}]})");
    EXPECT_NE(pair.at(0).stream, pair.at(1).stream) << "they do not wait for each other";
    EXPECT_EQ(ReadJson(Feeder("\"NodeType\": 7, \"data_deps\": [], \"comm_size\": 1")).errors,
              Texts{":2: node 1 \"n\": attribute comm_type is missing"});
}

TEST_F(ChakraJsonTest, ReadsProtobufsJson)
{
    const std::string nodes[] = {R"({"name": "zero", "type": "COMP_NODE", "durationMicros": "12",
        "attr": [{"name": "is_cpu_op", "boolVal": true}, {"name": "num_ops", "int64Val": "5"},
                 {"name": "x", "doubleVal": "NaN"}, {"name": "y", "floatList": {"values": [1.5]}}]})",
                                 R"({"id": "18446744073709551615", "name": "ar", "type": 7,
        "ctrlDeps": ["0"], "dataDeps": ["3"], "startTimeMicros": "7",
        "attr": [{"name": "comm_type", "int32Val": 2}, {"name": "comm_size", "uint64Val": "18446744073709551615"},
                 {"name": "involved_dim", "boolList": {"values": [false, true]}},
                 {"name": "comm_priority", "sint32Val": -5},
                 {"name": "pg_name", "docString": "d", "stringVal": "12"}]})",
                                 R"({"id": 3, "name": "m", "type": "METADATA_NODE", "data_deps": [],
        "duration_micros": 1, "inputs": {"values": "[]", "shapes": ""}, "outputs": {},
        "attr": [{"name": "duration_ns", "int64_val": "1500"}, {"name": "z", "int64_list": {}}]})"};
    for (const std::string& text : {"[" + nodes[0] + "," + nodes[1] + ",\n" + nodes[2] + "]",
                                    "{\"version\": \"0.0.4\"}" + nodes[0] + nodes[1] + nodes[2],
                                    "{}\n" + nodes[0] + "\n" + nodes[1] + "\n" + nodes[2] + "\n"})
    {
        const auto read = ReadNodes(text);
        ASSERT_EQ(read.size(), 3u);
        EXPECT_EQ(read[0].id, 0u);
        EXPECT_EQ(read[0].name, "zero");
        EXPECT_TRUE(read[0].onHost);
        EXPECT_EQ(read[0].durationPs, 12000000);
        EXPECT_EQ(read[0].operations, 5u);
        EXPECT_EQ(read[1].kind, NodeKind::Metadata);
        EXPECT_EQ(read[1].durationPs, 1500000);
        EXPECT_EQ(read[2].id, ~0ULL);
        EXPECT_EQ(read[2].collective, CollectiveType::AllGather);
        EXPECT_EQ(read[2].bytes, ~0ULL);
        EXPECT_EQ(read[2].priority, -5);
        EXPECT_EQ(read[2].group, "12");
        EXPECT_EQ(read[2].involvedDimensions, (std::vector<bool>{false, true}));
        EXPECT_EQ(read[2].dependencies, (std::vector<uint64_t>{0, 3}));
    }
}

TEST_F(ChakraJsonTest, GroupsOfMetadataNodesAreRead)
{
    Write(
        "w.0.json",
        R"([{"name": "g", "type": 1, "inputs": {"values": "['[{\"pg_name\": \"tp\", \"ranks\": []}]']"}}])");
    Diagnostics diagnostics;
    const auto workload = ReadChakraWorkload(Path("w"), 1, {}, {}, diagnostics);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGroup("tp"), std::vector<uint32_t>{0});
}

TEST_F(ChakraJsonTest, FaultsOfProtobufsJsonNameTheLine)
{
    const auto error = [&](const std::string& members) {
        const auto errors = ReadJson("[{},\n{" + members + "}]").errors;
        return errors.empty() ? "" : errors.back();
    };
    EXPECT_EQ(error("\"nam\": \"x\""), ":2: \"nam\" is no member of a node of Chakra's");
    EXPECT_EQ(error("\"type\": \"SLEEP_NODE\""),
              ":2: type is \"SLEEP_NODE\"; a node type such as COMP_NODE is needed");
    EXPECT_EQ(error("\"type\": 9"), ":2: node 0 \"\": type is 9; 0 to 7 are known");
    EXPECT_EQ(error("\"id\": \"1x\""),
              ":2: id is the text \"1x\"; an integer from 0 to 18446744073709551615 is needed");
    EXPECT_EQ(error("\"id\": -1"),
              ":2: id is -1; an integer from 0 to 18446744073709551615 is needed");
    EXPECT_EQ(error("\"dataDeps\": \"1\"").substr(0, 14), ":2: data_deps ");
    EXPECT_EQ(error("\"attr\": {}"), ":2: attr is no array");
    EXPECT_EQ(error("\"attr\": [1]"), ":2: name is missing");
    EXPECT_EQ(error("\"inputs\": {\"values\": 1}"), ":2: values is no text");
    EXPECT_EQ(error("\"name\": 1"), ":2: name is no text");
    EXPECT_EQ(error("\"attr\": [{\"name\": \"is_cpu_op\", \"stringVal\": \"yes\"}]"),
              ":2: node 0 \"\": is_cpu_op is the text \"yes\"; an integer from 0 to "
              "18446744073709551615 is needed");
    EXPECT_EQ(error("\"attr\": [{\"name\": \"is_cpu_op\", \"docString\": \"yes\"}]"),
              "node 0 \"\": the id is already that of node 0 \"\"; ids must be unique in a file");
}

TEST_F(ChakraJsonTest, RepeatedAttributesAreTold)
{
    const auto outcome = ReadJson(
        R"([{"attr": [{"name": "num_ops", "int64Val": 1}, {"name": "num_ops", "int64Val": 2}], "type": 4}])");
    EXPECT_EQ(outcome.graph->GetNode(0)->operations, 2u);
    EXPECT_EQ(outcome.warnings,
              Texts{":1: node 0 \"\": num_ops: is given more than once; the last one counts"});
}

TEST_F(ChakraJsonTest, ReadsStgsForm)
{
    const auto nodes = ReadNodes(R"({"nodes": [
        {"id": 5, "name": "matmul", "node_type": "comp_node", "y_tensor_size": 12, "data_deps": [6],
         "ctrl_deps": [], "num_ops": 100.0, "tensor_size": 12, "op_type": "M"},
        {"id": 6, "name": "ag", "node_type": "coll_comm_node", "comm_size": 64,
         "comm_type": "ALL_GATHER", "comm_group": 3},
        {"id": 7, "name": "s", "node_type": "comm_send_node", "comm_size": 8, "comm_tag": 2, "comm_dst": 1},
        {"id": 8, "name": "r", "node_type": "comm_recv_node", "comm_size": 8, "comm_tag": 2, "comm_src": 1},
        {"id": 9, "name": "l", "node_type": "mem_load_node", "tensor_size": 1},
        {"id": 10, "name": "st", "node_type": "mem_store_node", "tensor_size": 2},
        {"id": 11, "name": "timed", "node_type": "comp_node", "duration_micros": 2.5}]})");
    ASSERT_EQ(nodes.size(), 7u);
    EXPECT_EQ(nodes[6].durationPs, 2500000);
    EXPECT_EQ(nodes[0].operations, 100u);
    EXPECT_EQ(nodes[0].dependencies, std::vector<uint64_t>{6});
    EXPECT_EQ(nodes[1].collective, CollectiveType::AllGather);
    EXPECT_EQ(nodes[1].group, "3");
    EXPECT_EQ(nodes[2].kind, NodeKind::Send);
    EXPECT_EQ(nodes[3].kind, NodeKind::Receive);
    EXPECT_EQ(nodes[4].kind, NodeKind::MemoryLoad);
    EXPECT_EQ(nodes[5].kind, NodeKind::MemoryStore);
}

TEST_F(ChakraJsonTest, FaultsOfStgsFormNameTheLine)
{
    EXPECT_EQ(ReadJson(Stg("\"node_type\": \"x\"")).errors,
              Texts{":2: nodes: node_type is \"x\"; a node type such as COMP_NODE is needed"});
    EXPECT_EQ(
        ReadJson(Stg("\"node_type\": \"coll_comm_node\", \"comm_size\": 1, \"comm_type\": "
                     "\"ALL_MIX\""))
            .errors,
        Texts{":2: node 1 \"n\": comm_type is the text \"ALL_MIX\"; an integer from 0 to 9 is "
              "needed"});
    EXPECT_EQ(ReadJson(Stg("\"node_type\": \"comp_node\", \"duration_micros\": -1")).errors,
              Texts{":2: nodes: duration_micros is -1; microseconds from 0 to 9223372036854 are "
                    "needed"});
    EXPECT_EQ(ReadJson("{\"nodes\": [{\"node_type\": \"comp_node\"}]}").errors,
              Texts{":1: nodes: attribute id is missing"});
}

TEST_F(ChakraJsonTest, OtherTracesAreRefusedOnce)
{
    const Texts hint{
        ":2: this is a trace of PyTorch's or Kineto's; ml-cluster-convert makes one of "
        "Chakra's of it"};
    EXPECT_EQ(
        ReadJson("{\"schema\": \"1.0.2-chakra.0.0.4\",\n\"nodes\": [{\"id\": 1}, {}]}").errors,
        hint);
    EXPECT_EQ(ReadJson("{\"schemaVersion\": 1,\n\"traceEvents\": [{\"ph\": \"X\"}, {}]}").errors,
              hint);
    EXPECT_EQ(ReadJson("{\"tp0\": [0, 1]}").errors,
              Texts{":1: \"tp0\" is no member of a node of Chakra's"});
    EXPECT_EQ(ReadJson("").errors, Texts{"the file is empty; a Chakra trace is expected"});
    EXPECT_EQ(ReadJson("[{}\n").errors[0].substr(0, 16), ":2: is not JSON:");
}

TEST_F(ChakraJsonTest, FilesMayBePackedAndAreToldByTheirNames)
{
    const std::string text = Feeder("\"NodeType\": 4, \"data_deps\": []");
    const auto outcome = Read(text, {}, "a.0.json.gz");
    EXPECT_EQ(outcome.errors, Texts{});
    const auto wrong = Read(text, {}, "a.0.et").errors;
    ASSERT_EQ(wrong.size(), 2u);
    EXPECT_EQ(wrong[1], "the file may be JSON; then its name has to end in .json");
}

TEST_F(ChakraJsonTest, MissingDependenciesOfCutGraphsCanBeIgnored)
{
    const std::string text = Feeder("\"NodeType\": 4, \"data_deps\": [4], \"ctrlDeps\": [3]");
    const auto outcome = ReadJson(text);
    EXPECT_EQ(outcome.errors[0], "node 1 \"n\": depends on node 4, which does not exist");
    ChakraOptions options;
    options.ignoreMissingDependencies = true;
    const auto cut = ReadJson(text, options);
    EXPECT_EQ(cut.errors, Texts{});
    EXPECT_EQ(cut.warnings,
              (Texts{"node 1 \"n\" -> node 3: control dependency on a missing node is dropped",
                     "node 1 \"n\" -> node 4: data dependency on a missing node is dropped"}));
}
