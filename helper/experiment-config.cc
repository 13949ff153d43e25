/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-config.h"

#include "experiment-dimensions.h"
#include "experiment-input.h"

#include "ns3/graph-page-pool.h"
#include "ns3/quantity.h"

#include <filesystem>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Puts together what the keys of an experiment file mean.
class ExperimentBuilder
{
  public:
    ExperimentBuilder(const std::string& path,
                      const std::vector<ExperimentOverride>& overrides,
                      Diagnostics& diagnostics)
        : m_diagnostics(diagnostics),
          m_input(path, overrides, diagnostics)
    {
        m_config.file = path;
    }

    ExperimentConfig Build()
    {
        if (m_input.IsReadable())
        {
            m_config.dimensions = ReadExperimentDimensions(m_input, m_diagnostics);
            BuildWorkload();
            BuildBackends();
            BuildMemoryModel();
            BuildAttributes();
            CheckAttributes();
            m_config.outputDir = m_input.GetText("output.directory");
        }
        return m_config;
    }

  private:
    void Error(const std::string& key, const std::string& message)
    {
        const auto* given = m_input.Find(key);
        m_diagnostics.Error(given ? given->place : Diagnostics::Place{m_config.file, 0, key},
                            message);
    }

    void BuildWorkload()
    {
        const std::string memory = m_input.GetText("workload.node-memory");
        m_config.nodeMemory = memory.empty() ? 0 : ParseCount(memory);
        if (m_config.nodeMemory > 0 && m_config.nodeMemory < GraphPagePool::LEAST_BUDGET)
        {
            Error("workload.node-memory",
                  FormatBytes(m_config.nodeMemory) + " is too small; allowed are " +
                      FormatBytes(GraphPagePool::LEAST_BUDGET) +
                      " and more, or 0 for half the memory of the machine");
        }
        const std::vector<std::string> sources = GetWorkloadSources();
        std::vector<std::string> given;
        std::copy_if(sources.begin(),
                     sources.end(),
                     std::back_inserter(given),
                     [this](const auto& source) { return IsGiven("workload." + source); });
        if (given.size() != 1)
        {
            Error("workload",
                  (given.empty() ? "nothing to do is given"
                                 : JoinWords(given) + " exclude each other") +
                      "; give one of " + JoinWords(sources));
            return;
        }
        m_config.generator = GetGeneratorOf(given.front());
        CheckTraceKeys(given.front());
        if (given.front() == "chakra")
        {
            BuildTrace();
        }
        else if (given.front() == "collective")
        {
            BuildCollective();
        }
    }

