/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PHASE_RENDEZVOUS_H
#define ML_CLUSTER_PHASE_RENDEZVOUS_H

#include "phase-claims.h"

#include "ns3/network-backend.h"
#include "ns3/phase-recurrence.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A rank that brings collectives to a PhaseRendezvous.
 */
class PhaseMember
{
  public:
    virtual ~PhaseMember() = default;
    /// @param cookie the collective, which ends on this rank now
    virtual void PhasesEnded(uint32_t cookie) = 0;
    /// @param cookie the collective, which this rank must run by messages from now on
    virtual void RunByMessages(uint32_t cookie) = 0;
};

/**
 * @ingroup ml-cluster
 * Where the ranks of a run meet for the collectives that are computed phase by phase instead of
 * message by message (AnalyticalChannel, Granularity=Phase). When all members of a collective have
 * started it, PhaseRecurrence tells from their start times when each ends; its links are booked,
 * and one event for each member ends it. Each member's end depends on the start of every other, so
 * none has passed by then.
 *
 * The result is that of messages, to the picosecond. Where it would not be, the collective falls
 * back: all its members run it by messages. That is decided before any time has passed:
 *
 * - by its kind, when the first member starts: what PhaseRecurrence::WhyNot says, or reductions
 * that take time, or endpoint delays that differ;
 * - if something else uses the first member's links then, or comes to a member's links at the
 * moment at which the first members start;
 * - if messages of different ranks share links (any Switch; routes of several links), so that their
 *   order depends on the starts: unless all members start at one moment, and the order is known;
 * - if it could end later than time can be counted.
 *
 * Other traffic that comes to the links of a member while it computes, or that is there when a
 * later member starts, finds or leaves its links booked: it is served before or behind the whole
 * collective, never beside it, so that no link exceeds its rate. Such collectives are counted as
 * overlapped: their times and those of the other traffic are not those of messages, which would
 * share the links from the first moment to the last. A rank that goes on to the next
 * collective while other members are still in the first overlaps neither, unless they share links
 * whose last message has not come.
 */
class PhaseRendezvous
{
  public:
    /// Members of recurrences that are kept, so that memory stays bounded: some 100 MB.
    static constexpr std::size_t MAX_KNOWN_MEMBERS = 1 << 20;

    /// @param backend whose GetPhaseBooks is not null @param graph the network
    PhaseRendezvous(Ptr<NetworkBackend> backend, std::shared_ptr<const LinkGraph> graph);
    ~PhaseRendezvous();

    /// @param endpointDelayPs of a rank that will take part, ps @param hasReductions whether its
    /// reductions take time
    void AddRank(int64_t endpointDelayPs, bool hasReductions);

    /**
     * A rank starts a collective now. RunByMessages may come before this returns.
     * @param rank the rank
     * @param plan the collective, which has something to do
     * @param context equal on all members
     * @param cookie for the rank
     * @param member the rank's side; outlives the collective
     */
    void Start(uint32_t rank,
               const std::shared_ptr<const CollectivePlan>& plan,
               uint64_t context,
               uint32_t cookie,
               PhaseMember& member);
    /// @param rank has ended, by messages, the collective of @param plan and @param context
    void End(uint32_t rank, const CollectivePlan& plan, uint64_t context);

    /// @param message is sent now
    void MessageSent(const NetworkMessage& message);
    /// @param message has arrived now
    void MessageArrived(const NetworkMessage& message);

    /// @param rank a member that waits @param plan the collective @param context of it
    /// @return members that have not started it, ascending
    std::vector<uint32_t> GetAwaitedRanks(uint32_t rank,
                                          const CollectivePlan& plan,
                                          uint64_t context) const;

    const PhaseReport& GetReport() const; ///< @return what was computed so far

  private:
    /// A member that has started.
    struct Arrival
    {
        uint32_t rank;       ///< which
        int64_t startPs;     ///< when
        uint32_t cookie;     ///< for it
        uint32_t simContext; ///< ns-3 context of its events
        PhaseMember* member; ///< it
    };

    /// A collective under way.
    struct Meeting : public PhaseClaims::Holder
    {
        std::pair<uint64_t, uint32_t> key{};               ///< see Key
        std::shared_ptr<const CollectivePlan> plan;        ///< what
        std::shared_ptr<const PhaseRecurrence> recurrence; ///< null if it runs by messages
        std::vector<uint32_t> dimensions;                  ///< of the topology, that it uses
        std::vector<int64_t> starts;                       ///< by place, ps; of those that started
        std::vector<Arrival> arrivals;                     ///< in the order of their starts
        std::vector<uint32_t> members;                     ///< all
        std::size_t nEnded{0};                             ///< members
        bool isOrdered{false}; ///< whether each of its links is used by one member only
    };

    using Key = std::pair<uint64_t, uint32_t>; ///< context, first member

    /// @param plan a collective @return why it is not computed, or ""
    std::string WhyNot(const CollectivePlan& plan) const;
    /// @param meeting begins @param rank the first to start
    void Open(Meeting& meeting, uint32_t rank);
    /// @param plan a collective @param first member of it @return the recurrence
    std::shared_ptr<const PhaseRecurrence> GetRecurrence(
        const std::shared_ptr<const CollectivePlan>& plan,
        uint32_t first);
    /// @param key of a meeting; computes it if all members have started, else it falls back
    void Decide(Key key);
    /// @param meeting whose members have all started
    void Compute(Meeting& meeting);
    /// @param meeting runs by messages from now on @param reason why
    void FallBack(Meeting& meeting, const std::string& reason);
    /// @param meeting runs by messages from now on @param rank whose links it uses
    void Occupy(const Meeting& meeting, uint32_t rank);
    /// @param holders whose links get other traffic now; those that can still fall back do
    void TurnAway(const std::vector<PhaseClaims::Holder*>& holders);
    /// @param key of a meeting @param arrival of a member that ends
    void EndComputed(Key key, Arrival arrival);
    /// @param message a message @return whether it claims the links of its route by itself
    bool IsRoaming(const NetworkMessage& message) const;
    /// @param meeting a collective @return its chunk phases
    static uint64_t CountPhases(const Meeting& meeting);

    Ptr<NetworkBackend> m_backend;             ///< network
    std::shared_ptr<const LinkGraph> m_graph;  ///< what exists
    PhaseClaims m_claims;                      ///< who uses which links
    int64_t m_delayPs{0};                      ///< endpoint delay of all ranks
    std::string m_whyNever;                    ///< why nothing is computed, or ""
    std::unique_ptr<LineProgramCache> m_cache; ///< programs; null before the first rank
    std::map<std::pair<const CollectivePlan*, uint32_t>, std::shared_ptr<const PhaseRecurrence>>
        m_known;                       ///< by plan and first member, kept for the next of the kind
    std::size_t m_nKnownMembers{0};    ///< of these together
    std::map<Key, Meeting> m_meetings; ///< under way
    std::set<uint64_t> m_roaming;      ///< contexts of collectives that do not keep to dimensions
    PhaseReport m_report;              ///< what was computed
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PHASE_RENDEZVOUS_H
