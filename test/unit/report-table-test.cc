/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/report-table.h"
#include "ns3/run-tables.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

RunReport
MakeRun(const std::string& backend, int64_t finishTimePs)
{
    RunReport run;
    run.backend = backend;
    run.finishTimePs = finishTimePs;
    run.wallSeconds = 0.5;
    run.events = 1000;
    run.ranks = {{0, finishTimePs, finishTimePs / 2, finishTimePs / 2, 0, 0, 0},
                 {1, finishTimePs, finishTimePs, 0, 0, 0, 0}};
    return run;
}

/// An all-reduce of 64 MiB over 4 ranks.
CollectiveReport
MakeCollective(int64_t startPs, int64_t endPs)
{
    return {"sum", CollectiveType::AllReduce, "", 64U << 20, 4, startPs, endPs};
}

std::string
Collectives(const std::vector<RunReport>& runs, std::size_t most)
{
    std::ostringstream os;
    PrintCollectives(os, runs, most, "see the file");
    return os.str();
}

} // namespace

TEST(ReportTable, ColumnsAreAsWideAsTheirLongestCell)
{
    ReportTable table({"a", "time(us)", "n"}, 1);
    table.AddRow({"long name", "1.000", "1000"});
    table.AddRow({"x", "20.000", ""});
    std::ostringstream os;
    table.Print(os);
    EXPECT_EQ(os.str(),
              "a          time(us)     n\n"
              "long name     1.000  1000\n"
              "x            20.000\n");
}

TEST(ReportTable, MicrosecondsAreExactToTheNanosecond)
{
    EXPECT_EQ(FormatMicroseconds(0), "0.000");
    EXPECT_EQ(FormatMicroseconds(499), "0.000");
    EXPECT_EQ(FormatMicroseconds(500), "0.001");
    EXPECT_EQ(FormatMicroseconds(93750000), "93.750");
    EXPECT_EQ(FormatMicroseconds(9007199254740993001), "9007199254740.993");
}

TEST(ReportTable, WhatIsNotFiniteIsADash)
{
    EXPECT_EQ(FormatFixed(46.666, 2), "46.67");
    EXPECT_EQ(FormatFixed(std::numeric_limits<double>::quiet_NaN(), 2), "-");
    EXPECT_EQ(FormatFixed(std::numeric_limits<double>::infinity(), 2), "-");
}

TEST(ReportTable, SmallNumbersKeepDigits)
{
    EXPECT_EQ(FormatSmall(46.666, 2), "46.67");
    EXPECT_EQ(FormatSmall(0.12345, 2), "0.12");
    EXPECT_EQ(FormatSmall(0.01234, 2), "0.01234");
    EXPECT_EQ(FormatSmall(-0.00001, 4), "-1e-05");
    EXPECT_EQ(FormatSmall(1e-12, 4), "0.0000");
    EXPECT_EQ(FormatSmall(0, 4), "0.0000");
    EXPECT_EQ(FormatSmall(std::numeric_limits<double>::quiet_NaN(), 4), "-");
}

TEST(ReportTable, RunsAreComparedWithTheFirst)
{
    std::ostringstream os;
    PrintRuns(os,
              {MakeRun("analytical", 100000000),
               MakeRun("packet", 101500000),
               MakeRun("fluid", 99000000)});
    const std::string shares =
        "      75.0                      25.0         0.500    1000      2000\n";
    EXPECT_EQ(os.str(),
              "backend     finish time(us)  difference(%)  compute(%)  exposed communication(%)  "
              "wall time(s)  events  events/s\n"
              "analytical          100.000                 " +
                  shares + "packet              101.500          +1.50  " + shares +
                  "fluid                99.000          -1.00  " + shares);
}

TEST(ReportTable, RunsThatTookNoTimeGiveZeros)
{
    RunReport run;
    run.backend = "analytical";
    std::ostringstream os;
    PrintRuns(os, {run, run});
    const std::string zeros =
        "       0.0                       0.0         0.000       0         0\n";
    EXPECT_EQ(os.str(),
              "backend     finish time(us)  difference(%)  compute(%)  exposed communication(%)  "
              "wall time(s)  events  events/s\n"
              "analytical            0.000                 " +
                  zeros + "analytical            0.000           0.00  " + zeros);
}

TEST(ReportTable, TrainingIsShownWhereItIsKnown)
{
    RunReport run = MakeRun("analytical", 2000000000);
    std::ostringstream nothing;
    PrintTraining(nothing, {run});
    EXPECT_EQ(nothing.str(), "");
    run.training = TrainingFigures{2e9, 10, 100, 4e12, 2};
    run.operations = 8e9;
    RunReport stopped = run;
    stopped.partial = true;
    RunReport unknown = run;
    unknown.backend = "packet";
    unknown.training = TrainingFigures();
    std::ostringstream os;
    PrintTraining(os, {run, stopped, unknown});
    EXPECT_EQ(os.str(),
              "backend     step time(us)  samples/s  tokens/s  tokens/s/NPU  MFU(%)  HFU(%)\n"
              "analytical       1000.000    10000.0  100000.0       50000.0   25.00   50.00\n"
              "packet           2000.000          -         -             -       -       -\n");
}

