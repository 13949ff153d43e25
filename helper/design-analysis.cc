/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-analysis.h"

#include "design-choices.h"
#include "design-file.h"
#include "experiment-runner.h"
#include "run-control.h"

#include "ns3/quantity.h"
#include "ns3/report-table.h"
#include "ns3/small-matrix.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Combination = WorkloadDesign::Combination;
using Objective = BandwidthProblem::Objective;

/// @param model of a design @param variant of it @param name for tables @return its best
/// bandwidths, or why there are none
DesignPoint
SolvePoint(const DesignModel& model, const DesignConfig& variant, const std::string& name)
{
    DesignPoint point;
    try
    {
        const auto solution = model.Solve(variant);
        point = model.Evaluate(variant, solution.bandwidths);
        point.bound = solution.bound;
    }
    catch (const InputError& error)
    {
        point.fault = error.what();
    }
    point.name = name;
    return point;
}

/// @param a factors @param b others @return whether the ones are the others, so many times
bool
IsMultiple(const std::vector<double>& a, const std::vector<double>& b)
{
    constexpr double ROUNDING = 1e-12;
    const double aa = Dot(a, a);
    const double ab = Dot(a, b);
    const double bb = Dot(b, b);
    return ab > 0 && ab * ab >= aa * bb * (1 - ROUNDING);
}

/// @param config a design @param extra a constraint @return the design with it, in the place of
/// those that say something of the same sum
DesignConfig
Constrain(const DesignConfig& config, const DesignConfig::Constraint& extra)
{
    DesignConfig variant = config;
    const auto prices = config.GetCosts();
    const auto parse = [&](const DesignConfig::Constraint& constraint) {
        return ParseLinearConstraints(constraint.text, prices.prices, prices.fixedCost);
    };
    const auto added = parse(extra);
    const auto isReplaced = [&](const DesignConfig::Constraint& constraint) {
        const auto old = parse(constraint);
        return std::any_of(old.begin(), old.end(), [&](const LinearConstraint& a) {
            return std::any_of(added.begin(), added.end(), [&](const LinearConstraint& b) {
                return a.relation == b.relation && IsMultiple(a.coefficients, b.coefficients);
            });
        });
    };
    auto& constraints = variant.constraints;
    constraints.erase(std::remove_if(constraints.begin(), constraints.end(), isReplaced),
                      constraints.end());
    constraints.push_back(extra);
    return variant;
}

/// @param bandwidths some @return equal ones with the same total
std::vector<double>
MakeEqual(const std::vector<double>& bandwidths)
{
    const double total = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
    const auto size = static_cast<double>(bandwidths.size());
    return std::vector<double>(bandwidths.size(), total / size);
}

/// @param model of a design @param report has the answer; receives it, equal bandwidths and those
/// of the file
void
CompareNetworks(const DesignModel& model, DesignReport& report)
{
    const auto& config = model.GetConfig();
    const auto& best = report.solution.bandwidths;
    const auto add = [&](const std::string& name, const std::vector<double>& bandwidths) {
        report.networks.push_back(model.Evaluate(config, bandwidths));
        report.networks.back().name = name;
    };
    add("designed", best);
    add("equal", MakeEqual(best));
    if (!config.given.empty())
    {
        add("given", config.given);
    }
}

/// @param model of a design @param workload index @return the least time that it can reach alone,
/// ns; not a number where nothing limits a bandwidth, as objectives other than time allow
double
GetLeastTime(const DesignModel& model, std::size_t workload)
{
    double time = std::numeric_limits<double>::quiet_NaN();
    Diagnostics unlimited;
    unlimited.Collect({}, [&] { time = model.GetLeastTime(model.GetConfig(), workload); });
    return time;
}

/// @param model of a design of several workloads @param report receives what is best for each
void
CompareWorkloads(const DesignModel& model, DesignReport& report)
{
    const auto& config = model.GetConfig();
    for (std::size_t i = 0; i < config.workloads.size(); ++i)
    {
        report.leastTimes.push_back(GetLeastTime(model, i));
        DesignConfig alone = config;
        alone.combination = Combination::Sum;
        for (auto& workload : alone.workloads)
        {
            workload.weight = 0;
        }
        alone.workloads[i].weight = 1;
        report.workloads.push_back(SolvePoint(model, alone, config.workloads[i].name));
    }
    for (const auto combination : {Combination::Sum, Combination::Worst})
    {
        const bool isSum = combination == Combination::Sum;
        DesignConfig all = config;
        all.combination = combination;
        if (isSum || !config.target)
        {
            report.workloads.push_back(SolvePoint(model, all, isSum ? "sum" : "worst"));
        }
    }
}

