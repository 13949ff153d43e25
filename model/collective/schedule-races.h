/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_RACES_H
#define ML_CLUSTER_SCHEDULE_RACES_H

#include "collective-layout.h"
#include "schedule-graph.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Finds what depends on timing: two accesses of a member to one place, at least one of them a
 * write, that no chain of steps and messages puts in order. A send reads when its step starts; a
 * receive writes once its message is sent and its own step has started, and before that step is
 * complete. Reductions into one place commute and need no order among themselves.
 *
 * Order is decided with vector clocks (Mattern, 1989): the steps of a member are covered by chains,
 * and the start of each step knows how far along each chain events certainly are.
 *
 * @param graph the schedules, without deadlock; its transfers lie within the layout
 * @param layout where transfers read and write
 * @param violations receives one sentence for each pair of steps that race
 */
void FindRaces(const ScheduleGraph& graph,
               const CollectiveLayout& layout,
               std::vector<std::string>& violations);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_RACES_H
