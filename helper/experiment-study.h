/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_STUDY_H
#define ML_CLUSTER_EXPERIMENT_STUDY_H

#include "published-figure.h"
#include "study-statement.h"
#include "study-systems.h"

#include "ns3/run-report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The experiments of a folder (ReadStudySystems), each with some chunk schedulers, beside the
 * figures of its `published.csv` (ReadPublishedFigures) and the statements of its `statements.csv`
 * (ReadStudyStatements). A lone collective may be run with several
 * sizes, everything with several numbers of chunks. Each experiment is run by the first of its
 * backends.
 *
 * A scheduler is written "baseline" or "themis/smallest-first": a CollectivePlanner's Scheduler and
 * QueuePolicy. The utilisation is Themis' (CollectiveBounds), the speed-up that over the first
 * scheduler.
 */
class ExperimentStudy
{
  public:
    /// What to run.
    struct Choice
    {
        std::vector<std::string> systems{}; ///< which, by name or by that of their line; none: all
        std::vector<std::string> schedulers{}; ///< none: the baseline and those of published
                                               ///< figures and statements, or all
        std::vector<uint64_t> sizes{};       ///< of collectives, bytes; none: as the files have it
        std::vector<uint32_t> chunks{};      ///< likewise
        std::vector<std::string> variants{}; ///< of lines, BASE for themselves; none: all
    };

    /// In a choice of variants, lines as they are.
    static constexpr const char* BASE = "base";

    /// One run.
    struct Row
    {
        std::string system;                      ///< which
        std::string line{};                      ///< of the table, see StudySystem
        std::string variant{};                   ///< likewise
        std::vector<StudySystem::Swept> swept{}; ///< likewise
        std::string reference{};                 ///< likewise
        double overReference{0};                 ///< speed-up over it; 0 if there is none
        std::string topology;                    ///< its notation
        uint32_t ranks{0};                       ///< NPUs
        uint64_t bytes{0};       ///< size of the collective; 0 if the work is something else
        uint32_t chunks{0};      ///< a collective is cut into
        std::string scheduler;   ///< as given
        bool isOwn{true};        ///< size and chunks are those of the system's file
        int64_t timePs{0};       ///< of the collective, or of the run
        double computePs{0};     ///< mean over the NPUs
        double exposedPs{0};     ///< exposed communication, mean over the NPUs
        double remotePs{0};      ///< exposed remote memory, likewise
        double localPs{0};       ///< exposed local memory, likewise
        double hostPs{0};        ///< host alone, likewise
        double idlePs{0};        ///< nothing at work, likewise
        double utilisation{0};   ///< share of the bandwidth used, by a lone collective
        double mfu{0};           ///< model FLOPs utilisation, a share; 0 if not known
        double tokens{0};        ///< per second, of all NPUs; 0 if not known
        double speedUp{1};       ///< over the first scheduler
        uint64_t events{0};      ///< executed
        double wallSeconds{0};   ///< that the simulation took
        uint64_t memoryBytes{0}; ///< largest resident size of the process so far
        uint64_t phases{0};      ///< chunk phases of collectives, with phase granularity
        uint64_t fallenBack{0};  ///< of these, run by messages
    };

    /**
     * Reads a folder.
     * @param folder path, or name of a shipped one
     * @param diagnostics receives every problem of its files; the study is unusable then
     */
    ExperimentStudy(const std::string& folder, Diagnostics& diagnostics);

    /**
     * Runs what is chosen.
     * @param choice what
     * @param argc number of arguments of main
     * @param argv arguments of main, whose attributes win over the files'
     * @return false if a signal came
     * @throw InputError if the choice does not fit, or if a run cannot finish
     */
    bool Run(const Choice& choice, int argc, char* argv[]);

    /// @return the runs, in order
    const std::vector<Row>& GetRows() const;
    /// @return figures to compare with, in order
    const std::vector<PublishedFigure>& GetPublished() const;
    /// @return statements to judge, in order
    const std::vector<StudyStatement>& GetStatements() const;
    /// @param published a figure @return ours, in its unit; not a number if it was not run
    double GetOurs(const PublishedFigure& published) const;
    /// @param scheduler a scheduler @return speed-ups of all its runs
    std::vector<double> GetSpeedUps(const std::string& scheduler) const;

  private:
    /// @param given schedulers that the user wants; if none, baseline and those of published
    /// figures and of statements, or without any of these some of each kind @return those to run
    std::vector<std::string> ChooseSchedulers(const std::vector<std::string>& given) const;
    /// @param choice to check
    void Check(const Choice& choice) const;
    /// @param config which, size and attributes in force @param row receives figures
    /// @return whether it ended
    static bool RunOne(const ExperimentConfig& config, Row& row);
    void CompareRows(); ///< Compares the runs with those of their references.
    /// @param system which @param scheduler by which @return its run as the file has it; null if
    /// there is none
    const Row* Find(const std::string& system, const std::string& scheduler) const;
    /// @param figure of "a/b", ratio or exposed-ratio @return ours; not a number if one was not run
    double GetRatio(const PublishedFigure& figure) const;

    std::vector<StudySystem> m_systems;       ///< in order
    std::vector<PublishedFigure> m_published; ///< in order
    std::vector<StudyStatement> m_statements; ///< in order
    std::vector<Row> m_rows;                  ///< in order
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_STUDY_H
