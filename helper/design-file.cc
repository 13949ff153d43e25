/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-file.h"

#include "astra-section.h"
#include "config-document.h"
#include "design-analyses-file.h"
#include "design-choices.h"
#include "design-network.h"
#include "experiment-input.h"

#include "ns3/quantity.h"
#include "ns3/shown-text.h"

#include <map>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Kind = ConfigNode::Kind;
using Objective = BandwidthProblem::Objective;

constexpr double BITS_PER_GIGABYTE = 8e9;
constexpr double PS_PER_NS = 1e3;

const std::map<std::string, Objective> OBJECTIVES{{"time", Objective::Time},
                                                  {"time-times-cost", Objective::TimeTimesCost},
                                                  {"cost", Objective::Cost}};

/// Reads the section design.
class DesignReader
{
  public:
    /// As ReadDesignConfig has them.
    DesignReader(const std::string& path,
                 Diagnostics& diagnostics,
                 const std::vector<ExperimentOverride>& overrides)
        : m_diagnostics(diagnostics),
          m_overrides(overrides),
          m_document(ReadExperimentDocument(path, overrides, m_read)),
          m_section(GetSection(m_document), diagnostics)
    {
        m_config.file = path;
        m_config.place = GetSection(m_document).place;
    }

    /// @return what the file says
    DesignConfig Read()
    {
        if (m_document.kind != Kind::Map)
        {
            Tell(m_read);
        }
        if (m_document.kind != Kind::Map || !CheckSection())
        {
            return m_config;
        }
        ReadNetwork();
        ReadObjective();
        ReadConstraints("constraints", m_config.constraints);
        ReadConstraints("sweep", m_config.sweep);
        ReadWorkloads();
        m_section.Find("npus"); // read by ReadDesignChoices
        m_section.Find("choices");
        ReadDesignAnalyses(m_section, m_config, m_diagnostics);
        m_section.RefuseUnknown();
        ReadGiven();
        return m_config;
    }

  private:
    /// @param document the file @return its section design, of kind Missing if there is none
    static ConfigNode GetSection(const ConfigNode& document)
    {
        const ConfigNode* section = document.Find("design");
        return section ? *section : ConfigNode();
    }

    /// @return whether there is a section
    bool CheckSection()
    {
        const ConfigNode section = GetSection(m_document);
        if (section.kind != Kind::Map)
        {
            m_diagnostics.Error(
                {m_config.file, section.place.line, "design"},
                (section.place.key.empty() ? "is missing" : section.Describe() + " is given") +
                    "; needed is a section that says which bandwidths to find, "
                    "such as {objective: time, constraints: [total = 500]}");
        }
        return section.kind == Kind::Map;
    }

    void ReadNetwork()
    {
        const DesignNetwork network =
            ReadDesignNetwork(m_config.file, m_document, m_section, m_diagnostics);
        m_config.network = network.network;
        m_config.prices = network.prices;
        m_config.speeds = network.speeds;
        m_hasCosts = network.hasCosts;
        m_overrides.insert(m_overrides.end(), network.overrides.begin(), network.overrides.end());
    }

    void ReadObjective()
    {
        std::vector<std::string> words;
        for (const auto& entry : OBJECTIVES)
        {
            words.push_back(entry.first);
        }
        const std::string objective =
            m_section.Has("objective")
                ? m_section.GetText("objective", "what is to be least", words)
                : "time";
        m_config.objective = objective.empty() ? Objective::Time : OBJECTIVES.at(objective);
        const std::string meaning = "a time above 0, such as 700ms";
        const std::string target = m_section.GetText("time-target", meaning);
        if (!target.empty())
        {
            m_diagnostics.Collect(m_section.Find("time-target")->place, [&] {
                m_config.target = static_cast<double>(ParsePicoseconds(target)) / PS_PER_NS;
                if (*m_config.target == 0)
                {
                    throw InputError("0 is given; needed is " + meaning);
                }
            });
        }
        if (m_config.objective == Objective::Cost && !m_section.Has("time-target"))
        {
            m_section.Error("time-target",
                            "is missing; without one the cheapest network has no bandwidth");
        }
        const std::string parts = m_section.Has("bandwidth-of-parts")
                                      ? m_section.GetText("bandwidth-of-parts",
                                                          "what groups use that have a part of a "
                                                          "block of a dimension",
                                                          {"links", "all"})
                                      : "";
        m_config.parts = parts == "all" ? PartBandwidth::All : PartBandwidth::Links;
        CheckPrices(objective);
    }

