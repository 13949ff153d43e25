/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scheduler-study.h"

#include "ns3/chunk-scheduler.h"
#include "ns3/collective-planner.h"
#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <ostream>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string PLANNER = "ns3::mlcluster::CollectivePlanner::";
constexpr int64_t PS_PER_US = 1'000'000;
constexpr double NAN_VALUE = std::numeric_limits<double>::quiet_NaN();

std::string
GetName(const ExperimentConfig& config)
{
    return std::filesystem::path(config.file).stem().string();
}

/// Puts a scheduler, such as "themis/smallest-first", in force.
void
ApplyScheduler(const std::string& scheduler)
{
    const auto slash = scheduler.find('/');
    const std::string name = scheduler.substr(0, slash);
    const std::string policy = slash == std::string::npos ? "fifo" : scheduler.substr(slash + 1);
    CheckWord("scheduler", name, ChunkScheduler::GetNames());
    CheckWord("queue policy", policy, CollectiveOptions::GetQueuePolicies());
    Config::SetDefault(PLANNER + "Scheduler", StringValue(name));
    Config::SetDefault(PLANNER + "QueuePolicy", StringValue(policy));
}

double
GetGeometricMean(const std::vector<double>& values)
{
    const double sum =
        std::accumulate(values.begin(), values.end(), 0.0, [](double total, double value) {
            return total + std::log(value);
        });
    return values.empty() ? NAN_VALUE : std::exp(sum / values.size());
}

} // namespace

SchedulerStudy::SchedulerStudy(const std::string& folder, Diagnostics& diagnostics)
{
    const std::filesystem::path path = FindExperimentFile(folder);
    std::error_code error;
    std::set<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
         entry.increment(error))
    {
        if (entry->path().extension() == ".yaml")
        {
            files.insert(entry->path());
        }
    }
    if (files.empty())
    {
        diagnostics.Error({path.string(), 0, ""},
                          "is no folder with experiment files (.yaml) that can be read");
    }
    for (const auto& file : files)
    {
        m_systems.push_back(ReadExperimentConfig(file.string(), diagnostics));
        if (!m_systems.back().collective && !diagnostics.HasErrors())
        {
            diagnostics.Error({file.string(), 0, "workload"},
                              "is no collective; a study of schedulers needs one");
        }
    }
    ReadPublished((path / "published.csv").string(), diagnostics);
}

void
SchedulerStudy::ReadPublished(const std::string& path, Diagnostics& diagnostics)
{
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);)
    {
        if (++number > 1 && !line.empty())
        {
            diagnostics.Collect({path, number, ""},
                                [&] { m_published.push_back(ParsePublished(line)); });
        }
    }
}

SchedulerStudy::Published
SchedulerStudy::ParsePublished(const std::string& text)
{
    constexpr std::size_t N_FIELDS = 5;
    const auto fields = SplitWords(text, ',');
    if (fields.size() != N_FIELDS)
    {
        throw InputError(std::to_string(fields.size()) +
                         " fields; needed are quantity, system, scheduler, value, source");
    }
    CheckWord("quantity",
              fields[0],
              {"time", "utilisation", "ratio", "mean-speed-up", "max-speed-up"});
    if (fields[0] == "ratio" && fields[1].find('/') == std::string::npos)
    {
        throw InputError("\"" + fields[1] + "\" is no ratio of two systems, such as a/b");
    }
    return {fields[0], fields[1], fields[2], ParseNumber(fields[3]), fields[4]};
}

bool
SchedulerStudy::Run(const std::vector<uint64_t>& sizes,
                    const std::vector<uint32_t>& chunks,
                    const std::vector<std::string>& schedulers,
                    int argc,
                    char* argv[])
{
    for (auto config : m_systems)
    {
        const uint64_t ownBytes = config.collectiveBytes;
        for (const uint64_t bytes : sizes.empty() ? std::vector{config.collectiveBytes} : sizes)
        {
            for (const uint32_t number : chunks.empty() ? std::vector{0U} : chunks)
            {
                int64_t firstPs = 0;
                for (const auto& scheduler : schedulers)
                {
                    Config::Reset();
                    ApplyAttributes(config, argc, argv);
                    ApplyScheduler(scheduler);
                    if (number > 0)
                    {
                        Config::SetDefault(PLANNER + "Chunks", UintegerValue(number));
                    }
                    config.collectiveBytes = bytes;
                    const uint32_t inForce = CreateObject<CollectivePlanner>()->GetOptions().chunks;
                    const bool isOwn = bytes == ownBytes && number == 0;
                    Row row{GetName(config), "", 0, bytes, inForce, scheduler, 0, 0, 0, isOwn};
                    if (!RunOne(config, row))
                    {
                        return false;
                    }
                    firstPs = firstPs == 0 ? row.timePs : firstPs;
                    row.speedUp = static_cast<double>(firstPs) / row.timePs;
                    m_rows.push_back(row);
                }
            }
        }
    }
    return true;
}

