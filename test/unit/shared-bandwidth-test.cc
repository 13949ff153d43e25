/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/shared-bandwidth.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t GBYTES_PER_S = 8'000'000'000; ///< bit/s
constexpr int64_t NS = 1'000;                    ///< ps

/// A transfer to do.
struct Transfer
{
    int64_t startPs; ///< when, in ascending order
    uint64_t bytes;  ///< how much
};

/// @param bitRate shared @param transfers to do @return their ends, ps
std::vector<int64_t>
Share(uint64_t bitRate, const std::vector<Transfer>& transfers)
{
    SharedBandwidth shared(bitRate);
    std::vector<int64_t> ends(transfers.size());
    const auto advance = [&](int64_t until) {
        for (auto next = shared.GetNextEnd(); next && *next <= until; next = shared.GetNextEnd())
        {
            for (const uint64_t number : shared.Advance(*next))
            {
                ends[number] = *next;
            }
        }
    };
    for (const Transfer& transfer : transfers)
    {
        advance(transfer.startPs);
        shared.Start(transfer.bytes, transfer.startPs);
    }
    advance(std::numeric_limits<int64_t>::max());
    EXPECT_EQ(shared.GetNTransfers(), 0);
    return ends;
}

/// Exact fractions.
class Fraction
{
  public:
    using Big = boost::multiprecision::cpp_int;

    /// @param up numerator @param down denominator, above 0
    Fraction(const Big& up, const Big& down = 1)
        : m_up(up),
          m_down(down)
    {
        const Big common = boost::multiprecision::gcd(m_up, m_down);
        m_up /= common;
        m_down /= common;
    }

    Fraction operator+(const Fraction& other) const
    {
        return {m_up * other.m_down + other.m_up * m_down, m_down * other.m_down};
    }

    Fraction operator-(const Fraction& other) const
    {
        return {m_up * other.m_down - other.m_up * m_down, m_down * other.m_down};
    }

    Fraction operator*(const Fraction& other) const
    {
        return {m_up * other.m_up, m_down * other.m_down};
    }

    bool operator<(const Fraction& other) const
    {
        return m_up * other.m_down < other.m_up * m_down;
    }

    /// @return it, rounded up
    int64_t RoundUp() const
    {
        return static_cast<int64_t>((m_up + m_down - 1) / m_down);
    }

  private:
    Big m_up;   ///< numerator
    Big m_down; ///< denominator
};

/// The same by stepping from event to event, with what is left of every transfer.
std::vector<int64_t>
ShareStepwise(uint64_t bitRate, const std::vector<Transfer>& transfers)
{
    std::vector<int64_t> ends(transfers.size());
    std::vector<Fraction> left;
    std::vector<std::size_t> active;
    Fraction now(0);
    for (std::size_t next = 0; next < transfers.size() || !active.empty();)
    {
        const Fraction n(active.empty() ? 1 : active.size());
        Fraction end(Fraction::Big(1) << 100);
        for (const std::size_t i : active)
        {
            end = std::min(end, now + left[i] * n);
        }
        const bool isStart = next < transfers.size() && !(end < Fraction(transfers[next].startPs));
        const Fraction then = isStart ? Fraction(transfers[next].startPs) : end;
        std::vector<std::size_t> remaining;
        for (const std::size_t i : active)
        {
            left[i] = left[i] - (then - now) * Fraction(1, active.size());
            if (Fraction(0) < left[i])
            {
                remaining.push_back(i);
            }
            else
            {
                ends[i] = then.RoundUp();
            }
        }
        active = remaining;
        now = then;
        if (isStart)
        {
            left.emplace_back(Fraction::Big(transfers[next].bytes) * 8'000'000'000'000, bitRate);
            active.push_back(next++);
        }
    }
    return ends;
}

