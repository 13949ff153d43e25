/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"

#include "ns3/gemm-layers.h"

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts

/// @return options of 8 ranks in 2 packages that multiply at 1 TFLOPS and move 100 GB/s
GemmOptions
MakeOptions()
{
    GemmOptions options;
    options.ranks = 8;
    options.packages = 2;
    options.peakFlops = 1e12;
    options.memoryBitRate = 800000000000;
    return options;
}

/// Reads tables.
class GemmLayersTest : public FolderTest
{
  protected:
    /// @param text a table @param options how to read it @return its layers
    std::string Read(const std::string& text, const GemmOptions& options)
    {
        Diagnostics diagnostics;
        const auto workload = ReadGemmLayers(Write("g.csv", text), options, diagnostics);
        EXPECT_EQ(diagnostics.GetErrors(), Errors{});
        return FormatTextWorkload(workload);
    }

    /// @param text a table @param options how to read it @return its errors, without the path
    Errors GetErrors(const std::string& text, const GemmOptions& options = MakeOptions())
    {
        Diagnostics diagnostics;
        ReadGemmLayers(Write("g.csv", text), options, diagnostics);
        Errors errors;
        for (const std::string& error : diagnostics.GetErrors())
        {
            errors.push_back(Replace(error, Path(""), ""));
        }
        return errors;
    }
};

} // namespace

TEST_F(GemmLayersTest, PoliciesDivideTheProduct)
{
    // m 64, n 48, k 32, elements of 2 bytes: 2 m n k / 8 ranks is 24576 operations, 24.576 ns
    const std::string table = "Layer,m,n,k\nfc,64,48,32\n";
    auto options = MakeOptions();
    options.memoryBitRate = 800000000000000;
    EXPECT_EQ(Read(table, options), "DATA\n1\nfc -1 25 NONE 0 25 NONE 0 25 ALLREDUCE 3072 100\n");
    options.policy = TextPolicy::Model;
    EXPECT_EQ(Read(table, options),
              "MODEL\n1\nfc -1 25 ALLGATHER 768 25 REDUCESCATTER 4096 25 NONE 0 100\n");
    options.policy = TextPolicy::HybridDataModel;
    EXPECT_EQ(Read(table, options),
              "HYBRID_DATA_MODEL\n1\nfc -1 25 ALLGATHER 768 25 REDUCESCATTER 2048 25 ALLREDUCE 768 "
              "100\n");
    options.policy = TextPolicy::HybridModelData;
    EXPECT_EQ(
        Read(table, options),
        "HYBRID_MODEL_DATA\n1\nfc -1 25 ALLGATHER 768 25 REDUCESCATTER 1024 25 ALLREDUCE 1536 "
        "100\n");
}

TEST_F(GemmLayersTest, TimesAreARooflines)
{
    auto options = MakeOptions();
    options.ranks = 1;
    options.packages = 1;
    // 2 x 10 x 30 x 20 = 12000 operations: 12 ns; 2 (10 x 30 + 30 x 20 + 10 x 20) = 2200 bytes: 22
    // ns
    EXPECT_EQ(Read("Layer,m,n,k\nfc,10,20,30", options),
              "DATA\n1\nfc -1 22 NONE 0 22 NONE 0 22 ALLREDUCE 1200 100\n");
    options.peakFlops = 1e11;
    EXPECT_EQ(Read("Layer,m,n,k\nfc,10,20,30", options),
              "DATA\n1\nfc -1 120 NONE 0 120 NONE 0 120 ALLREDUCE 1200 100\n");
    options.cyclePs = 50000;
    EXPECT_EQ(Read("Layer,m,n,k\nfc,10,20,30", options),
              "DATA\n1\nfc -1 3 NONE 0 3 NONE 0 3 ALLREDUCE 1200 100\n");
}

TEST_F(GemmLayersTest, LayersMayHaveAPolicyEach)
{
    auto options = MakeOptions();
    options.policy = TextPolicy::HybridCustomized;
    EXPECT_EQ(Read("Layer,m,n,k,CustomizedParallelization\na,8,8,8,DATA\nb,8,8,8,MODEL\n", options),
              "HYBRID_CUSTOMIZED\n2\na -1 2 NONE 0 2 NONE 0 2 ALLREDUCE 128 100 DATA\n"
              "b -1 2 ALLGATHER 16 2 REDUCESCATTER 128 2 NONE 0 100 MODEL\n");
    EXPECT_EQ(
        GetErrors("Layer,m,n,k,CustomizedParallelization\na,8,8,8,DATUM\n", options),
        (Errors{"g.csv:2: a: \"DATUM\" is no policy of a layer, did you mean DATA?; allowed are "
                "DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}));
}

TEST_F(GemmLayersTest, WrongTablesAreTold)
{
    EXPECT_EQ(GetErrors("Layer,m,n\n"),
              (Errors{"g.csv: layers: the first line must be Layer, m, n, k"}));
    EXPECT_EQ(
        GetErrors("Layer,m,n,k\na,1,2\n,1,2,3\nb,1,x,3\nc,0,1,1\n"),
        (Errors{"g.csv:2: a: 3 columns are given; needed are 4",
                "g.csv:3: the name \"\" is empty or has blanks",
                "g.csv:4: b: 'x' is no whole number; allowed are digits without sign, leading "
                "zero or unit, for example 4",
                "g.csv:5: c: m, n and k must be above 0"}));
    EXPECT_EQ(GetErrors("Layer,m,n,k\n"),
              (Errors{"g.csv: layers: there is none; at least one is needed"}));
    EXPECT_EQ(GetErrors("Layer,m,n,k\na,1099511627776,1099511627776,1099511627776\n").size(), 1u);
}

TEST_F(GemmLayersTest, OptionsAreChecked)
{
    auto options = MakeOptions();
    options.packages = 3;
    EXPECT_EQ(
        GetErrors("", options),
        (Errors{"g.csv: layers: there are 8 ranks in 3 packages, elements of 2 bytes, cycles of "
                "1000 ps; allowed are packages that divide the ranks, 1 to 64 bytes, cycles "
                "from 1 ps"}));
    options = MakeOptions();
    options.peakFlops = 0;
    EXPECT_EQ(GetErrors("", options).size(), 1u);
    options = MakeOptions();
    options.policy = TextPolicy::Micro;
    EXPECT_EQ(GetErrors("", options),
              (Errors{"g.csv: layers: \"MICRO\" is no policy of layers; allowed are DATA, MODEL, "
                      "HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}));
}
