/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/collective-sweep.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

const CollectiveSweep::Options OPTIONS{"Ring(4)_Switch(2)",
                                       "800Gbps,400Gbps",
                                       "500ns",
                                       "all-reduce",
                                       "1MiB:16MiB:x4"};

CollectiveSweep
MakeSweep(const CollectiveSweep::Options& options)
{
    Diagnostics diagnostics;
    CollectiveSweep sweep(options, diagnostics);
    diagnostics.ThrowIfErrors();
    return sweep;
}

std::string
GetError(const CollectiveSweep::Options& options)
{
    Diagnostics diagnostics;
    CollectiveSweep sweep(options, diagnostics);
    std::string text;
    for (const auto& error : diagnostics.GetErrors())
    {
        text += error + "\n";
    }
    return text;
}

std::string
GetSizesError(const std::string& sizes)
{
    auto options = OPTIONS;
    options.sizes = sizes;
    return GetError(options);
}

} // namespace

TEST(CollectiveSweep, RatesAndLatenciesAreForOneOrForEachDimension)
{
    const CollectiveSweep sweep = MakeSweep(OPTIONS);
    ASSERT_EQ(sweep.GetDimensions().size(), 2U);
    EXPECT_EQ(sweep.GetDimensions()[0].linkBitRate, 400000000000U);
    EXPECT_EQ(sweep.GetDimensions()[1].linkBitRate, 400000000000U);
    EXPECT_EQ(sweep.GetDimensions()[0].latencyPs, 500000);
    EXPECT_EQ(sweep.GetDimensions()[1].latencyPs, 500000);
}

TEST(CollectiveSweep, SizesAreRangesOrLists)
{
    using Sizes = std::vector<uint64_t>;
    EXPECT_EQ(CollectiveSweep::ParseSizes("1kB:10kB:x3"), (Sizes{1000, 3000, 9000}));
    EXPECT_EQ(CollectiveSweep::ParseSizes("1kB:9kB:x3"), (Sizes{1000, 3000, 9000}));
    EXPECT_EQ(CollectiveSweep::ParseSizes("1kB:3kB:+1kB"), (Sizes{1000, 2000, 3000}));
    EXPECT_EQ(CollectiveSweep::ParseSizes("5kB,1kB"), (Sizes{5000, 1000}));
    EXPECT_EQ(CollectiveSweep::ParseSizes("8000000000GB:18446744073GB:x3"),
              (Sizes{8000000000000000000U}));
}

/// 8 ranks: of 1000 B an all-reduce takes 250 floats, the others 8 pieces of 28, not 31, since 28
/// are a multiple of 16 bytes.
TEST(CollectiveSweep, SizesFollowNcclTests)
{
    auto options = OPTIONS;
    options.sizes = "1000B";
    const auto get = [&options](const std::string& collective) {
        options.collective = collective;
        return MakeSweep(options).GetPoints().at(0);
    };
    const auto reduce = get("all-reduce");
    EXPECT_EQ(reduce.busBytes, 1000U);
    EXPECT_EQ(reduce.bytes, 1000U);
    EXPECT_EQ(reduce.count, 250U);
    const auto gather = get("all-gather");
    EXPECT_EQ(gather.busBytes, 896U);
    EXPECT_EQ(gather.bytes, 112U);
    EXPECT_EQ(gather.count, 28U);
    for (const std::string collective : {"reduce-scatter", "all-to-all"})
    {
        const auto point = get(collective);
        EXPECT_EQ(point.busBytes, 896U);
        EXPECT_EQ(point.bytes, 896U);
        EXPECT_EQ(point.count, 28U);
    }
}

TEST(CollectiveSweep, AllWrongOptionsAreNamedAtOnce)
{
    const std::string error = GetError({"Rong(4)", "400", "5 parsecs", "all-reduse", "1:2"});
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 5) << error;
    for (const std::string option :
         {"--topology: ", "--bandwidth: ", "--latency: ", "--collective: ", "--sizes: "})
    {
        EXPECT_NE(error.find(option), std::string::npos) << error;
    }
    EXPECT_NE(error.find("did you mean all-reduce?"), std::string::npos) << error;
}

TEST(CollectiveSweep, OptionsMustFitTheTopology)
{
    auto options = OPTIONS;
    options.latency = "1ns,2ns,3ns";
    EXPECT_NE(GetError(options).find("--latency: \"1ns,2ns,3ns\" has 3 entries"),
              std::string::npos);
    options = OPTIONS;
    options.topology = "Switch(2147483648)_Switch(2147483648)";
    EXPECT_NE(GetError(options).find("--topology: "), std::string::npos);
    options = OPTIONS;
    options.bandwidth = "0Gbps";
    EXPECT_NE(GetError(options), "");
}

TEST(CollectiveSweep, SwitchesReduceWhereAskedFor)
{
    auto options = OPTIONS;
    options.inNetwork = "false,true";
    options.processingTime = "100ns";
    options.slots = "0,7";
    const auto dimensions = MakeSweep(options).GetDimensions();
    EXPECT_FALSE(dimensions[0].inNetwork.enabled);
    EXPECT_TRUE(dimensions[1].inNetwork.enabled);
    EXPECT_EQ(dimensions[1].inNetwork.processingPs, 100000);
    EXPECT_EQ(dimensions[1].inNetwork.slots, 7U);
    options.inNetwork = "true";
    EXPECT_NE(GetError(options).find("--topology: dimension 0: a Ring has no switches"),
              std::string::npos);
    options.inNetwork = "yes";
    options.processingTime = "1";
    options.slots = "-1";
    const std::string error = GetError(options);
    EXPECT_NE(error.find("--in-network: 'yes' is no truth value"), std::string::npos) << error;
    EXPECT_NE(error.find("--processing-time: "), std::string::npos) << error;
    EXPECT_NE(error.find("--slots: '-1' is no whole number"), std::string::npos) << error;
}

TEST(CollectiveSweep, BadSizesAreRefused)
{
    EXPECT_NE(GetSizesError("").find("is no range"), std::string::npos);
    EXPECT_NE(GetSizesError("1MiB:2MiB").find("is no range"), std::string::npos);
    EXPECT_NE(GetSizesError("1MiB:2MiB:4").find("is no range"), std::string::npos);
    EXPECT_NE(GetSizesError("2MiB:1MiB:x2").find("larger than the last"), std::string::npos);
    EXPECT_NE(GetSizesError("1MiB:2MiB:x1").find("at least x2"), std::string::npos);
    EXPECT_NE(GetSizesError("1MiB:2MiB:x0").find("at least x2"), std::string::npos);
    EXPECT_NE(GetSizesError("1MiB:2MiB:+0B").find("at least x2"), std::string::npos);
    EXPECT_NE(GetSizesError("0B:2MiB:x2").find("at least x2"), std::string::npos);
    EXPECT_NE(GetSizesError("1B:1GB:+1B").find("more than 10000"), std::string::npos);
    EXPECT_NE(GetSizesError("3B").find("3B is less than 4B"), std::string::npos);
}
