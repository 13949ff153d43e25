/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARETO_TANGENTS_H
#define ML_CLUSTER_PARETO_TANGENTS_H

#include <cstddef>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What is known from below about the times and costs that can be reached together. They and all
 * above them form a convex set, so that each known least value of T + s C is a line that none of
 * them lies below. The product T C over what the lines leave is least in one of their corners.
 */
class ParetoTangents
{
  public:
    /// Where two lines meet.
    struct Corner
    {
        double time; ///< T
        double cost; ///< C
    };

    /// @param time no time is below it @param cost no cost is below it
    ParetoTangents(double time, double cost);

    /// @param slope s, above 0 @param value no T + s C is below it @return whether that is news
    bool Add(double slope, double value);
    Corner GetLowest() const; ///< @return the corner with the least product of time and cost

  private:
    std::vector<Corner> m_corners; ///< from the least time on
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARETO_TANGENTS_H
