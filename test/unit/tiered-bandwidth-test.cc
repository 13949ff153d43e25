/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/shared-bandwidth.h"
#include "ns3/tiered-bandwidth.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Fraction = boost::multiprecision::cpp_rational;

constexpr uint64_t GBYTES_PER_S = 8'000'000'000; ///< bit/s
constexpr int64_t NS = 1'000;                    ///< ps

/// A transfer to do.
struct Transfer
{
    int64_t startPs; ///< when, in ascending order
    uint64_t bytes;  ///< how much
    uint32_t tier;   ///< from where
};

/// Tiers and their link.
struct Tiers
{
    std::vector<uint64_t> bitRates;  ///< of tiers
    std::optional<uint64_t> bitRate; ///< of the link
};

/// Takes all transfers that end until then. @tparam Bandwidth what is shared @param bandwidth it
/// @param until when, ps @param ends receives ends by number
template <typename Bandwidth>
void
TakeEnds(Bandwidth& bandwidth, int64_t until, std::vector<int64_t>& ends)
{
    for (auto next = bandwidth.GetNextEnd(); next && *next <= until; next = bandwidth.GetNextEnd())
    {
        for (const uint64_t number : bandwidth.Advance(*next))
        {
            ends.at(number) = *next;
        }
    }
}

/// @param tiers tiers @param transfers to do @return their ends, ps
std::vector<int64_t>
Share(const Tiers& tiers, const std::vector<Transfer>& transfers)
{
    TieredBandwidth bandwidth(tiers.bitRates, tiers.bitRate);
    std::vector<int64_t> ends(transfers.size(), -1);
    for (const Transfer& transfer : transfers)
    {
        TakeEnds(bandwidth, transfer.startPs, ends);
        bandwidth.Start(transfer.tier, transfer.bytes, transfer.startPs);
    }
    TakeEnds(bandwidth, std::numeric_limits<int64_t>::max(), ends);
    EXPECT_EQ(bandwidth.GetNTransfers(), 0);
    return ends;
}

/// Progressive filling: all rates grow alike until a resource is full, which holds back those that
/// use it. @param tiers tiers @param tierOf per transfer its tier @return rates, bit/s
std::vector<Fraction>
Fill(const Tiers& tiers, const std::vector<uint32_t>& tierOf)
{
    std::vector<Fraction> capacities(tiers.bitRates.begin(), tiers.bitRates.end());
    if (tiers.bitRate)
    {
        capacities.emplace_back(*tiers.bitRate);
    }
    const auto uses = [&](std::size_t transfer, std::size_t resource) {
        return resource == tiers.bitRates.size() || resource == tierOf[transfer];
    };
    std::vector<Fraction> rates(tierOf.size(), 0);
    std::vector<bool> isHeld(tierOf.size(), false);
    while (std::count(isHeld.begin(), isHeld.end(), false) > 0)
    {
        std::optional<Fraction> growth;
        std::vector<std::vector<std::size_t>> users(capacities.size());
        for (std::size_t r = 0; r < capacities.size(); ++r)
        {
            for (std::size_t i = 0; i < tierOf.size(); ++i)
            {
                if (!isHeld[i] && uses(i, r))
                {
                    users[r].push_back(i);
                }
            }
            if (!users[r].empty())
            {
                const Fraction part = capacities[r] / users[r].size();
                growth = growth ? std::min(*growth, part) : part;
            }
        }
        for (std::size_t i = 0; i < tierOf.size(); ++i)
        {
            rates[i] += isHeld[i] ? Fraction(0) : *growth;
        }
        for (std::size_t r = 0; r < capacities.size(); ++r)
        {
            capacities[r] -= *growth * users[r].size();
            for (const std::size_t i : users[r])
            {
                isHeld[i] = isHeld[i] || capacities[r] == 0;
            }
        }
    }
    return rates;
}

