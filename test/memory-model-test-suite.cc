/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/diagnostics.h"
#include "ns3/object-factory.h"
#include "ns3/per-npu-memory-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @param latency attribute @param bandwidth attribute @return the model
Ptr<MemoryModel>
CreateModel(const std::string& latency, const std::string& bandwidth)
{
    ObjectFactory factory("ns3::mlcluster::PerNpuMemoryModel");
    factory.Set("Latency", StringValue(latency));
    factory.Set("Bandwidth", StringValue(bandwidth));
    return factory.Create<MemoryModel>();
}

/**
 * @ingroup ml-cluster-tests
 * Accesses take latency + bytes / rate, those of one NPU one after the other.
 */
class PerNpuAccessCase : public TestCase
{
  public:
    PerNpuAccessCase()
        : TestCase("times of accesses")
    {
    }

  private:
    void DoRun() override;
    /// @param rank who @param bytes how much @param timePs when
    void AccessAt(uint32_t rank, uint64_t bytes, int64_t timePs);

    Ptr<MemoryModel> m_model;                             ///< under test
    std::vector<std::pair<uint32_t, int64_t>> m_finished; ///< rank and time, ps, in order
};

void
PerNpuAccessCase::AccessAt(uint32_t rank, uint64_t bytes, int64_t timePs)
{
    Simulator::Schedule(PicoSeconds(timePs), [this, rank, bytes] {
        const std::size_t before = m_finished.size();
        m_model->Access(rank, bytes, false, [this, rank] {
            m_finished.emplace_back(rank, Simulator::Now().GetPicoSeconds());
        });
        NS_TEST_ASSERT_MSG_EQ(m_finished.size(), before, "not from within Access");
    });
}

void
PerNpuAccessCase::DoRun()
{
    UsePicoseconds();
    constexpr int64_t US = 1'000'000;
    m_model = CreateModel("100ns", "80Gbps");
    AccessAt(0, 1'000'000, 0);
    AccessAt(1, 1'000, 0);
    AccessAt(0, 1'000, 1'000);
    AccessAt(0, 0, 200 * US);
    AccessAt(2, 1, 200 * US);
    AccessAt(3, 5'000'000'000, 200 * US);
    Simulator::Run();
    const std::vector<std::pair<uint32_t, int64_t>> expected = {
        {1, 200'000},
        {0, 100'100'000},
        {0, 100'300'000},
        {0, 200 * US + 100'000},
        {2, 200 * US + 100'100},
        {3, 200 * US + 500'000'100'000},
    };
    NS_TEST_ASSERT_MSG_EQ(m_finished.size(), expected.size(), "all finish once");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(m_finished[i].first, expected[i].first, "rank of access " << i);
        NS_TEST_EXPECT_MSG_EQ(m_finished[i].second, expected[i].second, "end of access " << i);
    }
    Simulator::Destroy();
}

/**
 * @ingroup ml-cluster-tests
 * An access that takes no time ends in an event of its own; a part of a picosecond counts as one.
 */
class PerNpuRoundingCase : public TestCase
{
  public:
    PerNpuRoundingCase()
        : TestCase("smallest times")
    {
    }

  private:
    void DoRun() override;
};

void
PerNpuRoundingCase::DoRun()
{
    const std::pair<uint64_t, int64_t> accesses[] = {{0, 0}, {1, 3}, {3, 8}};
    for (const auto& [bytes, expected] : accesses)
    {
        const auto model = CreateModel("0ns", "3000Gbps");
        int64_t end = -1;
        model->Access(0, bytes, true, [&end] { end = Simulator::Now().GetPicoSeconds(); });
        NS_TEST_EXPECT_MSG_EQ(end, -1, "not from within Access");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(end, expected, bytes << " bytes at 3 Tb/s");
        Simulator::Destroy();
    }
}

/**
 * @ingroup ml-cluster-tests
 * No remote memory, or no end, is an error that says what to do.
 */
class PerNpuErrorCase : public TestCase
{
  public:
    PerNpuErrorCase()
        : TestCase("accesses that cannot be")
    {
    }

  private:
    void DoRun() override;
    /// @param bandwidth attribute @param bytes size @param part of the error that must come
    void Expect(const std::string& bandwidth, uint64_t bytes, const std::string& part);
};

void
PerNpuErrorCase::Expect(const std::string& bandwidth, uint64_t bytes, const std::string& part)
{
    std::string error;
    try
    {
        CreateModel("1ns", bandwidth)->Access(5, bytes, false, [] {});
    }
    catch (const InputError& thrown)
    {
        error = thrown.what();
    }
    NS_TEST_EXPECT_MSG_EQ((error.find(part) != std::string::npos), true, error << " says " << part);
    Simulator::Destroy();
}

void
PerNpuErrorCase::DoRun()
{
    Expect("0bps", 1, "rank 5 accesses remote memory, and there is none: set the attribute");
    Expect("1bps",
           std::numeric_limits<uint64_t>::max(),
           "18446744073709551615B of remote memory at 1bps");
}

/**
 * @ingroup ml-cluster-tests
 * The suite of memory models.
 */
class MemoryModelTestSuite : public TestSuite
{
  public:
    MemoryModelTestSuite()
        : TestSuite("ml-cluster-memory-model", Type::UNIT)
    {
        AddTestCase(new PerNpuAccessCase);
        AddTestCase(new PerNpuRoundingCase);
        AddTestCase(new PerNpuErrorCase);
    }
};

/// The suite.
MemoryModelTestSuite g_memoryModelTestSuite;

} // namespace
