/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pytorch-job.h"

#include "chakra-writer.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string UNFINISHED = ".part"; ///< ending of files until all are well

} // namespace

PytorchJob::PytorchJob(std::vector<Files> files, const PytorchJobOptions& options)
    : m_files(std::move(files)),
      m_options(options),
      m_nRanks(m_files.size())
{
}

void
PytorchJob::Run(const std::string& prefix, Diagnostics& diagnostics)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    const auto isGood = [&] { return diagnostics.GetErrors().size() == errorsBefore; };
    m_prefix = prefix;
    {
        MessageTally tally(diagnostics);
        for (const auto& files : m_files)
        {
            ConvertRank(files, diagnostics, tally);
        }
    }
    std::sort(m_results.begin(), m_results.end(), [](const auto& a, const auto& b) {
        return a.rank < b.rank;
    });
    if (isGood())
    {
        Check(diagnostics);
    }
    Finish(isGood(), diagnostics);
    if (isGood() && !m_groups.empty())
    {
        diagnostics.Collect({},
                            [&] { WriteCommunicatorGroups(m_groups, prefix + ".groups.json"); });
    }
}

void
PytorchJob::Finish(bool isGood, Diagnostics& diagnostics) const
{
    for (const auto& result : m_results)
    {
        const std::string path = GetPath(result.rank);
        std::error_code failed;
        isGood ? std::filesystem::rename(path + UNFINISHED, path, failed)
               : static_cast<void>(std::filesystem::remove(path + UNFINISHED, failed));
        if (isGood && failed)
        {
            diagnostics.Error({path, 0, ""}, "cannot be written: " + failed.message());
        }
    }
}

std::string
PytorchJob::GetPath(uint32_t rank) const
{
    return m_prefix + "." + std::to_string(rank) + ".et";
}

PytorchTrace
PytorchJob::Read(const Files& files, KinetoTrace& kineto, Diagnostics& diagnostics) const
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    PytorchTrace trace = ReadPytorchTrace(files.executionTrace, diagnostics);
    if (!files.kinetoTrace.empty())
    {
        kineto = ReadKinetoTrace(files.kinetoTrace, diagnostics);
    }
    else if (!trace.isLinked && diagnostics.GetErrors().size() == errorsBefore)
    {
        diagnostics.Error({files.executionTrace, 0, ""},
                          "has neither times nor operations of the device, which a Kineto trace of "
                          "the same run tells; none is given");
    }
    if (kineto.rank && *kineto.rank != files.rank.value_or(*kineto.rank))
    {
        diagnostics.Error({files.kinetoTrace, 0, "distributedInfo.rank"},
                          "is " + std::to_string(*kineto.rank) +
                              ", but the file is given for rank " + std::to_string(*files.rank));
    }
    return trace;
}

uint32_t
PytorchJob::FindRank(const Files& files, const KinetoTrace& kineto) const
{
    const auto place = static_cast<uint32_t>(&files - m_files.data());
    return files.rank ? *files.rank : kineto.rank.value_or(place);
}

void
PytorchJob::ConvertRank(const Files& files, Diagnostics& diagnostics, MessageTally& tally)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    const uint64_t problemsBefore = tally.GetNErrors();
    const auto isGood = [&] {
        return diagnostics.GetErrors().size() == errorsBefore &&
               tally.GetNErrors() == problemsBefore;
    };
    KinetoTrace kineto;
    PytorchTrace trace = Read(files, kineto, diagnostics);
    Result result;
    result.file = files.executionTrace;
    result.rank = FindRank(files, kineto);
    for (const auto& other : m_results)
    {
        if (other.rank == result.rank)
        {
            tally.Error({files.executionTrace, 0, ""},
                        "is of rank " + std::to_string(result.rank) + ", and so is " + other.file);
        }
    }
    if (isGood() && !files.kinetoTrace.empty())
    {
        trace = LinkTraces(trace, kineto, m_options.link, result.ledger, tally);
    }
    if (!isGood())
    {
        return;
    }
    m_nRanks = std::max(m_nRanks, kineto.worldSize);
    result.trace =
        ConvertTrace(trace, kineto.groups, m_nRanks, m_options.convert, result.ledger, tally);
    if (isGood())
    {
        ChakraEncoding encoding;
        encoding.gzip = m_options.gzip;
        diagnostics.Collect({}, [&] {
            WriteChakraGraph(result.trace.nodes,
                             GetPath(result.rank) + UNFINISHED,
                             encoding,
                             result.trace.extras);
        });
    }
    result.trace.extras = ChakraExtras();
    AddGroups(result, tally);
    m_results.push_back(std::move(result));
}