/// Two ranks of 100 us: 50 and 100 us of compute, of communication 50 exposed, 30 and 20
/// overlapped.
TEST(ReportTable, TheBreakdownIsMeanOverTheRanks)
{
    RunReport run = MakeRun("analytical", 100000000);
    run.ranks[0].overlappedCommunicationPs = 30000000;
    run.ranks[1].overlappedCommunicationPs = 20000000;
    run.communication = {{0, false, "", 10000000, 0},
                         {0, true, "tensor.0", 80000000, 50000000},
                         {0, true, "tensor.x", 0, 0},
                         {1, true, "tensor.12", 20000000, 0},
                         {1, true, "", 1000000, 0}};
    const auto print = [&run](std::size_t nRuns, std::size_t maxGroups) {
        std::ostringstream os;
        PrintBreakdown(os, std::vector<RunReport>(nRuns, run), maxGroups, "see the file");
        return os.str();
    };
    EXPECT_EQ(print(1, 3),
              "backend     compute(%)  exposed communication(%)  exposed memory(%)"
              "  exposed local memory(%)  host(%)  idle(%)"
              "  overlapped communication(%)  overlap(%)\n"
              "analytical        75.0                      25.0                0.0"
              "                      0.0      0.0      0.0"
              "                         25.0        50.0\n"
              "\n"
              "communication  group     backend     ranks  busy(%)  exposed(%)\n"
              "messages                 analytical      1     10.0         0.0\n"
              "collectives    all       analytical      1      1.0         0.0\n"
              "collectives    tensor.*  analytical      2     50.0        25.0\n"
              "... 1 more groups: see the file\n");
    const std::string two = print(2, 9);
    EXPECT_NE(two.find("collectives    tensor.*  analytical      2     50.0        25.0\n"
                       "                         analytical      2     50.0        25.0\n"
                       "collectives    tensor.x  analytical      1      0.0         0.0\n"),
              std::string::npos)
        << two;
}

TEST(ReportTable, TheBreakdownOfNothingHoldsZeros)
{
    RunReport run;
    run.backend = "a";
    std::ostringstream os;
    PrintBreakdown(os, {run}, 9, "");
    EXPECT_EQ(os.str().substr(os.str().find("\na ")),
              "\na               0.0                       0.0                0.0"
              "                      0.0      0.0      0.0  "
              "                        0.0         0.0\n");
}

TEST(ReportTable, ARunThatWasStoppedIsMarkedAndNotCompared)
{
    std::vector<RunReport> runs{MakeRun("a", 2000000), MakeRun("b", 1000000)};
    runs[1].partial = true;
    std::ostringstream os;
    PrintRuns(os, runs);
    const std::string text = os.str();
    EXPECT_NE(text.find("b (stopped)            1.000              -        75.0"),
              std::string::npos)
        << text;
}

/// 67108864 B in 2 ms: 33.55 GB/s, times 2 (4 - 1) / 4: 50.33 GB/s; in 2.5 ms 26.84 and 40.27.
TEST(ReportTable, CollectivesShowBandwidthsAsNcclTests)
{
    std::vector<RunReport> runs{MakeRun("analytical", 3000000000), MakeRun("packet", 3500000000)};
    runs[0].collectives = {MakeCollective(1000000000, 3000000000)};
    runs[1].collectives = {MakeCollective(1000000000, 3500000000)};
    EXPECT_EQ(Collectives(runs, 10),
              "collective  type        group  backend     ranks   size  start(us)  time(us)  "
              "algbw(GB/s)  busbw(GB/s)  difference(%)\n"
              "sum         all-reduce  all    analytical      4  64MiB   1000.000  2000.000  "
              "      33.55        50.33\n"
              "                               packet                     1000.000  2500.000  "
              "      26.84        40.27         +25.00\n");
}

TEST(ReportTable, CollectivesOfOneNameAreMatchedByStart)
{
    std::vector<RunReport> runs{MakeRun("a", 100), MakeRun("b", 100)};
    auto other = MakeCollective(0, 5000000);
    other.group = "tp";
    runs[0].collectives = {MakeCollective(0, 1000000), MakeCollective(0, 2000000), other};
    runs[1].collectives = {other, MakeCollective(0, 1000000), MakeCollective(0, 3000000)};
    const std::string text = Collectives(runs, 10);
    std::istringstream is(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(is, line);)
    {
        lines.push_back(line.substr(line.find_last_of(' ') + 1));
    }
    const std::vector<std::string> last{lines[2], lines[4], lines[6]};
    EXPECT_EQ(last, (std::vector<std::string>{"0.00", "+50.00", "0.00"})) << text;
}

TEST(ReportTable, ACollectiveThatOneRunLacksIsLeftOut)
{
    std::vector<RunReport> runs{MakeRun("a", 100), MakeRun("b", 100)};
    runs[0].collectives = {MakeCollective(0, 1000000)};
    const std::string text = Collectives(runs, 10);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(ReportTable, LongTablesAreCutWithALineThatSaysSo)
{
    std::vector<RunReport> runs{MakeRun("a", 100), MakeRun("b", 100)};
    runs[0].collectives.assign(1000, MakeCollective(0, 1000000));
    runs[1].collectives = runs[0].collectives;
    const std::string text = Collectives(runs, 10);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 10 + 1);
    EXPECT_NE(text.find("... 990 more collectives: see the file\n"), std::string::npos);
}

TEST(ReportTable, NoCollectivesAreSaidInWords)
{
    EXPECT_EQ(Collectives({MakeRun("a", 100)}, 10), "No collectives were run.\n");
}
