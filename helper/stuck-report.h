/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STUCK_REPORT_H
#define ML_CLUSTER_STUCK_REPORT_H

#include "ns3/application-container.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Why a run came to its end with unfinished ranks: per such rank the oldest blocked node with
 * kind, peer or group, tag, bytes and unmet dependencies, then the chain of who waits for whom.
 * @param applications the NPUs, by rank
 * @return the text, several lines; "" if every rank has finished
 */
std::string DescribeStuckRanks(const ApplicationContainer& applications);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STUCK_REPORT_H
