/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-analyses-file.h"

#include "design-choices.h"

#include "ns3/collective-options.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t MOST_POINTS = 10000;

/// Reads what is asked for.
class AnalysesReader
{
  public:
    /// As ReadDesignAnalyses has them.
    AnalysesReader(AstraSection& section, DesignConfig& config, Diagnostics& diagnostics)
        : m_section(section),
          m_config(config),
          m_diagnostics(diagnostics)
    {
    }

    /// Reads all.
    void Read()
    {
        if (m_section.Has("sensitivity"))
        {
            m_config.sensitivity =
                ReadAboveOne(m_section, "sensitivity", "a factor above 1 and at most 1e6", 2);
            const bool isSum = m_config.combination == WorkloadDesign::Combination::Sum;
            const bool hasWeights = isSum && m_config.workloads.size() > 1;
            if (!m_section.Has("prices") && !hasWeights)
            {
                m_section.Error("sensitivity",
                                "is given, but neither prices nor weights of several workloads, "
                                "which it would change");
            }
        }
        if (const ConfigNode* pareto = m_section.GetMap("pareto", "{points: 21, slowest: 2}"))
        {
            ReadPareto(*pareto);
        }
        if (const ConfigNode* simulate =
                m_section.GetMap("simulate", "{schedulers: [baseline, themis]}"))
        {
            ReadSimulation(*simulate);
        }
    }

  private:
    /// @param section a section @param key a key @param meaning what is needed @param fallback if
    /// it is missing @return the number
    double ReadAboveOne(AstraSection& section,
                        const std::string& key,
                        const std::string& meaning,
                        double fallback)
    {
        const std::size_t nErrors = m_diagnostics.GetErrors().size();
        constexpr double MOST = 1e6;
        const double number = section.GetNumber(key, meaning, 1, fallback, MOST);
        if (number == 1 && m_diagnostics.GetErrors().size() == nErrors)
        {
            section.Error(key, "1 is given; needed is " + meaning);
        }
        return number;
    }

    /// @param node the section
    void ReadPareto(const ConfigNode& node)
    {
        AstraSection section(node, m_diagnostics);
        DesignConfig::Pareto pareto;
        const std::string meaning = "a number of time targets, from 2 to 10000";
        pareto.points = section.GetCount("points", meaning, 2, MOST_POINTS, pareto.points);
        pareto.slowest = ReadAboveOne(section,
                                      "slowest",
                                      "the last target over the least time, above 1 and at most "
                                      "1e6",
                                      pareto.slowest);
        section.RefuseUnknown();
        if (!m_section.Has("prices"))
        {
            m_section.Error("prices", "is missing; design.pareto needs it");
        }
        m_config.pareto = pareto;
    }

    /// @param node the section
    void ReadSimulation(const ConfigNode& node)
    {
        AstraSection section(node, m_diagnostics);
        DesignConfig::Simulation simulation;
        const std::string meaning = "schedulers, such as baseline or themis/smallest-first";
        const auto schedulers = section.GetTexts("schedulers", meaning);
        if (schedulers && schedulers->empty())
        {
            section.Error("schedulers", "an empty list is given; needed are " + meaning);
        }
        simulation.schedulers = schedulers.value_or(std::vector<std::string>());
        for (std::size_t i = 0; i < simulation.schedulers.size(); ++i)
        {
            m_diagnostics.Collect(section.Find("schedulers")->children[i].place, [&] {
                CollectiveOptions().SetScheduler(simulation.schedulers[i]);
            });
        }
        if (const ConfigNode* packets = section.Find("packets"))
        {
            simulation.packets = ReadOverrideMap(*packets, true, m_diagnostics);
        }
        section.RefuseUnknown();
        m_config.simulation = simulation;
    }

    AstraSection& m_section;    ///< design
    DesignConfig& m_config;     ///< so far
    Diagnostics& m_diagnostics; ///< receives problems
};

} // namespace

void
ReadDesignAnalyses(AstraSection& section, DesignConfig& config, Diagnostics& diagnostics)
{
    AnalysesReader(section, config, diagnostics).Read();
}

} // namespace mlcluster
} // namespace ns3
