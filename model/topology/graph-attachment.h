/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_ATTACHMENT_H
#define ML_CLUSTER_GRAPH_ATTACHMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What is attached to a network beside its ranks, such as memory: ends of messages behind switches
 * of their own. Each of these switches has a link to every switch of dimension 0, and each end one
 * link to one of them; so an end has one route to every rank, and names it.
 */
struct GraphAttachment
{
    /// A switch between ends and the switches of dimension 0.
    struct Switch
    {
        std::string name;     ///< in results, such as "out-switch 1"
        uint64_t bitRate{0};  ///< of each of its links to switches of dimension 0, bit/s, not 0
        int64_t latencyPs{0}; ///< of these links, ps
    };

    /// Where messages to ranks start and messages from ranks end.
    struct End
    {
        std::string name;     ///< in results, such as "group 3"; several may have the same
        uint32_t atSwitch{0}; ///< index of the switch that it is linked to
        uint64_t bitRate{0};  ///< of the link, bit/s, not 0
        int64_t latencyPs{0}; ///< of the link, ps
    };

    std::vector<Switch> switches; ///< their vertices follow those of the topology
    std::vector<End> ends;        ///< their vertices follow those
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_ATTACHMENT_H
