/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-tools.h"

#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/memory-pool-pipeline.h"
#include "ns3/memory-pool-time.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <iostream>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/**
 * @ingroup ml-cluster-tests
 * Equal accesses of all NPUs take the time of the closed form, to the picosecond.
 */
class PoolTimeCase : public TestCase
{
  public:
    PoolTimeCase()
        : TestCase("times of accesses of all NPUs and of one")
    {
    }

  private:
    void DoRun() override;
};

void
PoolTimeCase::DoRun()
{
    const auto shape = MakeFairPool();
    for (const NodeKind kind : {NodeKind::MemoryLoad, NodeKind::MemoryStore})
    {
        const bool isStore = kind == NodeKind::MemoryStore;
        for (const uint64_t bytes : {4'000, 3'750, 375, 1, 0})
        {
            const auto run = RunOnPool(
                MakeEqualWorkload(4, {ComputeNode(1, 70), MemoryNode(2, kind, bytes, {1})}));
            const auto time =
                ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, isStore, bytes));
            NS_TEST_EXPECT_MSG_EQ(run.finishTimePs, 70 + time.wholeBytesPs, bytes << " B by all");
            NS_TEST_EXPECT_MSG_EQ(run.ranks[3].exposedMemoryPs, time.wholeBytesPs, bytes);
        }
        const auto run = RunOnPool(MakeWorkload({{}, {}, {MemoryNode(1, kind, 16'000)}, {}}));
        const auto time =
            ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfRank(shape, isStore, 16'000, 2));
        NS_TEST_EXPECT_MSG_EQ(run.finishTimePs, time.totalPs, "by one");
    }
    NS_TEST_EXPECT_MSG_EQ(
        RunOnPool(MakeEqualWorkload(4, {MemoryNode(1, NodeKind::MemoryLoad, 4'000)})).finishTimePs,
        1'412'500,
        "derivation in the manual");
}

/**
 * @ingroup ml-cluster-tests
 * Accesses that meet take the times of the pipeline, to the picosecond.
 */
class PoolContentionCase : public TestCase
{
  public:
    PoolContentionCase()
        : TestCase("accesses that meet")
    {
    }

  private:
    void DoRun() override;
};

void
PoolContentionCase::DoRun()
{
    const auto shape = MakeFairPool();
    MemoryPoolPipeline pipeline(shape, PoolDetail::EveryGpu);
    pipeline.Start(MemoryPoolAccess::OfAll(shape, false, 8'000), 0);
    pipeline.Start(MemoryPoolAccess::OfRank(shape, true, 12'000, 0), 3'000'000);
    pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 6'000, 1), 3'000'000);
    pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 20'000, 2), 3'000'000);
    std::vector<int64_t> ends(4);
    for (const auto& completion : pipeline.Finish())
    {
        ends[completion.access] = completion.endPs;
    }
    const auto after = [](NodeKind kind, uint64_t bytes) {
        return std::vector<ExecutionNode>{ComputeNode(1, 3'000'000),
                                          MemoryNode(2, NodeKind::MemoryLoad, 8'000),
                                          MemoryNode(3, kind, bytes, {1, 2})};
    };
    const auto run = RunOnPool(MakeWorkload({after(NodeKind::MemoryStore, 12'000),
                                             after(NodeKind::MemoryLoad, 6'000),
                                             after(NodeKind::MemoryLoad, 20'000),
                                             {MemoryNode(2, NodeKind::MemoryLoad, 8'000)}}));
    NS_TEST_ASSERT_MSG_LT(ends[0], 3'000'000, "the first is over by then");
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        NS_TEST_EXPECT_MSG_EQ(run.ranks[rank].finishTimePs, ends[rank + 1], "rank " << rank);
    }
    NS_TEST_EXPECT_MSG_EQ(run.ranks[3].finishTimePs, ends[0], "rank 3");
}

/**
 * @ingroup ml-cluster-tests
 * Ranks that compute and access in turn, at random times, end when the pipeline says that is driven
 * by hand, access by access.
 */
class PoolRandomCase : public TestCase
{
  public:
    PoolRandomCase()
        : TestCase("random runs against the pipeline driven by hand")
    {
    }

  private:
    void DoRun() override;
    /// @param perRank chains of a compute and a memory node @return end of the last of each rank,
    /// ps
    static std::vector<int64_t> DriveByHand(const std::vector<std::vector<ExecutionNode>>& perRank);
};

std::vector<int64_t>
PoolRandomCase::DriveByHand(const std::vector<std::vector<ExecutionNode>>& perRank)
{
    const auto shape = MakeFairPool();
    MemoryPoolPipeline pipeline(shape, PoolDetail::EveryGpu);
    std::map<int64_t, uint32_t> starts; // of accesses, by time: all differ
    std::map<uint64_t, uint32_t> rankOf;
    std::vector<std::size_t> next(perRank.size());
    std::vector<int64_t> ends(perRank.size());
    for (uint32_t rank = 0; rank < perRank.size(); ++rank)
    {
        starts[perRank[rank][0].durationPs] = rank;
    }
    while (!starts.empty() || pipeline.GetNextEvent())
    {
        const auto event = pipeline.GetNextEvent();
        if (!starts.empty() && (!event || starts.begin()->first <= *event))
        {
            const auto [at, rank] = *starts.begin();
            starts.erase(starts.begin());
            const ExecutionNode& node = perRank[rank][next[rank] + 1];
            const bool isStore = node.kind == NodeKind::MemoryStore;
            const auto access = MemoryPoolAccess::OfRank(shape, isStore, node.tensorBytes, rank);
            rankOf[pipeline.Start(access, at)] = rank;
            continue;
        }
        for (const auto& completion : pipeline.Advance(*event))
        {
            const uint32_t rank = rankOf[completion.access];
            ends[rank] = completion.endPs;
            next[rank] += 2;
            if (next[rank] < perRank[rank].size())
            {
                starts[completion.endPs + perRank[rank][next[rank]].durationPs] = rank;
            }
        }
    }
    return ends;
}

void
PoolRandomCase::DoRun()
{
    PoolDice dice(51);
    for (uint32_t i = 0; i < 100; ++i)
    {
        std::vector<std::vector<ExecutionNode>> perRank(4);
        for (auto& nodes : perRank)
        {
            for (uint64_t id = 0; id < 2 * dice.Draw(1, 5); id += 2)
            {
                const auto kind =
                    dice.Draw(0, 1) == 0 ? NodeKind::MemoryLoad : NodeKind::MemoryStore;
                nodes.push_back(ComputeNode(id, dice.Draw(1, 1'000'000)));
                nodes.push_back(MemoryNode(id + 1, kind, dice.Draw(1, 9'000), {id}));
                if (id > 0)
                {
                    nodes[id].dependencies = {id - 1};
                }
            }
        }
        const RunReport run = RunOnPool(MakeWorkload(perRank));
        const auto ends = DriveByHand(perRank);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(run.ranks[rank].finishTimePs, ends[rank], "run " << i);
        }
    }
}

/**
 * @ingroup ml-cluster-tests
 * Requests of one instant are gathered, whatever events they come from, and end in events of
 * their own; what goes in comes out.
 */
class PoolGatheringCase : public TestCase
{
  public:
    PoolGatheringCase()
        : TestCase("requests of one instant, and what is carried")
    {
    }

  private:
    void DoRun() override;
};

void
PoolGatheringCase::DoRun()
{
    UsePicoseconds();
    const auto shape = MakeFairPool();
    const auto pool = CreatePool();
    std::vector<int64_t> ends;
    const auto access = [&](uint32_t rank, uint64_t bytes, bool isStore) {
        const std::size_t before = ends.size();
        pool->Access({rank, bytes, isStore},
                     [&ends] { ends.push_back(Simulator::Now().GetPicoSeconds()); });
        NS_TEST_EXPECT_MSG_EQ(ends.size(), before, "not from within Access");
    };
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        Simulator::Schedule(PicoSeconds(5), [&access, rank] { access(rank, 3'751, false); });
        Simulator::Schedule(PicoSeconds(9'000'000), [&access, rank] {
            Simulator::ScheduleNow([&access, rank] { access(rank, 8, true); });
        });
    }
    Simulator::Run();
    const auto load = ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, 3'751));
    const auto store = ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, true, 8));
    NS_TEST_ASSERT_MSG_EQ(ends.size(), 8, "all end");
    NS_TEST_EXPECT_MSG_EQ(ends[0], 5 + load.wholeBytesPs, "one access of all");
    NS_TEST_EXPECT_MSG_EQ(ends[3], ends[0], "all at once");
    NS_TEST_EXPECT_MSG_EQ(ends[7], 9'000'000 + store.wholeBytesPs, "later ones");
    for (const auto& usage : pool->GetUsage())
    {
        NS_TEST_EXPECT_MSG_EQ(usage.loadedBytes, 4 * 3'751, usage.name);
        NS_TEST_EXPECT_MSG_EQ(usage.storedBytes, 4 * 8, usage.name);
    }
    Simulator::Destroy();
}

/**
 * @ingroup ml-cluster-tests
 * What makes no pool is told before time starts, all at once, by the keys of experiment files.
 */
class PoolErrorCase : public TestCase
{
  public:
    PoolErrorCase()
        : TestCase("pools that cannot be")
    {
    }

  private:
    void DoRun() override;
    void DoTeardown() override;
    /// @param set attributes that differ from the small pool's @param parts of the error
    void Expect(const std::vector<std::pair<std::string, std::string>>& set,
                const std::vector<std::string>& parts);
    /// Errors, and a warning, of experiment files.
    void ExpectPlaces();
    /// @param config has a key of pools and a place of the memory model; without its model the key
    /// is warned of, unless the model is given elsewhere
    void ExpectWarnings(ExperimentConfig config);
};

void
PoolErrorCase::Expect(const std::vector<std::pair<std::string, std::string>>& set,
                      const std::vector<std::string>& parts)
{
    const std::string error = GetErrorOf([&] {
        RunOnPool(MakeEqualWorkload(4, {MemoryNode(1, NodeKind::MemoryLoad, 1)}),
                  [&](ClusterHelper& cluster) {
                      for (const auto& [name, value] : set)
                      {
                          cluster.SetMemoryAttribute(name, StringValue(value));
                      }
                  });
    });
    for (const auto& part : parts)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " says " << part);
    }
    NS_TEST_EXPECT_MSG_EQ(std::count(error.begin(), error.end(), '\n') + 1,
                          static_cast<int64_t>(parts.size()),
                          error << " has a line for each problem");
}

void
PoolErrorCase::ExpectPlaces()
{
    ExperimentConfig config;
    config.file = "test.yaml";
    config.dimensions = {MakeTopology("Switch(4)", 800'000'000'000, 0).GetDimension(0)};
    config.collective = CollectiveType::AllReduce;
    config.collectiveBytes = 1;
    config.backends = {"analytical"};
    const std::string pool = "ns3::mlcluster::MemoryPoolModel::";
    config.attributes = {
        {pool + "Groups", "0", {"test.yaml", 7, "cluster.memory.pool.groups"}},
        {pool + "NodeLinkBandwidth",
         "400Gbps",
         {"test.yaml", 8, "cluster.memory.pool.node-link-bandwidth"}},
    };
    std::string name = "test";
    char* argv[] = {name.data()};
    ApplyAttributes(config, 1, argv);
    NS_TEST_EXPECT_MSG_EQ(FindAttributePlace(config, pool + "NodeLinkBandwidth").line,
                          8,
                          "a rate, however it is written");
    config.attributes.pop_back();
    std::string error;
    config.memoryModel = "pol";
    config.memoryModelPlace = {"test.yaml", 5, "cluster.memory.model"};
    error = GetErrorOf([&] { ExperimentRunner{config}; });
    NS_TEST_EXPECT_MSG_EQ(
        Contains(error,
                 "test.yaml:5: cluster.memory.model: memory model: \"pol\" is "
                 "none (nearest: pool); allowed: queued, pool, network-pool, tiered"),
        true,
        error);
    config.memoryModel = "pool";
    error = GetErrorOf([&] { ExperimentRunner(config).Run(); });
    for (const std::string part :
         {"test.yaml:7: cluster.memory.pool.groups: is 0; a memory pool needs at least 1",
          "test.yaml: cluster.memory.pool.gpu-link-bandwidth: is 0, so that no access would end"})
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " says " << part);
    }
    NS_TEST_EXPECT_MSG_EQ(GetErrorOf([&] { ExperimentRunner(config).Estimate(); }),
                          error,
                          "estimates say so too");
    ExpectWarnings(config);
    config.memoryModel = "pool";
    const std::string effective = GetEffectiveConfiguration(config);
    NS_TEST_EXPECT_MSG_EQ(Contains(effective, "npus-per-memory"), false, "of another model");
    NS_TEST_EXPECT_MSG_EQ(Contains(effective, "    pool:\n      groups: 0\n"), true, effective);
}

void
PoolErrorCase::ExpectWarnings(ExperimentConfig config)
{
    config.memoryModel = "queued";
    const auto getWarnings = [&] {
        std::ostringstream warnings;
        std::streambuf* const stream = std::cerr.rdbuf(warnings.rdbuf());
        ExperimentRunner{config};
        std::cerr.rdbuf(stream);
        return warnings.str();
    };
    const std::string warning =
        "cluster.memory.pool.groups: has no effect with "
        "the memory model queued (cluster.memory.model), only with pool, network-pool\n";
    NS_TEST_EXPECT_MSG_EQ(getWarnings(), "warning: test.yaml:7: " + warning, "of another model");
    config.memoryModelPlace.file = "--set";
    NS_TEST_EXPECT_MSG_EQ(getWarnings(), "", "the file's keys are not for the model set");
    config.memoryModelPlace.file = config.file;
    config.attributes[0].place = {"--set", 0, "cluster.memory.pool.groups"};
    NS_TEST_EXPECT_MSG_EQ(getWarnings(), "warning: --set: " + warning, "set without its model");
}

void
PoolErrorCase::DoRun()
{
    const std::string section = "cluster.memory.pool.";
    Expect({{"Groups", "0"}}, {section + "groups: is 0; a memory pool needs at least 1"});
    Expect({{"GpusPerNode", "3"}},
           {section + "gpus-per-node: 3 does not divide the 4 NPUs; allowed are divisors"});
    Expect({{"GpusPerNode", "8"}}, {section + "gpus-per-node: 8 does not divide the 4 NPUs"});
    Expect({{"GpusPerNode", "0"}}, {section + "gpus-per-node: is 0"});
    Expect({{"Rounds", "short"}}, {section + "rounds: \"short\" is no rounds"});
    Expect({{"MemoryBandwidth", "0bps"}, {"NodeLinkBandwidth", "0bps"}, {"Chunk", "1"}},
           {section + "memory-bandwidth: is 0, so that no access would end; give a rate",
            section + "node-link-bandwidth: is 0",
            section + "chunk: 1B cannot be split over the 4 links of the widest layer"});
    ExpectPlaces();
    const auto pool = CreateObject<HierarchicalMemoryPool>();
    pool->Build(4);
    const std::string error = GetErrorOf([&] { pool->Access({0, 1, false}, [] {}); });
    NS_TEST_EXPECT_MSG_EQ(Contains(error, "is not ready: call Build and Prepare"), true, error);
}

void
PoolErrorCase::DoTeardown()
{
    Config::Reset();
    Simulator::Destroy();
}

/**
 * @ingroup ml-cluster-tests
 * The suite of the hierarchical memory pool.
 */
class MemoryPoolTestSuite : public TestSuite
{
  public:
    MemoryPoolTestSuite()
        : TestSuite("ml-cluster-memory-pool", Type::UNIT)
    {
        AddTestCase(new PoolTimeCase);
        AddTestCase(new PoolContentionCase);
        AddTestCase(new PoolRandomCase);
        AddTestCase(new PoolGatheringCase);
        AddTestCase(new PoolErrorCase);
    }
};

/// The suite.
MemoryPoolTestSuite g_memoryPoolTestSuite;

} // namespace
