/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUNNING_PHASE_H
#define ML_CLUSTER_RUNNING_PHASE_H

#include "collective-plan.h"
#include "shared-schedule.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How far one chunk is in one phase on one rank. An object is used for one phase after the other,
 * so that its vectors keep their memory.
 */
struct RunningPhase
{
    /// What a step still waits for.
    struct StepState
    {
        uint32_t waiting;   ///< steps not complete
        uint32_t receiving; ///< receives not done, at first at least 1
    };

    uint32_t chunk{0};                              ///< chunk index
    uint32_t phase{0};                              ///< phase index
    std::shared_ptr<const SharedSchedule> schedule; ///< steps
    std::vector<uint32_t> peers;                    ///< ranks by position, then the switch
    uint32_t nAtSwitch{0};                          ///< members that meet in a switch; 0: in none
    std::vector<StepState> steps;                   ///< per step
    std::vector<uint8_t> awaited; ///< per receive: 1 from its step's start to its arrival
    uint32_t stepsLeft{0};        ///< steps not complete
    uint32_t sendsLeft{0};        ///< messages not known to have left
    int64_t leftPs{0};            ///< when the last of the others leaves, ps

    /// @param plan the collective @param rank the member @param c chunk index @param p phase index;
    /// sets everything as it is before the first step
    void Prepare(const CollectivePlan& plan, uint32_t rank, uint32_t c, uint32_t p);
    /// @param receive index @return the transfer
    const Transfer& GetReceive(uint32_t receive) const;
    /// @param ranks receives those whose messages steps wait for; those of a switch wait for all
    /// other members
    void AddAwaitedRanks(std::set<uint32_t>& ranks) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUNNING_PHASE_H
