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
        uint32_t rank;              ///< the rank
        std::string executionTrace; ///< execution trace, or one already linked
        std::string kinetoTrace;    ///< Kineto trace; "" if the other is linked
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

    std::size_t GetSize() const; ///< @return number of ranks given
    /// @param index place of a rank @return its trace, without what only the file holds
    const ConvertedTrace& GetTrace(std::size_t index) const;
    const ConversionLedger& GetLedger(
        std::size_t index) const;                ///< @param index place of a rank @return its books
    const CommunicatorGroups& GetGroups() const; ///< @return groups of all ranks

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
    /// @param index place of a rank @param path of its file @param diagnostics receives problems of
    /// files @param tally receives problems of linking and converting
    void ConvertRank(std::size_t index,
                     const std::string& path,
                     Diagnostics& diagnostics,
                     MessageTally& tally);
    /// @param index place of a rank whose groups are added @param tally receives contradictions
    void AddGroups(std::size_t index, MessageTally& tally);
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
    std::vector<ConvertedTrace> m_traces;      ///< per rank
    std::vector<ConversionLedger> m_ledgers;   ///< per rank
    uint64_t m_nRanks;                         ///< ranks of the job
    CommunicatorGroups m_groups;               ///< of all ranks
    std::map<std::string, uint32_t> m_definer; ///< rank that first had a group
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PYTORCH_JOB_H