/// @param tiers tiers @param transfers to do @return their ends, ps, exactly
std::vector<Fraction>
ShareStepwise(const Tiers& tiers, const std::vector<Transfer>& transfers)
{
    std::vector<Fraction> ends(transfers.size());
    std::map<std::size_t, Fraction> left; // bits
    Fraction now = 0;
    for (std::size_t next = 0; next < transfers.size() || !left.empty();)
    {
        std::vector<uint32_t> tierOf;
        for (const auto& entry : left)
        {
            tierOf.push_back(transfers[entry.first].tier);
        }
        const auto rates = Fill(tiers, tierOf);
        std::optional<Fraction> then;
        std::size_t i = 0;
        for (const auto& entry : left)
        {
            const Fraction end = now + entry.second * 1'000'000'000'000 / rates[i++];
            then = then ? std::min(*then, end) : end;
        }
        const bool isStart =
            next < transfers.size() && (!then || Fraction(transfers[next].startPs) < *then);
        then = isStart ? Fraction(transfers[next].startPs) : *then;
        i = 0;
        for (auto entry = left.begin(); entry != left.end();)
        {
            entry->second -= (*then - now) * rates[i++] / 1'000'000'000'000;
            if (entry->second == 0)
            {
                ends[entry->first] = *then;
                entry = left.erase(entry);
            }
            else
            {
                ++entry;
            }
        }
        now = *then;
        if (isStart)
        {
            left[next] = Fraction(transfers[next].bytes) * 8;
            if (left[next] == 0)
            {
                ends[next] = now;
                left.erase(next);
            }
            ++next;
        }
    }
    return ends;
}

/// @param time a time, ps @return it, rounded up
int64_t
RoundUp(const Fraction& time)
{
    using boost::multiprecision::denominator;
    using boost::multiprecision::numerator;
    return static_cast<int64_t>((numerator(time) + denominator(time) - 1) / denominator(time));
}

} // namespace

TEST(TieredBandwidthTest, OneTransferHasTheSlowerOfTierAndLink)
{
    EXPECT_EQ(Share({{10 * GBYTES_PER_S}, 4 * GBYTES_PER_S}, {{5 * NS, 400, 0}}),
              std::vector<int64_t>{105 * NS});
    EXPECT_EQ(Share({{2 * GBYTES_PER_S}, 4 * GBYTES_PER_S}, {{5 * NS, 400, 0}}),
              std::vector<int64_t>{205 * NS});
    EXPECT_EQ(Share({{2 * GBYTES_PER_S}, std::nullopt}, {{5 * NS, 400, 0}}),
              std::vector<int64_t>{205 * NS});
}

TEST(TieredBandwidthTest, SlowTiersLeaveTheRestOfTheLink)
{
    // NVMe of 2 GB/s and CPU memory of 100 GB/s behind 16 GB/s: 2 and 14 until the NVMe's 200 bytes
    // are through after 100 ns, in which the other has 1,400 of 3,000; then 16
    const Tiers tiers{{2 * GBYTES_PER_S, 100 * GBYTES_PER_S}, 16 * GBYTES_PER_S};
    EXPECT_EQ(Share(tiers, {{0, 200, 0}, {0, 3000, 1}}),
              (std::vector<int64_t>{100 * NS, 200 * NS}));
    // two of the NVMe have 1 each
    EXPECT_EQ(Share(tiers, {{0, 100, 0}, {0, 100, 0}, {0, 1400, 1}}),
              (std::vector<int64_t>{100 * NS, 100 * NS, 100 * NS}));
}

