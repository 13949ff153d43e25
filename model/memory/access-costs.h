/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ACCESS_COSTS_H
#define ML_CLUSTER_ACCESS_COSTS_H

#include "ns3/count-range.h"

namespace ns3
{
namespace mlcluster
{

/// What accesses to memory cost to simulate. @ingroup ml-cluster
struct AccessCosts
{
    CountRange events{};     ///< of memory, and of the network for its messages
    LargeCount messages{};   ///< that go through the network
    LargeCount packets{};    ///< these are cut into; 0 if the network has none
    LargeCount packetHops{}; ///< links that the packets cross, acknowledgements left out
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ACCESS_COSTS_H
