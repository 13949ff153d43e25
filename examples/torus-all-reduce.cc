/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An all-reduce of 16 MiB on a torus of 4 x 4 NPUs, and how busy each link was with it.
//
//       |     |     |     |         Ring(4)_Ring(4): rank = column + 4 row.
//     -12 ---13 ---14 ---15-        Every link is 200 Gb/s each way, 500 ns;
//       |     |     |     |         lines that leave the drawing come back at
//     - 8 --- 9 ---10 ---11-        the other side.
//       |     |     |     |
//     - 4 --- 5 --- 6 --- 7-        Dimension 0 are the rows, dimension 1 the
//       |     |     |     |         columns: chunks are reduced and scattered
//     - 0 --- 1 --- 2 --- 3-        along rows, all-reduced along columns and
//       |     |     |     |         gathered along rows.

#include "ns3/cluster-helper.h"
#include "ns3/core-module.h"
#include "ns3/experiment-runner.h"
#include "ns3/program-options.h"
#include "ns3/report-table.h"
#include "ns3/run-control.h"
#include "ns3/run-tables.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

/// Utilisation by the names of both ends.
using Utilisation = std::map<std::pair<std::string, std::string>, double>;

std::string
Percent(const Utilisation& utilisation, uint32_t from, uint32_t to)
{
    const auto name = [](uint32_t rank) { return "npu " + std::to_string(rank); };
    return FormatFixed(100 * utilisation.at({name(from), name(to)}), 0) + "%";
}

/// Draws the torus with the use of every link towards higher digits.
void
Draw(const ClusterTopology& topology, const RunReport& report)
{
    Utilisation utilisation;
    for (const auto& link : report.links)
    {
        utilisation[{link.from, link.to}] = link.utilisation;
    }
    const uint32_t columns = topology.GetDimension(0).size;
    const uint32_t rows = topology.GetDimension(1).size;
    for (uint32_t row = rows; row-- > 0;)
    {
        std::ostringstream os;
        for (uint32_t rank = row * columns; rank < (row + 1) * columns; ++rank)
        {
            const uint32_t above = topology.WithDigit(rank, 1, (row + 1) % rows);
            const uint32_t next = topology.WithDigit(rank, 0, (rank + 1) % columns);
            std::cout << std::setw(5) << Percent(utilisation, rank, above) << std::setw(6) << "";
            os << std::setw(4) << rank << " -" << Percent(utilisation, rank, next) << "-";
        }
        std::cout << "\n" << os.str() << "\n";
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string backend = "packet";
    ProgramOptions cmd(__FILE__);
    cmd.Usage("An all-reduce on a torus.");
    cmd.AddValue("backend", "analytical or packet", backend);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        auto dimensions = ClusterTopology::ParseNotation("Ring(4)_Ring(4)");
        for (auto& dimension : dimensions)
        {
            dimension.linkBitRate = 200000000000;
            dimension.latencyPs = 500000;
        }
        const ClusterTopology topology(dimensions);
        ClusterHelper cluster(topology);
        cluster.SetBackend(backend);
        cluster.Install(
            MakeCollectiveWorkload(CollectiveType::AllReduce, 16 << 20, topology.GetNRanks()));
        const RunReport report = cluster.Run();
        std::cout << "How busy each link to the right and upwards was:\n";
        Draw(topology, report);
        std::cout << "\n";
        PrintCollectives(std::cout, {report}, 1, "");
        return 0;
    });
}
