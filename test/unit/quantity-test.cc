/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/quantity.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

__extension__ typedef unsigned __int128 Uint128;

// Random texts and the values that rational arithmetic of unlimited size (Python's fractions)
// gives for them, rounded to nearest, halves up.

// clang-format off

const std::vector<std::pair<std::string, uint64_t>> SIZES{
    {"83e-1 PB", 8300000000000000U},
    {"3e+6GiB", 3221225472000000U},
    {"6e-1GB", 600000000U},
    {"0.99 TiB", 1088516511498U},
    {"8427393.9093 kB", 8427393909U},
    {"7424.5432PB", 7424543200000000000U},
    {"8.75749118625e+6kB", 8757491186U},
    {"9 TiB", 9895604649984U},
    {"0.703423667127 MB", 703424U},
    {"70.46563212233079244e+8 MB", 7046563212233079U},
    {"2.89078666617GiB", 3103958548U},
    {"0.7e+9GB", 700000000000000000U},
    {"2 kB", 2000U},
    {"0.3GiB", 322122547U},
    {"443.841485253888MB", 443841485U},
    {"0.3633875004743957551GiB", 390184358U},
    {"3.7KiB", 3789U},
    {"76 TiB", 83562883710976U},
    {"2146.00182633e4MB", 21460018263300U},
    {"8.620 GiB", 9255654523U},
    {"8466.682828807290KiB", 8669883U},
    {"79MB", 79000000U},
    {"8695.871803340187PB", 8695871803340187000U},
    {"8282KiB", 8480768U},
    {"4840bit", 605U},
    {"3e7Mib", 3932160000000U},
    {"2.0Gib", 268435456U},
    {"3292Gbit", 411500000000U},
    {"0.2690 Mb", 33625U},
    {"3 Gibit", 402653184U},
};

const std::vector<std::pair<std::string, uint64_t>> RATES{
    {"7.77183417047e-7 GiB/s", 6676U},
    {"0.9841Tb/s", 984100000000U},
    {"3.207764 Kibit/s", 3285U},
    {"1.5055613 Tib/s", 1655382155680U},
    {"0.6691 Tb/s", 669100000000U},
    {"6.8 Gibps", 7301444403U},
    {"0.68831067MBps", 5506485U},
    {"7.082276544446347861e1PB/s", 566582123555707829U},
    {"70.37576283312581535Mibit/s", 73794336U},
    {"6MiBps", 50331648U},
    {"8670.314366764020 Mibps", 9091483557U},
    {"89.11148936439008 Gibit/s", 95682733129U},
    {"3970Pb/s", 3970000000000000000U},
    {"56373576.14365370 MiBps", 472895831827263U},
    {"25.04813734337344e-7Pib/s", 2820169550U},
    {"53GiBps", 455266533376U},
    {"6MB/s", 48000000U},
    {"1854MiBps", 15552479232U},
    {"7312e+11 b/s", 731200000000000U},
    {"31.60607104319554kbps", 31606U},
    {"92553504.54409103e-7 Tb/s", 9255350454409U},
    {"63.27e-4MBps", 50616U},
    {"5.7MB/s", 45600000U},
    {"96e+1Mibit/s", 1006632960U},
    {"0.26Tbit/s", 260000000000U},
    {"3.732332493516438Tb/s", 3732332493516U},
    {"0.10737504PB/s", 859000320000000U},
    {"0.0552e+0GB/s", 441600000U},
    {"6TBps", 48000000000000U},
    {"0.3078 GB/s", 2462400000U},
};

const std::vector<std::pair<std::string, int64_t>> TIMES{
    {"84.82812646446049566e+10ps", 848281264645},
    {"26.06261169572200 ms", 26062611696},
    {"6075.82254282ps", 6076},
    {"0.9693729306826512ns", 969},
    {"5117547.5169 ps", 5117548},
    {"4083 ms", 4083000000000},
    {"22.0097737972 ms", 22009773797},
    {"64.80021581086201913e+4ps", 648002},
    {"9ns", 9000},
    {"7.24873949835us", 7248739},
    {"0.45624180 ns", 456},
    {"9503.14865465 ms", 9503148654650},
    {"0.7329048449500324966us", 732905},
    {"0.90000954e+8ns", 90000954000},
    {"9.23597220327e-2 ms", 92359722},
    {"0.085997987320008062ms", 85997987},
    {"25 ns", 25000},
    {"39e-0 s", 39000000000000},
    {"6 s", 6000000000000},
    {"60731809.23143015 ps", 60731809},
    {"9073 ps", 9073},
    {"0.1802433253659368us", 180243},
    {"31383927 ps", 31383927},
    {"9590.1922e1ns", 95901922},
};

// clang-format on

/// A text that must be refused, and what the message must say beside the text itself.
struct Refusal
{
    std::string text;
    std::string reason;
};

template <typename Parse>
void
ExpectRefused(Parse parse, const std::vector<Refusal>& refusals, const std::string& example)
{
    for (const auto& [text, reason] : refusals)
    {
        const std::string error = ErrorOf([&] { parse(text); });
        EXPECT_NE(error.find("'" + text + "'"), std::string::npos) << text << ": " << error;
        EXPECT_NE(error.find(reason), std::string::npos) << text << ": " << error;
        EXPECT_NE(error.find(example), std::string::npos) << text << ": " << error;
    }
}

} // namespace

