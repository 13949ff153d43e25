/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_ALGORITHM_H
#define ML_CLUSTER_CHAKRA_ALGORITHM_H

#include "collective-algorithm.h"

#include "ns3/diagnostics.h"
#include "ns3/execution-graph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A collective algorithm from Chakra files, one for each member: PREFIX.POSITION.et. Sends and
 * receives become steps of one message, compute nodes steps of local work; peers are positions in
 * the group. The k-th send to a peer with a tag pairs with its k-th receive there, in the order in
 * which nodes would be issued if they took no time. Other nodes are refused.
 *
 * The files say how many bytes each message has, whatever the size of the collective, and not what
 * is in them; so a proof can tell no more than what is necessary (see CollectiveVerifier).
 */
class ChakraAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @param prefix of the files' paths
     * @param type operation the files perform; none: any
     * @throw InputError with all problems of the files
     */
    explicit ChakraAlgorithm(const std::string& prefix,
                             std::optional<CollectiveType> type = std::nullopt);

    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;

  private:
    /// Sender, receiver, tag in the files.
    using Connection = std::tuple<uint32_t, uint32_t, uint64_t>;

    /// Messages of a connection seen so far.
    struct Count
    {
        uint32_t nSends{0};    ///< by the sender
        uint32_t nReceives{0}; ///< by the receiver
    };

    /// @param position a member @return its file
    std::string GetPath(uint32_t position) const;
    /// @param graph of the member @param position of it @param diagnostics receives nodes that
    /// cannot be
    void AddMember(const ExecutionGraph& graph, uint32_t position, Diagnostics& diagnostics);
    /// @param node a send or receive @param position of its member @return its end of the message
    Transfer MakeTransfer(const ExecutionNode& node, uint32_t position);
    /// @param diagnostics receives connections with more sends than receives or the reverse
    void CheckCounts(Diagnostics& diagnostics) const;

    std::string m_prefix;                  ///< of the files
    std::optional<CollectiveType> m_type;  ///< operation
    std::vector<RankSchedule> m_schedules; ///< by position
    std::map<Connection, Count> m_counts;  ///< messages
    /// tag in the schedules, by connection and order
    std::map<std::pair<Connection, uint32_t>, uint32_t> m_tags;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_nTags; ///< by sender and receiver
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_ALGORITHM_H
