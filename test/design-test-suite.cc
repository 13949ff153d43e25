/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Designs of LIBRA's published networks, through the program's own files.

#include "design-files.h"

#include "ns3/design-tables.h"

#include <cmath>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr double NS_PER_MS = 1e6;
constexpr double DOLLARS_PER_M = 1e6;

} // namespace

/**
 * @ingroup ml-cluster-tests
 * LIBRA's default: GPT-3 on four dimensions with five constraints.
 */
class LibraDefaultCase : public DesignTestCase
{
  public:
    LibraDefaultCase()
        : DesignTestCase("LIBRA's default design")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        const std::string path = WriteLibraDesign(
            "gpt",
            true,
            "  constraints: [total = 1000, b1 = 500, b1 >= b2, b2 >= b3, b3 + b4 = 200]\n");
        const auto fastest = Design(path);
        Check(fastest, {500, 300, 151.181102, 48.818898}, 708.438743, 22.966069);
        const auto& prices = fastest.solution.shadowPrices;
        const std::vector<double> expected{0, -0.0434865, 0, 0, -0.0112361};
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(prices[i] / NS_PER_MS, expected[i], 5e-8, "shadow price");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(fastest.networks[1].time / NS_PER_MS, 729.747, 5e-4, "equal");
        NS_TEST_EXPECT_MSG_EQ(JoinWords(fastest.networks[1].unmet),
                              "b1 = 500, b3 + b4 = 200",
                              "equal bandwidths do not do");
        NS_TEST_EXPECT_MSG_EQ(fastest.networks[0].unmet.empty(), true, "the answer does");
        const auto best = Design(path, {"design.objective=time-times-cost"});
        Check(best, {500, 300, 197.045750, 2.954250}, 743.326911, 12.934243);
        const double product = best.solution.value / NS_PER_MS / DOLLARS_PER_M;
        NS_TEST_EXPECT_MSG_EQ_TOL(product, 9614.3711, 1e-3, "product");
        const auto cheapest =
            Design(path, {"design.objective=cost", "design.time-target=743326.911us"});
        Check(cheapest, {500, 300, 197.045750, 2.954250}, 743.326911, 12.934243);
    }

    /// @param report an answer @param bandwidths expected, GB/s @param time ms @param cost M$
    void Check(const DesignReport& report,
               const std::vector<double>& bandwidths,
               double time,
               double cost)
    {
        const auto& solution = report.solution;
        for (std::size_t d = 0; d < bandwidths.size(); ++d)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(solution.bandwidths[d], bandwidths[d], 1e-3, "bandwidth");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.time / NS_PER_MS, time, 5e-6 * time / 100, "time");
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.cost / DOLLARS_PER_M, cost, 5e-6 * cost, "cost");
        NS_TEST_EXPECT_MSG_LT(solution.GetGap(), 1e-6, "proof");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Budgets: the least times at six totals, and at 500 GB/s the least products. Expectation: as an
 * independent solver has them from LIBRA's released inputs, to the digits told.
 */
