/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-tables.h"

#include "report-table.h"
#include "training-rates.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// What makes a collective of one run that of another.
using Identity = std::tuple<std::string, std::string, CollectiveType, uint64_t, uint32_t>;

Identity
GetIdentity(const CollectiveReport& c)
{
    return {c.name, c.group, c.type, c.bytes, c.ranks};
}

double
RelativeDifference(double value, double reference)
{
    if (reference == 0)
    {
        return value == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return (value - reference) / reference;
}

std::string
FormatDifference(double relative)
{
    const std::string percent = FormatFixed(100 * relative, 2);
    return (relative > 0 && percent != "-" ? "+" : "") + percent;
}

/// Per shown collective of the first run its counterpart in another one, null if it has none.
std::vector<const CollectiveReport*>
FindCounterparts(const std::vector<CollectiveReport>& shown,
                 std::size_t nShown,
                 const RunReport& run)
{
    std::map<Identity, std::vector<std::size_t>> rows;
    for (std::size_t i = nShown; i > 0; --i)
    {
        rows[GetIdentity(shown[i - 1])].push_back(i - 1);
    }
    std::vector<const CollectiveReport*> counterparts(nShown, nullptr);
    for (const auto& collective : run.collectives)
    {
        const auto found = rows.find(GetIdentity(collective));
        if (found != rows.end() && !found->second.empty())
        {
            counterparts[found->second.back()] = &collective;
            found->second.pop_back();
        }
    }
    return counterparts;
}

/// What equals the row above, the first run's, is left blank.
std::vector<std::string>
MakeCollectiveRow(const std::string& backend,
                  const CollectiveReport& collective,
                  const CollectiveReport& reference)
{
    const bool isFirst = &collective == &reference;
    const int64_t time = collective.endPs - collective.startPs;
    const int64_t referenceTime = reference.endPs - reference.startPs;
    const std::string group = collective.group.empty() ? "all" : collective.group;
    return {isFirst ? collective.name : "",
            isFirst ? ToString(collective.type) : "",
            isFirst ? group : "",
            backend,
            isFirst ? std::to_string(collective.ranks) : "",
            isFirst ? FormatBytes(collective.bytes) : "",
            FormatMicroseconds(collective.startPs),
            FormatMicroseconds(time),
            FormatFixed(collective.GetAlgorithmBandwidth(), 2),
            FormatFixed(collective.GetBusBandwidth(), 2),
            isFirst ? "" : FormatDifference(RelativeDifference(time, referenceTime))};
}

/// Sum over the ranks.
double
Sum(const RunReport& run, int64_t RankReport::* part)
{
    double sum = 0;
    for (const auto& rank : run.ranks)
    {
        sum += rank.*part;
    }
    return sum;
}

uint64_t
SumSpilled(const RunReport& run)
{
    uint64_t sum = 0;
    for (const auto& rank : run.ranks)
    {
        sum += rank.spilledBytes;
    }
    return sum;
}

std::string
FormatPercent(double part, double whole)
{
    return FormatFixed(whole > 0 ? 100 * part / whole : 0, 1);
}

/// Mean over the ranks of a part of the run's time, in percent.
std::string
FormatShare(const RunReport& run, int64_t RankReport::* part)
{
    return FormatPercent(Sum(run, part), static_cast<double>(run.finishTimePs) * run.ranks.size());
}

/// Times of one kind and family of communication, summed over ranks.
struct GroupSum
{
    std::string kind;    ///< "collectives", "messages"
    uint64_t ranks{0};   ///< that have it
    double busyPs{0};    ///< some of it pending
    double exposedPs{0}; ///< some of it pending, no compute
};

using GroupSums = std::map<std::pair<bool, std::string>, GroupSum>; ///< by kind and family

GroupSums
SumGroups(const RunReport& run)
{
    GroupSums sums;
    for (const auto& report : run.communication)
    {
        GroupSum& sum = sums[{report.isCollective, GetGroupFamily(report.group)}];
        sum.kind = report.GetKind();
        ++sum.ranks;
        sum.busyPs += report.busyPs;
        sum.exposedPs += report.exposedPs;
    }
    return sums;
}

void
PrintGroups(std::ostream& os,
            const std::vector<RunReport>& runs,
            std::size_t maxGroups,
            const std::string& where)
{
    std::vector<GroupSums> sums;
    for (const auto& run : runs)
    {
        sums.push_back(SumGroups(run));
    }
    ReportTable table({"communication", "group", "backend", "ranks", "busy(%)", "exposed(%)"}, 3);
    std::size_t nShown = 0;
    for (auto entry = sums[0].begin(); entry != sums[0].end() && nShown < maxGroups; ++entry)
    {
        ++nShown;
        const auto& [isCollective, group] = entry->first;
        for (std::size_t k = 0; k < runs.size(); ++k)
        {
            const GroupSum& sum = sums[k][entry->first];
            const double whole = static_cast<double>(runs[k].finishTimePs) * sum.ranks;
            table.AddRow({k == 0 ? sum.kind : "",
                          k == 0 ? (isCollective && group.empty() ? "all" : group) : "",
                          runs[k].backend,
                          std::to_string(sum.ranks),
                          FormatPercent(sum.busyPs, whole),
                          FormatPercent(sum.exposedPs, whole)});
        }
    }
    if (nShown > 0)
    {
        os << "\n";
        table.Print(os);
    }
    if (nShown < sums[0].size())
    {
        os << "... " << sums[0].size() - nShown << " more groups: " << where << "\n";
    }
}

} // namespace

