/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PYTORCH_JOB_H
#define ML_CLUSTER_PYTORCH_JOB_H

#include "cluster-workload.h"
#include "pytorch-converter.h"
#include "trace-linker.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Options of a PytorchJob.
 */
struct PytorchJobOptions
{
    TraceLinkOptions link;         ///< how traces are linked
    PytorchConvertOptions convert; ///< how they are converted
    bool gzip{false};              ///< compress the Chakra traces
};

/**
 * @ingroup ml-cluster
 * Converts the traces of all ranks of a job, one after the other, and sees to it that they fit
 * together: one set of communicator groups; see ClusterWorkload::Check; and in every all-to-all of
 * unequal parts what a rank receives from another is what that sends. If only some ranks of a job
 * are given, they are not compared with each other.
 */
class PytorchJob
{
  public:
    /// Files of a rank.
    struct Files
    {
        std::optional<uint32_t> rank; ///< the rank; if not given, the one that the Kineto trace
                                      ///< tells, or else the place of the files among all
        std::string executionTrace;   ///< execution trace, or one already linked
        std::string kinetoTrace;      ///< Kineto trace; "" if the other is linked
    };

    /// @param files of each rank @param options how to convert
    PytorchJob(std::vector<Files> files, const PytorchJobOptions& options);

    /**
     * Reads, links, converts, checks, and writes PREFIX.RANK.et, and PREFIX.groups.json if there
     * are groups. No file is left if there are errors.
     * @param prefix path up to the rank
     * @param diagnostics receives problems
     */
    void Run(const std::string& prefix, Diagnostics& diagnostics);

    /// What became of a rank.
    struct Result
    {
        uint32_t rank{0};        ///< the rank
        std::string file;        ///< its execution trace
        ConvertedTrace trace;    ///< without what only the file holds
        ConversionLedger ledger; ///< books
    };

    const std::vector<Result>& GetResults() const; ///< @return ranks that were converted, ascending
    const CommunicatorGroups& GetGroups() const;   ///< @return groups of all ranks

  private:
    /// What a rank does in an exchange.
    struct Part
    {
        const ExecutionNode* node;             ///< its node
        const std::vector<uint64_t>* received; ///< bytes from each member
    };

    using Exchange = std::map<uint32_t, Part>; ///< an all-to-all, by rank

    /// @param files of a rank @param kineto receives its Kineto trace, if it has one
    /// @param diagnostics receives problems @return its execution trace
    PytorchTrace Read(const Files& files, KinetoTrace& kineto, Diagnostics& diagnostics) const;
    /// @param files of a rank @param kineto its Kineto trace, if it has one @return the rank
    uint32_t FindRank(const Files& files, const KinetoTrace& kineto) const;
    /// @param files of a rank @param diagnostics receives problems of files @param tally receives
    /// problems of linking and converting
    void ConvertRank(const Files& files, Diagnostics& diagnostics, MessageTally& tally);
    /// @param result a rank whose groups are added @param tally receives contradictions
    void AddGroups(const Result& result, MessageTally& tally);
    /// @param isGood whether the files written become those asked for, or are removed
    /// @param diagnostics receives what cannot be done
    void Finish(bool isGood, Diagnostics& diagnostics) const;
    /// @param rank a rank @return path of its file
    std::string GetPath(uint32_t rank) const;
    /// @param diagnostics receives what does not fit together
    void Check(Diagnostics& diagnostics) const;
    /// @param workload the job @param diagnostics receives exchanges that do not fit
    void CheckExchanges(const ClusterWorkload& workload, Diagnostics& diagnostics) const;
    /// @param members of the group @param parts what they do @param tally receives what does not
    /// fit
    void CheckExchange(const std::vector<uint32_t>& members,
                       const Exchange& parts,
                       MessageTally& tally) const;

    /// @return whether the ranks given are all of the job
    bool IsWhole() const;

    std::vector<Files> m_files;                ///< per rank
    PytorchJobOptions m_options;               ///< how to convert
    std::string m_prefix;                      ///< path of the files up to the rank
    std::vector<Result> m_results;             ///< per rank
    uint64_t m_nRanks;                         ///< ranks of the job
    CommunicatorGroups m_groups;               ///< of all ranks
    std::map<std::string, uint32_t> m_definer; ///< rank that first had a group
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_JOB_H