    /// @param objective its word; reports prices that it needs
    void CheckPrices(const std::string& objective)
    {
        if (m_config.objective == Objective::Time || (!m_hasCosts && m_section.Has("prices")))
        {
            return;
        }
        if (!m_hasCosts)
        {
            m_section.Error("prices", "is missing; the objective " + objective + " needs it");
            return;
        }
        const auto costs = m_config.GetCosts();
        for (std::size_t d = 0; d < costs.prices.size(); ++d)
        {
            const auto& dimension = m_config.network.dimensions[d];
            if (costs.prices[d] <= 0)
            {
                m_diagnostics.Error(dimension.place,
                                    "tier " + dimension.tier + " costs nothing; the objective " +
                                        objective + " needs prices above 0");
            }
        }
    }

    /// @param key of a list of constraints @param constraints receives them, of design.constraints
    /// each comparison by itself
    void ReadConstraints(const std::string& key, std::vector<DesignConfig::Constraint>& constraints)
    {
        const ConfigNode* list = m_section.Find(key);
        const std::string meaning = "constraints, such as [total = 500, b1 >= 2 b2]";
        const auto texts = m_section.GetTexts(key, meaning);
        if (texts && texts->empty())
        {
            m_section.Error(key, "an empty list is given; needed are " + meaning);
        }
        for (std::size_t i = 0; texts && i < texts->size(); ++i)
        {
            const Diagnostics::Place& place = list->children[i].place;
            if (!m_config.network.dimensions.empty())
            {
                m_diagnostics.Collect(place, [&] {
                    const auto parts = ReadConstraint((*texts)[i]);
                    for (std::size_t j = 0; j < (key == "sweep" ? 1 : parts.size()); ++j)
                    {
                        constraints.push_back(
                            {key == "sweep" ? (*texts)[i] : parts[j].text, place});
                    }
                });
            }
        }
    }

    /// @param text of constraints @return them @throw InputError if it cannot be read
    std::vector<LinearConstraint> ReadConstraint(const std::string& text)
    {
        const bool hasCost = text.find("cost") != std::string::npos;
        if (hasCost && !m_hasCosts && !m_section.Has("prices"))
        {
            throw InputError("'" + text + "' limits the cost; it needs design.prices");
        }
        const std::vector<double> ones(m_config.network.dimensions.size(), 1);
        return ParseLinearConstraints(text, m_hasCosts ? m_config.GetCosts().prices : ones);
    }

    void ReadWorkloads()
    {
        const ConfigNode* workloads =
            m_section.GetMap("workloads",
                             "{GPT-3: {weight: 1, set: {workload.text.file: gpt3.txt}}}");
        const std::string combine = m_section.Has("combine")
                                        ? m_section.GetText("combine",
                                                            "what becomes of the times of several "
                                                            "workloads",
                                                            {"sum", "worst"})
                                        : "sum";
        m_config.combination = combine == "worst" ? WorkloadDesign::Combination::Worst
                                                  : WorkloadDesign::Combination::Sum;
        if (combine == "worst" && m_config.target)
        {
            m_section.Error("time-target",
                            "cannot be given with combine: worst, where slowdowns take the place "
                            "of times");
        }
        if (!workloads)
        {
            AddWorkload("workload", 1, {});
            return;
        }
        AstraSection section(*workloads, m_diagnostics);
        double weights = 0;
        for (const auto& name : workloads->names)
        {
            weights += ReadWorkload(section, name);
        }
        if (weights == 0)
        {
            m_section.Error("workloads",
                            workloads->names.empty() ? "none is given; needed is at least one"
                                                     : "all weights are 0; needed is one above 0");
        }
    }

    /// @param workloads all of them @param name of one @return its weight
    double ReadWorkload(AstraSection& workloads, const std::string& name)
    {
        const ConfigNode* node =
            workloads.GetMap(name, "{weight: 1, set: {workload.text.file: gpt3.txt}}");
        AstraSection section(node ? *node : ConfigNode(), m_diagnostics);
        const double weight = section.GetFactor("weight", "a weight", 1);
        if (name == "sum" || name == "worst" || ShowName(name) != '"' + name + '"')
        {
            workloads.Error(name,
                            "is no name for a workload; needed are printable characters, and "
                            "neither sum nor worst, which stand for all workloads");
        }
        const ConfigNode* set = section.Find("set");
        section.RefuseUnknown();
        AddWorkload(name,
                    weight,
                    set ? ReadOverrideMap(*set, false, m_diagnostics)
                        : std::vector<ExperimentOverride>());
        return weight;
    }

