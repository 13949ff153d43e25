/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Workload generators as they are set: by attributes, defaults, experiment files, options.

#include "generator-experiments.h"

#include "ns3/boolean.h"
#include "ns3/chakra-writer.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/generator-keys.h"
#include "ns3/object-factory.h"

#include <set>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const std::string NPU = "ns3::mlcluster::NpuApplication::";     ///< what its attributes begin with
const std::string MEMORY = "ns3::mlcluster::QueuedMemoryModel"; ///< remote memory

/// @param workload a workload @return all that nodes and groups say
std::string
Print(const ClusterWorkload& workload)
{
    std::ostringstream os;
    for (const auto& [name, members] : workload.GetGroups())
    {
        os << name << ": " << JoinNumbers(members) << "\n";
    }
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        for (uint32_t i = 0; i < workload.GetGraph(rank).GetNNodes(); ++i)
        {
            const ExecutionNode node = workload.GetResolvedNode(rank, i);
            os << rank << " " << node.id << " " << std::string(node.name) << " "
               << ToString(node.kind) << " " << ToString(node.collective) << " " << node.durationPs
               << " " << node.operations << " " << node.tensorBytes << " " << node.bytes << " "
               << node.peer << " " << node.priority << " " << node.group << " " << node.repetition;
            for (const uint64_t id : node.dependencies)
            {
                os << " " << id;
            }
            os << "\n";
        }
    }
    return os.str();
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Settings of a generator, made in four ways. Expectation: the same work, which takes the same time
 * to the picosecond; and without any one of them other work, or none.
 */
class GeneratorSettingsTestCase : public GeneratorTestCase
{
  public:
    /// @param given the settings
    explicit GeneratorSettingsTestCase(const GeneratorCase& given)
        : GeneratorTestCase(given.section + ": " + given.name),
          m_given(given)
    {
    }

  private:
    void DoRun() override
    {
        WriteGeneratorFiles();
        const int64_t time = RunByAttributes();
        NS_TEST_ASSERT_MSG_GT(time, 0, "something is done");
        NS_TEST_EXPECT_MSG_EQ(RunByDefaults(), time, "Config::SetDefault");
        NS_TEST_EXPECT_MSG_EQ(Run(Load(WriteFile())).finishTimePs, time, "experiment file");
        const std::string bare = Write("bare.yaml", MakeCluster(m_given));
        NS_TEST_EXPECT_MSG_EQ(Run(Load(bare, GetOptions())).finishTimePs, time, "--set");
        CheckThatEachCounts();
    }

    /// @param setting a setting @return the value of its attribute
    std::string GetText(const GeneratorSetting& setting)
    {
        return setting.isFile ? GetPath(setting.value) : setting.GetText();
    }