void
PytorchJob::AddGroups(const Result& result, MessageTally& tally)
{
    for (const auto& [name, ranks] : result.trace.groups)
    {
        const auto [known, isNew] = m_groups.emplace(name, ranks);
        m_definer.emplace(name, result.rank);
        if (!isNew && known->second != ranks)
        {
            tally.Error({result.file, 0, "process group " + name},
                        "has ranks " + JoinNumbers(ranks) + ", but " + JoinNumbers(known->second) +
                            " on rank " + std::to_string(m_definer[name]));
        }
    }
}

bool
PytorchJob::IsWhole() const
{
    for (std::size_t i = 0; i < m_results.size(); ++i)
    {
        if (m_results[i].rank != i)
        {
            return false;
        }
    }
    return m_nRanks == m_results.size();
}

void
PytorchJob::Check(Diagnostics& diagnostics) const
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (const auto& result : m_results)
    {
        graphs.push_back(
            std::make_shared<ExecutionGraph>(result.trace.nodes, result.file, diagnostics));
    }
    if (diagnostics.GetErrors().size() > errorsBefore)
    {
        return;
    }
    if (!IsWhole())
    {
        diagnostics.Warning({},
                            std::to_string(m_results.size()) + " of " + std::to_string(m_nRanks) +
                                " ranks are given; whether ranks fit together is not checked");
        return;
    }
    const ClusterWorkload workload(std::move(graphs), m_groups);
    workload.Check(diagnostics);
    if (diagnostics.GetErrors().size() == errorsBefore)
    {
        CheckExchanges(workload, diagnostics);
    }
}

void
PytorchJob::CheckExchanges(const ClusterWorkload& workload, Diagnostics& diagnostics) const
{
    MessageTally tally(diagnostics);
    std::map<std::pair<std::string, uint32_t>, Exchange> exchanges;
    for (uint32_t rank = 0; rank < m_results.size(); ++rank)
    {
        for (const auto& exchange : m_results[rank].trace.exchanges)
        {
            const auto& node = m_results[rank].trace.nodes[exchange.node];
            const uint32_t index = workload.GetGraph(rank).FindNode(node.id);
            exchanges[{node.group, workload.GetGraph(rank).GetOrdinal(index)}][rank] = {
                &node,
                &exchange.receivedBytes};
        }
    }
    for (const auto& [key, parts] : exchanges)
    {
        CheckExchange(workload.GetGroup(key.first), parts, tally);
    }
}

void
PytorchJob::CheckExchange(const std::vector<uint32_t>& members,
                          const Exchange& parts,
                          MessageTally& tally) const
{
    for (const auto& [rank, part] : parts)
    {
        const Diagnostics::Place place{m_results[rank].file, 0, Describe(*part.node)};
        if (part.received->size() != members.size())
        {
            tally.Error(place,
                        "has " + std::to_string(part.received->size()) +
                            " sizes of what it receives; one for each of the " +
                            std::to_string(members.size()) + " members is needed");
            continue;
        }
        const auto own = std::find(members.begin(), members.end(), rank) - members.begin();
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            const auto other = parts.find(members[i]);
            const uint64_t sent =
                other == parts.end() ? part.received->at(i) : other->second.node->peerBytes[own];
            if (sent != part.received->at(i))
            {
                tally.Error(place,
                            "receives " + std::to_string(part.received->at(i)) +
                                " bytes from rank " + std::to_string(members[i]) +
                                ", which sends " + std::to_string(sent) + " (" +
                                Describe(*other->second.node) + ")");
            }
        }
    }
}

const std::vector<PytorchJob::Result>&
PytorchJob::GetResults() const
{
    return m_results;
}

const CommunicatorGroups&
PytorchJob::GetGroups() const
{
    return m_groups;
}

} // namespace mlcluster
} // namespace ns3
