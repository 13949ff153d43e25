/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What designs tell beside the best bandwidths: several workloads, choices, sweeps, fronts.

#include "design-files.h"

#include "ns3/design-tables.h"
#include "ns3/design-variant-tables.h"
#include "ns3/design-writer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr double CLOSED = 2e-6; ///< two gaps

/// @param value a value @param other another @return whether it is not above, but for gaps
bool
IsAtMost(double value, double other)
{
    return value <= other * (1 + CLOSED);
}

/// @param report of a design with several workloads @param row of report.workloads @return the
/// largest slowdown
double
GetWorst(const DesignReport& report, const DesignPoint& row)
{
    double worst = 0;
    for (std::size_t i = 0; i < row.times.size(); ++i)
    {
        worst = std::max(worst, row.times[i] / report.leastTimes[i]);
    }
    return worst;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Three workloads on one network. Expectation: each is fastest with its own bandwidths, the sum is
 * least with those for the sum, the worst slowdown with those for the worst, against 100 random
 * networks of the same total too; sensitivities are those of designs with other numbers.
 */
class SeveralWorkloadsCase : public DesignTestCase
{
  public:
    SeveralWorkloadsCase()
        : DesignTestCase("Designs for several workloads")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        const auto path = WriteLibraDesign(
            "gpt",
            true,
            "  objective: time-times-cost\n  constraints: [total = 500]\n  sensitivity: 2\n"
            "  workloads:\n    gpt: {}\n    nlg: {weight: 2, set: {workload.text.file: nlg.txt, "
            "workload.text.communicators: data4.yml}}\n    msft: {set: {workload.text.file: "
            "msft.txt, workload.text.communicators: msft4.yml}}\n");
        CheckTimes(Design(path, {"design.objective=time"}), false);
        CheckTimes(Design(path, {"design.objective=time", "design.combine=worst"}), true);
        const auto report = Design(path);
        NS_TEST_ASSERT_MSG_EQ(report.sensitivity.size(), 2 * (4 + 3), "prices and weights");
        Check(report, 0, "Chiplet costs x 2", Design(path, {"design.prices=chiplet.yml"}), path);
        const auto weighty = Design(path, {"design.workloads.nlg.weight=4"});
        const auto point = std::find_if(report.sensitivity.begin(),
                                        report.sensitivity.end(),
                                        [](const auto& p) { return p.name == "nlg weighs x 2"; });
        NS_TEST_ASSERT_MSG_EQ((point != report.sensitivity.end()), true, "weight");
        NS_TEST_EXPECT_MSG_EQ_TOL(point->value / weighty.solution.value, 1, CLOSED, "weight");
        NS_TEST_EXPECT_MSG_EQ(IsAtMost(point->value, point->kept), true, "kept");
        CheckUnlimited();
    }

    /// Without a limit no least time can be told, but the least cost can; what only computes takes
    /// as long alone.
    void CheckUnlimited()
    {
        Write("quiet.txt", "a -1 5000000 NONE 0 0 NONE 0 0 NONE 0 10\n");
        const auto path = WriteLibraDesign(
            "gpt",
            true,
            "  workloads:\n    gpt: {}\n    quiet: {set: {workload.text.file: quiet.txt}}\n");
        const auto report = Design(path, {"design.objective=cost", "design.time-target=800ms"});
        NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.time / 800e6, 1, CLOSED, "as late as may be");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(report.leastTimes[0]), true, "unlimited");
        NS_TEST_EXPECT_MSG_EQ(report.leastTimes[1], 5e6, "computes");
        std::ostringstream os;
        PrintDesignVariants(os, report);
        NS_TEST_EXPECT_MSG_EQ(os.str().find("0.0000\n"), std::string::npos, os.str());
        const auto slowest =
            Design(path, {"design.constraints=[total = 500]", "design.combine=worst"});
        NS_TEST_EXPECT_MSG_EQ_TOL(slowest.solution.time, 1, CLOSED, "no other workload");
        NS_TEST_EXPECT_MSG_NE(
            GetFault(path, {"design.constraints=[total = 500]", "design.workloads.gpt.weight=0"})
                .find("no collective of a workload with a weight above 0 sends anything"),
            std::string::npos,
            "weights count");
    }

    /// @param report of the least time of all @param isWorst or of the least slowdown
    void CheckTimes(const DesignReport& report, bool isWorst)
    {
        NS_TEST_ASSERT_MSG_EQ(report.workloads.size(), 5, "three, sum, worst");
        const DesignPoint& sum = report.workloads[3];
        const DesignPoint& worst = report.workloads[4];
        const auto weigh = [](const DesignPoint& point) {
            return point.times[0] + 2 * point.times[1] + point.times[2];
        };
        for (std::size_t row = 0; row < 5; ++row)
        {
            const DesignPoint& point = report.workloads[row];
            NS_TEST_EXPECT_MSG_EQ(IsAtMost(weigh(sum), weigh(point)), true, point.name);
            NS_TEST_EXPECT_MSG_EQ(IsAtMost(GetWorst(report, worst), GetWorst(report, point)),
                                  true,
                                  point.name);
            for (std::size_t i = 0; i < 3; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(IsAtMost(report.leastTimes[i], point.times[i]),
                                      true,
                                      point.name);
            }
        }
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(report.workloads[i].times[i] / report.leastTimes[i],
                                      1,
                                      CLOSED,
                                      "own");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.time /
                                      (isWorst ? GetWorst(report, worst) : weigh(sum)),
                                  1,
                                  CLOSED,
                                  "the answer");
    }

    /// @param report an answer @param index of a sensitivity @param name of it @param direct answer
    /// with the changed numbers @param path of the design
    void Check(const DesignReport& report,
               std::size_t index,
               const std::string& name,
               const DesignReport& direct,
               const std::string& path)
    {
        const DesignPoint& point = report.sensitivity[index];
        NS_TEST_EXPECT_MSG_EQ(point.name, name, path);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.value / direct.solution.value, 1, CLOSED, name);
        NS_TEST_EXPECT_MSG_EQ(IsAtMost(point.value, point.kept), true, name);
        NS_TEST_EXPECT_MSG_EQ(IsAtMost(point.bound, point.value), true, name);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Sweeps and fronts. Expectation: times fall with the budget, more of a constraint of another sum
 * is met as well; no point of a front is better than another in both, and with one kind of traffic
 * it is the closed form.
 */
