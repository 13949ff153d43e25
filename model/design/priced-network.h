/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PRICED_NETWORK_H
#define ML_CLUSTER_PRICED_NETWORK_H

#include "ns3/cluster-topology.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The shape of a network with the tier, a kind of technology, that each
 * dimension is made of, and what it costs.
 */
struct PricedNetwork
{
    /// What a tier costs.
    struct TierPrices
    {
        std::optional<double> link;     ///< of a directed link, $ per GB/s
        std::optional<double> switches; ///< of a port of a switch, $ per GB/s
        std::optional<double> nic;      ///< of a network interface, $ per GB/s
        double port{0};                 ///< of each end of a link, whatever its bandwidth, $
        Diagnostics::Place place{};     ///< where the prices stand, for messages
    };

    /// One dimension.
    struct Dimension
    {
        BuildingBlock block{BuildingBlock::Switch}; ///< shape
        uint32_t size{1};                           ///< members of a block
        std::string tier;                           ///< what it is made of
        Diagnostics::Place place{};                 ///< where it stands, for messages
    };

    using Prices = std::map<std::string, TierPrices>; ///< by tier

    /// What the whole network costs, for bandwidths in GB/s that one NPU can send
    /// in a dimension.
    struct Costs
    {
        std::vector<double> prices; ///< per dimension, $ per GB/s
        double fixedCost{0};        ///< $
    };

    uint64_t GetNRanks() const; ///< @return number of NPUs, the product of all sizes

    /**
     * LIBRA's rules: the links of a Ring and of a FullyConnected share an NPU's
     * bandwidth and cost the link price per GB/s; a Switch dimension is one
     * switch for all NPUs up to it, and each of its links costs a link, a port of
     * the switch and a network interface. So the cost is NPUs times bandwidth
     * times the link price, or the sum of the three. Ports, which LIBRA does not
     * have, cost what they cost whatever the bandwidth: one for each link of an
     * NPU, two in a Switch.
     * @param prices of the tiers
     * @param diagnostics receives tiers that have no prices, prices that a Switch
     * lacks, and such as are negative
     * @return the costs; unusable if diagnostics gained errors
     */
    Costs GetCosts(const Prices& prices, Diagnostics& diagnostics) const;

    std::vector<Dimension> dimensions; ///< innermost first
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PRICED_NETWORK_H