void
PrintRuns(std::ostream& os, const std::vector<RunReport>& runs)
{
    ReportTable table({"backend",
                       "finish time(us)",
                       "difference(%)",
                       "compute(%)",
                       "exposed communication(%)",
                       "wall time(s)",
                       "events",
                       "events/s"},
                      1);
    for (const auto& run : runs)
    {
        const double difference = run.partial
                                      ? std::numeric_limits<double>::quiet_NaN()
                                      : RelativeDifference(run.finishTimePs, runs[0].finishTimePs);
        const double speed = run.wallSeconds > 0 ? run.events / run.wallSeconds : 0;
        table.AddRow({run.backend + (run.partial ? " (stopped)" : ""),
                      FormatMicroseconds(run.finishTimePs),
                      &run == &runs[0] ? "" : FormatDifference(difference),
                      FormatShare(run, &RankReport::computePs),
                      FormatShare(run, &RankReport::exposedCommunicationPs),
                      FormatFixed(run.wallSeconds, 3),
                      std::to_string(run.events),
                      FormatFixed(speed, 0)});
    }
    table.Print(os);
    for (const auto& run : runs)
    {
        if (run.repeats)
        {
            os << "Repetitions, " << run.backend << ": " << run.repeats->Describe() << "\n";
        }
        if (run.nodeFileBytes > 0)
        {
            os << "Nodes beyond workload.node-memory, " << run.backend << ": "
               << FormatBytes(run.nodeFileBytes) << " in a temporary file\n";
        }
        const auto fullest =
            std::max_element(run.ranks.begin(), run.ranks.end(), [](const auto& a, const auto& b) {
                return a.peakLocalMemoryBytes < b.peakLocalMemoryBytes;
            });
        if (fullest != run.ranks.end() && fullest->peakLocalMemoryBytes > 0)
        {
            os << "Local memory, " << run.backend << ": at most "
               << FormatBytes(fullest->peakLocalMemoryBytes) << " held (rank " << fullest->rank
               << "), " << FormatBytes(SumSpilled(run)) << " spilled by all ranks\n";
        }
        if (run.phases)
        {
            os << "Phase granularity, " << run.backend << ": " << run.phases->Describe() << "\n";
        }
        for (const auto& remark : run.memoryRemarks)
        {
            os << "Memory, " << run.backend << ": " << remark << "\n";
        }
    }
}

void
PrintTraining(std::ostream& os, const std::vector<RunReport>& runs)
{
    ReportTable table(
        {"backend", "step time(us)", "samples/s", "tokens/s", "tokens/s/NPU", "MFU(%)", "HFU(%)"},
        1);
    bool hasRows = false;
    for (const auto& run : runs)
    {
        if (!run.training || run.partial)
        {
            continue;
        }
        const auto format = [](double value, int decimals) {
            return value > 0 ? FormatFixed(value, decimals) : "-";
        };
        const TrainingRates rates(run);
        table.AddRow({run.backend,
                      FormatFixed(rates.stepPs / 1e6, 3),
                      format(rates.samplesPerSecond, 1),
                      format(rates.tokensPerSecond, 1),
                      format(rates.tokensPerSecondPerNpu, 1),
                      format(100 * rates.modelUtilisation, 2),
                      format(100 * rates.hardwareUtilisation, 2)});
        hasRows = true;
    }
    if (hasRows)
    {
        table.Print(os);
    }
}

void
PrintBreakdown(std::ostream& os,
               const std::vector<RunReport>& runs,
               std::size_t maxGroups,
               const std::string& where)
{
    ReportTable table({"backend",
                       "compute(%)",
                       "exposed communication(%)",
                       "exposed memory(%)",
                       "exposed local memory(%)",
                       "host(%)",
                       "idle(%)",
                       "overlapped communication(%)",
                       "overlap(%)"},
                      1);
    for (const auto& run : runs)
    {
        const double overlapped = Sum(run, &RankReport::overlappedCommunicationPs);
        const double exposed = Sum(run, &RankReport::exposedCommunicationPs);
        table.AddRow({run.backend,
                      FormatShare(run, &RankReport::computePs),
                      FormatShare(run, &RankReport::exposedCommunicationPs),
                      FormatShare(run, &RankReport::exposedMemoryPs),
                      FormatShare(run, &RankReport::exposedLocalMemoryPs),
                      FormatShare(run, &RankReport::hostPs),
                      FormatShare(run, &RankReport::idlePs),
                      FormatShare(run, &RankReport::overlappedCommunicationPs),
                      FormatPercent(overlapped, overlapped + exposed)});
    }
    table.Print(os);
    PrintGroups(os, runs, maxGroups, where);
}

void
PrintCollectives(std::ostream& os,
                 const std::vector<RunReport>& runs,
                 std::size_t maxCollectives,
                 const std::string& where)
{
    const auto& collectives = runs[0].collectives;
    if (collectives.empty())
    {
        os << "No collectives were run.\n";
        return;
    }
    const std::size_t nShown = std::min(maxCollectives, collectives.size());
    ReportTable table({"collective",
                       "type",
                       "group",
                       "backend",
                       "ranks",
                       "size",
                       "start(us)",
                       "time(us)",
                       "algbw(GB/s)",
                       "busbw(GB/s)",
                       "difference(%)"},
                      4);
    std::vector<std::vector<const CollectiveReport*>> counterparts;
    for (const auto& run : runs)
    {
        counterparts.push_back(FindCounterparts(collectives, nShown, run));
    }
    for (std::size_t i = 0; i < nShown; ++i)
    {
        for (std::size_t k = 0; k < runs.size(); ++k)
        {
            if (counterparts[k][i])
            {
                table.AddRow(
                    MakeCollectiveRow(runs[k].backend, *counterparts[k][i], *counterparts[0][i]));
            }
        }
    }
    table.Print(os);
    if (nShown < collectives.size())
    {
        os << "... " << collectives.size() - nShown << " more collectives: " << where << "\n";
    }
}

} // namespace mlcluster
} // namespace ns3
