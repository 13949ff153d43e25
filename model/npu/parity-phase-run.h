/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_PHASE_RUN_H
#define ML_CLUSTER_PARITY_PHASE_RUN_H

#include "parity-event-queue.h"
#include "parity-messenger.h"
#include "parity-plan.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One rank's part of one chunk phase, with what ASTRA-sim's algorithms have in common: a message is
 * ready to be sent, or used after it was received, once the endpoint delay is over, plus
 * R(m) = 3 floor(m / memory bandwidth) if it is reduced (two reads and a write).
 *
 * Left out: a limit on the memory traffic of reductions that overlap, and the cost of reading what
 * is sent.
 */
class ParityPhaseRun
{
  public:
    /// What does not change from phase to phase of a rank.
    struct Endpoint
    {
        uint32_t rank;              ///< own rank
        ParityEventQueue* events;   ///< the rank's timers
        ParityMessenger* messenger; ///< sends and receives
        double memoryBandwidth;     ///< bytes per second
    };

    /// Where and on what the phase works.
    struct Task
    {
        ParityPhase phase; ///< operation and algorithm
        ParityRing ring;   ///< whom it runs over
        bool clockwise;    ///< whether rings send to the next higher position
        bool isSecondTree; ///< double binary tree: which of the two
        bool flat;         ///< sub-group
        uint64_t delayNs;  ///< endpoint delay
        uint64_t bytes;    ///< data entering
        MessageTag tag;    ///< of its messages
        uint64_t nodeId;   ///< graph node, for error messages
    };

    virtual ~ParityPhaseRun() = default;
    ParityPhaseRun(const ParityPhaseRun&) = delete;
    ParityPhaseRun& operator=(const ParityPhaseRun&) = delete;

    virtual void Start() = 0; ///< Begins

  protected:
    /**
     * @param endpoint the rank
     * @param task what to do
     * @param finished called once at the end, from within an event of this object; may destroy it
     */
    ParityPhaseRun(const Endpoint& endpoint, const Task& task, std::function<void()> finished);

    /**
     * Does something once a message is prepared or processed.
     * @param bytes size of the message
     * @param reduces whether it is reduced
     * @param action what to do then
     */
    void After(uint64_t bytes, bool reduces, std::function<void()> action);
    /// @param to a rank @param bytes size of the message it gets
    void Send(uint32_t to, uint64_t bytes);
    /// @param from a rank @param bytes size of its message @param received called when it is there
    void Receive(uint32_t from, uint64_t bytes, std::function<void()> received);
    void Finish(); ///< Tells of the end; to be the last thing done

    const Task m_task; ///< what to do

  private:
    /// @param bytes size of a message @return time of its reduction, ns
    uint64_t GetReductionNs(uint64_t bytes) const;

    Endpoint m_endpoint;              ///< the rank
    std::function<void()> m_finished; ///< told of the end
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_PHASE_RUN_H
