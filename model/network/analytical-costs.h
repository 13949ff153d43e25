/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ANALYTICAL_COSTS_H
#define ML_CLUSTER_ANALYTICAL_COSTS_H

#include "message-costs.h"

#include "ns3/link-graph.h"

#include <memory>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * MessageCosts of AnalyticalChannel. A message causes:
 *
 * - Congestion=None: one event, its arrival; with ForwardWhole one at each vertex of its route;
 * - Congestion=Links: one at each vertex; and one for each link it has waited for, when it has
 *   left, and one when the first of those that wait for a link may start: at most as many as
 *   messages cross the link, and one more for each message where computed phases hold links;
 * - Congestion=Links with ForwardWhole: two for each link, always.
 *
 * Expected is that no message waits.
 */
class AnalyticalCosts : public MessageCosts
{
  public:
    /// Attributes of AnalyticalChannel.
    struct Rules
    {
        bool queues;         ///< Congestion is Links
        bool forwardsWhole;  ///< ForwardWhole
        bool computesPhases; ///< Granularity is Phase
    };

    /// @param graph the network @param rules attributes @param memory of the network
    AnalyticalCosts(std::shared_ptr<const LinkGraph> graph,
                    const Rules& rules,
                    const Memory& memory);

    MessageCost GetCost(uint32_t source, uint32_t destination, uint64_t bytes) const override;
    Leaving GetLeaving() const override;
    uint64_t GetSetupEvents() const override;
    bool ComputesPhases() const override;

  private:
    std::shared_ptr<const LinkGraph> m_graph; ///< network
    Rules m_rules;                            ///< attributes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ANALYTICAL_COSTS_H
