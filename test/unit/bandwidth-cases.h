/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BANDWIDTH_CASES_H
#define ML_CLUSTER_BANDWIDTH_CASES_H

#include "ns3/bandwidth-problem.h"
#include "ns3/collective-traffic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Workloads that LIBRA publishes, by their totals: two layers of a model on 4096 NPUs.
enum class PublishedModel
{
    Gpt3,
    TuringNlg,
    ResNet50,
    Msft1T
};

/// Published prices in $ per GB/s of the 4-D and the 3-D network.
inline const std::vector<double> PRICES_4D{8192.04096, 16384.08192, 16384.12288, 235110.89152};
inline const std::vector<double> PRICES_3D{16384.04096, 16384.08192, 235110.76864};

/// @param model a model @param is4D whether the network is
/// Ring(4)_FullyConnected(8)_Ring(4)_Switch(32), or Ring(16)_FullyConnected(8)_Switch(32) @return
/// its problem, without constraints
inline BandwidthProblem
MakePublished(PublishedModel model, bool is4D)
{
    BandwidthProblem problem(is4D ? 4 : 3);
    problem.prices = is4D ? PRICES_4D : PRICES_3D;
    auto& time = problem.time;
    const auto add =
        [&](CollectiveType type, double bytes, std::vector<uint32_t> members, double n) {
            time.Add(time.MakeCollective(GetCollectiveTraffic(type, bytes, members)), n);
        };
    using Members = std::vector<uint32_t>;
    const Members all = is4D ? Members{4, 8, 4, 32} : Members{16, 8, 32};
    switch (model)
    {
    case PublishedModel::Gpt3: {
        const Members tensor = is4D ? Members{4, 4, 1, 1} : Members{16, 1, 1};
        const Members data = is4D ? Members{1, 2, 4, 32} : Members{1, 8, 32};
        time.Add(TimeExpression::MakeConstant(228149414.0), 3);
        add(CollectiveType::AllReduce, 805306368, tensor, 8);
        add(CollectiveType::AllGather, 50331648, tensor, 2);
        add(CollectiveType::AllReduce, 452984832, data, 1);
        break;
    }
    case PublishedModel::Msft1T: {
        const Members tensor = is4D ? Members{4, 8, 4, 1} : Members{16, 8, 1};
        const Members data = is4D ? Members{1, 1, 1, 32} : Members{1, 1, 32};
        time.Add(TimeExpression::MakeConstant(56665038.0), 3);
        add(CollectiveType::AllReduce, 805306368, tensor, 8);
        add(CollectiveType::AllGather, 6291456, tensor, 2);
        add(CollectiveType::AllReduce, 226492416, data, 1);
        break;
    }
    case PublishedModel::TuringNlg:
        time.Add(TimeExpression::MakeConstant(109049554.0), 3);
        add(CollectiveType::AllReduce, 869449728, all, 1);
        break;
    case PublishedModel::ResNet50:
        time.Add(TimeExpression::MakeConstant(380038.0 + 377463 + 337813));
        add(CollectiveType::AllReduce, 51005824, all, 1);
        break;
    }
    return problem;
}

/// @param problem a problem @param total GB/s @return equal parts of it
inline std::vector<double>
SplitEvenly(const BandwidthProblem& problem, double total)
{
    const std::size_t size = problem.prices.size();
    return std::vector<double>(size, total / static_cast<double>(size));
}

/// @param which 'A', 'B' or 'C' @return a small problem: times in ms, bytes in ms GB/s, prices in
/// M$
inline BandwidthProblem
MakeSmall(char which)
{
    using Rows = std::vector<std::vector<double>>;
    BandwidthProblem problem(which == 'A' ? 3 : 4);
    problem.prices = which == 'A' ? std::vector<double>{.01, .02, .15}
                                  : std::vector<double>{.008, .016, .016, .23};
    auto& time = problem.time;
    const Rows rows = which == 'A' ? Rows{{9000, 2000, 0}, {0, 1500, 800}, {3000, 3000, 1000}}
                      : which == 'B'
                          ? Rows{{8000, 1000, 0, 0}, {0, 0, 5000, 700}, {1000, 1000, 1000, 1000}}
                          : Rows{{9000, 1200, 0, 0}, {0, 2500, 900, 0}, {0, 0, 3000, 1500}};
    time.Add(TimeExpression::MakeConstant(which == 'A' ? 50 : which == 'B' ? 100 : 40));
    time.Add(time.MakeCollective(rows[0]));
    auto second = time.MakeCollective(rows[1]);
    auto third = time.MakeCollective(rows[2]);
    if (which == 'C')
    {
        second.constant = 60;
        third.constant = 90;
        time.Add(time.MakeMaximum({second, third}));
        for (const char* text : {"total <= 500", "b1 >= 20", "b2 >= 20", "b3 >= 10", "b4 >= 5"})
        {
            problem.Constrain(text);
        }
        return problem;
    }
    time.Add(second);
    time.Add(third);
    problem.Constrain(which == 'A' ? "total = 400" : "total = 600");
    problem.Constrain(which == 'A' ? "b1 <= 2 b2" : "b1 + b4 = b2 + b3");
    for (std::size_t d = 0; d < problem.prices.size(); ++d)
    {
        problem.Constrain("b" + std::to_string(d + 1) + " >= 0.001");
    }
    return problem;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BANDWIDTH_CASES_H
