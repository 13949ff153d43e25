/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-study.h"

#include "ns3/collective-planner.h"
#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/quantity.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string PLANNER = "ns3::mlcluster::CollectivePlanner::";
constexpr double PS_PER_US = 1e6;
constexpr double NAN_VALUE = std::numeric_limits<double>::quiet_NaN();

double
GetGeometricMean(const std::vector<double>& values)
{
    const double sum =
        std::accumulate(values.begin(), values.end(), 0.0, [](double total, double value) {
            return total + std::log(value);
        });
    return values.empty() ? NAN_VALUE : std::exp(sum / values.size());
}

/// @param run a run @param part of the ranks' time @return its mean over the ranks, ps
double
GetMean(const RunReport& run, int64_t RankReport::* part)
{
    const double sum =
        std::accumulate(run.ranks.begin(),
                        run.ranks.end(),
                        0.0,
                        [&](double total, const RankReport& rank) { return total + rank.*part; });
    return run.ranks.empty() ? 0 : sum / run.ranks.size();
}

/// Quantities that are shares of the time.
const std::map<std::string, double ExperimentStudy::Row::*> SHARES = {
    {"compute-share", &ExperimentStudy::Row::computePs},
    {"communication-share", &ExperimentStudy::Row::exposedPs},
    {"remote-memory-share", &ExperimentStudy::Row::remotePs},
    {"local-memory-share", &ExperimentStudy::Row::localPs},
    {"idle-share", &ExperimentStudy::Row::idlePs},
};

/// @param row a run @return exposed communication over the largest other part that is no compute;
/// infinity if there is communication only
double
GetLead(const ExperimentStudy::Row& row)
{
    const double other = std::max({row.remotePs, row.localPs, row.hostPs, row.idlePs});
    const double none = row.exposedPs > 0 ? std::numeric_limits<double>::infinity() : 0;
    return other > 0 ? row.exposedPs / other : none;
}

/// @param words some, perhaps several times or empty @return each once, in order of the first
std::vector<std::string>
GetUnique(const std::vector<std::string>& words)
{
    std::vector<std::string> unique;
    for (const auto& word : words)
    {
        if (!word.empty() && std::find(unique.begin(), unique.end(), word) == unique.end())
        {
            unique.push_back(word);
        }
    }
    return unique;
}

/// @param choice what to run @param system a system @return whether it is chosen
bool
IsChosen(const ExperimentStudy::Choice& choice, const StudySystem& system)
{
    const auto has = [](const std::vector<std::string>& words, const std::string& word) {
        return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
    };
    const std::string variant = system.variant.empty() ? ExperimentStudy::BASE : system.variant;
    return (has(choice.systems, system.name) || has(choice.systems, system.line)) &&
           has(choice.variants, variant);
}

/// @param values to choose from @param instead what there is if nothing is chosen
/// @return what is chosen
template <typename T>
std::vector<T>
OrElse(const std::vector<T>& values, const T& instead)
{
    return values.empty() ? std::vector<T>{instead} : values;
}

} // namespace

ExperimentStudy::ExperimentStudy(const std::string& folder, Diagnostics& diagnostics)
{
    const std::filesystem::path path = FindExperimentFile(folder);
    m_systems = ReadStudySystems(path.string(), diagnostics);
    const std::string published = (path / "published.csv").string();
    std::error_code ignored;
    if (std::filesystem::exists(published, ignored))
    {
        m_published = ReadPublishedFigures(published, diagnostics);
    }
    const std::string statements = (path / "statements.csv").string();
    if (std::filesystem::exists(statements, ignored))
    {
        m_statements = ReadStudyStatements(statements, diagnostics);
    }
}

std::vector<std::string>
ExperimentStudy::ChooseSchedulers(const std::vector<std::string>& given) const
{
    if (!given.empty())
    {
        return given;
    }
    if (m_published.empty() && m_statements.empty())
    {
        return {"baseline", "themis", "themis/smallest-first"};
    }
    std::vector<std::string> chosen = {"baseline"};
    for (const auto& figure : m_published)
    {
        chosen.push_back(figure.scheduler);
    }
    for (const auto& statement : m_statements)
    {
        chosen.push_back(statement.figure.scheduler);
    }
    return GetUnique(chosen);
}

void
ExperimentStudy::Check(const Choice& choice) const
{
    std::vector<std::string> names;
    std::vector<std::string> variants{BASE};
    for (const auto& system : m_systems)
    {
        names.push_back(system.name);
        names.push_back(system.line);
        variants.push_back(system.variant);
        if (!system.config.collective && !choice.sizes.empty())
        {
            throw InputError("sizes are those of lone collectives; system \"" + system.name +
                             "\" runs something else");
        }
    }
    for (const auto& system : choice.systems)
    {
        CheckWord("system", system, GetUnique(names));
    }
    for (const auto& variant : choice.variants)
    {
        CheckWord("variant", variant, GetUnique(variants));
    }
}