    /// Reads the experiment of a workload; what is wrong with several is told once. @param name of
    /// it @param weight of it @param set values instead of the file's
    void AddWorkload(const std::string& name,
                     double weight,
                     const std::vector<ExperimentOverride>& set)
    {
        auto told = m_overrides;
        told.insert(told.end(), set.begin(), set.end());
        const ConfigNode* cluster = m_document.Find("cluster");
        const bool isGiven =
            cluster && (cluster->Find("bandwidth") || cluster->Find("link-bandwidth"));
        std::vector<ExperimentOverride> overrides;
        if (!cluster || cluster->kind == Kind::Map)
        {
            overrides = GetOpenValues(cluster, isGiven);
        }
        m_config.hasLatency = HasLatency(cluster, told);
        overrides.insert(overrides.end(), told.begin(), told.end());
        if (m_section.Has("network") && m_config.network.dimensions.empty())
        {
            return; // there is no shape, which has been told
        }
        Diagnostics diagnostics;
        m_config.workloads.push_back(
            {name, weight, told, ReadExperimentConfig(m_config.file, diagnostics, overrides)});
        m_isGiven = isGiven;
        m_config.bandwidthKey = cluster && cluster->Find("link-bandwidth")
                                    ? "cluster.link-bandwidth"
                                    : "cluster.bandwidth";
        Tell(diagnostics);
    }

    /// @param cluster section of the file, may be null @param hasBandwidths whether it gives these
    /// @return what an experiment needs and a design does not, where the file does not say it
    std::vector<ExperimentOverride> GetOpenValues(const ConfigNode* cluster,
                                                  bool hasBandwidths) const
    {
        std::vector<ExperimentOverride> values;
        const auto add = [&](bool isGiven, const std::string& key, const std::string& value) {
            if (!isGiven)
            {
                values.push_back({{m_config.file, 0, key}, value});
            }
        };
        add(hasBandwidths, "cluster.bandwidth", "1GB/s");
        add(cluster && cluster->Find("latency"), "cluster.latency", "0ns");
        add(m_document.Find("backends"), "backends.run", "[analytical]");
        return values;
    }

    /// @param cluster section of the file, may be null @param overrides values instead of the
    /// file's @return whether the latency of links is told
    static bool HasLatency(const ConfigNode* cluster,
                           const std::vector<ExperimentOverride>& overrides)
    {
        return (cluster && cluster->Find("latency")) ||
               std::any_of(overrides.begin(), overrides.end(), [](const auto& value) {
                   return value.place.key == "cluster.latency";
               });
    }

    /// @param diagnostics has problems; tells those that have not been told
    void Tell(const Diagnostics& diagnostics)
    {
        for (const auto& error : diagnostics.GetErrors())
        {
            if (m_told.insert(error).second)
            {
                m_diagnostics.Error({}, error);
            }
        }
        for (const auto& warning : diagnostics.GetWarnings())
        {
            if (m_told.insert(warning).second)
            {
                m_diagnostics.Warning({}, warning);
            }
        }
    }

    void ReadGiven()
    {
        if (m_isGiven && !m_config.workloads.empty())
        {
            for (const auto& dimension : m_config.workloads[0].experiment.dimensions)
            {
                m_config.given.push_back(static_cast<double>(dimension.GetMemberBitRate()) /
                                         BITS_PER_GIGABYTE);
            }
        }
    }

    Diagnostics& m_diagnostics; ///< receives problems
    Diagnostics m_read;         ///< problems of the file, which experiments have too
    std::vector<ExperimentOverride> m_overrides; ///< of all experiments
    ConfigNode m_document;                       ///< the file
    AstraSection m_section;                      ///< its section
    DesignConfig m_config;                       ///< so far
    bool m_hasCosts{false};                      ///< whether there are prices, all of them right
    bool m_isGiven{false};                       ///< whether the file gives bandwidths
    std::set<std::string> m_told;                ///< what is wrong with experiments
};

} // namespace

DesignConfig
ReadDesignConfig(const std::string& path,
                 Diagnostics& diagnostics,
                 const std::vector<ExperimentOverride>& overrides)
{
    return DesignReader(path, diagnostics, overrides).Read();
}

} // namespace mlcluster
} // namespace ns3
