/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-units.h"

#include "ns3/report-table.h"

#include <cmath>
#include <cstdio>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Objective = BandwidthProblem::Objective;

constexpr int DIGITS = 4;

/// @param unit a unit, may be empty @return it, behind a blank
std::string
Behind(const std::string& unit)
{
    return (unit.empty() ? "" : " ") + unit;
}

} // namespace

DesignUnits::DesignUnits(const DesignReport& report)
    : m_objective(report.config.objective),
      m_isSlowdown(report.config.combination == WorkloadDesign::Combination::Worst)
{
    constexpr double NS_PER_MS = 1e6;
    constexpr double NS_PER_US = 1e3;
    if (!m_isSlowdown)
    {
        m_time = report.solution.time >= NS_PER_MS ? NS_PER_MS : NS_PER_US;
        m_timeUnit = m_time == NS_PER_MS ? "ms" : "us";
    }
    for (const char* unit : {"k$", "M$"})
    {
        constexpr double THOUSAND = 1000;
        if (report.solution.cost >= m_cost * THOUSAND)
        {
            m_cost *= THOUSAND;
            m_costUnit = unit;
        }
    }
}

double
DesignUnits::GetTime() const
{
    return m_time;
}

double
DesignUnits::GetCost() const
{
    return m_cost;
}

std::string
DesignUnits::GetTimeHeading(const std::string& text) const
{
    return text + Behind(m_timeUnit);
}

std::string
DesignUnits::GetCostHeading(const std::string& text) const
{
    return text + " " + m_costUnit;
}

std::string
DesignUnits::GetTimeName() const
{
    return m_isSlowdown ? "slowdown" : "time";
}

std::string
DesignUnits::GetObjective() const
{
    return m_objective == Objective::Cost   ? "cost"
           : m_objective == Objective::Time ? GetTimeName()
                                            : GetTimeName() + " times cost";
}

std::string
DesignUnits::GetProductUnit() const
{
    return (m_timeUnit.empty() ? "" : m_timeUnit + " ") + m_costUnit;
}

std::string
DesignUnits::FormatTime(double ns) const
{
    return FormatFixed(ns / m_time, DIGITS) + Behind(m_timeUnit);
}

std::string
DesignUnits::FormatCost(double dollars) const
{
    return FormatFixed(dollars / m_cost, DIGITS) + " " + m_costUnit;
}

double
DesignUnits::Scale(double value) const
{
    return value / (m_objective == Objective::Cost ? 1 : m_time) /
           (m_objective == Objective::Time ? 1 : m_cost);
}

std::string
DesignUnits::GetValueUnit() const
{
    return m_objective == Objective::Cost   ? m_costUnit
           : m_objective == Objective::Time ? m_timeUnit
                                            : GetProductUnit();
}

std::string
DesignUnits::FormatValue(double value) const
{
    return FormatFixed(Scale(value), DIGITS) + Behind(GetValueUnit());
}

std::string
DesignUnits::FormatChange(double change) const
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", std::abs(Scale(change)));
    return (change < 0 ? "falls by " : "grows by ") + (text + Behind(GetValueUnit()));
}

} // namespace mlcluster
} // namespace ns3