bool
ExperimentStudy::Run(const Choice& choice, int argc, char* argv[])
{
    Check(choice);
    const auto schedulers = ChooseSchedulers(choice.schedulers);
    for (const auto& system : m_systems)
    {
        ExperimentConfig config = system.config;
        const uint64_t ownBytes = config.collectiveBytes;
        const auto sizes =
            IsChosen(choice, system) ? OrElse(choice.sizes, ownBytes) : std::vector<uint64_t>();
        for (const uint64_t bytes : sizes)
        {
            for (const uint32_t chunks : OrElse(choice.chunks, 0U))
            {
                int64_t firstPs = 0;
                for (const auto& scheduler : schedulers)
                {
                    Config::Reset();
                    ApplyAttributes(config, argc, argv);
                    ApplyScheduler(scheduler);
                    if (chunks > 0)
                    {
                        Config::SetDefault(PLANNER + "Chunks", UintegerValue(chunks));
                    }
                    config.collectiveBytes = bytes;
                    Row row;
                    row.system = system.name;
                    row.line = system.line;
                    row.variant = system.variant;
                    row.swept = system.swept;
                    row.reference = system.reference;
                    row.scheduler = scheduler;
                    row.isOwn = bytes == ownBytes && chunks == 0;
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
    CompareRows();
    return true;
}

void
ExperimentStudy::CompareRows()
{
    const auto find = [this](const std::string& name, const Row& like) {
        return std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& row) {
            return row.system == name && row.scheduler == like.scheduler &&
                   row.bytes == like.bytes && row.chunks == like.chunks;
        });
    };
    for (auto& row : m_rows)
    {
        const auto same = find(row.reference + ":" + row.variant, row);
        const auto other = same == m_rows.end() ? find(row.reference, row) : same;
        if (!row.reference.empty() && other != m_rows.end())
        {
            row.overReference = static_cast<double>(other->timePs) / row.timePs;
        }
    }
}

bool
ExperimentStudy::RunOne(const ExperimentConfig& config, Row& row)
{
    ExperimentConfig first = config;
    first.backends.resize(1);
    const RunReport run = ExperimentRunner(first).Run().at(0);
    if (run.partial)
    {
        return false;
    }
    const ClusterTopology topology(config.dimensions);
    row.topology = topology.GetNotation();
    row.ranks = topology.GetNRanks();
    row.bytes = config.collective ? config.collectiveBytes : 0;
    row.chunks = CreateObject<CollectivePlanner>()->GetOptions().chunks;
    row.timePs = run.finishTimePs;
    if (config.collective)
    {
        const CollectiveReport& collective = run.collectives.at(0);
        row.timePs = collective.endPs - collective.startPs;
        row.utilisation = collective.utilisation;
    }
    row.computePs = GetMean(run, &RankReport::computePs);
    row.exposedPs = GetMean(run, &RankReport::exposedCommunicationPs);
    row.remotePs = GetMean(run, &RankReport::exposedMemoryPs);
    row.localPs = GetMean(run, &RankReport::exposedLocalMemoryPs);
    row.hostPs = GetMean(run, &RankReport::hostPs);
    row.idlePs = GetMean(run, &RankReport::idlePs);
    if (run.training)
    {
        const TrainingRates rates(run);
        row.mfu = rates.modelUtilisation;
        row.tokens = rates.tokensPerSecond;
    }
    row.events = run.events;
    row.wallSeconds = run.wallSeconds;
    row.memoryBytes = run.peakMemoryBytes;
    row.fallenBack = run.phases ? run.phases->GetFallenBack() : 0;
    row.phases = run.phases ? run.phases->computed + row.fallenBack : 0;
    return true;
}

const std::vector<ExperimentStudy::Row>&
ExperimentStudy::GetRows() const
{
    return m_rows;
}

const std::vector<StudyStatement>&
ExperimentStudy::GetStatements() const
{
    return m_statements;
}

double
ExperimentStudy::GetRatio(const PublishedFigure& figure) const
{
    const std::string& systems = figure.system;
    const auto getTime = [&](const Row& row) {
        return row.timePs - (figure.quantity == "ratio" ? 0 : row.computePs);
    };
    for (auto slash = systems.find('/'); slash != std::string::npos;
         slash = systems.find('/', slash + 1))
    {
        const Row* row = Find(systems.substr(0, slash), figure.scheduler);
        const Row* other = Find(systems.substr(slash + 1), figure.scheduler);
        if (row && other)
        {
            return getTime(*row) / getTime(*other);
        }
    }
    return NAN_VALUE;
}

const std::vector<PublishedFigure>&
ExperimentStudy::GetPublished() const
{
    return m_published;
}

const ExperimentStudy::Row*
ExperimentStudy::Find(const std::string& system, const std::string& scheduler) const
{
    const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& candidate) {
        return candidate.isOwn && candidate.system == system && candidate.scheduler == scheduler;
    });
    return row == m_rows.end() ? nullptr : &*row;
}

std::vector<double>
ExperimentStudy::GetSpeedUps(const std::string& scheduler) const
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
ExperimentStudy::GetOurs(const PublishedFigure& published) const
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
    if (published.quantity == "ratio" || published.quantity == "exposed-ratio")
    {
        return GetRatio(published);
    }
    const Row* row = Find(published.system, published.scheduler);
    if (!row)
    {
        return NAN_VALUE;
    }
    const auto share = SHARES.find(published.quantity);
    if (share != SHARES.end())
    {
        return 100 * row->*share->second / row->timePs;
    }
    return published.quantity == "time"                 ? row->timePs / PS_PER_US
           : published.quantity == "exposed"            ? row->exposedPs / PS_PER_US
           : published.quantity == "utilisation"        ? 100 * row->utilisation
           : published.quantity == "mfu"                ? 100 * row->mfu
           : published.quantity == "tokens"             ? row->tokens
           : published.quantity == "communication-lead" ? GetLead(*row)
                                                        : row->speedUp;
}

} // namespace mlcluster
} // namespace ns3
