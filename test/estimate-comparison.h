/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ESTIMATE_COMPARISON_H
#define ML_CLUSTER_ESTIMATE_COMPARISON_H

#include "test-tools.h"

#include "ns3/packet-backend.h"
#include "ns3/run-estimate.h"
#include "ns3/simulator.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// What was told before a run, and what it was. @ingroup ml-cluster-tests
struct Comparison
{
    RunEstimate estimate;   ///< before
    RunReport report;       ///< of the run
    uint64_t messages{0};   ///< sent in the run
    uint64_t packetHops{0}; ///< of the run
    std::string refusal;    ///< why the estimate was refused; "" if it was not
    std::string error;      ///< why the run was refused; "" if it was not

    /// @return expected events less those of the run, as a share of these
    double GetError() const
    {
        const auto expected = static_cast<double>(estimate.events.expected.Get());
        return expected / static_cast<double>(report.events) - 1;
    }
};

/// @ingroup ml-cluster-tests @param topology shape @param configure sets a cluster up @param
/// workload what to do @return both
inline Comparison
Compare(const ClusterTopology& topology,
        const std::function<void(ClusterHelper&)>& configure,
        const std::shared_ptr<const ClusterWorkload>& workload)
{
    UsePicoseconds();
    Comparison comparison;
    comparison.refusal = GetErrorOf([&] {
        ClusterHelper cluster(topology);
        configure(cluster);
        Diagnostics diagnostics;
        comparison.estimate = cluster.Estimate(workload, diagnostics);
    });
    comparison.error = GetErrorOf([&] {
        ClusterHelper cluster(topology);
        configure(cluster);
        Simulator::ScheduleDestroy([&] {
            const auto packets = DynamicCast<PacketBackend>(cluster.GetBackend());
            comparison.packetHops = packets ? packets->GetPacketHops() : 0;
        });
        const std::string error = GetErrorOf([&] {
            Diagnostics diagnostics;
            cluster.Install(workload, diagnostics);
        });
        if (!error.empty())
        {
            Simulator::Destroy();
            throw InputError(error);
        }
        const Ptr<NetworkBackend> backend = cluster.GetBackend();
        comparison.report = cluster.Run();
        comparison.messages = backend->GetMessagesSent();
    });
    return comparison;
}

/// @ingroup ml-cluster-tests @param c a comparison @return what does not hold of any; "" if all is
/// well
inline std::string
FindFault(const Comparison& c)
{
    if (!c.refusal.empty() || !c.error.empty())
    {
        return c.refusal == c.error ? "" : "refused: " + c.refusal + "; the run: " + c.error;
    }
    const CountRange& events = c.estimate.events;
    const uint64_t actual = c.report.events;
    if (actual < events.fewest.Get() || events.most.Get() < actual)
    {
        return std::to_string(actual) + " events, not " + std::to_string(events.fewest.Get()) +
               " to " + std::to_string(events.most.Get());
    }
    if (c.estimate.messages.Get() != c.messages)
    {
        return std::to_string(c.messages) + " messages, not " +
               std::to_string(c.estimate.messages.Get());
    }
    return c.estimate.packetHops.Get() == c.packetHops ? "" : "packet-hops";
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ESTIMATE_COMPARISON_H
