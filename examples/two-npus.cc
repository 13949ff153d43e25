/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Two NPUs and a message.
//
//     NPU 0  ---- 400 Gb/s, 500 ns ----  NPU 1
//
// NPU 0 computes for 20 us, then sends 1 MiB. NPU 1 waits for it, then computes for 10 us. The
// message needs 8 x 2^20 / 400 Gb/s + 500 ns = 21.472 us, the run 51.472 us (--backend=analytical);
// in packets of 4096 B, each with a header of 82 B, 51.891 us.

#include "ns3/cluster-helper.h"
#include "ns3/core-module.h"
#include "ns3/npu-application.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"
#include "ns3/run-tables.h"

#include <iostream>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

ExecutionNode
MakeCompute(uint64_t id, int64_t durationPs)
{
    ExecutionNode node;
    node.id = id;
    node.name = "compute";
    node.kind = NodeKind::Compute;
    node.durationPs = durationPs;
    return node;
}

ExecutionNode
MakeMessage(uint64_t id, NodeKind kind, uint32_t peer, uint64_t bytes)
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(kind);
    node.kind = kind;
    node.peer = peer;
    node.bytes = bytes;
    return node;
}

void
NodeEnds(uint32_t rank, const ExecutionNode& node)
{
    std::cout << Simulator::Now().As(Time::US) << "  NPU " << rank << ": " << node.name
              << " ends\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string backend = "packet";
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Two NPUs and a message.");
    cmd.AddValue("backend", "analytical or packet", backend);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        constexpr uint64_t BYTES = 1 << 20;
        auto sender = std::vector<ExecutionNode>{MakeCompute(0, 20000000),
                                                 MakeMessage(1, NodeKind::Send, 1, BYTES)};
        auto receiver = std::vector<ExecutionNode>{MakeMessage(0, NodeKind::Receive, 0, BYTES),
                                                   MakeCompute(1, 10000000)};
        sender[1].dependencies = {0};
        receiver[1].dependencies = {0};
        Diagnostics diagnostics;
        const auto workload = std::make_shared<const ClusterWorkload>(
            std::vector<std::shared_ptr<const ExecutionGraph>>{
                std::make_shared<const ExecutionGraph>(sender, "", diagnostics),
                std::make_shared<const ExecutionGraph>(receiver, "", diagnostics)},
            CommunicatorGroups());
        diagnostics.ThrowIfErrors();

        auto dimensions = ClusterTopology::ParseNotation("Ring(2)");
        dimensions[0].SetMemberBitRate(400000000000);
        dimensions[0].latencyPs = 500000;
        ClusterHelper cluster{ClusterTopology(dimensions)};
        cluster.SetBackend(backend);
        ApplicationContainer npus = cluster.Install(workload);
        for (uint32_t rank = 0; rank < npus.GetN(); ++rank)
        {
            npus.Get(rank)->TraceConnectWithoutContext("NodeEnd", MakeCallback(&NodeEnds));
        }
        const RunReport report = cluster.Run();
        PrintRuns(std::cout, {report});
        return 0;
    });
}