TEST(SharedBandwidthTest, ClosedForms)
{
    EXPECT_EQ(Share(GBYTES_PER_S, {{5, 1'000}}), std::vector<int64_t>{1'000 * NS + 5});
    EXPECT_EQ(Share(GBYTES_PER_S, {{0, 1'000}, {0, 1'000}, {0, 1'000}}),
              std::vector<int64_t>(3, 3'000 * NS));
    EXPECT_EQ(Share(GBYTES_PER_S, {{0, 1'000}, {500 * NS, 1'000}}),
              (std::vector<int64_t>{1'500 * NS, 2'000 * NS}));
    EXPECT_EQ(Share(GBYTES_PER_S, {{0, 1'000}, {0, 100}, {3'000 * NS, 10}}),
              (std::vector<int64_t>{1'100 * NS, 200 * NS, 3'010 * NS}));
    EXPECT_EQ(Share(GBYTES_PER_S, {{0, 1'000}, {400 * NS, 0}}),
              (std::vector<int64_t>{1'000 * NS, 400 * NS}));
    EXPECT_EQ(Share(3 * GBYTES_PER_S, {{0, 1}, {0, 1}}), (std::vector<int64_t>{667, 667}));
}

TEST(SharedBandwidthTest, SameAsStepByStep)
{
    std::mt19937 random(21);
    const auto draw = [&random](uint64_t most) { return random() % (most + 1); };
    for (uint32_t i = 0; i < 200; ++i)
    {
        const uint64_t bitRate = 1 + draw(999'999'999);
        std::vector<Transfer> transfers(1 + draw(11));
        int64_t start = 0;
        uint64_t bytes = 0;
        for (Transfer& transfer : transfers)
        {
            start += draw(3) * draw(2'000 * NS);
            transfer.startPs = start;
            transfer.bytes = draw(200);
            bytes += transfer.bytes;
        }
        const auto ends = Share(bitRate, transfers);
        ASSERT_EQ(ends, ShareStepwise(bitRate, transfers)) << "case " << i;
    }
}

TEST(SharedBandwidthTest, WorkIsConserved)
{
    std::mt19937 random(22);
    std::vector<Transfer> transfers(10'000);
    uint64_t bytes = 0;
    int64_t start = 0;
    for (Transfer& transfer : transfers)
    {
        transfer.startPs = start;
        transfer.bytes = 1 + random() % 1'000'000;
        start += random() % 1'000'000;
        bytes += transfer.bytes;
    }
    // it never rests: what ends last ends when all bytes are through
    constexpr uint64_t BIT_RATE = 7'777'777'777;
    const auto ends = Share(BIT_RATE, transfers);
    EXPECT_EQ(*std::max_element(ends.begin(), ends.end()),
              SerialisationPicoseconds(bytes, BIT_RATE));
}

TEST(SharedBandwidthTest, Refusals)
{
    SharedBandwidth shared(1);
    EXPECT_NE(ErrorOf([&] { shared.Start(UINT64_MAX, 0); }).find("ends later than time"),
              std::string::npos);
    shared.Start(1'000'000, 0);
    shared.Start(1'000'000, 0);
    EXPECT_NE(ErrorOf([&] { shared.GetNextEnd(); }).find("ends later than time"),
              std::string::npos);
}

TEST(FineTimeTest, Rounding)
{
    EXPECT_EQ(FineTime::OfTransfer(1, 3 * GBYTES_PER_S).GetPicoseconds(), 334);
    const FineTime third = FineTime::OfTransfer(1, 3 * GBYTES_PER_S);
    EXPECT_EQ((third + third + third).GetPicoseconds(), 1'000);
    EXPECT_EQ((third * 3 + FineTime(1)).GetPicoseconds(), 1'001);
    EXPECT_TRUE(third < FineTime(334));
    EXPECT_TRUE(FineTime(333) < third);
    EXPECT_TRUE(FineTime(999) / 3 == FineTime(333));
    EXPECT_TRUE(FineTime(1) < FineTime(1) / 3 * 3) << "parts are rounded up";
    EXPECT_NE(ErrorOf([] { FineTime(INT64_MAX) + FineTime(1); }).find("later than time"),
              std::string::npos);
    EXPECT_NE(ErrorOf([] { FineTime(INT64_MAX) * UINT64_MAX; }).find("later than time"),
              std::string::npos);
}

} // namespace
