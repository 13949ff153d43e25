/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ml-cluster
 * What a collective costs: processor time for each message after set-up, and memory, message by
 * message and computed phase by phase, with the phases that fell back to messages. All-reduces on a
 * 3-D torus of 4x4x4 and 16x16x16 NPUs, and all-to-alls on 256, with the default algorithms (ring
 * and direct) and 4 or 64 chunks; 200 GB/s per NPU and dimension, 500 ns per link.
 */

#include "ns3/cluster-helper.h"
#include "ns3/collective-type.h"
#include "ns3/experiment-runner.h"
#include "ns3/nstime.h"
#include "ns3/program-options.h"
#include "ns3/quantity.h"
#include "ns3/run-control.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <ctime>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t BIT_RATE = 1'600'000'000'000; ///< of an NPU in each dimension
constexpr int64_t LATENCY_PS = 500'000;          ///< of a link

/// A collective to run.
struct Case
{
    std::string notation; ///< shape
    CollectiveType type;  ///< operation
    uint64_t bytes;       ///< size
    uint32_t chunks{4};   ///< chunks
    bool isPhase{false};  ///< whether granularity is Phase
};

/// Shapes of ascending memory, as that of the process only grows.
const std::vector<Case> CASES = {
    {"Ring(4)_Ring(4)_Ring(4)", CollectiveType::AllReduce, 1'000'000},
    {"Switch(256)", CollectiveType::AllToAll, 1'000'000},
    {"Ring(16)_Ring(16)_Ring(16)", CollectiveType::AllReduce, 1'000'000},
    {"Ring(16)_Ring(16)_Ring(16)", CollectiveType::AllReduce, 1'000'000'000},
    {"FullyConnected(256)", CollectiveType::AllToAll, 1'000'000},
    {"Ring(4)_Ring(4)_Ring(4)", CollectiveType::AllReduce, 1'000'000, 4, true},
    {"Ring(16)_Ring(16)_Ring(16)", CollectiveType::AllReduce, 1'000'000, 4, true},
    {"Ring(16)_Ring(16)_Ring(16)", CollectiveType::AllReduce, 1'000'000'000, 4, true},
    {"Ring(16)_Ring(16)_Ring(16)", CollectiveType::AllReduce, 1'000'000'000, 64, true},
};

/// @return processor time of this process so far, s
double
GetProcessorSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @param notation shape @return it with rates and latencies
ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(BIT_RATE);
        dimension.latencyPs = LATENCY_PS;
    }
    return ClusterTopology(dimensions);
}

void
PrintHeading()
{
    std::cout << std::left << std::setw(28) << "topology" << std::setw(12) << "collective"
              << std::right << std::setw(8) << "size" << std::setw(8) << "chunks" << std::setw(9)
              << "unit" << std::setw(10) << "fallback" << std::setw(10) << "messages"
              << std::setw(10) << "events" << std::setw(11) << "set-up(s)" << std::setw(9)
              << "run(s)" << std::setw(12) << "us/message" << std::setw(10) << "peak(MB)"
              << std::endl;
}

/// @param run a collective; runs it and prints its line
void
Measure(const Case& run)
{
    const double start = GetProcessorSeconds();
    const ClusterTopology topology = MakeTopology(run.notation);
    ClusterHelper cluster(topology);
    cluster.SetCollectiveAttribute("Chunks", UintegerValue(run.chunks));
    cluster.SetBackendAttribute("Granularity", StringValue(run.isPhase ? "Phase" : "Message"));
    cluster.Install(MakeCollectiveWorkload(run.type, run.bytes, topology.GetNRanks()));
    const Ptr<NetworkBackend> backend = cluster.GetBackend();
    const double installed = GetProcessorSeconds();
    const RunReport report = cluster.Run();
    const double seconds = GetProcessorSeconds() - installed;
    const uint64_t messages = backend->GetMessagesSent();
    std::cout << std::left << std::setw(28) << run.notation << std::setw(12) << ToString(run.type)
              << std::right << std::setw(8) << FormatBytes(run.bytes) << std::setw(8) << run.chunks
              << std::setw(9) << (run.isPhase ? "phase" : "message") << std::setw(10)
              << (run.isPhase ? std::to_string(report.phases->GetFallenBack()) : "-")
              << std::setw(10) << messages << std::setw(10) << report.events << std::fixed
              << std::setprecision(2) << std::setw(11) << installed - start << std::setw(9)
              << seconds << std::setw(12) << std::setprecision(3) << seconds * 1e6 / messages
              << std::setw(10) << std::setprecision(0) << report.peakMemoryBytes / 1e6 << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    uint32_t cases = CASES.size();
    uint32_t first = 1;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Runs collectives and prints their cost: processor time of set-up and run, messages, "
              "memory.");
    cmd.AddValue("cases", "how many lines of the table", cases);
    cmd.AddValue("first", "the first of them", first);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        if (cases == 0 || cases > CASES.size() || first == 0 || first > cases)
        {
            throw InputError("--first, --cases: must be 1 to " + std::to_string(CASES.size()) +
                             ", the first not above the number");
        }
        PrintHeading();
        for (uint32_t i = first - 1; i < cases; ++i)
        {
            Measure(CASES[i]);
        }
        return 0;
    });
}