/// @param model of a design @param report receives the front
void
FindFront(const DesignModel& model, DesignReport& report)
{
    DesignConfig variant = model.GetConfig();
    variant.objective = Objective::Time;
    variant.target.reset();
    const auto& pareto = *variant.pareto;
    const auto fastest = model.Solve(variant);
    report.pareto.push_back(model.Evaluate(variant, fastest.bandwidths));
    report.pareto.back().bound = fastest.bound;
    variant.objective = Objective::Cost;
    for (uint32_t i = 0; i < pareto.points && !IsInterrupted(); ++i)
    {
        const double share = static_cast<double>(i) / (pareto.points - 1);
        const double later = 1 + (pareto.slowest - 1) * share * share;
        if (i > 0)
        {
            variant.target = fastest.time * later;
            report.pareto.push_back(SolvePoint(model, variant, ""));
        }
        report.pareto.back().name = FormatFixed(later, 4);
    }
}

/// @param model of a design @param variant of it @param name what is changed @param report has the
/// answer; receives that of the variant, and how good the answer itself is there
void
AddVariant(const DesignModel& model,
           const DesignConfig& variant,
           const std::string& name,
           DesignReport& report)
{
    report.sensitivity.push_back(SolvePoint(model, variant, name));
    report.sensitivity.back().kept = model.Evaluate(variant, report.solution.bandwidths).value;
}

/// @param model of a design @param report has the answer; receives those with other prices and
/// weights
void
VaryInputs(const DesignModel& model, DesignReport& report)
{
    const auto& config = model.GetConfig();
    const double factor = *config.sensitivity;
    std::set<std::string> tiers;
    for (const auto& dimension : config.network.dimensions)
    {
        tiers.insert(dimension.tier);
    }
    for (const double by : {factor, 1 / factor})
    {
        for (const auto& name : tiers)
        {
            if (IsInterrupted())
            {
                return;
            }
            DesignConfig variant = config;
            const auto tier = variant.prices.find(name);
            if (tier != variant.prices.end())
            {
                auto& prices = tier->second;
                for (auto* price : {&prices.link, &prices.switches, &prices.nic})
                {
                    *price = *price ? std::optional<double>(by * **price) : std::nullopt;
                }
                prices.port *= by;
                AddVariant(model, variant, name + " costs x " + FormatNumber(by), report);
            }
        }
        const bool hasWeights =
            config.workloads.size() > 1 && config.combination == Combination::Sum;
        for (std::size_t i = 0; hasWeights && i < config.workloads.size(); ++i)
        {
            DesignConfig variant = config;
            variant.workloads[i].weight *= by;
            AddVariant(model,
                       variant,
                       config.workloads[i].name + " weighs x " + FormatNumber(by),
                       report);
        }
    }
}

/// @param path the file @param overrides values instead of the file's @param argc of main @param
/// argv of main @param diagnostics receives problems @return the design; null after a problem
std::unique_ptr<DesignModel>
LoadModel(const std::string& path,
          const std::vector<ExperimentOverride>& overrides,
          int argc,
          char* argv[],
          Diagnostics& diagnostics)
{
    const DesignConfig config = ReadDesignConfig(path, diagnostics, overrides);
    std::unique_ptr<DesignModel> model;
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect({}, [&] { model = std::make_unique<DesignModel>(config, argc, argv); });
    }
    return model;
}

/// Designs every combination of options.
class OptionChooser
{
  public:
    /// As ChooseDesign has them.
    OptionChooser(const std::string& path,
                  const std::vector<ExperimentOverride>& overrides,
                  int argc,
                  char* argv[])
        : m_path(path),
          m_overrides(overrides),
          m_argc(argc),
          m_argv(argv)
    {
    }

    /// @param option a combination
    void Try(const DesignChoice::Option& option)
    {
        auto overrides = m_overrides;
        overrides.insert(overrides.end(), option.overrides.begin(), option.overrides.end());
        Diagnostics diagnostics;
        auto model = LoadModel(m_path, overrides, m_argc, m_argv, diagnostics);
        for (const auto& warning : diagnostics.GetWarnings())
        {
            if (m_warned.insert(warning).second)
            {
                std::cerr << "warning: " << warning << "\n";
            }
        }
        DesignPoint point;
        point.fault = diagnostics.HasErrors() ? diagnostics.GetErrors().front() : "";
        point = model ? SolvePoint(*model, model->GetConfig(), option.name) : point;
        point.name = option.name;
        if (point.fault.empty() && (!m_chosen.model || IsBetter(point, m_best)))
        {
            m_best = point;
            m_chosen.model = std::move(model);
            m_chosen.name = option.name;
            m_chosen.overrides = overrides;
        }
        m_chosen.choices.push_back(point);
    }

