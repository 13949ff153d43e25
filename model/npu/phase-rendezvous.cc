/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-rendezvous.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

int64_t
NowPs()
{
    return Simulator::Now().GetTimeStep();
}

} // namespace

PhaseRendezvous::PhaseRendezvous(Ptr<NetworkBackend> backend,
                                 std::shared_ptr<const LinkGraph> graph)
    : m_backend(backend),
      m_graph(std::move(graph)),
      m_claims(m_graph)
{
}

PhaseRendezvous::~PhaseRendezvous() = default;

void
PhaseRendezvous::AddRank(int64_t endpointDelayPs, bool hasReductions)
{
    if (m_cache && endpointDelayPs != m_delayPs)
    {
        m_whyNever = "ranks with different endpoint delays";
    }
    if (hasReductions)
    {
        m_whyNever = "reductions that take time";
    }
    if (!m_cache)
    {
        m_delayPs = endpointDelayPs;
        m_cache = std::make_unique<LineProgramCache>(m_graph, m_delayPs);
    }
}

std::string
PhaseRendezvous::WhyNot(const CollectivePlan& plan) const
{
    const std::string reason = PhaseRecurrence::WhyNot(plan, *m_graph);
    return reason.empty() ? m_whyNever : reason;
}

void
PhaseRendezvous::Start(uint32_t rank,
                       const std::shared_ptr<const CollectivePlan>& plan,
                       uint64_t context,
                       uint32_t cookie,
                       PhaseMember& member)
{
    const Key key{context, PhaseRecurrence::GetFirstMember(*plan, rank)};
    const auto [entry, isNew] = m_meetings.try_emplace(key);
    Meeting& meeting = entry->second;
    if (isNew)
    {
        meeting.key = key;
        meeting.plan = plan;
        Open(meeting, rank);
    }
    if (meeting.recurrence)
    {
        TurnAway(m_claims.GetHolders(rank, meeting.dimensions));
    }
    if (!meeting.recurrence)
    {
        if (meeting.isOrdered)
        {
            Occupy(meeting, rank);
        }
        member.RunByMessages(cookie);
        return;
    }
    meeting.starts[meeting.recurrence->GetPlace(rank)] = NowPs();
    meeting.arrivals.push_back({rank, NowPs(), cookie, Simulator::GetContext(), &member});
    m_claims.Claim(meeting, rank, meeting.dimensions, NowPs());
    if (meeting.arrivals.size() == meeting.members.size())
    {
        Compute(meeting);
    }
}

void
PhaseRendezvous::Open(Meeting& meeting, uint32_t rank)
{
    const CollectivePlan& plan = *meeting.plan;
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        meeting.dimensions.push_back(plan.GetTopologyDimension(level));
    }
    meeting.members = PhaseRecurrence::FindMembers(plan, rank);
    const std::string reason = WhyNot(plan);
    if (!reason.empty())
    {
        FallBack(meeting, reason);
        return;
    }
    meeting.recurrence = GetRecurrence(meeting.plan, meeting.key.second);
    meeting.isOrdered = meeting.recurrence->IsOrdered();
    meeting.starts.resize(meeting.members.size());
    if (!m_claims.IsFree(rank, meeting.dimensions, NowPs()))
    {
        FallBack(meeting, "other traffic on its links");
        return;
    }
    if (!meeting.isOrdered)
    {
        Simulator::ScheduleNow(&PhaseRendezvous::Decide, this, meeting.key);
    }
}

std::shared_ptr<const PhaseRecurrence>
PhaseRendezvous::GetRecurrence(const std::shared_ptr<const CollectivePlan>& plan, uint32_t first)
{
    if (m_nKnownMembers > MAX_KNOWN_MEMBERS)
    {
        m_known.clear();
        m_nKnownMembers = 0;
    }
    auto& known = m_known[{plan.get(), first}];
    if (!known)
    {
        known = std::make_shared<const PhaseRecurrence>(plan, first, *m_cache);
        m_nKnownMembers += known->GetMembers().size();
    }
    return known;
}

void
PhaseRendezvous::Decide(Key key)
{
    const auto entry = m_meetings.find(key);
    if (entry != m_meetings.end() && entry->second.recurrence &&
        entry->second.arrivals.size() < entry->second.members.size())
    {
        FallBack(entry->second, "messages that share links, of ranks that start apart");
    }
}

void
PhaseRendezvous::Compute(Meeting& meeting)
{
    const PhaseRecurrence& recurrence = *meeting.recurrence;
    if (meeting.isOverlapped && !meeting.isOrdered)
    {
        FallBack(meeting, "other traffic on its links");
        return;
    }
    const auto result = recurrence.Evaluate(meeting.starts, NowPs(), *m_backend->GetPhaseBooks());
    if (!result)
    {
        FallBack(meeting, "messages that share links in an order that is not known");
        return;
    }
    m_backend->CountComputed(recurrence.GetNMessages());
    m_report.computed += CountPhases(meeting);
    meeting.lastHeadPs = result->lastHeadPs;
    for (const Arrival& arrival : meeting.arrivals)
    {
        const int64_t end = result->ends[recurrence.GetPlace(arrival.rank)];
        Simulator::ScheduleWithContext(arrival.simContext,
                                       PicoSeconds(end - NowPs()),
                                       &PhaseRendezvous::EndComputed,
                                       this,
                                       meeting.key,
                                       arrival);
    }
}

