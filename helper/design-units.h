/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DESIGN_UNITS_H
#define ML_CLUSTER_DESIGN_UNITS_H

#include "design-report.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Units in which times and costs of a design are printed: such that the numbers are of a handy
 * size. With the combination Worst times are slowdowns, without unit.
 */
class DesignUnits
{
  public:
    /// @param report a design with its answer
    explicit DesignUnits(const DesignReport& report);

    double GetTime() const; ///< @return ns of one unit of time
    double GetCost() const; ///< @return $ of one unit of cost
    /// @param text before the unit @return a heading
    std::string GetTimeHeading(const std::string& text) const;
    /// @param text before the unit @return a heading
    std::string GetCostHeading(const std::string& text) const;
    std::string GetTimeName() const;    ///< @return "time" or "slowdown"
    std::string GetObjective() const;   ///< @return what is least, in words
    std::string GetProductUnit() const; ///< @return of time times cost
    /// @param ns a time @return it with its unit
    std::string FormatTime(double ns) const;
    /// @param dollars a cost @return it with its unit
    std::string FormatCost(double dollars) const;
    /// @param value of the objective @return it with its unit
    std::string FormatValue(double value) const;
    /// @param change of the objective @return such as "falls by 0.04349 ms"
    std::string FormatChange(double change) const;
    /// @param value of the objective @return it without unit
    double Scale(double value) const;
    std::string GetValueUnit() const; ///< @return of the objective

  private:
    BandwidthProblem::Objective m_objective; ///< what is least
    bool m_isSlowdown;                       ///< whether times are that
    double m_time{1};                        ///< ns
    std::string m_timeUnit;                  ///< its name
    double m_cost{1};                        ///< $
    std::string m_costUnit{"$"};             ///< its name
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DESIGN_UNITS_H
