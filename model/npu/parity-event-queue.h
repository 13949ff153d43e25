/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_EVENT_QUEUE_H
#define ML_CLUSTER_PARITY_EVENT_QUEUE_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @param ns a time, ns
 * @return it cut to whole nanoseconds; more than can be simulated (see ParityEventQueue) becomes
 * the largest uint64_t
 */
uint64_t CutToNs(double ns);

/**
 * @ingroup ml-cluster
 * The timers of one rank, with ASTRA-sim's order at equal times: all actions of the rank for one
 * nanosecond run as one group, in the order they were registered, at the place in the
 * simulator's order where the first of them was registered. Not copyable; must outlive the run.
 */
class ParityEventQueue
{
  public:
    ParityEventQueue() = default;
    ParityEventQueue(const ParityEventQueue&) = delete;
    ParityEventQueue& operator=(const ParityEventQueue&) = delete;

    /**
     * @param delayNs nanoseconds from now, may be 0 (later in this nanosecond)
     * @param action what to do
     * @throw InputError if time cannot be counted so far (106 days)
     */
    void Register(uint64_t delayNs, std::function<void()> action);

  private:
    /// @param timeNs the nanosecond whose actions run, those registered meanwhile for it included
    void RunGroup(uint64_t timeNs);

    std::map<uint64_t, std::vector<std::function<void()>>> m_groups; ///< actions by time, ns
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_EVENT_QUEUE_H
