/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pareto-tangents.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

ParetoTangents::ParetoTangents(double time, double cost)
    : m_corners{{time, cost}}
{
}

bool
ParetoTangents::Add(double slope, double value)
{
    const auto isBelow = [&](const Corner& corner) {
        return corner.time + slope * corner.cost < value;
    };
    const auto first = std::find_if(m_corners.begin(), m_corners.end(), isBelow);
    if (first == m_corners.end())
    {
        return false;
    }
    const auto last = std::find_if_not(first, m_corners.end(), isBelow);
    const auto cut = [&](const Corner& in, const Corner& out) {
        const double height = out.time + slope * out.cost - value;
        const double depth = value - in.time - slope * in.cost;
        const double part = depth / (depth + height);
        return Corner{in.time + part * (out.time - in.time), in.cost + part * (out.cost - in.cost)};
    };
    const Corner low = *(last - 1);
    const Corner left = first == m_corners.begin()
                            ? Corner{first->time, (value - first->time) / slope}
                            : cut(*first, *(first - 1));
    const Corner right =
        last == m_corners.end() ? Corner{value - slope * low.cost, low.cost} : cut(low, *last);
    m_corners.insert(m_corners.erase(first, last), {left, right});
    return true;
}

ParetoTangents::Corner
ParetoTangents::GetLowest() const
{
    return *std::min_element(m_corners.begin(), m_corners.end(), [](const auto& a, const auto& b) {
        return a.time * a.cost < b.time * b.cost;
    });
}

} // namespace mlcluster
} // namespace ns3
