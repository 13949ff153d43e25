/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_STEP_TIME_H
#define ML_CLUSTER_GRAPH_STEP_TIME_H

#include "graph-order.h"
#include "joined-graphs.h"
#include "step-time.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The time of a training step that execution graphs say, of any workload: the longest path through
 * the graphs of all ranks. Compute and memory nodes take a given time, communication that loads
 * dimension d with c_d takes the largest c_d / b_d (MeetingTraffic). Since dimensions are shared,
 * a step takes at least what each rank sends in a dimension over b_d, too.
 *
 * A node waits for what it depends on and for the node before it on its stream; what runs one node
 * at a time (NodeResources) takes them in issue order, see GraphOrder. A collective starts when its
 * last member has come, ends for all, and comes after the one before it of the same group and
 * dimensions: collectives that share links would overlap for nothing otherwise. A receive ends when
 * its send does.
 *
 * Left out: latency, chunks that leave dimensions idle, how links are shared but for the bound
 * above, reduction in the network, what MemoryModel does together with other ranks, nodes that a
 * run takes in another order than that of issue.
 */
class GraphStepTime : public StepTime
{
  public:
    using NodeTime = JoinedGraphs::NodeTime; ///< time of a node of a rank, ns

    /// How nodes run.
    struct Options
    {
        GraphOutline::Resources resources{};             ///< what runs compute and memory nodes
        PartBandwidth partBandwidth{PartBandwidth::All}; ///< what a part of a block has
    };

    /**
     * @param workload the workload, checked; not needed afterwards
     * @param topology the shape of the network; its rates do not count
     * @param nodeTime time of compute and memory nodes, asked for once for each rank and node
     * @param options how nodes run
     * @throw InputError if ranks do not fit together or into the topology, wait for each other for
     * ever, or a time is not finite or negative
     */
    GraphStepTime(const ClusterWorkload& workload,
                  const ClusterTopology& topology,
                  const NodeTime& nodeTime,
                  const Options& options);

    TimeExpression::Sum Make(TimeExpression& time) const override;
    double Evaluate(const std::vector<double>& bandwidths) override;

    /// @return classes of ranks that run alike, each of which is computed once
    uint32_t GetNClasses() const;
    uint32_t GetNPaths() const; ///< @return paths that are known
    /// @return per dimension the bytes of the rank that sends most there
    const std::vector<double>& GetMostBytes() const;

  private:
    using Place = JoinedGraphs::Place; ///< a node

    /// What is on a path.
    struct Path
    {
        double constant{0};                     ///< ns
        std::map<uint32_t, uint32_t> transfers; ///< how often each
    };

    /// @return the node that ends last, at the bandwidths of m_costs; fills in all ends
    Place Run();
    /**
     * @tparam Visit takes a Place
     * @param place a node, of a collective any
     * @param visit called with each node that it, or any member of the collective, waits for
     */
    template <typename Visit>
    void VisitBefore(const Place& place, const Visit& visit) const;
    /// @param place a node @return what it takes, ns
    double GetCost(const Place& place) const;
    /// @param place a node that has been run @return when it ends, ns
    double GetEnd(const Place& place) const;
    /// @param place a node that has been run @return the longest path to its end
    Path FindPath(Place place) const;
    /// @param path a path @return its time, ns
    double GetTime(const Path& path) const;

    JoinedGraphs m_graphs;       ///< of all ranks
    GraphOrder m_order;          ///< of their nodes
    std::vector<Path> m_paths;   ///< known ones
    std::vector<double> m_costs; ///< by transfer, ns, at the latest bandwidths
    std::vector<double> m_ends;  ///< by node, ns, likewise
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_STEP_TIME_H
