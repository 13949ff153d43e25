/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUNTIME_SYNCHRONISATIONS_H
#define ML_CLUSTER_RUNTIME_SYNCHRONISATIONS_H

#include "synchronisation-book.h"

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
 * Synchronisations that calls of the CUDA or HIP runtime make; see FindSynchronisations for the
 * rules.
 */
class RuntimeSynchronisations
{
  public:
    /// Launches of collectives, the first one for each record_param_comms operator (position).
    using Collectives = std::map<std::size_t, std::size_t>;

    /// @param traces the traces @param order the launches @param collectives collectives
    /// @param book receives the synchronisations @param ledger receives what needs none
    /// @param tally receives warnings about assumptions; all must outlive this
    RuntimeSynchronisations(const MatchedTraces& traces,
                            const LaunchOrder& order,
                            const Collectives& collectives,
                            SynchronisationBook& book,
                            ConversionLedger& ledger,
                            MessageTally& tally);

    /// @param call a call of the runtime, whose synchronisation is taken down if it is one
    void Handle(const KinetoEvent& call);

  private:
    using Line = KinetoEvent::Line;                          ///< stream or thread
    static constexpr std::size_t NONE = OperatorMatch::NONE; ///< none of them

    /// A moment on a stream: what was launched on it before then.
    struct Mark
    {
        Line stream;    ///< the stream
        int64_t timeNs; ///< the moment
    };

    void FindMarks();                            ///< Fills m_marks.
    void WaitForStream(const KinetoEvent& call); ///< @param call waits for a stream
    void WaitForEvent(const KinetoEvent& call);  ///< @param call waits for an event
    void WaitForCopy(const KinetoEvent& call);   ///< @param call a copy
    void WaitOnDevice(const KinetoEvent& call);  ///< @param call makes a stream wait for an event
    /// @param call a call @param kind of synchronisation @return that of this kind which is the
    /// call, null if there is none
    const KinetoSynchronisation* FindExact(const KinetoEvent& call, const std::string& kind) const;
    /// @param exact a synchronisation @return where its event was recorded, nothing if that is
    /// unknown
    std::optional<Mark> FindMark(const KinetoSynchronisation& exact) const;
    /// @param mark a mark @return the last launch before it, NONE without mark
    std::size_t FindMarked(const std::optional<Mark>& mark) const;
    /// @param timeNs ns @param other a stream @param endNs ns @return the last launch before an
    /// event recorded before timeNs, on another stream, the latest that ended by endNs; NONE if
    /// there is none
    std::size_t FindLastMarked(int64_t timeNs,
                               const std::optional<Line>& other,
                               int64_t endNs) const;
    /// @param call a call @return the record_param_comms operator it is in, or NONE
    std::size_t FindCommunication(const KinetoEvent& call) const;
    /// @param call a call @param what was assumed
    void Assume(const KinetoEvent& call, const std::string& what);

    const MatchedTraces& m_traces;            ///< the traces
    const LaunchOrder& m_order;               ///< the launches
    const Collectives& m_collectives;         ///< collectives
    SynchronisationBook& m_book;              ///< receives synchronisations
    ConversionLedger& m_ledger;               ///< receives the others
    MessageTally& m_tally;                    ///< receives warnings
    std::vector<Mark> m_marks;                ///< where events were recorded
    std::map<int64_t, int64_t> m_recordTimes; ///< of recording calls, by correlation
    std::multimap<int64_t, const KinetoSynchronisation*> m_exact; ///< by correlation
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUNTIME_SYNCHRONISATIONS_H
