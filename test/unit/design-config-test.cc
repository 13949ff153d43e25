/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-faults.h"
#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/design-choices.h"
#include "ns3/design-file.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Reads designs of a file.
class DesignConfigTest : public FolderTest
{
  protected:
    /// @param design the section @param cluster the section cluster @return the path of the file
    std::string WriteDesign(const std::string& design,
                            const std::string& cluster = "topology: Ring(4)_Switch(4)")
    {
        return Write("design.yaml",
                     "cluster: {" + cluster + ", latency: 500ns}\n" +
                         "workload: {text: {file: layers.txt, communicators: groups.yml}}\n"
                         "backends: {run: analytical}\n\n"
                         "design:\n" +
                         design);
    }

    /// @param path of a file @param overrides instead of what it says @return what is told of it
    std::vector<std::string> GetErrors(const std::string& path,
                                       const std::vector<ExperimentOverride>& overrides = {})
    {
        Diagnostics diagnostics;
        ReadDesignConfig(path, diagnostics, overrides);
        ReadDesignChoices(path, diagnostics, overrides);
        std::vector<std::string> errors = diagnostics.GetErrors();
        const std::string folder = Path("");
        for (auto& error : errors)
        {
            const auto at = error.find(folder);
            error = at == std::string::npos ? error : error.replace(at, folder.size(), "");
            const std::string open = "did you mean file?"; // other keys may come
            const auto end = error.find(open);
            error = end == std::string::npos ? error : error.substr(0, end) + open + " ...";
        }
        return errors;
    }

    /// @param design the section @return what it says
    DesignConfig Read(const std::string& design,
                      const std::vector<ExperimentOverride>& overrides = {})
    {
        Diagnostics diagnostics;
        const auto config = ReadDesignConfig(WriteDesign(design), diagnostics, overrides);
        diagnostics.ThrowIfErrors();
        return config;
    }
};

TEST_F(DesignConfigTest, ReadsAll)
{
    const auto config = Read(
        "  tiers: [A, B]\n"
        "  prices: {A: {Link: 1}, B: {Link: 8, Switch: 10, Nic: 10, Port: 3}}\n"
        "  objective: cost\n"
        "  time-target: 2us\n"
        "  constraints: [b1 >= 2 b2, total <= 100, cost <= 1e6]\n"
        "  speeds: {b2: [10GB/s, 200Gbps]}\n"
        "  bandwidth-of-parts: all\n"
        "  workloads:\n"
        "    one: {}\n"
        "    two: {weight: 0.5, set: {workload.text.passes: 3, collectives.all-reduce: [ring, "
        "direct]}}\n"
        "  sweep: [total = 50]\n"
        "  pareto: {points: 5}\n"
        "  sensitivity: 3\n"
        "  simulate: {schedulers: [baseline], packets: {cluster.topology: Ring(2)_Switch(2)}}\n",
        {{{"--set", 0, "cluster.bandwidth"}, "[40GB/s, 10GB/s]"}});
    const auto problem = config.MakeProblem();
    EXPECT_EQ(problem.prices, (std::vector<double>{16, 16 * 28}));
    EXPECT_EQ(problem.fixedCost, 16 * 2 * 3);
    EXPECT_EQ(problem.objective, BandwidthProblem::Objective::Cost);
    EXPECT_EQ(problem.target, 2000);
    ASSERT_EQ(problem.constraints.size(), 3);
    EXPECT_EQ(problem.constraints[2].value, 1e6 - 96);
    EXPECT_EQ(problem.constraints[0].place.line, 10);
    ASSERT_EQ(problem.speeds.size(), 2);
    EXPECT_TRUE(problem.speeds[0].empty());
    EXPECT_EQ(problem.speeds[1], (std::vector<double>{10, 25}));
    EXPECT_EQ(config.parts, PartBandwidth::All);
    EXPECT_EQ(config.given, (std::vector<double>{40, 10}));
    ASSERT_EQ(config.workloads.size(), 2);
    EXPECT_EQ(config.workloads[1].name, "two");
    EXPECT_EQ(config.workloads[1].weight, 0.5);
    const auto& attributes = config.workloads[1].experiment.attributes;
    const auto passes = std::find_if(attributes.begin(), attributes.end(), [](const auto& a) {
        return a.attribute == "ns3::mlcluster::TextFileWorkload::Passes";
    });
    ASSERT_NE(passes, attributes.end());
    EXPECT_EQ(passes->value, "3");
    EXPECT_EQ(passes->place.line, 15);
    EXPECT_EQ(config.sweep.at(0).text, "total = 50");
    EXPECT_EQ(config.pareto->points, 5);
    EXPECT_EQ(config.pareto->slowest, 2);
    EXPECT_EQ(config.sensitivity, 3);
    EXPECT_EQ(config.simulation->schedulers, std::vector<std::string>{"baseline"});
    EXPECT_EQ(config.simulation->packets.at(0).value, "Ring(2)_Switch(2)");
}

TEST_F(DesignConfigTest, ComparisonsOfChains)
{
    const auto config =
        Read("  constraints: [total = 9, 1 <= b2 <= b1]\n  sweep: [1 <= b1 <= b2]\n");
    ASSERT_EQ(config.constraints.size(), 3);
    EXPECT_EQ(config.constraints[1].text, "1 <= b2");
    EXPECT_EQ(config.constraints[2].text, "b2 <= b1");
    EXPECT_EQ(config.constraints[2].place.line, config.constraints[0].place.line);
    ASSERT_EQ(config.sweep.size(), 1);
    EXPECT_EQ(config.sweep[0].text, "1 <= b1 <= b2");
}