class LibraBudgetsCase : public DesignTestCase
{
  public:
    LibraBudgetsCase()
        : DesignTestCase("Budgets of LIBRA's models")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        CheckTimes("gpt",
                   true,
                   {.67690, .16922, .11632, .03756},
                   {874.266, 779.357, 747.721, 722.412, 711.565, 703.430},
                   {1137.433, 910.941, 835.443, 775.045, 749.160, 729.747});
        CheckTimes("msft",
                   true,
                   {.64350, .18769, .02011, .14870},
                   {368.451, 269.223, 236.147, 209.686, 198.346, 189.841},
                   {622.414, 396.204, 320.801, 260.479, 234.626, 215.237});
        CheckTimes("resnet",
                   true,
                   {.75018, .21880, .02344, .00757},
                   {2.115, 1.605, 1.435, 1.299, 1.241, 1.197},
                   {4.156, 2.625, 2.115, 1.707, 1.533, 1.401});
        CheckTimes("nlg", true, {.75018, .21880, .02344, .00757}, {}, {});
        CheckTimes("gpt",
                   false,
                   {.79511, .17999, .02491},
                   {899.407, 791.928, 756.101, 727.440, 715.157, 705.944},
                   {1115.916, 900.182, 828.271, 770.742, 746.087, 727.595});
        CheckTimes("msft", false, {.80438, .04692, .14870}, {}, {});
        CheckTimes("nlg",
                   false,
                   {.93773, .05470, .00757},
                   {344.533, 335.841, 332.944, 330.626, 329.632, 328.887},
                   {376.055, 351.602, 343.451, 336.930, 334.135, 332.039});
        CheckTimes("resnet", false, {.93773, .05470, .00757}, {}, {});
        CheckProduct("gpt", true, 3959.9073, 6.7542);
        CheckProduct("nlg", true, 1532.1837, 7.6033);
        CheckProduct("resnet", true, 7.467105, 7.8906);
        CheckProduct("gpt", false, 6611.3707, 5.2048);
        CheckProduct("nlg", false, 2858.5530, 5.2624);
        CheckProduct("resnet", false, 11.719476, 6.3587);
    }

    /// @param model a model @param is4D which network @param fractions of the total @param best
    /// times at 100, 200, 300, 500, 700, 1000 GB/s, ms @param equal likewise with equal bandwidths
    void CheckTimes(const std::string& model,
                    bool is4D,
                    const std::vector<double>& fractions,
                    const std::vector<double>& best,
                    const std::vector<double>& equal)
    {
        const std::vector<double> totals{100, 200, 300, 500, 700, 1000};
        const auto path = WriteLibraDesign(model,
                                           is4D,
                                           "  constraints: [total = 100]\n  sweep: [total = 100, "
                                           "total = 200, total = 300, total = 500, total = 700, "
                                           "total = 1000]\n");
        const auto report = Design(path);
        NS_TEST_ASSERT_MSG_EQ(report.sweep.size(), totals.size(), "budgets");
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            const DesignPoint& point = report.sweep[i];
            for (std::size_t d = 0; d < fractions.size(); ++d)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(point.bandwidths[d] / totals[i],
                                          fractions[d],
                                          6e-6,
                                          model << ": fraction " << d);
            }
            NS_TEST_EXPECT_MSG_LT((point.value - point.bound) / point.value, 1e-6, "proof");
            if (!best.empty())
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(point.time / NS_PER_MS, best[i], 5.1e-4, model);
                NS_TEST_EXPECT_MSG_EQ_TOL(point.equalTime / NS_PER_MS,
                                          equal[i],
                                          5.1e-4,
                                          model << " with equal bandwidths");
            }
        }
    }

    /// @param model a model @param is4D which network @param product expected, ms M$ @param gain
    /// of performance per cost over equal bandwidths
    void CheckProduct(const std::string& model, bool is4D, double product, double gain)
    {
        const auto report = Design(
            WriteLibraDesign(model,
                             is4D,
                             "  objective: time-times-cost\n  constraints: [total = 500]\n"));
        const auto& solution = report.solution;
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.value / NS_PER_MS / DOLLARS_PER_M,
                                  product,
                                  1e-7 * product,
                                  model);
        NS_TEST_EXPECT_MSG_LT(solution.GetGap(), 1e-6, "proof");
        const auto& equal = report.networks[1];
        NS_TEST_EXPECT_MSG_EQ_TOL(equal.time * equal.cost / solution.value, gain, 6e-5, "gain");
    }
};

/**
 * @ingroup ml-cluster-tests
 * LIBRA's earlier artifact: 1024 NPUs, forward passes communicate again in backward ones.
 * Expectation: its bandwidths, and those of an independent solver with overlap.
 */
class EarlierArtifactCase : public DesignTestCase
{
  public:
    EarlierArtifactCase()
        : DesignTestCase("LIBRA's earlier artifact")
    {
    }

