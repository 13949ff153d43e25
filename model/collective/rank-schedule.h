/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_SCHEDULE_H
#define ML_CLUSTER_RANK_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One message of a collective algorithm, seen from one of its ends.
 */
struct Transfer
{
    uint32_t peer; ///< position of the other end in the group; the own one: data moved or reduced
                   ///< within this rank, which uses no network
    uint32_t tag;  ///< equal at both ends; unique among the transfers of this schedule between this
                   ///< ordered pair
    uint64_t bytes; ///< size; 0 is a message of latency only
    bool reduce;    ///< at the receiver: the payload is combined with local data
    /// Which of this member's buffers; see RankSchedule.
    uint32_t buffer{0};
    /// What it carries: a cyclic range of parts, see RankSchedule; with nParts 0 it is not said.
    uint32_t firstPart{0};
    uint32_t nParts{0}; ///< parts in the range
};

/**
 * @ingroup ml-cluster
 * What one rank of a group does in a collective algorithm: steps, each with the steps it waits
 * for, the messages it sends when it starts, and the messages it must receive (and reduce) before
 * it is complete. Every algorithm, native or loaded, has this form; one executor runs it.
 *
 * Semantics: a step starts when all steps in its `after` list are complete; all its sends are
 * issued then, in order; it is complete when all its receives have arrived, their reductions are
 * done, and then its local work has taken its time. The schedule is complete when every step is,
 * and every send has left this rank. A transfer to the own position stands among the sends and the
 * receives of its step: it arrives at once, and costs its reduction, if it has one.
 *
 * What a message carries is written down so that a schedule can be proven right by moving
 * ownership: every piece of the request (see CollectiveRequest) is cut into equally many parts by
 * SplitEvenly; part j of piece i has index i * GetPartsPerPiece() + j, and the size of a transfer
 * is that of its parts. Native algorithms work in place in buffer 0, and for an all-to-all in as
 * many buffers as there are members, the one of each member's data.
 */
class RankSchedule
{
  public:
    /// One step; the ranges index the vectors returned below.
    struct Step
    {
        uint32_t firstAfter;   ///< first entry in GetAfter
        uint32_t nAfter;       ///< steps waited for
        uint32_t firstSend;    ///< first entry in GetSends
        uint32_t nSends;       ///< messages sent
        uint32_t firstReceive; ///< first entry in GetReceives
        uint32_t nReceives;    ///< messages received
        int64_t workPs;        ///< local work once they are there, ps
    };

    /// @param partsPerPiece parts each piece of the request is cut into, at least 1
    explicit RankSchedule(uint32_t partsPerPiece = 1);

    /**
     * Appends a step.
     * @param after indices of earlier steps that must be complete first
     * @param sends messages sent when the step starts, in order
     * @param receives messages that complete it
     * @param workPs local work once they are there, ps
     * @return the index of the step
     */
    uint32_t AddStep(const std::vector<uint32_t>& after,
                     const std::vector<Transfer>& sends,
                     const std::vector<Transfer>& receives,
                     int64_t workPs = 0);

    uint32_t GetPartsPerPiece() const;             ///< @return parts each piece is cut into
    const std::vector<Step>& GetSteps() const;     ///< @return the steps
    const std::vector<uint32_t>& GetAfter() const; ///< @return all after lists, one after the other
    const std::vector<Transfer>& GetSends() const; ///< @return all sends
    const std::vector<Transfer>& GetReceives() const; ///< @return all receives

  private:
    uint32_t m_partsPerPiece;         ///< parts each piece is cut into
    std::vector<Step> m_steps;        ///< steps
    std::vector<uint32_t> m_after;    ///< indices waited for
    std::vector<Transfer> m_sends;    ///< sends
    std::vector<Transfer> m_receives; ///< receives
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_SCHEDULE_H
