/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_SCHEDULE_RUN_H
#define ML_CLUSTER_PARITY_SCHEDULE_RUN_H

#include "parity-phase-run.h"

#include "ns3/rank-schedule.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One rank's part of a collective from Chakra files, in ASTRA-sim's way: each node is issued as
 * soon as its dependencies are done, whatever else runs, by ascending position; a send ends when
 * its message has arrived, a compute node takes its measured time, 1 ns if that is 0. The
 * collective is one piece: no chunks, no queues, no endpoint delay, and the sizes of the files.
 */
class ParityScheduleRun
{
  public:
    /// What to do.
    struct Task
    {
        const RankSchedule* schedule; ///< steps of one send, receive or work each; outlives this
        const std::vector<uint32_t>* members; ///< ranks by position; likewise
        MessageTag tag;                       ///< of the messages; `order` is set to each one's own
        uint64_t nodeId;                      ///< graph node, for error messages
    };

    /**
     * @param endpoint the rank
     * @param task what to do
     * @param finished called once at the end, from within an event of this object; may destroy it
     */
    ParityScheduleRun(const ParityPhaseRun::Endpoint& endpoint,
                      const Task& task,
                      std::function<void()> finished);
    ParityScheduleRun(const ParityScheduleRun&) = delete;
    ParityScheduleRun& operator=(const ParityScheduleRun&) = delete;

    void Start(); ///< Begins the first steps; there must be one

  private:
    /// @param index of a step whose dependencies are done
    void Begin(uint32_t index);
    /// @param index of a step that is done
    void End(uint32_t index);

    ParityPhaseRun::Endpoint m_endpoint;           ///< the rank
    Task m_task;                                   ///< what to do
    std::function<void()> m_finished;              ///< told of the end
    std::vector<uint32_t> m_unmet;                 ///< dependencies not yet done, by step
    std::vector<std::vector<uint32_t>> m_children; ///< steps that wait for it, by step
    uint64_t m_stepsLeft;                          ///< not done
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_SCHEDULE_RUN_H
