/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_TALLY_H
#define ML_CLUSTER_WORKLOAD_TALLY_H

#include "cluster-workload.h"

#include "ns3/cluster-topology.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What the graphs of a workload have, before anything is simulated: who communicates with whom and
 * where that lies in the network, how often and how many bytes, what ranks load and store, and what
 * they compute. Memory is told like a family, by the name of GetMemoryName.
 *
 * Sizes are those of Chakra traces: all-reduce and all-to-all the buffer of a rank, reduce-scatter
 * its input, all-gather the shard that a rank gives; messages what is sent. Ranks that share a
 * graph are counted once. Who communicates is a family of groups, a group, or, where collectives
 * name network dimensions instead, the ranks that differ in those.
 */
class WorkloadTally
{
  public:
    using Key = std::pair<std::string, std::string>; ///< family, and operation

    /// What is communicated over a family with an operation.
    struct Amounts
    {
        double nodes{0}; ///< how often
        double bytes{0}; ///< in all
    };

    /// What one rank does.
    struct Work
    {
        std::map<Key, Amounts> traffic; ///< by family and operation
        double nodes{0};                ///< nodes of its graph
        double operations{0};           ///< computed
        double tensorBytes{0};          ///< read and written by computation
        double computePs{0};            ///< measured durations of computation
    };

    /// Ranks that share a graph.
    struct Share
    {
        std::vector<uint32_t> ranks; ///< ascending
        Work work;                   ///< of each of them
    };

    /// What all ranks do over a family with an operation.
    struct Traffic
    {
        double fewest{HUGE_VAL}; ///< how often on a rank that has some
        double most{0};          ///< how often on a rank
        double bytesPerRank{0};  ///< most of a rank
        double bytes{0};         ///< of all ranks
    };

    /// A family of groups.
    struct Family
    {
        std::string group;            ///< group or family as nodes have it
        std::vector<bool> dimensions; ///< in which members may differ; empty: all
        std::size_t nGroups{0};       ///< groups
        std::size_t fewest{0};        ///< members of the smallest
        std::size_t most{0};          ///< members of the largest
        std::string where;            ///< where they lie; "" if the network is not known

        std::string GetMembers() const; ///< @return how many members groups have, as text
    };

    /**
     * Counts.
     * @param workload the workload
     * @param topology the network, which must have its ranks; null if it is not known and no
     * collective names dimensions
     */
    WorkloadTally(const ClusterWorkload& workload, const ClusterTopology* topology);

    /**
     * Adds equal parts of the work, of which as many do as much more each.
     * @param larger the same work with one part more, in graphs of the same ranks
     * @param times parts to add
     */
    void Extrapolate(const WorkloadTally& larger, double times);

    const std::vector<Share>& GetShares() const;              ///< @return by first rank
    const std::map<std::string, Family>& GetFamilies() const; ///< @return those in use, by name
    std::map<Key, Traffic> GetTraffic() const;                ///< @return by family and operation

    /**
     * Prints the groups, what is communicated, and what ranks compute, a line for ranks with equal
     * numbers, at most 16.
     * @param os receives the tables
     * @param period what all this is of, such as "step"
     */
    void Print(std::ostream& os, const std::string& period) const;
    /// @param os receives families of groups
    void PrintFamilies(std::ostream& os) const;
    /// @param os receives what is communicated
    void PrintTraffic(std::ostream& os) const;

    /// @param family a family @return its name in tables
    static std::string GetName(const std::string& family);
    /// @param location a MemoryLocation @return the name of the memory in tables
    static std::string GetMemoryName(uint32_t location);

  private:
    /// @param os receives what ranks compute
    void PrintRanks(std::ostream& os) const;

    using Groups = std::vector<std::vector<uint32_t>>; ///< members of each

    /// @param graph a graph @return what its ranks do
    Work Count(const ExecutionGraph& graph);
    /// @param node a node that communicates @return its family, which is then known
    std::string AddFamily(const ExecutionNode& node);
    /// @param workload the workload @param topology as the constructor has it; tells where families
    /// lie
    void PlaceFamilies(const ClusterWorkload& workload, const ClusterTopology* topology);
    /// @param groups of a family @param dimensions in which members may differ @param topology
    /// their network @return the ranks of each that differ in these only
    static Groups Cut(const Groups& groups,
                      const std::vector<bool>& dimensions,
                      const ClusterTopology& topology);

    std::vector<Share> m_shares;              ///< by first rank
    std::map<std::string, Family> m_families; ///< by name
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_TALLY_H
