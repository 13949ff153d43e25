/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SYNCHRONISATION_BOOK_H
#define ML_CLUSTER_SYNCHRONISATION_BOOK_H

#include "launch-order.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An operation of the device (position of its launch) or a node of the execution trace (position).
 */
struct LinkedWork
{
    bool onDevice;     ///< which of the two
    std::size_t index; ///< position
};

/**
 * @ingroup ml-cluster
 * What synchronisations make wait for what.
 */
struct Synchronisations
{
    /// One waits for another.
    struct Dependency
    {
        LinkedWork first;  ///< must end
        LinkedWork second; ///< before this starts
    };

    std::vector<Dependency> dependencies; ///< in order of discovery, may repeat
    std::vector<int64_t> waitedNs;        ///< per operator of the Kineto trace, time spent waiting
};

/**
 * @ingroup ml-cluster
 * Takes down who waits for whom. A wait of which one side is not known is left out, and so is an
 * assumed one that times contradict.
 */
class SynchronisationBook
{
  public:
    static constexpr std::size_t NONE = OperatorMatch::NONE; ///< not known
    static constexpr int64_t ROUNDING_NS = 1000; ///< times in whole us may be this much off

    /// @param traces the traces @param order the launches; all must outlive this
    /// @param ledger receives counts by kind and what is left out
    SynchronisationBook(const MatchedTraces& traces,
                        const LaunchOrder& order,
                        ConversionLedger& ledger);

    /**
     * The next operator of a thread waits for operations of the device; the operator around the
     * call was blocked until the last of them ended, or the call.
     * @param call the call that waits, its name is the kind
     * @param sources launches before it, NONE among them is passed over
     * @param isAssumed whether times may contradict it
     */
    void HostWaits(const KinetoEvent& call, std::vector<std::size_t> sources, bool isAssumed);

    /**
     * An operation of the device waits for an earlier one.
     * @param kind of synchronisation
     * @param id which
     * @param source a launch, or NONE
     * @param target a launch, or NONE
     * @param isAssumed whether times may contradict it
     */
    void DeviceWaits(const std::string& kind,
                     const std::string& id,
                     std::size_t source,
                     std::size_t target,
                     bool isAssumed);

    /**
     * The operator after one waits for what another thread did meanwhile.
     * @param kind of synchronisation
     * @param caller position of the operator that was blocked
     * @param thread the other thread
     * @param beginNs when it began to work for the caller, ns
     */
    void ThreadWaits(const std::string& kind,
                     std::size_t caller,
                     const KinetoEvent::Line& thread,
                     int64_t beginNs);

    Synchronisations Take(); ///< @return what was taken down

  private:
    /// @param operation position of an operator, or NONE @return the first from it on, on its
    /// thread, that has a node, or NONE
    std::size_t FindMatched(std::size_t operation) const;

    const MatchedTraces& m_traces;          ///< the traces
    const LaunchOrder& m_order;             ///< the launches
    ConversionLedger& m_ledger;             ///< receives counts
    std::vector<std::size_t> m_nextMatched; ///< per operator the first from it on with a node
    Synchronisations m_result;              ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SYNCHRONISATION_BOOK_H
