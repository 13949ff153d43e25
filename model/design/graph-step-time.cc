/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-step-time.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{
namespace mlcluster
{

using Kind = GraphOutline::Kind;

namespace
{

/// @param bytes per dimension @param bandwidths per dimension @return the longest time
double
GetLongest(const std::vector<double>& bytes, const std::vector<double>& bandwidths)
{
    double longest = 0;
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        longest = std::max(longest, bytes[d] > 0 ? bytes[d] / bandwidths[d] : 0);
    }
    return longest;
}

/// @param bytes per dimension @param bandwidths per dimension @return the sum of their times
double
GetTotal(const std::vector<double>& bytes, const std::vector<double>& bandwidths)
{
    double total = 0;
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        total += bytes[d] > 0 ? bytes[d] / bandwidths[d] : 0;
    }
    return total;
}

} // namespace

GraphStepTime::GraphStepTime(const ClusterWorkload& workload,
                             const ClusterTopology& topology,
                             const NodeTime& nodeTime,
                             const Options& options)
    : m_graphs(workload, topology, nodeTime, options.resources, options.partBandwidth),
      m_queued(m_graphs.GetJoints().size(), GraphOrder::NONE),
      m_ends(m_graphs.GetNNodes()),
      m_done(m_graphs.GetJoints().size() * m_graphs.GetMostBytes().size())
{
    m_order.emplace(m_graphs, m_queued);
    if (!options.resources.serialisesCollectives && !m_order->Get().empty())
    {
        m_queued = FindQueue();
        m_order.emplace(m_graphs, m_queued);
    }
}

std::vector<uint32_t>
GraphStepTime::FindQueue()
{
    struct Turn
    {
        double start; // if communication takes no time
        uint32_t joint;
    };

    m_bandwidths.assign(m_graphs.GetMostBytes().size(), std::numeric_limits<double>::infinity());
    m_costs.assign(m_graphs.GetTransfers().size(), 0);
    Run();
    std::map<uint32_t, std::vector<Turn>> channels;
    for (const Place& place : m_order->Get())
    {
        if (m_graphs.GetKind(place) == Kind::Collective)
        {
            const uint32_t joint = m_graphs.GetJointNumber(place);
            channels[m_graphs.GetJoints()[joint].meeting].push_back({GetEnd(place), joint});
        }
    }
    std::vector<uint32_t> queued(m_graphs.GetJoints().size(), GraphOrder::NONE);
    for (auto& [meeting, turns] : channels)
    {
        std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
            return a.start < b.start;
        });
        for (std::size_t k = 1; k < turns.size(); ++k)
        {
            queued[turns[k].joint] = turns[k - 1].joint;
        }
    }
    return queued;
}

TimeExpression::Sum
GraphStepTime::Make(TimeExpression& time) const
{
    std::vector<TimeExpression::Sum> branches{time.MakeCollective(m_graphs.GetMostBytes())};
    for (const Path& path : m_paths)
    {
        TimeExpression::Sum sum = TimeExpression::MakeConstant(path.constant);
        for (const auto& [transfer, count] : path.transfers)
        {
            sum.Add(time.MakeCollective(m_graphs.GetTransfers()[transfer]), count);
        }
        for (std::size_t d = 0; d < path.loads.size(); ++d)
        {
            std::vector<double> load(path.loads.size());
            load[d] = path.loads[d];
            sum.Add(time.MakeCollective(load));
        }
        branches.push_back(sum);
    }
    return time.MakeMaximum(branches);
}

double
GraphStepTime::Evaluate(const std::vector<double>& bandwidths)
{
    constexpr double SAME = 1e-12; // relative; sums are rounded
    if (bandwidths.size() != m_graphs.GetMostBytes().size())
    {
        throw InputError(std::to_string(bandwidths.size()) + " bandwidths are given for " +
                         std::to_string(m_graphs.GetMostBytes().size()) + " dimensions");
    }
    m_bandwidths = bandwidths;
    m_costs.clear();
    for (const auto& loads : m_graphs.GetTransfers())
    {
        m_costs.push_back(GetLongest(loads, bandwidths));
    }
    double known = GetLongest(m_graphs.GetMostBytes(), bandwidths);
    for (const Path& path : m_paths)
    {
        known = std::max(known, GetTime(path));
    }
    if (m_order->Get().empty())
    {
        return known;
    }
    const Place last = Run();
    if (GetEnd(last) > known * (1 + SAME))
    {
        m_paths.push_back(FindPath(last));
    }
    return std::max(known, GetEnd(last));
}

double
GraphStepTime::GetCost(const Place& place) const
{
    switch (m_graphs.GetKind(place))
    {
    case Kind::Receive:
        return 0;
    case Kind::Send:
    case Kind::Collective:
        return m_costs[m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].transfer];
    default:
        return m_graphs.GetTime(place);
    }
}

double
GraphStepTime::GetEnd(const Place& place) const
{
    return m_ends[m_graphs.GetNumber(place)];
}

double
GraphStepTime::GetTime(const Path& path) const
{
    double time = path.constant;
    for (const auto& [transfer, count] : path.transfers)
    {
        time += count * m_costs[transfer];
    }
    return time + GetTotal(path.loads, m_bandwidths);
}

