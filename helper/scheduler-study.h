/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULER_STUDY_H
#define ML_CLUSTER_SCHEDULER_STUDY_H

#include "ns3/experiment-config.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Chunk schedulers against each other: one collective on every system of a folder, for some sizes,
 * numbers of chunks and schedulers.
 *
 * A system is an experiment file, called by its name without ".yaml". A scheduler is written
 * "baseline" or "themis/smallest-first": a CollectivePlanner's Scheduler and QueuePolicy. The
 * utilisation is Themis' (CollectiveBounds), the speed-up that over the first scheduler.
 *
 * Figures to compare with stand in the folder's `published.csv`, a line each: `quantity, system,
 * scheduler, value, source`. Quantities are time (us), utilisation (%) of a system at its own size,
 * ratio (system is "a/b": time of a over time of b), and mean-speed-up (geometric) and max-speed-up
 * over all runs (system is "all").
 */
class SchedulerStudy
{
  public:
    /// One run.
    struct Row
    {
        std::string system;    ///< which
        std::string topology;  ///< its notation
        uint32_t ranks;        ///< NPUs
        uint64_t bytes;        ///< size of the collective
        uint32_t chunks;       ///< it is cut into
        std::string scheduler; ///< as given
        int64_t timePs;        ///< it took, ps
        double utilisation;    ///< share of the bandwidth used
        double speedUp;        ///< over the first scheduler
        bool isOwn;            ///< size and chunks are those of the system's file
    };

    /// A figure to compare with.
    struct Published
    {
        std::string quantity;  ///< what
        std::string system;    ///< of which
        std::string scheduler; ///< by which
        double value;          ///< figure
        std::string source;    ///< whose it is
    };

    /**
     * Reads a folder.
     * @param folder path, or name of a shipped one
     * @param diagnostics receives every problem of its files; the study is unusable then
     */
    SchedulerStudy(const std::string& folder, Diagnostics& diagnostics);

    /**
     * Runs everything.
     * @param sizes of the collective, bytes; none: as the files have it
     * @param chunks likewise
     * @param schedulers at least one
     * @param argc number of arguments of main
     * @param argv arguments of main, whose attributes win over the files'
     * @return false if a signal came
     * @throw InputError if a scheduler is not known or a run cannot finish
     */
    bool Run(const std::vector<uint64_t>& sizes,
             const std::vector<uint32_t>& chunks,
             const std::vector<std::string>& schedulers,
             int argc,
             char* argv[]);

    const std::vector<Row>& GetRows() const; ///< @return the runs, in order
    /// @param published a figure @return ours; not a number if it was not run
    double GetOurs(const Published& published) const;
    /// @param os receives a table of the runs, the speed-ups, and what is published
    void Print(std::ostream& os) const;
    /// @param os receives the runs as CSV
    void WriteRows(std::ostream& os) const;

    /**
     * @param text a line of published.csv
     * @return the figure
     * @throw InputError with what is wrong
     */
    static Published ParsePublished(const std::string& text);

  private:
    /// @param path published.csv @param diagnostics receives its problems
    void ReadPublished(const std::string& path, Diagnostics& diagnostics);
    /// @param config a system, its attributes in force @param row receives figures
    /// @return whether it ended
    static bool RunOne(const ExperimentConfig& config, Row& row);
    /// @param system which @param scheduler by which @return its run
    /// as the file has it; null if there is none
    const Row* Find(const std::string& system, const std::string& scheduler) const;
    /// @param scheduler a scheduler @return speed-ups of all its runs
    std::vector<double> GetSpeedUps(const std::string& scheduler) const;

    std::vector<ExperimentConfig> m_systems; ///< by name
    std::vector<Published> m_published;      ///< in order
    std::vector<Row> m_rows;                 ///< in order
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULER_STUDY_H
