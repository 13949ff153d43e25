/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/repeat-skipper.h"
#include "ns3/report-extrapolation.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <queue>
#include <random>
#include <tuple>

using namespace ns3::mlcluster;

namespace
{

/// A line of machines: every part goes through all, each machine works on one part at a time, at
/// most `buffer` parts wait between two machines; then once more backwards on the last.
struct Line
{
    std::vector<int64_t> times; ///< of a part, per machine
    uint64_t buffer;            ///< parts that fit between two machines
    int64_t tail;               ///< time after the last part

    /// @param n parts @param watch is told what happens, in order of time @return the report
    RunReport Run(uint64_t n, RepetitionWatch* watch) const
    {
        using Event = std::tuple<int64_t, bool, uint32_t, int32_t>;
        std::vector<Event> events;
        std::vector<std::vector<int64_t>> begin(times.size(), std::vector<int64_t>(n));
        RunReport report;
        report.ranks.resize(times.size());
        for (uint64_t k = 0; k < n; ++k)
        {
            for (uint32_t i = 0; i < times.size(); ++i)
            {
                int64_t start = k > 0 ? begin[i][k - 1] + times[i] : 0;
                start = i > 0 ? std::max(start, begin[i - 1][k] + times[i - 1]) : start;
                if (i + 1 < times.size() && k > buffer)
                {
                    start = std::max(start, begin[i + 1][k - buffer - 1]);
                }
                begin[i][k] = start;
                events.emplace_back(start, false, i, k);
                events.emplace_back(start + times[i], true, i, k);
                report.ranks[i].computePs += times[i];
                report.finishTimePs = std::max(report.finishTimePs, start + times[i] + tail);
            }
        }
        std::sort(events.begin(), events.end());
        for (const auto& [time, isEnd, rank, part] : events)
        {
            ExecutionNode node;
            node.repetition = part;
            if (watch)
            {
                isEnd ? watch->End(rank, node, time) : watch->Start(rank, node, time);
            }
        }
        report.events = n;
        return report;
    }
};

} // namespace

TEST(RepeatSkipper, GivesTheAnswerOfAllParts)
{
    std::mt19937_64 random(1);
    uint32_t nSkipped = 0;
    for (uint32_t round = 0; round < 300; ++round)
    {
        Line line{{}, 1 + random() % 3, static_cast<int64_t>(random() % 50)};
        line.times.resize(1 + random() % 5);
        for (auto& time : line.times)
        {
            time = 1 + static_cast<int64_t>(random() % 20);
        }
        const uint64_t n = 1 + random() % 400;
        const uint64_t first = 1 + random() % 4;
        const RunReport whole = line.Run(n, nullptr);
        const RunReport report =
            RepeatSkipper(n, 1, first).Run([&](uint64_t parts, RepetitionWatch* watch) {
                return line.Run(parts, watch);
            });
        EXPECT_EQ(report.finishTimePs, whole.finishTimePs) << round;
        for (std::size_t i = 0; i < line.times.size(); ++i)
        {
            EXPECT_EQ(report.ranks[i].computePs, whole.ranks[i].computePs);
        }
        if (report.repeats)
        {
            ++nSkipped;
            EXPECT_EQ(report.repeats->simulated + report.repeats->skipped, n);
            const auto slowest = *std::max_element(line.times.begin(), line.times.end());
            EXPECT_EQ(report.repeats->periodPs,
                      static_cast<int64_t>(report.repeats->unit) * slowest);
            EXPECT_LT(report.events, n);
        }
    }
    EXPECT_GT(nSkipped, 200u);
}

TEST(RepeatSkipper, SimulatesAllWhereNothingRepeats)
{
    const auto grow = [](uint64_t parts, RepetitionWatch* watch) {
        int64_t now = 0;
        for (uint64_t k = 0; k < parts; ++k)
        {
            ExecutionNode node;
            node.repetition = static_cast<int32_t>(k);
            now += static_cast<int64_t>(k);
            if (watch)
            {
                watch->Start(0, node, now);
                watch->End(0, node, now + 1);
            }
        }
        RunReport report;
        report.finishTimePs = now + 1;
        return report;
    };
    const RunReport report = RepeatSkipper(100, 1, 2).Run(grow);
    EXPECT_FALSE(report.repeats);
    EXPECT_EQ(report.finishTimePs, 99 * 100 / 2 + 1);
}

TEST(RepetitionWatch, WantsMoreEqualPartsThanAreEverInFlight)
{
    const auto find = [](int64_t length, int32_t parts) {
        RepetitionWatch watch;
        ExecutionNode node;
        for (int32_t k = 0; k < parts; ++k)
        {
            node.repetition = k;
            watch.Start(0, node, 10 * k);
            watch.End(0, node, 10 * k + length);
        }
        const auto period = watch.FindPeriod();
        return period ? period->ps : 0;
    };
    EXPECT_EQ(find(5, 2), 0);
    EXPECT_EQ(find(5, 3), 10);
    EXPECT_EQ(find(35, 5), 0);
    EXPECT_EQ(find(35, 6), 10);
}

