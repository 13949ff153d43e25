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
#include <optional>
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
 * last member has come and ends for all. Those of the same group and dimensions come one after the
 * other, since they would share links for nothing otherwise: if NPUs serialise them, the next in
 * issue order begins when one ends; if not, each takes a dimension when that has sent what the ones
 * before it have there, in the order in which they could start if collectives and messages took no
 * time. A receive ends when its send does.
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
        std::vector<double> loads;              ///< per dimension, of transfers that wait there
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
    /// @param place a node that has been run, of a collective any @return the node that it, or any
    /// member of the collective, waits for longest; none if it waits for nothing
    std::optional<Place> FindLatest(const Place& place) const;
    /// @return by joint, the one that dimensions take before it, or NONE, if collectives of equal
    /// groups and dimensions come in the order in which they could start if none took time
    std::vector<uint32_t> FindQueue();
    /// @param joint number of a collective @param dimension of the network @return when the
    /// dimension is done with it, and all before it, ns
    double& GetDone(uint32_t joint, std::size_t dimension);
    /// @param joint as GetDone @param dimension likewise @return likewise
    double GetDone(uint32_t joint, std::size_t dimension) const;
    /// Runs a collective. @param place it @param start when its last member comes, ns @return when
    /// it ends, ns
    double RunCollective(const Place& place, double start);
    /// Adds a collective to a path that ends with it. @param place it @param path the path @return
    /// the node that the path goes on with; none: the path begins
    std::optional<Place> FollowCollective(const Place& place, Path& path) const;
    /// @param place a node @return what it takes, ns
    double GetCost(const Place& place) const;
    /// @param place a node that has been run @return when it ends, ns
    double GetEnd(const Place& place) const;
    /// @param place a node that has been run @return the longest path to its end
    Path FindPath(Place place) const;
    /// @param path a path @return its time, ns
    double GetTime(const Path& path) const;

    JoinedGraphs m_graphs;          ///< of all ranks
    std::vector<uint32_t> m_queued; ///< by joint, the one that dimensions take before it, or NONE
    std::optional<GraphOrder> m_order; ///< of their nodes
    std::vector<Path> m_paths;         ///< known ones
    std::vector<double> m_costs;       ///< by transfer, ns, at the latest bandwidths
    std::vector<double> m_ends;        ///< by node, ns, likewise
    std::vector<double> m_done;        ///< by joint and dimension, ns, likewise
    std::vector<double> m_bandwidths;  ///< the latest ones
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_STEP_TIME_H