  private:
    void DoRun() override
    {
        WriteTransformer("gpt.txt", 12288, 32768, 16);
        WriteTransformer("large.txt", 24576, 16384, 128);
        const std::string twice = "forward-in-backward";
        const std::string overlap =
            "forward + forward.communication + layers(max(input-gradient, input-gradient.compute + "
            "weight-gradient))";
        const std::string two = "R(8)_SW(128)";
        const std::string four = "R(2)_FC(8)_R(8)_SW(8)";
        Check("gpt", two, "8, 2", "1, 64", twice, {81.92, 18.08});
        Check("gpt", four, "2, 8, 1, 1", "1, 1, 8, 8", twice, {43.96, 38.47, 15.62, 1.95});
        Check("large", "R(8)_FC(8)_SW(16)", "8, 8, 2", "1, 1, 8", twice, {78.06, 9.76, 12.18});
        Check("large", four, "2, 8, 8, 1", "1, 1, 1, 8", twice, {44.28, 38.74, 4.84, 12.14});
        Check("gpt", four, "2, 8, 1, 1", "1, 1, 8, 8", twice, {142.88, 125.02, 50.76, 6.34});
        Check("large", four, "2, 8, 8, 1", "1, 1, 1, 8", twice, {143.90, 125.91, 15.74, 39.44});
        Check("gpt", four, "2, 8, 1, 1", "1, 1, 8, 8", overlap, {136.30, 119.26, 61.72, 7.72});
    }

    /// Writes two layers whose gradients are summed one by one. @param name of the file @param
    /// hidden numbers of a token @param tokens of a micro-batch @param nTensor tensor parallelism
    void WriteTransformer(const std::string& name,
                          uint64_t hidden,
                          uint64_t tokens,
                          uint64_t nTensor)
    {
        const std::string none = "NONE 0 ";
        const std::string sums = "ALLREDUCE " + std::to_string(2 * hidden * tokens) + " ";
        const std::string shards =
            "ALLGATHER " + std::to_string(2 * hidden * tokens / nTensor) + " ";
        const std::string small = "ALLREDUCE " + std::to_string(2 * hidden * hidden / nTensor);
        const std::string large = "ALLREDUCE " + std::to_string(8 * hidden * hidden / nTensor);
        const auto line = [](const std::string& time,
                             const std::string& forward,
                             const std::string& backward,
                             const std::string& gradients) {
            return "l -1 " + time + forward + time + backward + time + gradients + " 10\n";
        };
        const std::string text =
            line("9375000 ", none, sums, small) + line("9375000 ", none, none, small) +
            line("9375000 ", none, none, small) + line("1562500 ", none, none, none) +
            line("9375000 ", sums, shards, small) + line("37500000 ", none, sums, large) +
            line("37500000 ", sums, none, large) + line("12207 ", none, none, none);
        Write(name, text + text);
    }

    /// @param model of a file @param topology notation @param tensor members of forward passes
    /// @param data of gradients @param loop training loop @param split expected bandwidths, GB/s
    void Check(const std::string& model,
               const std::string& topology,
               const std::string& tensor,
               const std::string& data,
               const std::string& loop,
               const std::vector<double>& split)
    {
        const bool isLarge = split[0] > 100;
        Write("groups.yml",
              "Forward: [" + tensor + "]\nInputGrad: [" + tensor + "]\nWeightGrad: [" + data +
                  "]\n");
        const auto path = Write("earlier.yaml",
                                "cluster: {topology: " + topology +
                                    ", latency: 0ns}\nworkload: {text: {file: " + model +
                                    ".txt, communicators: groups.yml, training-loop: \"" + loop +
                                    "\"}}\nbackends: {run: analytical}\ndesign:\n"
                                    "  bandwidth-of-parts: all\n  constraints: [total = " +
                                    (isLarge ? "325" : "100") + "]\n");
        const auto report = Design(path);
        for (std::size_t d = 0; d < split.size(); ++d)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.bandwidths[d], split[d], 0.011, topology);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Where values of a design come from: its file, --set, the command line.
 */
class DesignSettingsCase : public DesignTestCase
{
  public:
    DesignSettingsCase()
        : DesignTestCase("Settings of designs")
    {
    }