    /// @return whether the key, or one below it, is given
    bool IsGiven(const std::string& section)
    {
        const auto& keys = GetExperimentKeys();
        return std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
            return (key.key == section || key.key.rfind(section + ".", 0) == 0) &&
                   m_input.Find(key.key);
        });
    }

    void CheckTraceKeys(const std::string& source)
    {
        for (const std::string name : {"groups",
                                       "schema",
                                       "control-dependencies",
                                       "ignore-missing-dependencies",
                                       "element-bytes",
                                       "flops-per-operation",
                                       "streams",
                                       "tensor-locations"})
        {
            if (source != "chakra" && m_input.Find("workload." + name))
            {
                Error("workload." + name, "goes with workload.chakra only");
            }
        }
        if (m_config.generator.empty() && m_input.Find("workload.skip-repeats"))
        {
            Error("workload.skip-repeats",
                  "goes with workloads that are generated, not with " + source);
        }
    }

    void BuildCollective()
    {
        m_config.collective = ParseCollectiveType(m_input.GetText("workload.collective.type"));
        const bool isBarrier = m_config.collective == CollectiveType::Barrier;
        const bool isComplete = m_input.Require("workload.collective.type") &&
                                (isBarrier || m_input.Require("workload.collective.bytes"));
        const std::string bytes = m_input.GetText("workload.collective.bytes");
        if (isBarrier && m_input.Find("workload.collective.bytes"))
        {
            Error("workload.collective.bytes", "a barrier has none");
        }
        if (m_config.collective && !IsRooted(*m_config.collective) &&
            m_input.Find("workload.collective.root"))
        {
            Error("workload.collective.root", ToString(*m_config.collective) + " has none");
        }
        const std::string root = m_input.GetText("workload.collective.root");
        m_config.collectiveRoot = root.empty() ? 0 : ParseCount(root);
        m_config.collectiveBytes = isComplete && !bytes.empty() ? ParseCount(bytes) : 0;
    }

    void BuildTrace()
    {
        m_config.chakraPrefix = ResolvePath(m_input.GetText("workload.chakra"));
        m_config.groupFile = ResolvePath(m_input.GetText("workload.groups"));
        m_config.ignoreMissingDependencies =
            m_input.GetText("workload.ignore-missing-dependencies") == "true";
        m_config.streams = m_input.GetText("workload.streams") != "false";
        m_config.locations = m_input.GetText("workload.tensor-locations") != "false";
        const std::string control = m_input.GetText("workload.control-dependencies");
        m_config.controlDependencies = control.empty() ? m_config.controlDependencies : control;
        const std::string schema = m_input.GetText("workload.schema");
        m_config.schema = schema.empty() ? m_config.schema : schema;
        const auto factor = [&](const std::string& key) {
            const std::string text = m_input.GetText(key);
            return text.empty() ? 1 : ParseCount(text);
        };
        m_config.elementBytes = factor("workload.element-bytes");
        m_config.flopsPerOperation = factor("workload.flops-per-operation");
    }

    /// @return the path, which is relative to the file's folder; "" if it is
    std::string ResolvePath(const std::string& path)
    {
        const auto folder = std::filesystem::path(m_config.file).parent_path();
        return path.empty() ? "" : (folder / path).lexically_normal().string();
    }

    void BuildBackends()
    {
        const auto* run = m_input.Require("backends.run");
        if (!run)
        {
            return;
        }
        m_config.backends = run->entries;
        if (std::set<std::string>(run->entries.begin(), run->entries.end()).size() <
            run->entries.size())
        {
            Error("backends.run", "a backend is given twice");
        }
    }

    void BuildMemoryModel()
    {
        if (const auto* given = m_input.Find("cluster.memory.model"))
        {
            m_config.memoryModel = given->entries.front();
            m_config.memoryModelPlace = given->place;
        }
    }

    void BuildAttributes()
    {
        for (const auto& key : GetExperimentKeys())
        {
            const auto* given = m_input.Find(key.key);
            if (given && !key.attribute.empty())
            {
                m_config.attributes.push_back({key.attribute, Join(*given), given->place});
            }
        }
        m_config.attributes.insert(m_config.attributes.end(),
                                   m_input.GetAttributes().begin(),
                                   m_input.GetAttributes().end());
    }

    /// @return the value as an attribute has it; one for every dimension is repeated
    std::string Join(const ExperimentInput::Given& given)
    {
        const std::size_t nDimensions = m_config.dimensions.size();
        std::vector<std::string> entries = given.entries;
        const bool isPerDimension = given.known->shape == ExperimentShape::PerDimension &&
                                    (given.isList || entries.front().rfind("one-", 0) != 0);
        if (given.known->isPath)
        {
            for (auto& entry : entries)
            {
                entry = ResolvePath(entry);
            }
        }
        if (isPerDimension && !given.isList)
        {
            entries.resize(nDimensions, entries.front());
        }
        if (isPerDimension && given.isList && nDimensions > 0 && entries.size() != nDimensions)
        {
            Error(given.known->key,
                  std::to_string(entries.size()) + " values are given for " +
                      std::to_string(nDimensions) +
                      " dimensions; give one for each, or a single one for all");
        }
        return JoinEntries(entries);
    }

    void CheckAttributes()
    {
        const bool hasLatency = m_input.Find("cluster.memory.latency");
        const bool hasBandwidth = m_input.Find("cluster.memory.bandwidth");
        if (hasLatency != hasBandwidth)
        {
            Error("cluster.memory",
                  "latency and bandwidth go together; " +
                      std::string(hasLatency ? "bandwidth" : "latency") + " is missing");
        }
        for (const std::string key : {"cluster.npu.peak-flops", "cluster.npu.memory-bandwidth"})
        {
            const std::string value = m_input.GetText(key);
            const bool isZero = !m_input.Find(key) || value == "0" || value == "0bps";
            if (m_input.GetText("cluster.npu.roofline") == "true" && isZero)
            {
                Error(key, "a roofline needs it, above 0");
            }
        }
    }

    Diagnostics& m_diagnostics;
    ExperimentInput m_input;
    ExperimentConfig m_config;
};

} // namespace

ExperimentOverride
ParseExperimentOverride(const std::string& text, const std::string& origin)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    {
        throw InputError("'" + text + "' is no KEY=VALUE, such as workload.transformer.tensor=8");
    }
    return {{origin, 0, text.substr(0, equals)}, text.substr(equals + 1)};
}

std::vector<ExperimentOverride>
ParseExperimentOverrides(const std::vector<std::string>& texts,
                         const std::string& origin,
                         Diagnostics& diagnostics)
{
    std::vector<ExperimentOverride> overrides;
    for (const auto& text : texts)
    {
        diagnostics.Collect({origin, 0, ""},
                            [&] { overrides.push_back(ParseExperimentOverride(text, origin)); });
    }
    return overrides;
}

ExperimentConfig
ReadExperimentConfig(const std::string& path,
                     Diagnostics& diagnostics,
                     const std::vector<ExperimentOverride>& overrides)
{
    return ExperimentBuilder(path, overrides, diagnostics).Build();
}

} // namespace mlcluster
} // namespace ns3