template <typename Visit>
void
GraphStepTime::VisitBefore(const Place& place, const Visit& visit) const
{
    const auto visitGraph = [&](const Place& of) {
        for (const uint32_t before : m_graphs.GetOutline(of.part)->GetBefore(of.index))
        {
            visit(Place{of.part, before});
        }
    };
    const Kind kind = m_graphs.GetKind(place);
    if (kind == Kind::Collective)
    {
        for (const Place& member : m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].members)
        {
            visitGraph(member);
        }
        return;
    }
    visitGraph(place);
    if (kind == Kind::Receive)
    {
        visit(m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].members[0]);
    }
    const uint32_t before = m_order->GetBefore(m_graphs.GetNumber(place));
    if (before != GraphOrder::NONE)
    {
        visit(Place{place.part, before});
    }
}

std::optional<GraphStepTime::Place>
GraphStepTime::FindLatest(const Place& place) const
{
    std::optional<Place> latest;
    VisitBefore(place, [&](const Place& before) {
        if (GetEnd(before) > (latest ? GetEnd(*latest) : 0))
        {
            latest = before;
        }
    });
    return latest;
}

double&
GraphStepTime::GetDone(uint32_t joint, std::size_t dimension)
{
    return m_done[joint * m_bandwidths.size() + dimension];
}

double
GraphStepTime::GetDone(uint32_t joint, std::size_t dimension) const
{
    return m_done[joint * m_bandwidths.size() + dimension];
}

double
GraphStepTime::RunCollective(const Place& place, double start)
{
    const uint32_t number = m_graphs.GetJointNumber(place);
    const auto& joint = m_graphs.GetJoints()[number];
    const auto& loads = m_graphs.GetTransfers()[joint.transfer];
    double end = start;
    for (std::size_t d = 0; d < loads.size(); ++d)
    {
        double& done = GetDone(number, d);
        done = m_queued[number] == GraphOrder::NONE ? 0 : GetDone(m_queued[number], d);
        if (loads[d] > 0)
        {
            done = std::max(done, start) + loads[d] / m_bandwidths[d];
            end = std::max(end, done);
        }
    }
    for (const Place& member : joint.members)
    {
        m_ends[m_graphs.GetNumber(member)] = end;
    }
    return end;
}

GraphStepTime::Place
GraphStepTime::Run()
{
    Place last = m_order->Get().front();
    for (const Place& place : m_order->Get())
    {
        const auto latest = FindLatest(place);
        const double start = latest ? GetEnd(*latest) : 0;
        const bool isCollective = m_graphs.GetKind(place) == Kind::Collective;
        const double end = isCollective ? RunCollective(place, start) : start + GetCost(place);
        m_ends[m_graphs.GetNumber(place)] = end;
        last = end > GetEnd(last) ? place : last;
    }
    return last;
}

std::optional<GraphStepTime::Place>
GraphStepTime::FollowCollective(const Place& place, Path& path) const
{
    const auto& joints = m_graphs.GetJoints();
    const auto getLoad = [&](uint32_t joint, std::size_t d) {
        return m_graphs.GetTransfers()[joints[joint].transfer][d];
    };
    const uint32_t last = m_graphs.GetJointNumber(place);
    std::size_t d = 0;
    while (d < path.loads.size() && !(getLoad(last, d) > 0 && GetDone(last, d) == GetEnd(place)))
    {
        ++d;
    }
    if (d == path.loads.size()) // it sends nothing
    {
        return FindLatest(place);
    }
    for (uint32_t joint = last;; joint = m_queued[joint])
    {
        const auto latest = FindLatest(joints[joint].members[0]);
        const double free = m_queued[joint] == GraphOrder::NONE ? 0 : GetDone(m_queued[joint], d);
        const bool isWaiting = getLoad(joint, d) == 0 || free > (latest ? GetEnd(*latest) : 0);
        if (!isWaiting && joint == last)
        {
            ++path.transfers[joints[joint].transfer];
            return latest;
        }
        path.loads[d] += getLoad(joint, d);
        if (!isWaiting)
        {
            return latest;
        }
    }
}

GraphStepTime::Path
GraphStepTime::FindPath(Place place) const
{
    Path path;
    path.loads.resize(m_bandwidths.size());
    for (std::optional<Place> at = place; at;)
    {
        switch (m_graphs.GetKind(*at))
        {
        case Kind::Collective:
            at = FollowCollective(*at, path);
            continue;
        case Kind::Send:
            ++path.transfers[m_graphs.GetJoints()[m_graphs.GetJointNumber(*at)].transfer];
            break;
        default:
            path.constant += GetCost(*at);
        }
        at = FindLatest(*at);
    }
    return path;
}

uint32_t
GraphStepTime::GetNClasses() const
{
    return m_graphs.GetNParts();
}

uint32_t
GraphStepTime::GetNPaths() const
{
    return m_paths.size();
}

const std::vector<double>&
GraphStepTime::GetMostBytes() const
{
    return m_graphs.GetMostBytes();
}

} // namespace mlcluster
} // namespace ns3