TEST(TieredBandwidthTest, RatesAreMaxMinFair)
{
    TieredBandwidth bandwidth({10, 30, 100, 7}, 60);
    EXPECT_EQ(bandwidth.GetRate(0), 0);
    bandwidth.Start(0, 1'000, 0);
    bandwidth.Start(1, 1'000, 0);
    bandwidth.Start(2, 1'000, 0);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(0), 10);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(1), 25);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(2), 25);
    bandwidth.Start(1, 1'000, 0);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(0), 10);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(1), 15);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(2), 20);
    bandwidth.Start(2, 1'000, 0);
    bandwidth.Start(2, 1'000, 0);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(0), 10);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(1), 10);
    EXPECT_DOUBLE_EQ(bandwidth.GetRate(2), 10);
    EXPECT_EQ(bandwidth.GetRate(3), 0);
    EXPECT_EQ(bandwidth.GetNTransfers(), 6);
}

TEST(TieredBandwidthTest, EqualsFillingInFractions)
{
    std::mt19937 random(20261130);
    const auto draw = [&random](uint64_t limit) { return random() % limit; };
    for (int i = 0; i < 300; ++i)
    {
        Tiers tiers;
        const uint64_t nTiers = 1 + draw(4);
        for (uint64_t tier = 0; tier < nTiers; ++tier)
        {
            tiers.bitRates.push_back((1 + draw(100)) * (draw(2) == 0 ? GBYTES_PER_S : 99'999'989));
        }
        if (draw(5) > 0)
        {
            tiers.bitRate = (1 + draw(200)) * GBYTES_PER_S;
        }
        std::vector<Transfer> transfers;
        int64_t start = 0;
        const uint64_t nTransfers = 1 + draw(12);
        for (uint64_t k = 0; k < nTransfers; ++k)
        {
            start += static_cast<int64_t>(draw(3) == 0 ? 0 : draw(200'000));
            const uint64_t bytes = draw(10) == 0 ? 0 : draw(5'000);
            const uint32_t tier = draw(nTiers);
            transfers.push_back({start, bytes, tier});
        }
        const auto ends = Share(tiers, transfers);
        const auto exact = ShareStepwise(tiers, transfers);
        const Fraction tiny(1, 1'000'000'000);
        for (std::size_t k = 0; k < ends.size(); ++k)
        {
            ASSERT_GE(ends[k], RoundUp(exact[k] - tiny)) << i << " " << k;
            ASSERT_LE(ends[k], RoundUp(exact[k])) << i << " " << k;
        }
    }
}

TEST(TieredBandwidthTest, OneTierWithoutALinkIsSharedBandwidth)
{
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i)
    {
        const uint64_t bitRate = 1'000'000'007 * (1 + random() % 100);
        TieredBandwidth tiered({bitRate}, std::nullopt);
        TieredBandwidth behindFast({bitRate}, 2 * bitRate);
        TieredBandwidth behindSlow({3 * bitRate}, bitRate);
        SharedBandwidth shared(bitRate);
        std::vector<std::vector<int64_t>> ends(4, std::vector<int64_t>(200));
        const auto takeEnds = [&](int64_t until) {
            TakeEnds(shared, until, ends[0]);
            TakeEnds(tiered, until, ends[1]);
            TakeEnds(behindFast, until, ends[2]);
            TakeEnds(behindSlow, until, ends[3]);
        };
        int64_t start = 0;
        for (int k = 0; k < 200; ++k)
        {
            start += random() % 20'000;
            const uint64_t bytes = random() % 5'000;
            takeEnds(start);
            shared.Start(bytes, start);
            tiered.Start(0, bytes, start);
            behindFast.Start(0, bytes, start);
            behindSlow.Start(0, bytes, start);
        }
        takeEnds(std::numeric_limits<int64_t>::max());
        EXPECT_EQ(ends[1], ends[0]) << i;
        EXPECT_EQ(ends[2], ends[0]) << i;
        EXPECT_EQ(ends[3], ends[0]) << i;
    }
}

TEST(TieredBandwidthTest, AFullLinkEndsWithAllBytes)
{
    constexpr uint64_t LINK = 16 * GBYTES_PER_S;
    std::mt19937 random(8);
    std::vector<Transfer> transfers;
    uint64_t sum = 0;
    for (int i = 0; i < 20'000; ++i)
    {
        const uint64_t bytes = 1'000'000 + random() % 1'000'000;
        const uint32_t tier = random() % 2;
        transfers.push_back({i * 30 * NS, bytes, tier});
        sum += bytes;
    }
    const auto ends = Share({{20 * GBYTES_PER_S, 16 * GBYTES_PER_S}, LINK}, transfers);
    EXPECT_EQ(*std::max_element(ends.begin(), ends.end()), SerialisationPicoseconds(sum, LINK));
}

TEST(TieredBandwidthTest, EqualEndsComeByNumber)
{
    TieredBandwidth bandwidth({GBYTES_PER_S, GBYTES_PER_S}, GBYTES_PER_S);
    for (const uint32_t tier : {1, 0, 0, 1})
    {
        bandwidth.Start(tier, 10, 0);
    }
    EXPECT_EQ(bandwidth.GetNextEnd(), 40 * NS);
    EXPECT_TRUE(bandwidth.Advance(39 * NS).empty());
    EXPECT_EQ(bandwidth.Advance(40 * NS), (std::vector<uint64_t>{0, 1, 2, 3}));
    EXPECT_EQ(bandwidth.GetNextEnd(), std::nullopt);
}

TEST(TieredBandwidthTest, Errors)
{
    TieredBandwidth bandwidth({1, 2}, 1);
    EXPECT_EQ(ErrorOf([&] { bandwidth.Start(2, 1, 0); }),
              "a transfer of memory tier 2; there are 2, counted from 0");
    EXPECT_NE(ErrorOf([&] { bandwidth.Start(0, UINT64_MAX, 0); }), "");
    TieredBandwidth slow({8'000'000'000'000}, 1);
    slow.Start(0, uint64_t{1} << 62, 0);
    EXPECT_NE(ErrorOf([&] { slow.GetNextEnd(); }), "");
}