    /// @return the best one @throw InputError if there is none
    ChosenDesign Get()
    {
        auto& choices = m_chosen.choices;
        if (!m_chosen.model)
        {
            Diagnostics diagnostics;
            if (choices.empty())
            {
                throw InputError("interrupted before any of design.choices was designed");
            }
            std::set<std::string> told;
            for (const auto& choice : choices)
            {
                if (told.insert(choice.fault).second)
                {
                    diagnostics.Error({}, choice.fault);
                }
            }
            diagnostics.ThrowIfErrors();
        }
        std::stable_sort(choices.begin(), choices.end(), [&](const auto& a, const auto& b) {
            const auto rank = [&](const DesignPoint& point) {
                return !point.fault.empty() ? 2 : point.name == m_chosen.name ? 0 : 1;
            };
            return rank(a) != rank(b) ? rank(a) < rank(b) : rank(a) == 1 && a.value < b.value;
        });
        return std::move(m_chosen);
    }

  private:
    /// @param a an answer @param b another @return whether a is better, or as good and cheaper
    static bool IsBetter(const DesignPoint& a, const DesignPoint& b)
    {
        constexpr double CLOSED = 1e-7; // as BandwidthSolver
        const bool isEqual = std::abs(a.value - b.value) <= CLOSED * b.value;
        return isEqual ? a.cost < b.cost : a.value < b.value;
    }

    const std::string m_path;                          ///< the file
    const std::vector<ExperimentOverride> m_overrides; ///< instead of what it says
    const int m_argc;                                  ///< of main
    char** const m_argv;                               ///< of main
    DesignPoint m_best{};                              ///< of the options so far
    ChosenDesign m_chosen;                             ///< so far
    std::set<std::string> m_warned;                    ///< what has been told
};

} // namespace

ChosenDesign
ChooseDesign(const std::string& path,
             const std::vector<std::string>& settings,
             int argc,
             char* argv[])
{
    Diagnostics diagnostics;
    const auto overrides = ParseExperimentOverrides(settings, "--set", diagnostics);
    const std::string file = FindExperimentFile(path);
    Diagnostics read;
    const auto choices = ReadDesignChoices(file, read, overrides);
    read.PrintWarnings(std::cerr);
    if (choices.empty())
    {
        ChosenDesign chosen;
        chosen.model = LoadModel(file, overrides, argc, argv, diagnostics);
        chosen.overrides = overrides;
        const std::vector<std::string> told = diagnostics.GetErrors();
        for (const auto& error : read.GetErrors())
        {
            if (std::find(told.begin(), told.end(), error) == told.end())
            {
                diagnostics.Error({}, error);
            }
        }
        diagnostics.PrintWarnings(std::cerr);
        diagnostics.ThrowIfErrors();
        return chosen;
    }
    diagnostics.ThrowIfErrors();
    read.ThrowIfErrors();
    OptionChooser chooser(file, overrides, argc, argv);
    const auto options = CombineDesignChoices(choices);
    for (std::size_t i = 0; i < options.size() && !IsInterrupted(); ++i)
    {
        chooser.Try(options[i]);
    }
    return chooser.Get();
}

DesignReport
AnalyseDesign(const ChosenDesign& chosen)
{
    const DesignModel& model = *chosen.model;
    DesignReport report;
    report.config = model.GetConfig();
    report.choice = chosen.name;
    report.choices = chosen.choices;
    for (std::size_t i = 0; i < report.config.workloads.size(); ++i)
    {
        report.descriptions.push_back(model.Describe(i));
    }
    report.solution = model.Solve(report.config);
    report.problem = report.config.MakeProblem();
    CompareNetworks(model, report);
    report.networks.front().bound = report.solution.bound;
    report.problem.time = model.GetKnown(report.config);
    if (report.config.workloads.size() > 1)
    {
        CompareWorkloads(model, report);
    }
    for (const auto& constraint : report.config.sweep)
    {
        if (IsInterrupted())
        {
            break;
        }
        const DesignConfig variant = Constrain(report.config, constraint);
        DesignPoint point = SolvePoint(model, variant, constraint.text);
        if (point.fault.empty())
        {
            point.equalTime = model.Evaluate(variant, MakeEqual(point.bandwidths)).time;
        }
        report.sweep.push_back(point);
    }
    if (report.config.pareto && !IsInterrupted())
    {
        FindFront(model, report);
    }
    if (report.config.sensitivity)
    {
        VaryInputs(model, report);
    }
    report.isPartial = IsInterrupted();
    if (report.isPartial)
    {
        std::cerr << "warning: interrupted, what follows is incomplete\n";
    }
    return report;
}

} // namespace mlcluster
} // namespace ns3
