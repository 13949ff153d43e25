/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GENERATOR_EXPERIMENTS_H
#define ML_CLUSTER_GENERATOR_EXPERIMENTS_H

#include "generator-settings.h"
#include "test-tools.h"

#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * @ingroup ml-cluster-tests
 * @param report of a run
 * @return where the time of each rank went, and what each link carried
 */
inline std::string
PrintTimes(const RunReport& report)
{
    std::ostringstream os;
    os << report.finishTimePs << " ps\n";
    for (const auto& rank : report.ranks)
    {
        os << rank.rank << " " << rank.finishTimePs << " " << rank.computePs << " "
           << rank.exposedCommunicationPs << " " << rank.exposedMemoryPs << " "
           << rank.exposedLocalMemoryPs << " " << rank.hostPs << " " << rank.idlePs << " "
           << rank.overlappedCommunicationPs << "\n";
    }
    for (const auto& link : report.links)
    {
        os << link.link << " " << link.payloadBytes << " " << link.wireBytes << " " << link.busyPs
           << "\n";
    }
    return os.str();
}

/**
 * @ingroup ml-cluster-tests
 * A test of experiments with generated workloads: with files in a folder of its own, in
 * picoseconds, and without any default of an attribute left behind.
 */
class GeneratorTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @param name of a file @return its path
    std::string GetPath(const std::string& name)
    {
        return CreateTempDirFilename(name);
    }

    /// @param name of a file @param text what it has @return its path
    std::string Write(const std::string& name, const std::string& text)
    {
        std::ofstream(GetPath(name)) << text;
        return GetPath(name);
    }

    /// Writes the files that GetGeneratorCases names.
    void WriteGeneratorFiles()
    {
        for (const auto& [name, text] : GENERATOR_FILES)
        {
            Write(name, text);
        }
    }

    /// @param topology notation @param roofline whether NPUs have one @param remoteMemory whether
    /// there is some @return what an experiment file says beside the workload
    static std::string MakeCluster(const std::string& topology,
                                   bool roofline = true,
                                   bool remoteMemory = false)
    {
        return "cluster:\n  topology: " + topology + "\n  bandwidth: 400Gbps\n  latency: 500ns\n" +
               (roofline ? "  npu: {roofline: true, peak-flops: 1TFLOPS, memory-bandwidth: "
                           "100GB/s}\n"
                         : "") +
               (remoteMemory ? "  memory: {latency: 0ns, bandwidth: 100GB/s}\n" : "") +
               "collectives: {priority: explicit}\nbackends: {run: analytical}\n";
    }

    /// @param given what is to be made @return what an experiment file says beside the workload
    static std::string MakeCluster(const GeneratorCase& given)
    {
        return MakeCluster(given.topology, given.HasOperations(), given.HasRemoteMemory());
    }

    /// @param path an experiment file @param settings KEY=VALUE each @return the experiment, whose
    /// attributes are in force
    static ExperimentConfig Load(const std::string& path,
                                 const std::vector<std::string>& settings = {})
    {
        Config::Reset();
        ExperimentConfig config = LoadExperiment(path, settings);
        char name[] = "test";
        char* arguments[] = {name, nullptr};
        ApplyAttributes(config, 1, arguments);
        return config;
    }

    /// @param config an experiment whose attributes are in force @return its run by the first
    /// backend
    static RunReport Run(const ExperimentConfig& config)
    {
        return ExperimentRunner(config).Run().at(0);
    }

    /// @param path an experiment file @param settings KEY=VALUE each @return what is wrong with it
    static std::string GetErrors(const std::string& path,
                                 const std::vector<std::string>& settings = {})
    {
        return GetErrorOf([&] { ExperimentRunner{Load(path, settings)}; });
    }

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }

    void DoTeardown() override
    {
        Config::Reset();
    }
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GENERATOR_EXPERIMENTS_H