  private:
    void DoRun() override
    {
        Write("w.txt", "a -1 1000 ALLREDUCE 8000 2000 ALLREDUCE 8000 500 ALLREDUCE 1000 0\n");
        Write("g.yml", "Forward: [8, -1]\nInputGrad: [8, -1]\nWeightGrad: [-1, 8]\n");
        const auto path = Write("design.yaml",
                                "cluster: {topology: Ring(8)_Switch(8), latency: 500ns}\n"
                                "workload: {text: {file: w.txt, communicators: g.yml, "
                                "training-loop: forward-in-backward}}\n"
                                "backends: {run: analytical}\ndesign:\n"
                                "  constraints: [total = 90]\n");
        const double inner = 2 * 8000 * 7 / 8.0;
        const double outer = 2 * 1000 * 7 / 8.0;
        Check(path, "forward-in-backward", 3 * inner, outer);
        Check(path, "no-overlap", 2 * inner, outer);
        Check(path, "forward + 2 input-gradient.communication + weight-gradient", 3 * inner, outer);
        const auto more = Design(path, {"workload.text.compute-scale=2"});
        const auto twice = Design(path, {"workload.text.passes=2"});
        const auto once = Design(path);
        NS_TEST_EXPECT_MSG_EQ_TOL(more.solution.time, once.solution.time + 3500, 1e-6, "--set");
        NS_TEST_EXPECT_MSG_EQ_TOL(twice.solution.time, 2 * once.solution.time, 1e-6, "passes");
        const auto scaled =
            Design(path, {}, {"--ns3::mlcluster::TextFileWorkload::ComputeScale=2"});
        NS_TEST_EXPECT_MSG_EQ_TOL(scaled.solution.time,
                                  more.solution.time,
                                  1e-6,
                                  "an attribute of the command line");
        CheckText(Design(path, {"design.constraints=[b1 = 75, b2 = 15]"}));
        const auto given = Design(path, {"cluster.link-bandwidth=[10GB/s, 20GB/s]"});
        NS_TEST_ASSERT_MSG_EQ(given.networks.size(), 3, "given too");
        NS_TEST_EXPECT_MSG_EQ(given.networks[2].bandwidths[0], 20, "two links");
        NS_TEST_EXPECT_MSG_EQ(given.networks[2].bandwidths[1], 20, "one link");
        const double time = 3500 + 3 * inner / 20 + outer / 20;
        NS_TEST_EXPECT_MSG_EQ_TOL(given.networks[2].time, time, 1e-6, "of the given network");
        std::ostringstream os;
        PrintDesignUse(os, given);
        NS_TEST_EXPECT_MSG_EQ(os.str().rfind("\ncluster.link-bandwidth: [", 0), 0, os.str());
        const auto speeds = Design(path, {"design.speeds={b2: [10GB/s, 60GB/s]}"});
        NS_TEST_EXPECT_MSG_EQ(speeds.solution.bandwidths[1], 10, "the better speed");
        NS_TEST_EXPECT_MSG_EQ(JoinWords(speeds.networks[1].unmet), "speeds of b2", "equal");
    }

    /// @param report an answer
    void CheckText(const DesignReport& report)
    {
        std::ostringstream os;
        PrintDesign(os, report);
        PrintDesignUse(os, report);
        const std::string text = os.str();
        const std::string expected =
            ": least time\n"
            "topology    Ring(8)_Switch(8), 64 NPUs; groups with a part of a block have that of "
            "the links between their members (bandwidth-of-parts)\n"
            "workload    " +
            GetPath("w.txt") +
            ", 1 layers, 1 pass\n"
            "\n"
            "MB per NPU     b1     b2  time us  waits for\n"
            "traffic 1   0.042  0.000   0.5600         b1\n"
            "traffic 2   0.000  0.002   0.1167         b2\n"
            "\n"
            "dimension  block      tier     GB/s  cost $  of cost %  waited for us  used %  "
            "bottleneck\n"
            "b1         Ring(8)    -     75.0000       -          -         0.5600    82.8         "
            "yes\n"
            "b2         Switch(8)  -     15.0000       -          -         0.1167    17.2\n"
            "\n"
            "time 4.1767 us: 3.5000 without collectives, 0.6767 with them\n"
            "proof: no bandwidths have less than 4.1767 us; gap ";
        const auto begin = text.find(": least time");
        NS_TEST_ASSERT_MSG_NE(begin, std::string::npos, text);
        NS_TEST_EXPECT_MSG_EQ(text.substr(begin, expected.size()), expected, "what is printed");
        const std::string end = "constraint  with         time\n"
                                "b1 = 75     1 GB/s more  falls by 0.007467 us\n"
                                "b2 = 15     1 GB/s more  falls by 0.007778 us\n";
        NS_TEST_EXPECT_MSG_NE(text.find(end), std::string::npos, text);
    }