TEST(Quantity, SizesAreExact)
{
    for (const auto& [text, value] : SIZES)
    {
        EXPECT_EQ(ParseBytes(text), value) << text;
    }
}

TEST(Quantity, RatesAreExact)
{
    for (const auto& [text, value] : RATES)
    {
        EXPECT_EQ(ParseBitRate(text), value) << text;
    }
}

TEST(Quantity, TimesAreExact)
{
    for (const auto& [text, value] : TIMES)
    {
        EXPECT_EQ(ParsePicoseconds(text), value) << text;
    }
}

TEST(Quantity, LimitsOfTheRangeAreReached)
{
    EXPECT_EQ(ParseBytes("18446744073709551615B"), UINT64_MAX);
    EXPECT_EQ(ParseBytes("16383.99999999999999PiB"), 18446744073709551605U);
    EXPECT_EQ(ParsePicoseconds("9223372.036854775807s"), std::numeric_limits<int64_t>::max());
}

TEST(Quantity, RoundsHalvesUpAndDropsTimesThatAreTooSmall)
{
    EXPECT_EQ(ParsePicoseconds("0.5ps"), 1);
    EXPECT_EQ(ParsePicoseconds("0.4999ps"), 0);
    EXPECT_EQ(ParsePicoseconds("1.5ps"), 2);
    EXPECT_EQ(ParsePicoseconds("1e-40ns"), 0);
    EXPECT_EQ(ParseBitRate("0.5bps"), 1U);
}

TEST(Quantity, ZeroNeedsNoUnit)
{
    EXPECT_EQ(ParseBytes("0"), 0U);
    EXPECT_EQ(ParseBitRate("0"), 0U);
    EXPECT_EQ(ParsePicoseconds("0.0"), 0);
    EXPECT_EQ(ParseFlops("0"), 0.0);
}

TEST(Quantity, RefusesWhatIsNoSize)
{
    ExpectRefused(ParseBytes,
                  {{"64", "unit is missing"},
                   {"64KB", "'KB' is no unit"},
                   {"64kib", "nearest: "},
                   {"64ns", "'ns' is no unit"},
                   {"18446744073709551616B", "too large"},
                   {"99EB", "too large"},
                   {"1e30B", "too large"},
                   {"1e40PiB", "too large"},
                   {"12bit", "whole number of bytes"},
                   {"0.4B", "too small"},
                   {"1e-40bit", "whole number of bytes"},
                   {"0100B", "leading zero"},
                   {"-3B", "must begin with a digit"},
                   {"+3B", "must begin with a digit"},
                   {".5kB", "must begin with a digit"},
                   {".nan", "must begin with a digit"},
                   {".inf", "must begin with a digit"},
                   {"nan", "must begin with a digit"},
                   {"", "must begin with a digit"},
                   {" 4B", "must begin with a digit"},
                   {"1.B", "digit must follow"},
                   {"4  B", "is no unit"},
                   {"4B ", "is no unit"},
                   {"1e41B", "exponent"},
                   {"1e-999B", "exponent"},
                   {"0x10B", "is no unit"},
                   {"1,000B", "is no unit"},
                   {"123456789012345678901B", "20 significant digits"},
                   {"0." + std::string(200, '1') + "B", "20 significant digits"}},
                  "64MiB");
}

TEST(Quantity, RefusesWhatIsNoRateTimeOrComputeRate)
{
    ExpectRefused(ParseBitRate,
                  {{"400", "unit is missing"},
                   {"400G", "is no unit"},
                   {"400Gbs", "nearest: Gbps"},
                   {"400GB", "nearest: GB/s"},
                   {"18446744073709551616bps", "too large"},
                   {"0.4bps", "too small"},
                   {"1e-40bps", "too small"},
                   {"0.1e-40kbps", "too small"}},
                  "400Gbps");
    ExpectRefused(ParsePicoseconds,
                  {{"500", "unit is missing"},
                   {"500m", "nearest: ms"},
                   {"-1ns", "must begin with a digit"},
                   {"9223372036854775808ps", "too large"},
                   {"9223373s", "too large"}},
                  "936.25ns");
    ExpectRefused(ParseFlops,
                  {{"312", "unit is missing"},
                   {"312TFLOP", "nearest: TFLOPS"},
                   {"312TiFLOPS", "decimal prefixes"},
                   {"-1TFLOPS", "must begin with a digit"}},
                  "234TFLOPS");
}

TEST(Quantity, ComputeRatesAreTheNearestDouble)
{
    EXPECT_EQ(ParseFlops("234TFLOPS"), 234e12);
    EXPECT_EQ(ParseFlops("312.5 TFLOPS"), 312.5e12);
    EXPECT_EQ(ParseFlops("0.1GFLOP/s"), 1e8);
    EXPECT_EQ(ParseFlops("1e3FLOPS"), 1000.0);
    EXPECT_EQ(ParseFlops("0.1FLOPS"), 0.1);
}

