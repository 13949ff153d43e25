/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PUBLISHED_FIGURE_H
#define ML_CLUSTER_PUBLISHED_FIGURE_H

#include "ns3/diagnostics.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A figure that others published, or measured, of a system of a study.
 */
struct PublishedFigure
{
    std::string quantity;  ///< what, one of GetQuantities
    std::string system;    ///< of which; "a/b" for a ratio, "all" for figures over all runs
    std::string scheduler; ///< by which chunk scheduler
    double value{0};       ///< figure; times in us, shares in %
    std::string source{};  ///< whose it is
    std::string group{};   ///< figures that belong together; "" if the table has no groups

    /// @return quantities there are
    static const std::vector<std::string>& GetQuantities();
    /// @throw InputError if there is no such quantity, or the system does not suit it
    void Check() const;
    /// @return whether the value is a time
    bool IsTime() const;
    /// @param of the figure, or ours @return it for a table: times above a second in s
    std::string Format(double of) const;
};

/**
 * @ingroup ml-cluster
 * Reads figures from a CSV file (CsvTable) with the headings `quantity`, `system`, `scheduler`,
 * `value`, `source`, and `group` if there are some. Times have a unit. Quantities:
 *
 * | quantity | is |
 * |---|---|
 * | time | the collective's time, or of other work the run's |
 * | exposed | time of communication without compute, mean over the NPUs |
 * | utilisation | of the bandwidth, by a collective, % |
 * | mfu | model FLOPs utilisation, % |
 * | tokens | tokens per second, of all NPUs |
 * | compute-share, communication-share, remote-memory-share, local-memory-share, idle-share | of
 * the time, %; communication and memory: the exposed part | | communication-lead | exposed
 * communication over the largest of the other parts without compute | | speed-up | over the first
 * scheduler | | ratio | time of system a over that of b, for "a/b" | | exposed-ratio | likewise, of
 * times without compute | | mean-speed-up, max-speed-up | geometric mean and largest speed-up of
 * all runs |
 *
 * @param path the file
 * @param diagnostics receives every problem
 * @return the figures in order
 */
std::vector<PublishedFigure> ReadPublishedFigures(const std::string& path,
                                                  Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PUBLISHED_FIGURE_H
