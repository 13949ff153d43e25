/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a user reads of generated workloads: plans, warnings, progress.

#include "generator-experiments.h"

#include "ns3/dlrm-model.h"
#include "ns3/layered-model.h"
#include "ns3/model-presets.h"
#include "ns3/report-table.h"
#include "ns3/simulator.h"

#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Takes what is written on the error stream.
class ErrorStream
{
  public:
    ErrorStream()
        : m_former(std::cerr.rdbuf(m_text.rdbuf()))
    {
    }

    ~ErrorStream()
    {
        std::cerr.rdbuf(m_former);
    }

    ErrorStream(const ErrorStream&) = delete;
    ErrorStream& operator=(const ErrorStream&) = delete;

    /// @param part a text @return how often it was written
    uint32_t Count(const std::string& part) const
    {
        const std::string text = m_text.str();
        uint32_t count = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        {
            ++count;
        }
        return count;
    }

    std::string Get() const ///< @return what was written
    {
        return m_text.str();
    }

  private:
    std::ostringstream m_text; ///< written so far
    std::streambuf* m_former;  ///< where it went before
};

/// A pipeline whose tensor groups are half of a ring, of many micro-batches.
const std::string PIPELINE = "workload: {transformer: {layers: 4, hidden-size: 64, heads: 4, "
                             "vocabulary: 64, sequence-length: 32, tensor: 2, pipeline: 2, "
                             "micro-batches: 200}}\n";

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Warnings of an experiment that is tried with few repetitions before. Expectation: each is told
 * once, over all trials and backends, and phases are those of the whole.
 */
class WarningsOnceTestCase : public GeneratorTestCase
{
  public:
    WarningsOnceTestCase()
        : GeneratorTestCase("Each warning of a run is told once")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path = Write("w.yaml", MakeCluster("Ring(4)_Switch(2)") + PIPELINE);
        for (const std::string skip : {"true", "false"})
        {
            const auto config =
                Load(path, {"workload.skip-repeats=" + skip, "backends.run=[analytical, packet]"});
            const ErrorStream errors;
            const auto runs = ExperimentRunner(config).Run();
            NS_TEST_EXPECT_MSG_EQ(runs.at(0).repeats.has_value(), (skip == "true"), "trials");
            NS_TEST_EXPECT_MSG_EQ(errors.Count("is a part of dimension 0"), 1, errors.Get());
            NS_TEST_EXPECT_MSG_EQ(errors.Count("is no sub-box of"), 1, errors.Get());
            NS_TEST_EXPECT_MSG_EQ(errors.Count("warning: "), 2, errors.Get());
        }
        const auto config =
            Load(path, {"backends.analytical.granularity=Phase", "workload.transformer.data=2"});
        const ErrorStream errors;
        const RunReport report = Run(config);
        NS_TEST_ASSERT_MSG_EQ(report.repeats.has_value(), true, "trials");
        NS_TEST_EXPECT_MSG_GT(report.phases->overlapped + report.phases->GetFallenBack(),
                              0,
                              "something to warn of");
        NS_TEST_EXPECT_MSG_EQ(errors.Count("phase granularity: "), 1, errors.Get());
        NS_TEST_EXPECT_MSG_EQ(errors.Count(report.phases->Describe()), 1, errors.Get());
    }
};

/**
 * @ingroup ml-cluster-tests
 * Progress of an experiment. Expectation: a line of a trial says so, one of the run does not.
 */
class TrialProgressTestCase : public GeneratorTestCase
{
  public:
    TrialProgressTestCase()
        : GeneratorTestCase("Progress of a trial is told as that")
    {
    }

  private:
    void DoRun() override
    {
        const std::string path =
            Write("p.yaml", MakeCluster("Ring(2)_Switch(2)_Switch(2)") + PIPELINE);
        const std::string trial = GetProgress(path, "true");
        NS_TEST_EXPECT_MSG_EQ(trial.rfind("trial, 10 of 200 repetitions: simulated ", 0), 0, trial);
        const std::string whole = GetProgress(path, "false");
        NS_TEST_EXPECT_MSG_EQ(whole.rfind("simulated ", 0), 0, whole);
    }