uint64_t
PhaseRendezvous::CountPhases(const Meeting& meeting)
{
    return uint64_t{meeting.plan->GetNChunks()} * meeting.plan->GetNPhases();
}

void
PhaseRendezvous::FallBack(Meeting& meeting, const std::string& reason)
{
    m_report.byMessages[reason] += CountPhases(meeting);
    meeting.recurrence = nullptr;
    const auto arrivals = std::move(meeting.arrivals);
    for (const Arrival& arrival : arrivals)
    {
        m_claims.Release(meeting, arrival.rank, meeting.dimensions);
    }
    if (meeting.isOrdered)
    {
        for (const Arrival& arrival : arrivals)
        {
            Occupy(meeting, arrival.rank);
        }
    }
    else if (PhaseRecurrence::KeepsToDimensions(*meeting.plan, *m_graph))
    {
        for (const uint32_t member : meeting.members)
        {
            Occupy(meeting, member);
        }
    }
    else
    {
        m_roaming.insert(meeting.key.first);
    }
    for (const Arrival& arrival : arrivals)
    {
        arrival.member->RunByMessages(arrival.cookie);
    }
}

void
PhaseRendezvous::Occupy(const Meeting& meeting, uint32_t rank)
{
    TurnAway(m_claims.GetHolders(rank, meeting.dimensions));
    m_claims.Occupy(rank, meeting.dimensions, NowPs());
}

void
PhaseRendezvous::TurnAway(const std::vector<PhaseClaims::Holder*>& holders)
{
    for (PhaseClaims::Holder* holder : holders)
    {
        Meeting& meeting = *static_cast<Meeting*>(holder);
        const auto& arrivals = meeting.arrivals;
        const bool isNew = std::all_of(arrivals.begin(), arrivals.end(), [](const Arrival& a) {
            return a.startPs == NowPs();
        });
        if (meeting.recurrence && arrivals.size() < meeting.members.size() && isNew)
        {
            FallBack(meeting, "other traffic on its links");
        }
    }
}

void
PhaseRendezvous::EndComputed(Key key, Arrival arrival)
{
    Meeting& meeting = m_meetings.at(key);
    m_claims.Release(meeting, arrival.rank, meeting.dimensions);
    if (++meeting.nEnded == meeting.members.size())
    {
        m_report.overlapped += meeting.isOverlapped ? CountPhases(meeting) : 0;
        m_meetings.erase(key);
    }
    arrival.member->PhasesEnded(arrival.cookie);
}

void
PhaseRendezvous::End(uint32_t rank, const CollectivePlan& plan, uint64_t context)
{
    const Key key{context, PhaseRecurrence::GetFirstMember(plan, rank)};
    Meeting& meeting = m_meetings.at(key);
    if (meeting.isOrdered)
    {
        m_claims.Vacate(rank, meeting.dimensions);
    }
    if (++meeting.nEnded < meeting.members.size())
    {
        return;
    }
    if (m_roaming.erase(context) == 0 && !meeting.isOrdered)
    {
        for (const uint32_t member : meeting.members)
        {
            m_claims.Vacate(member, meeting.dimensions);
        }
    }
    m_meetings.erase(key);
}

void
PhaseRendezvous::MessageSent(const NetworkMessage& message)
{
    if (IsRoaming(message))
    {
        TurnAway(m_claims.GetHoldersOfRoute(message.source, message.destination));
        m_claims.OccupyRoute(message.source, message.destination, NowPs());
    }
}

void
PhaseRendezvous::MessageArrived(const NetworkMessage& message)
{
    if (IsRoaming(message))
    {
        m_claims.VacateRoute(message.source, message.destination);
    }
}

bool
PhaseRendezvous::IsRoaming(const NetworkMessage& message) const
{
    return message.tag.context == 0 || m_roaming.count(message.tag.context) > 0;
}

std::vector<uint32_t>
PhaseRendezvous::GetAwaitedRanks(uint32_t rank, const CollectivePlan& plan, uint64_t context) const
{
    const auto entry = m_meetings.find({context, PhaseRecurrence::GetFirstMember(plan, rank)});
    if (entry == m_meetings.end() || !entry->second.recurrence)
    {
        return {};
    }
    std::set<uint32_t> awaited(entry->second.members.begin(), entry->second.members.end());
    for (const Arrival& arrival : entry->second.arrivals)
    {
        awaited.erase(arrival.rank);
    }
    return {awaited.begin(), awaited.end()};
}

const PhaseReport&
PhaseRendezvous::GetReport() const
{
    return m_report;
}

} // namespace mlcluster
} // namespace ns3