    /// @param path of the design @param loop training loop @param inner bytes in dimension 0 @param
    /// outer in dimension 1
    void Check(const std::string& path, const std::string& loop, double inner, double outer)
    {
        const auto report = Design(path, {"workload.text.training-loop=" + loop});
        const double share = std::sqrt(inner) / (std::sqrt(inner) + std::sqrt(outer));
        NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.bandwidths[0], 90 * share, 1e-4, loop);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Problems that have no answer. Expectation: what is told names the file and the reason.
 */
class DesignFaultsCase : public DesignTestCase
{
  public:
    DesignFaultsCase()
        : DesignTestCase("Designs without an answer")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        const auto path = WriteLibraDesign("gpt", true, "  constraints: [total = 500]\n");
        const auto expect = [&](const std::vector<std::string>& settings, const std::string& text) {
            NS_TEST_EXPECT_MSG_EQ(GetFault(path, settings), text, settings[0]);
        };
        const std::string section = "design.yaml:4: design: ";
        expect({"design.constraints=[total = 1000, b1 = 500, b3 + b4 = 200, b1 <= b2]"},
               section + "no bandwidths meet all of these constraints, though they would meet all "
                         "but one: total = 1000; b1 = 500; b3 + b4 = 200; b1 <= b2");
        expect({"design.constraints=[b1 <= 500]"},
               section + "nothing limits b2: more bandwidth is always faster. Needed is a total, a "
                         "cost budget or a bound (b2 <= ...)");
        expect({"design.constraints=[total = 500, b4 = 0]"},
               section + "b4, where collectives send, is left no bandwidth, or next to none, by "
                         "b4 = 0");
        expect({"design.objective=time-times-cost", "design.constraints=[total <= 500]"},
               section + "time times cost falls for ever as all bandwidths shrink together, and no "
                         "constraint keeps them up. Needed is a floor: a total that must be met "
                         "(total = ...), lower bounds (b1 >= ...) or a time target");
        const std::string late =
            section + "no bandwidths that meet the constraints reach the time target of 700ms; "
                      "the time cannot fall below 722411";
        NS_TEST_EXPECT_MSG_EQ(GetFault(path, {"design.time-target=700ms"}).substr(0, late.size()),
                              late,
                              "too early");
        const std::string shape = "Ring(4)_FullyConnected(8)_Ring(4)_Switch(32)";
        Write("large.yml", "Forward: [8, 1, 1, 3]\nInputGrad: [1, 1]\nWeightGrad: [1, 1, 1, -1]\n");
        expect({"workload.text.communicators=large.yml"},
               "large.yml:1: Forward: 8 is given for Ring(4); needed is a divisor of its size, or "
               "-1\nlarge.yml:1: Forward: 3 is given for Switch(32); needed is a divisor of its "
               "size, or -1\nlarge.yml:2: InputGrad: has 2 entries; needed is one for each "
               "dimension of " +
                   shape);
        const std::string memory = GetFault("memory-pool.yaml", {"design.constraints=[total=1]"});
        NS_TEST_EXPECT_MSG_NE(
            memory.find("workload: rank 0, node 0 \"step 0 layer 0 load experts\": "
                        "a design knows no memory but the NPU's own, tensor_loc 1"),
            std::string::npos,
            memory);
        Write("none.txt", "n -1 5 NONE 0 5 NONE 0 5 NONE 0 0\n");
        const std::string silent = "design.yaml: workload: no collective sends anything, so that "
                                   "bandwidths change nothing";
        expect({"workload.text.file=none.txt"}, silent);
        expect({"workload.text.file=none.txt", "workload.text.compute-scale=0"},
               "design.yaml: workload: none.txt, 1 layers, 1 pass takes no time and sends "
               "nothing\n" +
                   silent);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Designs of bandwidths.
 */
class DesignTestSuite : public TestSuite
{
  public:
    DesignTestSuite()
        : TestSuite("ml-cluster-design", Type::SYSTEM)
    {
        AddTestCase(new LibraDefaultCase);
        AddTestCase(new LibraBudgetsCase);
        AddTestCase(new EarlierArtifactCase);
        AddTestCase(new DesignSettingsCase);
        AddTestCase(new DesignFaultsCase);
    }
};

static DesignTestSuite g_designTestSuite; ///< registers it
