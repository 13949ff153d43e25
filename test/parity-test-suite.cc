/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// ASTRA-sim's observed results, read through the program's own readers.

#include "test-tools.h"

#include "ns3/astra-runner.h"
#include "ns3/diagnostics.h"
#include "ns3/test.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Folders of test/data/oracle.
const char* const CASES[] = {
    "01-all-reduce-1d-ring",
    "02-all-reduce-1d-direct",
    "03-all-reduce-1d-halvingdoubling",
    "04-all-reduce-1d-doublebinarytree",
    "05-reduce-scatter-1d-ring",
    "06-reduce-scatter-1d-direct",
    "07-reduce-scatter-1d-halvingdoubling",
    "08-all-gather-1d-ring",
    "09-all-gather-1d-direct2",
    "10-all-gather-1d-halvingdoubling",
    "11-all-to-all-1d-ring",
    "12-all-to-all-1d-direct",
    "13-all-reduce-2d-mixed",
    "14-all-reduce-2d-ring",
    "15-all-gather-2d-halvingdoubling",
    "16-reduce-scatter-2d-mixed",
    "17-all-to-all-2d-mixed",
    "18-all-reduce-3d-mixed",
    "19-all-reduce-3d-mixed",
    "20-all-gather-3d-mixed",
    "21-reduce-scatter-3d-mixed",
    "22-all-to-all-3d-mixed",
    "23-all-reduce-4d-mixed",
    "24-all-reduce-4d-mixed",
    "25-all-gather-4d-mixed",
    "26-reduce-scatter-4d-mixed",
    "27-all-to-all-4d-mixed",
    "28-all-reduce-2d-mixed",
    "29-aware-all-reduce-ring-ring",
    "30-aware-all-to-all-switch-direct",
    "31-aware-all-reduce-switch-direct",
    "32-aware-reduce-scatter-ring-direct",
    "33-aware-all-reduce-fullyconnected-halvingdoubling",
    "34-aware-all-reduce-switch-doublebinarytree",
    "35-aware-all-to-all-fullyconnected-direct4",
    "36-aware-all-gather-switch-direct",
    "37-aware-all-to-all-ring-ring",
    "38-groups-tensor-and-data",
    "39-groups-strided-direct",
    "40-groups-permuted-with-idle-ranks",
    "41-aware-groups-interleaved-ring",
    "42-groups-world-half-and-involved-dim",
    "43-pipeline-stages",
    "44-shifts-across-dimensions",
    "45-aware-many-to-one-switch",
    "46-neighbour-exchange-same-tag",
    "47-data-parallel-step",
    "48-roofline-data-parallel-step",
    "49-diamonds",
    "50-sharded-parameters-step",
    "51-aware-stragglers",
    "52-mixture-of-experts",
    "53-per-npu-load-compute-store",
    "54-pool-contention",
    "55-per-npu-with-collectives",
    "56-pool-then-all-reduce",
    "57-custom-ring-all-gather",
    "58-custom-recursive-doubling",
    "59-one-forms-4-2",
    "60-one-forms-8-aware",
};

/// Finish and exposed communication of a rank, ns.
using Figures = std::pair<uint64_t, uint64_t>;

/// @param text what the program printed @return figures by rank
std::map<uint32_t, Figures>
ReadFinishLines(const std::string& text)
{
    std::map<uint32_t, Figures> figures;
    std::istringstream is(text);
    for (std::string line; std::getline(is, line);)
    {
        unsigned rank = 0;
        unsigned long long finish = 0;
        unsigned long long exposed = 0;
        if (std::sscanf(line.c_str(),
                        "sys[%u] finished, %llu cycles, exposed communication %llu cycles.",
                        &rank,
                        &finish,
                        &exposed) == 3)
        {
            figures[rank] = {finish, exposed};
        }
    }
    return figures;
}

} // namespace

/// One folder: every rank's figures are equal to ASTRA-sim's.
class ParityOracleTestCase : public TestCase
{
  public:
    /// @param name folder
    explicit ParityOracleTestCase(const std::string& name)
        : TestCase(name)
    {
    }

  private:
    void DoRun() override;
};

void
ParityOracleTestCase::DoRun()
{
    const std::string relative = "data/oracle/" + GetName() + "/";
    const bool isAbsolute = std::filesystem::path(NS_TEST_SOURCEDIR).is_absolute();
    const std::string folder =
        isAbsolute ? NS_TEST_SOURCEDIR "/" + relative : CreateDataDirFilename(relative);
    std::ifstream file(folder + "expected.json");
    NS_TEST_ASSERT_MSG_EQ(file.good(), true, folder << " has no expected.json");
    const nlohmann::json expected = nlohmann::json::parse(file);
    UsePicoseconds();
    AstraOptions options;
    options.parity = true;
    options.congestionAware = expected["backend"] == "aware";
    options.workload = folder + "workload";
    options.files.network = folder + "network.yml";
    options.files.system = folder + "system.json";
    options.files.memory = folder + "memory.json";
    const std::string groups = folder + "groups.json";
    options.files.groups = std::filesystem::exists(groups) ? groups : "";
    std::ostringstream os;
    std::string error;
    try
    {
        AstraRunner(options).Run(os);
    }
    catch (const InputError& e)
    {
        error = e.what();
    }
    NS_TEST_ASSERT_MSG_EQ(error, "", "it must run");
    auto figures = ReadFinishLines(os.str());
    const std::size_t nRanks = expected["finish_ns"].size();
    NS_TEST_ASSERT_MSG_EQ(figures.size(), nRanks, "every rank must finish");
    for (std::size_t rank = 0; rank < nRanks; ++rank)
    {
        const uint64_t finish = expected["finish_ns"][rank];
        const uint64_t exposed = expected["exposed_communication_ns"][rank];
        NS_TEST_EXPECT_MSG_EQ(figures[rank].first, finish, "finish of rank " << rank);
        NS_TEST_EXPECT_MSG_EQ(figures[rank].second, exposed, "exposed of rank " << rank);
    }
}

/// All folders.
class ParityTestSuite : public TestSuite
{
  public:
    ParityTestSuite()
        : TestSuite("ml-cluster-parity", Type::UNIT)
    {
        SetDataDir(NS_TEST_SOURCEDIR);
        for (const char* name : CASES)
        {
            AddTestCase(new ParityOracleTestCase(name));
        }
    }
};

static ParityTestSuite g_parityTestSuite;
