/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-step-time.h"

#include "ns3/diagnostics.h"

#include <algorithm>
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

} // namespace

GraphStepTime::GraphStepTime(const ClusterWorkload& workload,
                             const ClusterTopology& topology,
                             const NodeTime& nodeTime,
                             const Options& options)
    : m_graphs(workload, topology, nodeTime, options.resources, options.partBandwidth),
      m_order(m_graphs),
      m_ends(m_graphs.GetNNodes())
{
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
    if (m_order.Get().empty())
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
    return time;
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
    const uint32_t before = m_order.GetBefore(m_graphs.GetNumber(place));
    if (before != GraphOrder::NONE)
    {
        visit(Place{place.part, before});
    }
}

GraphStepTime::Place
GraphStepTime::Run()
{
    Place last = m_order.Get().front();
    for (const Place& place : m_order.Get())
    {
        double end = 0;
        VisitBefore(place, [&](const Place& before) { end = std::max(end, GetEnd(before)); });
        end += GetCost(place);
        m_ends[m_graphs.GetNumber(place)] = end;
        if (m_graphs.GetKind(place) == Kind::Collective)
        {
            for (const Place& member : m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].members)
            {
                m_ends[m_graphs.GetNumber(member)] = end;
            }
        }
        last = end > GetEnd(last) ? place : last;
    }
    return last;
}

GraphStepTime::Path
GraphStepTime::FindPath(Place place) const
{
    Path path;
    for (bool isBegun = false; !isBegun;)
    {
        const Kind kind = m_graphs.GetKind(place);
        if (kind == Kind::Send || kind == Kind::Collective)
        {
            ++path.transfers[m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].transfer];
        }
        else
        {
            path.constant += GetCost(place);
        }
        double latest = 0;
        const Place after = place;
        VisitBefore(after, [&](const Place& before) {
            if (GetEnd(before) > latest)
            {
                latest = GetEnd(before);
                place = before;
            }
        });
        isBegun = latest == 0;
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
