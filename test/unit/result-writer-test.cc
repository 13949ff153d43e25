/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/module-version.h"
#include "ns3/result-writer.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

/// Two ranks, an all-reduce of 10^6 B in 20 us and an all-gather of 10^6 B a rank in 30 us.
RunReport
MakeRun(const std::string& backend, int64_t finishTimePs)
{
    RunReport run;
    run.backend = backend;
    run.finishTimePs = finishTimePs;
    run.wallSeconds = 0.1;
    run.events = 42;
    run.peakMemoryBytes = 4096;
    run.ranks = {{0, finishTimePs, finishTimePs - 16, 4, 3, 6, 2, 1, 8, 77, 9},
                 {1, finishTimePs - 1, 0, finishTimePs, 0, 0, 0, 0}};
    run.memory = {{"local memory", 1, 2, 3}, {"nvme, \"0\"", 4, 5}};
    run.communication = {{0, false, "", 5, 1}, {0, true, "tp", 12, 4}, {1, true, "", 9, 9}};
    run.collectives = {
        {"a, \"b\"",
         CollectiveType::AllReduce,
         "",
         1000000,
         2,
         0,
         20000000,
         15000000,
         1000000,
         0.75},
        {"gather", CollectiveType::AllGather, "tp", 1000000, 4, 20000000, 50000000},
    };
    run.links = {{0, "npu 0", "npu 1", 0, 400000000000, 1000000, 1016000, 20320000, 0.25, 4160}};
    return run;
}

const char* const CONFIGURATION = R"(cluster:
  topology: Ring(2)
  sizes: [1, "2"]
backends:
  - analytical
)";

std::string
Summary(const std::vector<RunReport>& runs)
{
    std::ostringstream os;
    WriteSummary(os, CONFIGURATION, runs);
    return os.str();
}

template <typename Function>
std::string
Table(Function write, const std::vector<RunReport>& runs)
{
    std::ostringstream os;
    write(os, runs);
    return os.str();
}

} // namespace

TEST(ResultWriter, SummaryHasTheDocumentedKeysInOrder)
{
    const auto expected = nlohmann::ordered_json::parse(R"json({
        "module": "MODULE", "ns3": "NS3",
        "config": {"cluster": {"topology": "Ring(2)", "sizes": ["1", "2"]},
                   "backends": ["analytical"]},
        "runs": [{"backend": "analytical", "finishTimePs": 100000000, "wallSeconds": 0.1,
                  "events": 42, "peakMemoryBytes": 4096, "operations": 0,
                  "ranks": [
                    {"rank": 0, "finishTimePs": 100000000, "computePs": 99999984,
                     "exposedCommunicationPs": 4, "exposedMemoryPs": 3, "exposedLocalMemoryPs": 6, "hostPs": 2, "idlePs": 1,
                     "overlappedCommunicationPs": 8, "peakLocalMemoryBytes": 77,
                     "spilledBytes": 9},
                    {"rank": 1, "finishTimePs": 99999999, "computePs": 0,
                     "exposedCommunicationPs": 100000000, "exposedMemoryPs": 0, "exposedLocalMemoryPs": 0, "hostPs": 0,
                     "idlePs": 0, "overlappedCommunicationPs": 0, "peakLocalMemoryBytes": 0,
                     "spilledBytes": 0}],
                  "communication": [
                    {"rank": 0, "kind": "messages", "group": "", "busyPs": 5, "exposedPs": 1},
                    {"rank": 0, "kind": "collectives", "group": "tp", "busyPs": 12, "exposedPs": 4},
                    {"rank": 1, "kind": "collectives", "group": "", "busyPs": 9, "exposedPs": 9}],
                  "collectives": [
                    {"name": "a, \"b\"", "type": "all-reduce", "group": "", "bytes": 1000000,
                     "ranks": 2, "startPs": 0, "endPs": 20000000, "algbwGBps": 50,
                     "busbwGBps": 50, "bandwidthBoundPs": 15000000, "latencyBoundPs": 1000000,
                     "utilisation": 0.75},
                    {"name": "gather", "type": "all-gather", "group": "tp", "bytes": 1000000,
                     "ranks": 4, "startPs": 20000000, "endPs": 50000000,
                     "algbwGBps": 133.33333333333334, "busbwGBps": 100,
                     "bandwidthBoundPs": 0, "latencyBoundPs": 0, "utilisation": 0}],
                  "memory": [
                    {"name": "local memory", "loadedBytes": 1, "storedBytes": 2,
                     "computedBytes": 3},
                    {"name": "nvme, \"0\"", "loadedBytes": 4, "storedBytes": 5,
                     "computedBytes": 0}]}],
        "comparison": []})json");
    auto summary = nlohmann::ordered_json::parse(Summary({MakeRun("analytical", 100000000)}));
    EXPECT_EQ(summary["module"], GetModuleVersion());
    EXPECT_EQ(summary["ns3"], GetNs3Version());
    summary["module"] = "MODULE";
    summary["ns3"] = "NS3";
    EXPECT_EQ(summary.dump(1), expected.dump(1));
}