    /// @param path an experiment file @param skip whether repetitions are skipped @return the line
    /// that a tick of the timer 1 us after the start prints
    static std::string GetProgress(const std::string& path, const std::string& skip)
    {
        const auto config = Load(path, {"workload.skip-repeats=" + skip});
        const ExperimentRunner runner(config);
        const ErrorStream errors;
        Simulator::Schedule(MicroSeconds(1), [] { std::raise(SIGALRM); });
        runner.Run();
        return errors.Get();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Every published model by its name, on NPUs that it fits on. Expectation: its plan is printed.
 */
class PublishedPlansTestCase : public GeneratorTestCase
{
  public:
    PublishedPlansTestCase()
        : GeneratorTestCase("Every published model has a plan")
    {
    }

  private:
    void DoRun() override
    {
        const auto transformers = GetModelNames();
        NS_TEST_EXPECT_MSG_EQ(transformers.size(), 25, "published transformers");
        for (const auto& name : transformers)
        {
            Check("transformer: {model: " + name + ", tensor: 4}", name);
        }
        for (const auto& name : GetDlrmModelNames())
        {
            Check("dlrm: {model: " + name + ", batch: 64}", name);
        }
        for (const auto& name : GetLayeredModelNames())
        {
            Check("layers: {model: " + name + ", batch: 64}", name);
        }
        for (const auto& [typed, name] : std::vector<std::pair<std::string, std::string>>{
                 {"GPT-3 175B", "gpt3-175b"},
                 {"Megatron 1.7B", "megatron-1.7b"},
                 {"Korthikanti 22B", "korthikanti-22b"},
                 {"Llama 3 70B", "llama3-70b"},
                 {"MPT-30B", "mpt-30b"},
                 {"Turing-NLG 17B", "turing-nlg-17b"},
                 {"Transformer-1T", "transformer-1t"}})
        {
            Check("transformer: {model: " + typed + ", tensor: 4}", name);
        }
    }

    /// @param workload of an experiment file @param name of the model
    void Check(const std::string& workload, const std::string& name)
    {
        const std::string path =
            Write("plan.yaml",
                  MakeCluster("Switch(8)_Switch(2)") + "workload: {" + workload + "}\n");
        std::ostringstream os;
        const std::string error = GetErrorOf([&] { ExperimentRunner(Load(path)).PrintPlan(os); });
        NS_TEST_EXPECT_MSG_EQ(error, "", workload);
        NS_TEST_EXPECT_MSG_EQ(os.str().rfind(name, 0), 0, workload << ": " << os.str());
        for (const std::string part : {"16 ranks", "FLOP", "parameters", "all-reduce"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(os.str(), part), true, workload << " lacks " << part);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * The experiments of the chapter about generators. Expectation: each takes the time that its table
 * says.
 */
class DocumentedExperimentsTestCase : public GeneratorTestCase
{
  public:
    DocumentedExperimentsTestCase()
        : GeneratorTestCase("Experiments of the documentation take the times that it says")
    {
    }

  private:
    void DoRun() override
    {
        const std::filesystem::path shipped = FindExperimentFile("default.yaml");
        std::ifstream chapter(shipped.parent_path().parent_path() / "doc" / "generators.rst");
        const auto times = ReadChapter(chapter);
        NS_TEST_ASSERT_MSG_EQ(times.size(), 6, "one experiment of each generator");
        for (const auto& [name, time] : times)
        {
            const RunReport report = Run(Load(GetPath(name)));
            NS_TEST_EXPECT_MSG_EQ(FormatFixed(report.finishTimePs / 1e6, 3), time, name);
        }
    }

    /// @param chapter whose blocks with a caption become files of that name @return finish times of
    /// experiments, us, by the name of the file
    std::map<std::string, std::string> ReadChapter(std::istream& chapter)
    {
        const std::string caption = "   :caption: ";
        const std::string fileEnd = ".yaml``";
        std::map<std::string, std::string> times;
        std::ofstream block;
        for (std::string line; std::getline(chapter, line);)
        {
            if (line.rfind(caption, 0) == 0)
            {
                block = std::ofstream(GetPath(line.substr(caption.size())));
            }
            else if (block.is_open() && line.rfind("   ", 0) == 0)
            {
                block << line.substr(3) << "\n";
            }
            else if (!line.empty())
            {
                block.close();
            }
            std::istringstream row(line);
            std::string file;
            double timeUs = 0;
            if (row >> file >> timeUs && file.rfind("``", 0) == 0 && file.size() > fileEnd.size() &&
                file.compare(file.size() - fileEnd.size(), fileEnd.size(), fileEnd) == 0)
            {
                times[file.substr(2, file.size() - 4)] = line.substr(line.find_last_of(' ') + 1);
            }
        }
        return times;
    }
};

/**
 * @ingroup ml-cluster-tests
 * What a user reads of generated workloads.
 */
class GeneratorReportsTestSuite : public TestSuite
{
  public:
    GeneratorReportsTestSuite()
        : TestSuite("ml-cluster-workload-generator-reports", Type::UNIT)
    {
        AddTestCase(new WarningsOnceTestCase);
        AddTestCase(new TrialProgressTestCase);
        AddTestCase(new PublishedPlansTestCase);
        AddTestCase(new DocumentedExperimentsTestCase);
    }
};

static GeneratorReportsTestSuite g_generatorReportsTestSuite; ///< registers it