    /// @return finish time of the work of an object that a factory makes, ps
    int64_t RunByAttributes()
    {
        ObjectFactory factory("ns3::mlcluster::" + m_given.type);
        for (const auto& setting : m_given.settings)
        {
            factory.Set(setting.GetAttribute(), StringValue(GetText(setting)));
        }
        const auto generator = factory.Create<WorkloadGenerator>();
        const auto topology = MakeTopology(m_given.topology, 400000000000, 500000);
        Diagnostics diagnostics;
        generator->Setup(topology, diagnostics);
        NS_TEST_EXPECT_MSG_EQ(JoinWords(diagnostics.GetErrors()), "", "errors");
        NS_TEST_EXPECT_MSG_EQ(JoinWords(diagnostics.GetWarnings()), "", "warnings");
        ClusterHelper cluster(topology);
        cluster.SetNpuAttribute("CollectivePriority", StringValue("explicit"));
        if (m_given.HasOperations())
        {
            cluster.SetNpuAttribute("Roofline", BooleanValue(true));
            cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
            cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(800000000000)));
        }
        if (m_given.HasRemoteMemory())
        {
            cluster.SetMemoryModel(MEMORY);
            cluster.SetMemoryAttribute("Bandwidth", StringValue("800Gbps"));
        }
        cluster.Install(generator->Generate(generator->GetNRepetitions()));
        return cluster.Run().finishTimePs;
    }

    /// @return finish time of an experiment without a file, ps
    int64_t RunByDefaults()
    {
        ExperimentConfig config;
        const auto topology = MakeTopology(m_given.topology, 400000000000, 500000);
        for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
        {
            config.dimensions.push_back(topology.GetDimension(k));
        }
        config.generator = "ns3::mlcluster::" + m_given.type;
        config.backends = {"analytical"};
        Config::SetDefault(NPU + "CollectivePriority", StringValue("explicit"));
        if (m_given.HasOperations())
        {
            Config::SetDefault(NPU + "Roofline", BooleanValue(true));
            Config::SetDefault(NPU + "PeakFlops", DoubleValue(1e12));
            Config::SetDefault(NPU + "MemoryBandwidth", DataRateValue(DataRate(800000000000)));
        }
        if (m_given.HasRemoteMemory())
        {
            Config::SetDefault(MEMORY + "::Bandwidth", DataRateValue(DataRate(800000000000)));
        }
        for (const auto& setting : m_given.settings)
        {
            Config::SetDefault(config.generator + "::" + setting.GetAttribute(),
                               StringValue(GetText(setting)));
        }
        return Run(config).finishTimePs;
    }

    /// @return settings as options
    std::vector<std::string> GetOptions() const
    {
        std::vector<std::string> options;
        for (const auto& setting : m_given.settings)
        {
            options.push_back("workload." + m_given.section + "." + setting.key + "=" +
                              setting.value);
        }
        return options;
    }

    /// @param omitted setting to leave out, "" for none @return path of an experiment file
    std::string WriteFile(const std::string& omitted = "")
    {
        return Write("experiment.yaml", MakeCluster(m_given) + m_given.GetSection(omitted));
    }

    /// @return the work of the experiment file, or what is wrong with it
    std::string PrintWork()
    {
        std::string text;
        const std::string errors = GetErrorOf([&] {
            const auto config = Load(GetPath("experiment.yaml"));
            const auto generator = ObjectFactory(config.generator).Create<WorkloadGenerator>();
            Diagnostics diagnostics;
            generator->Setup(ClusterTopology(config.dimensions), diagnostics);
            diagnostics.ThrowIfErrors();
            text = Print(*generator->Generate(generator->GetNRepetitions()));
        });
        return text + errors;
    }

    /// Leaves out one setting after the other.
    void CheckThatEachCounts()
    {
        WriteFile();
        const std::string work = PrintWork();
        for (const auto& setting : m_given.settings)
        {
            WriteFile(setting.key);
            NS_TEST_EXPECT_MSG_EQ((PrintWork() == work), setting.isMoot, setting.key);
        }
    }

    GeneratorCase m_given; ///< the settings
};

/**
 * @ingroup ml-cluster-tests
 * The cases above have every key of every generator.
 */
class GeneratorKeysTestCase : public TestCase
{
  public:
    GeneratorKeysTestCase()
        : TestCase("Every key of a generator is tried")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string> tried{"workload.skip-repeats"};
        for (const auto& given : GetGeneratorCases())
        {
            for (const auto& setting : given.settings)
            {
                tried.insert("workload." + given.section + "." + setting.key);
            }
        }
        for (const auto& key : GetGeneratorKeys())
        {
            NS_TEST_EXPECT_MSG_EQ(tried.erase(key.key), 1, key.key);
        }
        NS_TEST_EXPECT_MSG_EQ(tried.size(), 0, "no key: " << *tried.begin());
    }
};

/**
 * @ingroup ml-cluster-tests
 * How workload generators are set.
 */
class WorkloadGeneratorTestSuite : public TestSuite
{
  public:
    WorkloadGeneratorTestSuite()
        : TestSuite("ml-cluster-workload-generator", Type::UNIT)
    {
        for (const auto& given : GetGeneratorCases())
        {
            AddTestCase(new GeneratorSettingsTestCase(given));
        }
        AddTestCase(new GeneratorKeysTestCase);
    }
};

static WorkloadGeneratorTestSuite g_workloadGeneratorTestSuite; ///< registers it