TEST(ResultWriter, SummaryComparesEveryFurtherRunWithTheFirst)
{
    const auto summary = nlohmann::json::parse(Summary({MakeRun("analytical", 100000000),
                                                        MakeRun("packet", 101000000),
                                                        MakeRun("fluid", 90000000)}));
    ASSERT_EQ(summary["runs"].size(), 3U);
    ASSERT_EQ(summary["comparison"].size(), 2U);
    EXPECT_EQ(summary["comparison"][0]["backend"], "packet");
    EXPECT_EQ(summary["comparison"][0]["reference"], "analytical");
    EXPECT_DOUBLE_EQ(summary["comparison"][0]["finishRelativeError"], 0.01);
    EXPECT_DOUBLE_EQ(summary["comparison"][1]["finishRelativeError"], -0.1);
}

TEST(ResultWriter, ARunThatWasStoppedMarksTheSummaryAndIsNotCompared)
{
    auto runs = std::vector<RunReport>{MakeRun("analytical", 100), MakeRun("packet", 100)};
    EXPECT_FALSE(nlohmann::json::parse(Summary(runs)).contains("partial"));
    EXPECT_EQ(nlohmann::json::parse(Summary(runs))["comparison"].size(), 1U);
    runs[1].partial = true;
    EXPECT_EQ(nlohmann::json::parse(Summary(runs))["partial"], true);
    EXPECT_TRUE(nlohmann::json::parse(Summary(runs))["comparison"].empty());
}

TEST(ResultWriter, SummaryHasThePhasesOfARunThatComputedSome)
{
    auto run = MakeRun("analytical", 100);
    EXPECT_EQ(nlohmann::json::parse(Summary({run}))["runs"][0].count("phases"), 0);
    run.phases = PhaseReport{12, 4, {{"a \"root\"", 3}, {"other traffic", 5}}};
    const auto expected = nlohmann::json::parse(
        R"json({"computed": 12, "overlapped": 4,
                "byMessages": {"a \"root\"": 3, "other traffic": 5}})json");
    EXPECT_EQ(nlohmann::json::parse(Summary({run}))["runs"][0]["phases"], expected);
}

TEST(ResultWriter, SummaryHasTheRatesOfTrainingWhereItIsKnown)
{
    auto run = MakeRun("analytical", 2000000000);
    EXPECT_EQ(nlohmann::json::parse(Summary({run}))["runs"][0].count("training"), 0);
    run.training = TrainingFigures{2e9, 10, 100, 4e12, 2};
    run.operations = 8e9;
    const auto expected = nlohmann::json::parse(
        R"json({"stepPs": 1000000000, "samplesPerSecond": 10000, "tokensPerSecond": 100000,
                "tokensPerSecondPerNpu": 50000, "mfu": 0.25, "hfu": 0.5})json");
    const auto object = nlohmann::json::parse(Summary({run}))["runs"][0];
    EXPECT_EQ(object["training"], expected);
    EXPECT_EQ(object["operations"], 8e9);
    run.partial = true;
    EXPECT_EQ(nlohmann::json::parse(Summary({run}))["runs"][0].count("training"), 0);
}

TEST(ResultWriter, EqualRunsGiveEqualBytes)
{
    const std::vector<RunReport> runs{MakeRun("analytical", 100), MakeRun("packet", 100)};
    EXPECT_EQ(Summary(runs), Summary(runs));
}

TEST(ResultWriter, SummaryOfNothingHoldsZerosAndNoNan)
{
    RunReport run;
    run.backend = "analytical";
    run.collectives = {{"empty", CollectiveType::AllReduce, "", 0, 2, 5, 5}};
    const auto summary = nlohmann::json::parse(Summary({run, run}));
    EXPECT_EQ(summary["runs"][0]["collectives"][0]["algbwGBps"], 0);
    EXPECT_EQ(summary["runs"][0]["collectives"][0]["busbwGBps"], 0);
    EXPECT_EQ(summary["comparison"][0]["finishRelativeError"], 0);
    EXPECT_TRUE(summary["runs"][0]["ranks"].empty());
}

