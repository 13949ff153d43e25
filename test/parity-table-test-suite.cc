/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// ASTRA-sim's observed results for single collectives: a table.

#include "parity-bench.h"

#include "ns3/test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Rows of test/data/parity/collectives.tsv.
const uint32_t N_ROWS = 733;

/// @param text comma separated numbers @return the numbers
std::vector<double>
SplitNumbers(const std::string& text)
{
    std::vector<double> numbers;
    std::istringstream is(text);
    for (std::string part; std::getline(is, part, ',');)
    {
        numbers.push_back(std::stod(part));
    }
    return numbers;
}

} // namespace

/// Every row: every rank finishes at the time observed, or the first and the last one do. One to
/// three dimensions, 4 B to 1 GiB, both networks; chunks, active chunks, queues and composition are
/// varied.
class ParityTableTestCase : public TestCase
{
  public:
    ParityTableTestCase()
        : TestCase("observed collectives")
    {
    }

  private:
    void DoRun() override;
    /// @param line a row of the table
    void ExpectRow(const std::string& line);
};

void
ParityTableTestCase::DoRun()
{
    const std::string relative = "data/parity/collectives.tsv";
    const bool isAbsolute = std::filesystem::path(NS_TEST_SOURCEDIR).is_absolute();
    std::ifstream file(isAbsolute ? NS_TEST_SOURCEDIR "/" + relative
                                  : CreateDataDirFilename(relative));
    std::string line;
    std::getline(file, line);
    std::getline(file, line);
    uint32_t nRows = 0;
    for (; std::getline(file, line); ++nRows)
    {
        ExpectRow(line);
    }
    NS_TEST_EXPECT_MSG_EQ(nRows, N_ROWS, "the table must be read whole");
}

void
ParityTableTestCase::ExpectRow(const std::string& line)
{
    std::istringstream is(line);
    ParityBench bench;
    std::string bandwidth;
    std::string latency;
    std::string algorithms;
    std::string optimization;
    std::string collective;
    std::string network;
    double memoryBandwidth = 0;
    uint64_t bytes = 0;
    std::string finishNs;
    is >> bench.topology >> bandwidth >> latency >> algorithms >> bench.options.splits >>
        bench.options.activeChunks >> bench.options.queuesPerDimension >> optimization >>
        memoryBandwidth >> collective >> bytes >> network >> finishNs;
    NS_TEST_ASSERT_MSG_EQ(is.fail(), false, "a row that cannot be read: " << line);
    bench.bandwidth = SplitNumbers(bandwidth);
    bench.latency = SplitNumbers(latency);
    bench.aware = network == "aware";
    bench.SetAlgorithms(algorithms);
    bench.options.localBandwidthAware = optimization == "localBWAware";
    bench.options.localMemoryBandwidth = memoryBandwidth * 1e9;
    bench.nodes = {{CollectiveNode(1, *ParseCollectiveType(collective), bytes)}};
    const auto finishes = bench.Run();
    NS_TEST_EXPECT_MSG_EQ(finishes.size(), bench.MakeTopology().GetNRanks(), line);
    const auto [least, greatest] =
        std::minmax_element(finishes.begin(), finishes.end(), [](const auto& a, const auto& b) {
            return a.finishNs < b.finishNs;
        });
    const std::size_t dots = finishNs.find("..");
    const std::string last = dots == std::string::npos ? finishNs : finishNs.substr(dots + 2);
    NS_TEST_EXPECT_MSG_EQ(std::to_string(least->finishNs), finishNs.substr(0, dots), line);
    NS_TEST_EXPECT_MSG_EQ(std::to_string(greatest->finishNs), last, line);
}

/// The table.
class ParityTableTestSuite : public TestSuite
{
  public:
    ParityTableTestSuite()
        : TestSuite("ml-cluster-parity-table", Type::UNIT)
    {
        SetDataDir(NS_TEST_SOURCEDIR);
        AddTestCase(new ParityTableTestCase);
    }
};

static ParityTableTestSuite g_parityTableTestSuite;