TEST(RepetitionWatch, FindsPeriodsOfSeveralParts)
{
    const auto find = [](int32_t period, uint32_t unit) {
        RepetitionWatch watch;
        ExecutionNode node;
        for (int32_t k = 0; k < 10 * period; ++k)
        {
            node.repetition = k;
            const int64_t start = 100 * (k / period) + 10 * (k % period);
            watch.Start(0, node, start);
            watch.End(0, node, start + 1 + k % period);
        }
        const auto found = watch.FindPeriod(unit);
        return found ? std::make_pair(found->parts, found->ps)
                     : std::make_pair(uint64_t{0}, int64_t{0});
    };
    EXPECT_EQ(find(1, 1), std::make_pair(uint64_t{1}, int64_t{100}));
    EXPECT_EQ(find(3, 1), std::make_pair(uint64_t{3}, int64_t{100}));
    EXPECT_EQ(find(3, 2), std::make_pair(uint64_t{6}, int64_t{200}));
    EXPECT_EQ(find(4, 4), std::make_pair(uint64_t{4}, int64_t{100}));
}

TEST(RepeatSkipper, SkipsPeriodsOfSeveralPartsWhateverIsLeft)
{
    const auto timeOf = [](int64_t k) { return 10 * (k / 3) + k % 3 * (k % 3 == 2 ? 2 : 1); };
    for (uint64_t n = 1; n < 120; ++n)
    {
        const RunReport report =
            RepeatSkipper(n, 1, 2).Run([&](uint64_t parts, RepetitionWatch* watch) {
                ExecutionNode node;
                RunReport run;
                for (uint64_t k = 0; k < parts; ++k)
                {
                    node.repetition = static_cast<int32_t>(k);
                    run.finishTimePs = timeOf(static_cast<int64_t>(k)) + 1;
                    if (watch)
                    {
                        watch->Start(0, node, run.finishTimePs - 1);
                        watch->End(0, node, run.finishTimePs);
                    }
                }
                return run;
            });
        EXPECT_EQ(report.finishTimePs, timeOf(static_cast<int64_t>(n) - 1) + 1) << n;
        EXPECT_TRUE(report.repeats || n < 60) << n;
    }
}

TEST(RepeatSkipper, SaysThatASignalCameWhileItTried)
{
    const RunReport report = RepeatSkipper(1000, 1, 4).Run([](uint64_t, RepetitionWatch*) {
        RunReport run;
        run.partial = true;
        return run;
    });
    EXPECT_EQ(report.repeats->Describe(),
              "stopped while it was tried whether 4 of 1000 repetitions tell the rest");
}

TEST(ReportExtrapolation, AddsWhatAPeriodAdds)
{
    RunReport shorter;
    shorter.finishTimePs = 100;
    shorter.ranks = {{0, 90, 50, 20, 2, 3, 15, 10}};
    shorter.links.resize(1);
    shorter.links[0].wireBytes = 7;
    shorter.links[0].busyPs = 60;
    shorter.links[0].maxQueueBytes = 4;
    shorter.phases = PhaseReport{10, 1, {{"a", 2}}};
    RunReport longer = shorter;
    longer.finishTimePs = 130;
    longer.ranks = {{0, 115, 70, 22, 3, 3, 19, 13}};
    longer.links[0].wireBytes = 9;
    longer.links[0].busyPs = 75;
    longer.phases = PhaseReport{14, 2, {{"a", 2}, {"b", 1}}};
    shorter.operations = 5e9;
    longer.operations = 7e9;
    shorter.ranks[0].overlappedCommunicationPs = 4;
    longer.ranks[0].overlappedCommunicationPs = 5;
    shorter.ranks[0].spilledBytes = 6;
    longer.ranks[0].spilledBytes = 8;
    longer.ranks[0].peakLocalMemoryBytes = 99;
    shorter.communication = {{0, true, "g", 20, 6}};
    longer.communication = {{0, true, "g", 27, 8}};
    shorter.memory = {{"nvme", 5, 6, 7}};
    longer.memory = {{"nvme", 6, 8, 11}};
    const RunReport report = ExtrapolateReport(shorter, longer, 10);
    EXPECT_EQ(report.operations, 25e9);
    EXPECT_EQ(report.ranks[0].overlappedCommunicationPs, 14);
    EXPECT_EQ(report.communication[0].busyPs, 90);
    EXPECT_EQ(report.communication[0].exposedPs, 26);
    EXPECT_EQ(report.finishTimePs, 400);
    const RankReport& rank = report.ranks[0];
    EXPECT_EQ(rank.finishTimePs, 340);
    EXPECT_EQ(rank.exposedMemoryPs, 12);
    EXPECT_EQ(rank.spilledBytes, 26u);
    EXPECT_EQ(rank.peakLocalMemoryBytes, 99u);
    EXPECT_EQ(rank.exposedLocalMemoryPs, 3);
    EXPECT_EQ(rank.GetSumPs(), 400);
    EXPECT_EQ(report.memory[0].loadedBytes, 15u);
    EXPECT_EQ(report.memory[0].storedBytes, 26u);
    EXPECT_EQ(report.memory[0].computedBytes, 47u);
    EXPECT_EQ(report.links[0].wireBytes, 27u);
    EXPECT_DOUBLE_EQ(report.links[0].utilisation, 210.0 / 400);
    EXPECT_EQ(report.links[0].maxQueueBytes, 4u);
    EXPECT_EQ(report.phases->computed, 50u);
    EXPECT_EQ(report.phases->byMessages.at("b"), 10u);
    EXPECT_EQ(
        ErrorOf([&] { ExtrapolateReport(shorter, longer, std::numeric_limits<int64_t>::max()); }),
        "with 9223372036854775807 further repetitions times or bytes become too large to be "
        "counted");
}
