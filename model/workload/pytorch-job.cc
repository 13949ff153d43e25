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
      m_traces(m_files.size()),
      m_ledgers(m_files.size()),
      m_nRanks(m_files.size())
{
}

void
PytorchJob::Run(const std::string& prefix, Diagnostics& diagnostics)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    const auto hasErrors = [&] { return diagnostics.GetErrors().size() > errorsBefore; };
    std::vector<std::string> paths;
    for (const auto& files : m_files)
    {
        paths.push_back(prefix + "." + std::to_string(files.rank) + ".et");
    }
    {
        MessageTally tally(diagnostics);
        for (std::size_t i = 0; i < GetSize(); ++i)
        {
            ConvertRank(i, paths[i] + UNFINISHED, diagnostics, tally);
            AddGroups(i, tally);
        }
    }
    if (!hasErrors())
    {
        Check(diagnostics);
    }
    const bool isGood = !hasErrors();
    for (const auto& path : paths)
    {
        std::error_code failed;
        isGood ? std::filesystem::rename(path + UNFINISHED, path, failed)
               : static_cast<void>(std::filesystem::remove(path + UNFINISHED, failed));
        if (isGood && failed)
        {
            diagnostics.Error({path, 0, ""}, "cannot be written: " + failed.message());
        }
    }
    if (!hasErrors() && !m_groups.empty())
    {
        diagnostics.Collect({},
                            [&] { WriteCommunicatorGroups(m_groups, prefix + ".groups.json"); });
    }
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
    if (kineto.rank && *kineto.rank != files.rank)
    {
        diagnostics.Error({files.kinetoTrace, 0, "distributedInfo.rank"},
                          "is " + std::to_string(*kineto.rank) +
                              ", but the file is given for rank " + std::to_string(files.rank));
    }
    return trace;
}

void
PytorchJob::ConvertRank(std::size_t index,
                        const std::string& path,
                        Diagnostics& diagnostics,
                        MessageTally& tally)
{
    const auto& files = m_files[index];
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    const uint64_t problemsBefore = tally.GetNErrors();
    KinetoTrace kineto;
    PytorchTrace trace = Read(files, kineto, diagnostics);
    if (diagnostics.GetErrors().size() == errorsBefore && !files.kinetoTrace.empty())
    {
        trace = LinkTraces(trace, kineto, m_options.link, m_ledgers[index], tally);
    }
    if (diagnostics.GetErrors().size() > errorsBefore || tally.GetNErrors() > problemsBefore)
    {
        return;
    }
    m_nRanks = std::max(m_nRanks, kineto.worldSize);
    auto& converted = m_traces[index];
    converted =
        ConvertTrace(trace, kineto.groups, m_nRanks, m_options.convert, m_ledgers[index], tally);
    if (tally.GetNErrors() == problemsBefore)
    {
        ChakraEncoding encoding;
        encoding.gzip = m_options.gzip;
        diagnostics.Collect({}, [&] {
            WriteChakraGraph(converted.nodes, path, encoding, converted.extras);
        });
    }
    converted.extras = ChakraExtras();
}

void
PytorchJob::AddGroups(std::size_t index, MessageTally& tally)
{
    for (const auto& [name, ranks] : m_traces[index].groups)
    {
        const auto [known, isNew] = m_groups.emplace(name, ranks);
        m_definer.emplace(name, m_files[index].rank);
        if (!isNew && known->second != ranks)
        {
            tally.Error({m_files[index].executionTrace, 0, "process group " + name},
                        "has ranks " + JoinNumbers(ranks) + ", but " + JoinNumbers(known->second) +
                            " on rank " + std::to_string(m_definer[name]));
        }
    }
}

bool
PytorchJob::IsWhole() const
{
    for (std::size_t i = 0; i < GetSize(); ++i)
    {
        if (m_files[i].rank != i)
        {
            return false;
        }
    }
    return m_nRanks == GetSize();
}

void
PytorchJob::Check(Diagnostics& diagnostics) const
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (std::size_t i = 0; i < GetSize(); ++i)
    {
        graphs.push_back(std::make_shared<ExecutionGraph>(m_traces[i].nodes,
                                                          m_files[i].executionTrace,
                                                          diagnostics));
    }
    if (diagnostics.GetErrors().size() > errorsBefore)
    {
        return;
    }
    if (!IsWhole())
    {
        diagnostics.Warning({},
                            std::to_string(GetSize()) + " of " + std::to_string(m_nRanks) +
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
    for (uint32_t rank = 0; rank < GetSize(); ++rank)
    {
        for (const auto& exchange : m_traces[rank].exchanges)
        {
            const auto& node = m_traces[rank].nodes[exchange.node];
            const uint32_t index = workload.GetGraph(rank).FindNode(node.id);
            exchanges[{node.group, workload.GetOrdinals(rank)[index]}][rank] = {
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
        const Diagnostics::Place place{m_files[rank].executionTrace, 0, Describe(*part.node)};
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

std::size_t
PytorchJob::GetSize() const
{
    return m_files.size();
}

const ConvertedTrace&
PytorchJob::GetTrace(std::size_t index) const
{
    return m_traces.at(index);
}

const ConversionLedger&
PytorchJob::GetLedger(std::size_t index) const
{
    return m_ledgers.at(index);
}

const CommunicatorGroups&
PytorchJob::GetGroups() const
{
    return m_groups;
}

} // namespace mlcluster
} // namespace ns3
