/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An all-reduce of 64 MiB on eight NPUs behind one switch, once by formula, once by packets.
//
//   npu 0  npu 1  ...  npu 7
//      \      |       /
//       +-- switch --+        400 Gb/s and 500 ns per link

#include "ns3/core-module.h"
#include "ns3/ml-cluster-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::mlcluster;

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string size = "64MiB";
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Size of the all-reduce, with its unit", size);
    cmd.Parse(argc, argv);

    return GuardMain([&] {
        auto dimensions = ClusterTopology::ParseNotation("Switch(8)");
        dimensions[0].SetMemberBitRate(ParseBitRate("400Gbps"));
        dimensions[0].latencyPs = ParsePicoseconds("500ns");
        const ClusterTopology topology(dimensions);
        const auto workload = MakeCollectiveWorkload(CollectiveType::AllReduce,
                                                     ParseBytes(size),
                                                     topology.GetNRanks());
        for (const std::string backend : {"analytical", "packet"})
        {
            ClusterHelper cluster(topology);
            cluster.SetBackend(backend);
            cluster.Install(workload);
            const RunReport report = cluster.Run();
            std::cout << backend << ": " << report.finishTimePs / 1e6 << " us, busbw "
                      << report.collectives[0].GetBusBandwidth() << " GB/s\n";
        }
        return 0;
    });
}