class FrontCase : public DesignTestCase
{
  public:
    FrontCase()
        : DesignTestCase("Sweeps and fronts")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        const auto path =
            WriteLibraDesign("nlg",
                             true,
                             "  constraints: [total <= 500]\n  pareto: {points: 9, slowest: 1.5}\n"
                             "  sweep: [total <= 50, total <= 100, total <= 900, b1 <= 100, b1 >= "
                             "600]\n");
        const auto report = Design(path);
        const auto& sweep = report.sweep;
        NS_TEST_ASSERT_MSG_EQ(sweep.size(), 5, "points");
        NS_TEST_EXPECT_MSG_GT(sweep[0].time, sweep[1].time, "more is faster");
        NS_TEST_EXPECT_MSG_GT(sweep[1].time, report.solution.time, "more is faster");
        NS_TEST_EXPECT_MSG_GT(report.solution.time, sweep[2].time, "more is faster");
        NS_TEST_EXPECT_MSG_EQ_TOL(Sum(sweep[2].bandwidths), 900, 1e-3, "takes the place of 500");
        NS_TEST_EXPECT_MSG_EQ_TOL(sweep[3].bandwidths[0], 100, 1e-3, "is met as well");
        NS_TEST_EXPECT_MSG_LT(Sum(sweep[3].bandwidths), 500.001, "as well");
        NS_TEST_EXPECT_MSG_NE(sweep[4].fault.find("total <= 500"), std::string::npos, "clash");
        const std::vector<double> bytes = GetBytes();
        const double compute = 3 * 109049554.0;
        const auto costs = report.config.GetCosts();
        const auto& front = report.pareto;
        NS_TEST_ASSERT_MSG_EQ(front.size(), 9, "points");
        for (std::size_t i = 0; i < front.size(); ++i)
        {
            double cost = 0;
            for (std::size_t d = 0; d < bytes.size(); ++d)
            {
                cost += costs.prices[d] * bytes[d] / (front[i].time - compute);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(front[i].cost / cost, 1, CLOSED, "closed form");
            const double share = static_cast<double>(i) / 8;
            const double target = front[0].time * (1 + 0.5 * share * share);
            NS_TEST_EXPECT_MSG_EQ_TOL(front[i].time / target, 1, CLOSED, "on time");
            for (const auto& other : front)
            {
                NS_TEST_EXPECT_MSG_EQ((other.time < front[i].time && other.cost < front[i].cost),
                                      false,
                                      "one is better in both");
            }
        }
    }

    /// @param numbers some @return their sum
    static double Sum(const std::vector<double>& numbers)
    {
        return std::accumulate(numbers.begin(), numbers.end(), 0.0);
    }