TEST_F(DesignConfigTest, LibraNetwork)
{
    Write("net.yml", "Topology: [Ring, Switch]\nNpusCount: [4, 8]\nCostDimension: [A, B]\n");
    Write("prices.yml", "A: {Link: 2}\nB: {Link: 1, Switch: 2, Nic: 3}\n");
    Diagnostics diagnostics;
    const auto path =
        WriteDesign("  network: net.yml\n  prices: prices.yml\n" + TOTAL, "npu: {host-threads: 2}");
    const auto config = ReadDesignConfig(path, diagnostics);
    diagnostics.ThrowIfErrors();
    EXPECT_EQ(config.MakeProblem().prices, (std::vector<double>{64, 192}));
    EXPECT_EQ(config.workloads.at(0).experiment.dimensions.size(), 2);
    EXPECT_TRUE(config.given.empty());
}

TEST_F(DesignConfigTest, NeedsNoMoreThanItUses)
{
    Write("layers.txt", "a -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 0\n");
    const std::string workload = "workload: {text: {file: layers.txt}}\n";
    const std::string design = "design: {constraints: [total = 1]}\n";
    const auto read = [&](const std::string& cluster) {
        Diagnostics diagnostics;
        const auto config =
            ReadDesignConfig(Write("design.yaml", workload + design + cluster), diagnostics);
        diagnostics.ThrowIfErrors();
        return config;
    };
    const auto config = read("cluster: {topology: Switch(4)}\n");
    EXPECT_FALSE(config.hasLatency);
    EXPECT_TRUE(config.given.empty());
    EXPECT_EQ(config.workloads[0].experiment.dimensions[0].latencyPs, 0);
    EXPECT_EQ(config.workloads[0].experiment.backends, std::vector<std::string>{"analytical"});
    const auto whole = read("cluster: {topology: Switch(4), latency: 3ns, bandwidth: 8GB/s}\n"
                            "backends: {run: packet}\n");
    EXPECT_TRUE(whole.hasLatency);
    EXPECT_EQ(whole.given, std::vector<double>{8});
    EXPECT_EQ(whole.workloads[0].experiment.dimensions[0].latencyPs, 3000);
    EXPECT_EQ(whole.workloads[0].experiment.backends, std::vector<std::string>{"packet"});
}

TEST_F(DesignConfigTest, Choices)
{
    const auto path =
        WriteDesign("  npus: 12\n"
                    "  choices:\n"
                    "    shape: [{cluster.topology: \"R(*)_SW(*)\", design.tiers: [A, B]}, "
                    "{cluster.topology: SW(12)}]\n"
                    "    plan: [{workload.transformer.tensor: 2}, {workload.transformer.tensor: 4, "
                    "workload.transformer.model: \"1\"}]\n");
    Diagnostics diagnostics;
    const auto choices = ReadDesignChoices(path, diagnostics);
    diagnostics.ThrowIfErrors();
    ASSERT_EQ(choices.size(), 2);
    EXPECT_EQ(choices[0].options.size(), 5);
    const auto options = CombineDesignChoices(choices);
    ASSERT_EQ(options.size(), 10);
    EXPECT_EQ(options[0].name, "R(2)_SW(6), tiers=[A, B]; tensor=2");
    EXPECT_EQ(options[9].name, "SW(12); tensor=4, model=\"1\"");
    ASSERT_EQ(options[9].overrides.size(), 3);
    EXPECT_EQ(options[9].overrides[2].place.key, "workload.transformer.model");
    EXPECT_EQ(options[9].overrides[2].place.line, 9);

    const auto idle = WriteDesign("  npus: 12\n  choices: {a: [{cluster.topology: SW(12)}, {}]}\n");
    EXPECT_EQ(ReadDesignChoices(idle, diagnostics).at(0).options.at(1).name, "as given");
    ASSERT_EQ(diagnostics.GetWarnings().size(), 1);
    EXPECT_NE(diagnostics.GetWarnings()[0].find("design.npus: has no effect, since no "
                                                "cluster.topology of design.choices has (*)"),
              std::string::npos);

    EXPECT_EQ(ExpandTopologyPattern("R(*)_FC(2)_SW(*)", 16),
              (std::vector<std::string>{"R(2)_FC(2)_SW(4)", "R(4)_FC(2)_SW(2)"}));
    EXPECT_EQ(ExpandTopologyPattern("R(*)_R(*)_R(*)", 64).size(), 10);
    EXPECT_EQ(ErrorOf([] { ExpandTopologyPattern("R(3)_SW(*)", 16); }),
              "no sizes from 2 on give \"R(3)_SW(*)\" 16 NPUs (design.npus)");
    EXPECT_EQ(ErrorOf([] { ExpandTopologyPattern("R(*)_R(*)_R(*)_R(*)_R(*)_R(*)_R(*)", 1 << 20); }),
              "R(*)_R(*)_R(*)_R(*)_R(*)_R(*)_R(*) stands for more than 10000 shapes");
}

TEST_F(DesignConfigTest, SectionsAreLeftAloneElsewhere)
{
    Diagnostics diagnostics;
    ReadExperimentConfig(WriteDesign(TOTAL), diagnostics);
    ASSERT_EQ(diagnostics.GetErrors().size(), 1);
    EXPECT_NE(diagnostics.GetErrors()[0].find("neither cluster.bandwidth"), std::string::npos);
    EXPECT_NE(diagnostics.GetErrors()[0].find("such as ml-cluster-optimize finds it"),
              std::string::npos);
}

TEST_F(DesignConfigTest, Faults)
{
    for (const auto& fault : DESIGN_FAULTS)
    {
        EXPECT_EQ(GetErrors(WriteDesign(fault.design)), fault.errors) << fault.design;
    }
}

} // namespace