TEST(ResultWriter, ARatioToNothingIsNull)
{
    RunReport nothing;
    RunReport something;
    something.finishTimePs = 1;
    const auto summary = nlohmann::json::parse(Summary({nothing, something}));
    EXPECT_TRUE(summary["comparison"][0]["finishRelativeError"].is_null());
}

TEST(ResultWriter, NamesThatAreNoUtf8StayReadable)
{
    auto run = MakeRun("analytical", 100);
    run.collectives[0].name = "bad \xff name\n";
    const auto summary = nlohmann::json::parse(Summary({run}));
    EXPECT_EQ(summary["runs"][0]["collectives"][0]["name"], "bad \xef\xbf\xbd name\n");
}

TEST(ResultWriter, DoublesComeBackAsTheyWere)
{
    auto run = MakeRun("analytical", 100);
    for (const double value : {1.0 / 3, 1e-9, 123456789.123456789, 5e22})
    {
        run.wallSeconds = value;
        const auto summary = nlohmann::json::parse(Summary({run}));
        EXPECT_EQ(summary["runs"][0]["wallSeconds"].get<double>(), value);
    }
}

TEST(ResultWriter, TablesHaveOneRowPerBackendAndRecord)
{
    const std::vector<RunReport> runs{MakeRun("analytical", 100), MakeRun("packet", 200)};
    EXPECT_EQ(Table(WriteRankTable, runs),
              "backend,rank,finish_time_ps,compute_ps,exposed_communication_ps,exposed_memory_ps,"
              "exposed_local_memory_ps,host_ps,idle_ps,overlapped_communication_ps,"
              "peak_local_memory_bytes,spilled_bytes\n"
              "analytical,0,100,84,4,3,6,2,1,8,77,9\n"
              "analytical,1,99,0,100,0,0,0,0,0,0,0\n"
              "packet,0,200,184,4,3,6,2,1,8,77,9\n"
              "packet,1,199,0,200,0,0,0,0,0,0,0\n");
    EXPECT_EQ(Table(WriteCommunicationTable, {runs[0]}),
              "backend,rank,kind,group,busy_ps,exposed_ps\n"
              "analytical,0,messages,,5,1\n"
              "analytical,0,collectives,tp,12,4\n"
              "analytical,1,collectives,,9,9\n");
    EXPECT_EQ(Table(WriteCollectiveTable, {runs[0]}),
              "backend,name,type,group,size_bytes,ranks,start_ps,end_ps,algbw_gb_per_s,"
              "busbw_gb_per_s,bandwidth_bound_ps,latency_bound_ps,utilisation\n"
              "analytical,\"a, \"\"b\"\"\",all-reduce,,1000000,2,0,20000000,50,50,15000000,1000000,"
              "0.75\n"
              "analytical,gather,all-gather,tp,1000000,4,20000000,50000000,133.33333333333334,"
              "100,0,0,0\n");
    EXPECT_EQ(Table(WriteLinkTable, runs),
              "backend,link,from,to,dimension,rate_bit_per_s,payload_bytes,wire_bytes,busy_ps,"
              "utilisation,max_queue_bytes\n"
              "analytical,0,npu 0,npu 1,0,400000000000,1000000,1016000,20320000,0.25,4160\n"
              "packet,0,npu 0,npu 1,0,400000000000,1000000,1016000,20320000,0.25,4160\n");
    EXPECT_EQ(Table(WriteMemoryTable, {runs[0]}),
              "backend,name,loaded_bytes,stored_bytes,computed_bytes\n"
              "analytical,local memory,1,2,3\n"
              "analytical,\"nvme, \"\"0\"\"\",4,5,0\n");
}

TEST(RunReport, SumsUpLocalMemoryOfRanks)
{
    RunReport run;
    run.AddLocalMemory({"local memory"});
    EXPECT_TRUE(run.memory.empty());
    run.memory = {{"nvme", 9, 9, 9}};
    run.AddLocalMemory({"local memory", 1, 0, 0});
    run.AddLocalMemory({"local memory", 0, 2, 4});
    ASSERT_EQ(run.memory.size(), 2u);
    EXPECT_EQ(run.memory[0].loadedBytes, 1u);
    EXPECT_EQ(run.memory[0].storedBytes, 2u);
    EXPECT_EQ(run.memory[0].computedBytes, 4u);
    EXPECT_EQ(run.memory[1].loadedBytes, 9u);
}