TEST(Quantity, CountsAreDigitsOnly)
{
    EXPECT_EQ(ParseCount("0"), 0U);
    EXPECT_EQ(ParseCount("18446744073709551615"), UINT64_MAX);
    ExpectRefused(ParseCount,
                  {{"", "no whole number"},
                   {"04", "no whole number"},
                   {"-4", "no whole number"},
                   {"+4", "no whole number"},
                   {"4.0", "no whole number"},
                   {"4e3", "no whole number"},
                   {"4 ", "no whole number"},
                   {"0x4", "no whole number"},
                   {"18446744073709551616", "too large"}},
                  "for example 4");
}

TEST(Quantity, FormatsWithTheLargestExactUnit)
{
    EXPECT_EQ(FormatBytes(0), "0B");
    EXPECT_EQ(FormatBytes(uint64_t{64} << 20), "64MiB");
    EXPECT_EQ(FormatBytes(1000001), "1000001B");
    EXPECT_EQ(FormatBytes(1000000), "1MB");
    EXPECT_EQ(FormatBitRate(400000000000), "400Gbps");
    EXPECT_EQ(FormatBitRate(1600000000000), "1600Gbps") << "ns3::DataRate knows no T";
    EXPECT_EQ(FormatBitRate(429496729600), "429496729600bps") << "nor binary prefixes";
    EXPECT_EQ(FormatPicoseconds(936250), "936250ps");
    EXPECT_EQ(FormatPicoseconds(500000), "500ns");
    EXPECT_EQ(FormatPicoseconds(-2000000), "-2us");
    EXPECT_EQ(FormatPicoseconds(std::numeric_limits<int64_t>::min()), "-9223372036854775808ps");
    EXPECT_EQ(FormatFlops(312.5e12), "312.5TFLOPS");
    EXPECT_EQ(FormatFlops(0), "0FLOPS");
    EXPECT_EQ(FormatNumber(936.25), "936.25");
    EXPECT_EQ(FormatNumber(0.1), "0.1");
}

TEST(Quantity, RandomValuesSurviveTheRoundTrip)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i)
    {
        const uint64_t trailing[]{1, 1000, 1000000, 1024, 1 << 20, 1000000000};
        const uint64_t shift = random() % 64;
        const uint64_t factor = trailing[random() % 6];
        const uint64_t value = (random() >> shift) / 2 * factor;
        EXPECT_EQ(ParseBytes(FormatBytes(value)), value);
        EXPECT_EQ(ParseBitRate(FormatBitRate(value)), value);
        const auto time = static_cast<int64_t>(value >> 1);
        EXPECT_EQ(ParsePicoseconds(FormatPicoseconds(time)), time);
        const auto exponent = static_cast<int>(random() % 60) - 80;
        const double number = std::ldexp(static_cast<double>(random() >> 11), exponent);
        EXPECT_EQ(ParseFlops(FormatFlops(number)), number);
        EXPECT_EQ(std::stod(FormatNumber(number)), number);
    }
}

TEST(Quantity, SerialisationIsRoundedUpOnce)
{
    EXPECT_EQ(SerialisationPicoseconds(0, 1), 0);
    EXPECT_EQ(SerialisationPicoseconds(4096, 400000000000), 81920);
    EXPECT_EQ(SerialisationPicoseconds(1, 3), 2666666666667);
    EXPECT_EQ(SerialisationPicoseconds(10000000000, 400000000000), 200000000000);
    EXPECT_EQ(SerialisationPicoseconds(UINT64_MAX, 1), std::numeric_limits<int64_t>::max());
}

TEST(Quantity, SerialisationIsTheLeastTimeThatSuffices)
{
    std::mt19937_64 random(2);
    for (int i = 0; i < 20000; ++i)
    {
        const uint64_t bytesShift = 24 + random() % 40;
        const uint64_t bytes = 1 + (random() >> bytesShift);
        const uint64_t bitRateShift = 16 + random() % 30;
        const uint64_t bitRate = 1000000 + (random() >> bitRateShift);
        const auto time = static_cast<uint64_t>(SerialisationPicoseconds(bytes, bitRate));
        const Uint128 work = static_cast<Uint128>(bytes) * 8 * 1000000000000;
        EXPECT_GE(static_cast<Uint128>(time) * bitRate, work);
        EXPECT_LT(static_cast<Uint128>(time - 1) * bitRate, work);
    }
}

TEST(Quantity, EndsMustFit64Bits)
{
    constexpr int64_t LARGEST = std::numeric_limits<int64_t>::max();
    const auto describe = [] { return std::string("the test"); };
    EXPECT_EQ(GetEnd(3, 4, describe), 7);
    EXPECT_EQ(GetEnd(LARGEST - 1, 1, describe), LARGEST);
    EXPECT_EQ(GetEnd(0, LARGEST, describe), LARGEST);
    const std::string error = ErrorOf([&] { GetEnd(LARGEST - 1, 2, describe); });
    EXPECT_EQ(error.rfind("the test ends later than time can be counted", 0), 0U) << error;
}
