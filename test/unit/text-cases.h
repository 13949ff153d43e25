/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_CASES_H
#define ML_CLUSTER_TEXT_CASES_H

#include "ns3/text-cluster-workload.h"
#include "ns3/text-workload-reader.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// @param notation such as "R(4)_SW(2)" @return the topology, of links of 1 Gbit/s
inline ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = 1000000000;
    }
    return ClusterTopology(dimensions);
}

/// @param text a text workload @param dialect who wrote it @return it; fails if it has errors
inline TextWorkload
ReadText(const std::string& text, std::optional<TextDialect> dialect = std::nullopt)
{
    Diagnostics diagnostics;
    TextWorkload workload = TextWorkloadReader(text, "w.txt", dialect, diagnostics).Read();
    EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{}) << text;
    return workload;
}

/// @param text a text workload @param dialect who wrote it @return its errors
inline std::vector<std::string>
GetTextErrors(const std::string& text, std::optional<TextDialect> dialect = std::nullopt)
{
    Diagnostics diagnostics;
    diagnostics.Collect({"w.txt", 0, ""},
                        [&] { TextWorkloadReader(text, "w.txt", dialect, diagnostics).Read(); });
    return diagnostics.GetErrors();
}

/// @param workload a text workload @param notation of the topology @param options how to read it
/// @return its graphs, which pass the check
inline std::shared_ptr<const ClusterWorkload>
MakeGraphs(const TextWorkload& workload,
           const std::string& notation,
           const TextGraphOptions& options = {})
{
    Diagnostics diagnostics;
    auto graphs = MakeTextWorkload(workload, MakeTopology(notation), options, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
    if (graphs)
    {
        graphs->Check(diagnostics);
        EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
    }
    return graphs;
}

/// @param graph a graph @return names of its nodes
inline std::vector<std::string>
GetNames(const ExecutionGraph& graph)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        names.push_back(graph.GetNode(i)->name);
    }
    return names;
}

/// @param workload a text workload @param notation of the topology @param options how to read it
/// @return the errors of making its graphs
inline std::vector<std::string>
GetGraphErrors(const TextWorkload& workload,
               const std::string& notation,
               const TextGraphOptions& options = {})
{
    Diagnostics diagnostics;
    EXPECT_EQ(MakeTextWorkload(workload, MakeTopology(notation), options, diagnostics), nullptr);
    return diagnostics.GetErrors();
}

/// One layer of each kind of collective.
inline const std::string LAYER = "a -1 1 ALLREDUCE 8 2 ALLREDUCE 16 3 ALLREDUCE 32 0\n";

/// Makes random text workloads, equal for equal seeds.
class RandomTextWorkload
{
  public:
    /// @param seed of the random numbers
    explicit RandomTextWorkload(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @param policy a policy @return a workload of 1 to 6 layers whose model-parallel groups have
    /// 1, 2 or 4 ranks
    TextWorkload Make(TextPolicy policy)
    {
        TextWorkload workload;
        workload.policy = policy;
        const uint64_t nLayers = 1 + Draw(6);
        for (uint64_t i = 0; i < nLayers; ++i)
        {
            TextLayer layer;
            layer.name = "l" + std::to_string(i);
            layer.forward = MakePass();
            layer.inputGradient = MakePass();
            layer.weightGradient = MakePass();
            layer.updateCycles = static_cast<double>(Draw(3) * 7);
            const std::vector<TextPolicy> own{TextPolicy::Data,
                                              TextPolicy::Model,
                                              TextPolicy::HybridDataModel,
                                              TextPolicy::HybridModelData};
            layer.policy = own[Draw(own.size())];
            workload.layers.push_back(layer);
        }
        workload.modelGroup = uint64_t{1} << Draw(3);
        workload.lastBottomLayer = Draw(nLayers);
        AddCheckpoints(workload);
        return workload;
    }

    /// @param n a number @return a random one below it
    uint64_t Draw(uint64_t n)
    {
        return m_random() % n;
    }

  private:
    /// @return a pass
    TextPass MakePass()
    {
        const std::vector<std::optional<CollectiveType>> types{std::nullopt,
                                                               CollectiveType::AllReduce,
                                                               CollectiveType::AllToAll,
                                                               CollectiveType::AllGather,
                                                               CollectiveType::ReduceScatter};
        TextPass pass;
        pass.cycles = static_cast<double>(Draw(50));
        pass.type = types[Draw(types.size())];
        pass.bytes = Draw(4) * 64;
        return pass;
    }

    /// @param workload gets checkpoints and the layers that need them, alternating
    void AddCheckpoints(TextWorkload& workload)
    {
        bool isKept = false;
        for (uint64_t i = 0; i < workload.layers.size(); ++i)
        {
            if (isKept && Draw(2) == 0)
            {
                workload.recomputations.push_back(i);
                isKept = false;
            }
            else if (!isKept && Draw(2) == 0)
            {
                workload.checkpoints.push_back(i);
                isKept = true;
            }
        }
    }

    std::mt19937 m_random; ///< random numbers
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_CASES_H