bool
SchedulerStudy::RunOne(const ExperimentConfig& config, Row& row)
{
    const ClusterTopology topology(config.dimensions);
    const RunReport run = ExperimentRunner(config).Run().at(0);
    if (run.partial)
    {
        return false;
    }
    row.topology = topology.GetNotation();
    row.ranks = topology.GetNRanks();
    const CollectiveReport& collective = run.collectives.at(0);
    row.timePs = collective.endPs - collective.startPs;
    row.utilisation = collective.utilisation;
    return true;
}

const std::vector<SchedulerStudy::Row>&
SchedulerStudy::GetRows() const
{
    return m_rows;
}

const SchedulerStudy::Row*
SchedulerStudy::Find(const std::string& system, const std::string& scheduler) const
{
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& candidate) {
        return candidate.isOwn && candidate.system == system && candidate.scheduler == scheduler;
    });
    return row == m_rows.end() ? nullptr : &*row;
}

std::vector<double>
SchedulerStudy::GetSpeedUps(const std::string& scheduler) const
{
    std::vector<double> speedUps;
    for (const auto& row : m_rows)
    {
        if (row.scheduler == scheduler)
        {
            speedUps.push_back(row.speedUp);
        }
    }
    return speedUps;
}

double
SchedulerStudy::GetOurs(const Published& published) const
{
    const auto speedUps = GetSpeedUps(published.scheduler);
    if (published.quantity == "mean-speed-up")
    {
        return GetGeometricMean(speedUps);
    }
    if (published.quantity == "max-speed-up")
    {
        return speedUps.empty() ? NAN_VALUE : *std::max_element(speedUps.begin(), speedUps.end());
    }
    const auto slash = published.system.find('/');
    const Row* row = Find(published.system.substr(0, slash), published.scheduler);
    if (!row)
    {
        return NAN_VALUE;
    }
    if (published.quantity == "ratio")
    {
        const Row* other = Find(published.system.substr(slash + 1), published.scheduler);
        return other ? static_cast<double>(row->timePs) / other->timePs : NAN_VALUE;
    }
    return published.quantity == "time" ? static_cast<double>(row->timePs) / PS_PER_US
                                        : 100 * row->utilisation;
}

void
SchedulerStudy::Print(std::ostream& os) const
{
    ReportTable table({"system",
                       "topology",
                       "scheduler",
                       "NPUs",
                       "size",
                       "chunks",
                       "time us",
                       "utilisation %",
                       "speed-up"},
                      3);
    std::vector<std::string> schedulers;
    for (const auto& row : m_rows)
    {
        table.AddRow({row.system,
                      row.topology,
                      row.scheduler,
                      std::to_string(row.ranks),
                      FormatBytes(row.bytes),
                      std::to_string(row.chunks),
                      FormatMicroseconds(row.timePs),
                      FormatFixed(100 * row.utilisation, 2),
                      FormatFixed(row.speedUp, 3)});
        if (std::find(schedulers.begin(), schedulers.end(), row.scheduler) == schedulers.end())
        {
            schedulers.push_back(row.scheduler);
        }
    }
    table.Print(os);
    for (std::size_t i = 1; i < schedulers.size(); ++i)
    {
        const auto speedUps = GetSpeedUps(schedulers[i]);
        os << "\n"
           << schedulers[i] << " over " << schedulers[0] << ", " << speedUps.size()
           << " runs: geometric mean " << FormatFixed(GetGeometricMean(speedUps), 3) << ", largest "
           << FormatFixed(*std::max_element(speedUps.begin(), speedUps.end()), 3);
    }
    os << "\n\n";
    ReportTable compared(
        {"quantity", "system", "scheduler", "source", "published", "ours", "difference %"},
        4);
    for (const auto& published : m_published)
    {
        const double ours = GetOurs(published);
        compared.AddRow({published.quantity,
                         published.system,
                         published.scheduler,
                         published.source,
                         FormatNumber(published.value),
                         FormatFixed(ours, 3),
                         FormatFixed(100 * (ours / published.value - 1), 2)});
    }
    if (!m_published.empty())
    {
        compared.Print(os);
    }
}

void
SchedulerStudy::WriteRows(std::ostream& os) const
{
    os << "system,topology,ranks,bytes,chunks,scheduler,time_ps,utilisation,speed_up\n";
    for (const auto& row : m_rows)
    {
        os << row.system << "," << row.topology << "," << row.ranks << "," << row.bytes << ","
           << row.chunks << "," << row.scheduler << "," << row.timePs << ","
           << FormatNumber(row.utilisation) << "," << FormatNumber(row.speedUp) << "\n";
    }
}

} // namespace mlcluster
} // namespace ns3