    /// @return bytes of the only collective
    static std::vector<double> GetBytes()
    {
        std::vector<double> bytes;
        double size = 869449728;
        for (const double members : {4, 8, 4, 32})
        {
            bytes.push_back(2 * size * (members - 1) / members);
            size /= members;
        }
        return bytes;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Choices of shapes and plans. Expectation: each is what a design of its own gives, the best comes
 * first, of equal ones the cheapest; wrong ones come last, with the reason; if all are wrong, each
 * reason is told.
 */
class ChoicesCase : public DesignTestCase
{
  public:
    ChoicesCase()
        : DesignTestCase("Choices of shapes and plans")
    {
    }

  private:
    void DoRun() override
    {
        const auto path = Write(
            "choices.yaml",
            "cluster:\n  topology: Switch(16)\n  latency: 500ns\n  npu: {roofline: true, "
            "peak-flops: 100TFLOPS, memory-bandwidth: 1TB/s}\n"
            "workload: {transformer: {layers: 2, hidden-size: 1024, heads: 8, vocabulary: 1024, "
            "sequence-length: 128, global-batch: 16}}\nbackends: {run: analytical}\ndesign:\n"
            "  npus: 16\n  prices: {A: {Link: 1}, B: {Link: 2, Switch: 2, Nic: 4}}\n"
            "  constraints: [total = 100]\n  choices:\n"
            "    shape: [{cluster.topology: Ring(*)_Switch(*), design.tiers: [A, B]},\n"
            "            {cluster.topology: Switch(16), design.tiers: [B]}]\n"
            "    plan: [{workload.transformer.tensor: 1}, {workload.transformer.tensor: 4},\n"
            "           {workload.transformer.tensor: 3}]\n");
        const auto report = Design(path);
        NS_TEST_ASSERT_MSG_EQ(report.choices.size(), 4 * 3, "combinations");
        NS_TEST_EXPECT_MSG_EQ(report.choice, report.choices[0].name, "the best comes first");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.value / report.choices[0].value, 1, CLOSED, "");
        for (std::size_t i = 0; i < 8; ++i)
        {
            const DesignPoint& choice = report.choices[i];
            NS_TEST_EXPECT_MSG_EQ(choice.fault, "", choice.name);
            NS_TEST_EXPECT_MSG_EQ(IsAtMost(report.choices[0].value, choice.value), true, "best");
            NS_TEST_EXPECT_MSG_EQ((i < 2 || report.choices[i - 1].value <= choice.value),
                                  true,
                                  "in order");
        }
        const std::string reason = ": tensor 3 x context 1 x pipeline 1 must divide the number of "
                                   "NPUs, 16";
        for (std::size_t i = 8; i < 12; ++i)
        {
            const std::string& fault = report.choices[i].fault;
            NS_TEST_EXPECT_MSG_NE(fault.find(reason), std::string::npos, fault);
        }
        const auto direct = Design(path,
                                   {"design.choices={one: [{cluster.topology: "
                                    "Ring(4)_Switch(4), design.tiers: [A, B], "
                                    "workload.transformer.tensor: 4}]}"});
        const std::string name = "Ring(4)_Switch(4), tiers=[A, B]; tensor=4";
        const auto same = std::find_if(report.choices.begin(),
                                       report.choices.end(),
                                       [&](const auto& p) { return p.name == name; });
        NS_TEST_ASSERT_MSG_EQ((same != report.choices.end()), true, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(same->value / direct.solution.value, 1, CLOSED, name);
        const std::string file = GetFault(path,
                                          {"design.choices={plan: [{workload.transformer.tensor: "
                                           "3}, {workload.transformer.tensor: 5}]}",
                                           "design.tiers=[B]"});
        NS_TEST_EXPECT_MSG_EQ(file,
                              "--set: workload.transformer.tensor: tensor 3 x context 1 x pipeline "
                              "1 must divide the number of NPUs, 16\nchoices.yaml:5: "
                              "workload.transformer.global-batch: 16 sequences are no multiple, up "
                              "to 2^32 - 1, of micro-batch 1 x data 5\n--set: "
                              "workload.transformer.tensor: tensor 5 x context 1 x pipeline 1 must "
                              "divide the number of NPUs, 16\nchoices.yaml:5: "
                              "workload.transformer.global-batch: 16 sequences are no multiple, up "
                              "to 2^32 - 1, of micro-batch 1 x data 3",
                              "all are wrong");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random designs of one to four dimensions with random groups. Expectation: 50 random networks that
 * meet the constraints are never better, and the report prints and writes what it says.
 */
class RandomDesignsCase : public DesignTestCase
{
  public:
    RandomDesignsCase()
        : DesignTestCase("Random designs")
    {
    }

  private:
    void DoRun() override
    {
        for (int i = 0; i < 40; ++i)
        {
            const std::size_t size = 1 + m_random() % 4;
            const bool isProduct = m_random() % 2 == 0;
            const auto path = WriteRandom(size, isProduct);
            const auto report = Design(path);
            std::string program = "test";
            char* argv[] = {program.data(), nullptr};
            const auto chosen = ChooseDesign(path, {}, 1, argv);
            for (int k = 0; k < 50; ++k)
            {
                const auto point = chosen.model->Evaluate(report.config, Draw(size));
                NS_TEST_EXPECT_MSG_EQ(point.unmet.empty(), true, "drawn to meet all");
                NS_TEST_EXPECT_MSG_EQ(IsAtMost(report.solution.bound, point.value),
                                      true,
                                      "better than the bound");
            }
            Config::Reset();
            NS_TEST_EXPECT_MSG_LT(report.solution.GetGap(), 1e-6, "proof");
            CheckText(report);
        }
    }

    /// @param size number of dimensions @param isProduct whether cost counts @return the path of a
    /// design
    std::string WriteRandom(std::size_t size, bool isProduct)
    {
        std::string topology;
        std::string prices;
        std::string tiers;
        std::string inner;
        std::string outer;
        for (std::size_t d = 0; d < size; ++d)
        {
            const bool isFirst = d == 0;
            const std::string tier = "T" + std::to_string(d);
            topology +=
                (isFirst ? "" : "_") + std::string(m_random() % 2 == 0 ? "Ring" : "Switch") + "(4)";
            tiers += (isFirst ? "" : ", ") + tier;
            prices += (isFirst ? "" : ", ") + tier +
                      ": {Link: " + std::to_string(1 + m_random() % 9) + ", Switch: 2, Nic: 3}";
            inner += (isFirst ? "" : ", ") + std::to_string(1 << m_random() % 3);
            outer += (isFirst ? "" : ", ") + std::to_string(isFirst ? 4 : 1 << m_random() % 3);
        }
        Write("groups.yml",
              "Forward: [" + inner + "]\nInputGrad: [" + inner + "]\nWeightGrad: [" + outer +
                  "]\n");
        std::string layers;
        for (int i = 0; i < 3; ++i)
        {
            const auto pass = [this] {
                return std::to_string(m_random() % 100000) + " ALLREDUCE " +
                       std::to_string(1000000 + m_random() % 10000000) + " ";
            };
            layers += "l -1 " + pass() + pass() + pass() + "0\n";
        }
        Write("layers.txt", layers);
        return Write("random.yaml",
                     "cluster: {topology: " + topology +
                         ", latency: 1us}\nworkload: {text: {file: layers.txt, communicators: "
                         "groups.yml, training-loop: overlap}}\nbackends: {run: analytical}\n"
                         "design:\n  tiers: [" +
                         tiers + "]\n  prices: {" + prices +
                         "}\n  objective: " + (isProduct ? "time-times-cost" : "time") +
                         "\n  constraints: [total = 200, b1 >= 10]\n");
    }

    /// @param size number of dimensions @return bandwidths that meet the constraints
    std::vector<double> Draw(std::size_t size)
    {
        std::vector<double> bandwidths;
        for (std::size_t d = 0; d < size; ++d)
        {
            bandwidths.push_back(std::uniform_real_distribution<double>(0.05, 1)(m_random));
        }
        const double sum = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
        for (auto& bandwidth : bandwidths)
        {
            bandwidth *= 190 / sum;
        }
        bandwidths[0] += 10;
        return bandwidths;
    }

    /// @param report an answer
    void CheckText(const DesignReport& report)
    {
        std::ostringstream os;
        PrintDesign(os, report);
        PrintDesignVariants(os, report);
        PrintDesignUse(os, report);
        NS_TEST_EXPECT_MSG_EQ(os.str().find("nan"), std::string::npos, os.str());
        NS_TEST_EXPECT_MSG_NE(os.str().find("'--set=cluster.bandwidth=["),
                              std::string::npos,
                              "command");
        ResultFolder folder(GetPath("results"));
        WriteDesign(folder, report);
        std::ifstream file(GetPath("results/design.csv"));
        std::size_t nLines = 0;
        for (std::string line; std::getline(file, line);)
        {
            ++nLines;
        }
        NS_TEST_EXPECT_MSG_EQ(nLines, report.solution.bandwidths.size() + 1, "design.csv");
    }

    std::mt19937 m_random{6}; ///< of all
};

/**
 * @ingroup ml-cluster-tests
 * What designs tell beside the best bandwidths.
 */
class DesignVariantsTestSuite : public TestSuite
{
  public:
    DesignVariantsTestSuite()
        : TestSuite("ml-cluster-design-variants", Type::SYSTEM)
    {
        AddTestCase(new SeveralWorkloadsCase);
        AddTestCase(new FrontCase);
        AddTestCase(new ChoicesCase);
        AddTestCase(new RandomDesignsCase);
    }
};

static DesignVariantsTestSuite g_designVariantsTestSuite; ///< registers it
