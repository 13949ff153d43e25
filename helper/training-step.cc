/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-step.h"

#include "ns3/chakra-writer.h"

#include <cmath>
#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t PS_PER_US = 1000000;
constexpr uint64_t BYTES_PER_NUMBER = 2;      ///< activations, weights and gradients
constexpr uint64_t OPTIMIZER_OPERATIONS = 12; ///< Adam, per weight
constexpr uint64_t OPTIMIZER_BYTES =
    28; ///< Adam, per weight: gradient, state and weight in, state and weight out

/// Writes the nodes of one rank one after the other.
class StepBuilder
{
  public:
    StepBuilder(const TrainingStep& step, uint32_t rank)
        : m_step(step),
          m_tensorGroup("tensor." + std::to_string(rank / step.tensorParallel)),
          m_dataGroup("data." + std::to_string(rank % step.tensorParallel)),
          m_weights(12ULL * step.hiddenSize * step.hiddenSize / step.tensorParallel),
          m_activationBytes(BYTES_PER_NUMBER * step.sequenceLength * step.hiddenSize)
    {
    }

    std::vector<ExecutionNode> Build()
    {
        const uint64_t s = m_step.sequenceLength;
        const uint64_t h = m_step.hiddenSize;
        const uint64_t t = m_step.tensorParallel;
        const Block attention{".attention", (8 * s * h * h + 4 * s * s * h) / t, 4 * h * h / t};
        const Block mlp{".mlp", 16 * s * h * h / t, 8 * h * h / t};
        for (uint32_t layer = 0; layer < m_step.layers; ++layer)
        {
            const std::string name = "forward." + std::to_string(layer);
            AddBlock(name, attention, 1);
            AddBlock(name, mlp, 1);
        }
        std::vector<uint64_t> gradients;
        for (uint32_t layer = m_step.layers; layer-- > 0;)
        {
            const std::string name = "backward." + std::to_string(layer);
            AddBlock(name, mlp, 2);
            const uint64_t computed = AddBlock(name, attention, 2);
            gradients.push_back(AddCollective("gradients." + std::to_string(layer),
                                              m_dataGroup,
                                              BYTES_PER_NUMBER * m_weights,
                                              computed));
        }
        gradients.push_back(m_last);
        AddOptimizer(gradients);
        return m_nodes;
    }

  private:
    /// Half a layer.
    struct Block
    {
        const char* name;    ///< end of its nodes' names
        uint64_t operations; ///< forward, on this rank
        uint64_t weights;    ///< on this rank
    };

    ExecutionNode& Add(const std::string& name, NodeKind kind)
    {
        ExecutionNode node;
        node.id = m_nodes.size();
        node.name = name;
        node.kind = kind;
        m_nodes.push_back(node);
        return m_nodes.back();
    }

    uint64_t AddCompute(const std::string& name,
                        uint64_t operations,
                        uint64_t bytes,
                        double seconds)
    {
        ExecutionNode& node = Add(name, NodeKind::Compute);
        node.operations = operations;
        node.tensorBytes = bytes;
        node.durationPs = PS_PER_US * static_cast<int64_t>(std::ceil(1e6 * seconds));
        return node.id;
    }

    uint64_t AddCollective(const std::string& name,
                           const std::string& group,
                           uint64_t bytes,
                           uint64_t dependency)
    {
        ExecutionNode& node = Add(name, NodeKind::Collective);
        node.collective = CollectiveType::AllReduce;
        node.group = group;
        node.bytes = bytes;
        node.dependencies = {dependency};
        return node.id;
    }

    /// Half a layer and the all-reduce the next half waits for. Returns the compute node.
    uint64_t AddBlock(const std::string& pass, const Block& block, uint32_t times)
    {
        const uint64_t operations = times * block.operations;
        const uint64_t bytes = times * (BYTES_PER_NUMBER * block.weights + 2 * m_activationBytes);
        const std::string name = pass + block.name;
        const uint64_t compute =
            AddCompute(name, operations, bytes, operations / m_step.operationRate);
        if (compute > 0)
        {
            m_nodes[compute].dependencies = {m_last};
        }
        m_last = AddCollective(name + ".activations", m_tensorGroup, m_activationBytes, compute);
        return compute;
    }

    void AddOptimizer(const std::vector<uint64_t>& dependencies)
    {
        const uint64_t weights = m_weights * m_step.layers;
        const uint64_t bytes = OPTIMIZER_BYTES * weights;
        const uint64_t node = AddCompute("optimizer",
                                         OPTIMIZER_OPERATIONS * weights,
                                         bytes,
                                         bytes / m_step.memoryRate);
        m_nodes[node].dependencies = dependencies;
    }

    const TrainingStep& m_step;         ///< sizes
    std::string m_tensorGroup;          ///< this rank's
    std::string m_dataGroup;            ///< this rank's
    uint64_t m_weights;                 ///< of a layer on this rank
    uint64_t m_activationBytes;         ///< of a layer's input or output
    uint64_t m_last{0};                 ///< the all-reduce the next block waits for
    std::vector<ExecutionNode> m_nodes; ///< so far
};

} // namespace

void
TrainingStep::Check() const
{
    Diagnostics diagnostics;
    const std::pair<const char*, double> positive[] = {{"layers", layers},
                                                       {"hiddenSize", hiddenSize},
                                                       {"sequenceLength", sequenceLength},
                                                       {"tensorParallel", tensorParallel},
                                                       {"dataParallel", dataParallel},
                                                       {"operationRate", operationRate},
                                                       {"memoryRate", memoryRate}};
    for (const auto& [key, value] : positive)
    {
        if (!(value > 0))
        {
            diagnostics.Error({"", 0, key}, "must be above 0");
        }
    }
    if (tensorParallel > 0 && hiddenSize % tensorParallel != 0)
    {
        diagnostics.Error({"", 0, "hiddenSize"},
                          std::to_string(hiddenSize) + " cannot be divided among " +
                              std::to_string(tensorParallel) + " tensor-parallel ranks");
    }
    diagnostics.ThrowIfErrors();
}

uint32_t
TrainingStep::GetNRanks() const
{
    return tensorParallel * dataParallel;
}

CommunicatorGroups
TrainingStep::GetGroups() const
{
    CommunicatorGroups groups;
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        groups["tensor." + std::to_string(rank / tensorParallel)].push_back(rank);
        groups["data." + std::to_string(rank % tensorParallel)].push_back(rank);
    }
    return groups;
}

std::vector<ExecutionNode>
TrainingStep::GetNodes(uint32_t rank) const
{
    return StepBuilder(*this, rank).Build();
}

void
TrainingStep::Write(const std::string& prefix) const
{
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        WriteChakraGraph(GetNodes(rank), prefix + "." + std::to_string(rank) + ".et");
    }
    WriteCommunicatorGroups(GetGroups(), prefix + ".groups.json");
}

} // namespace mlcluster
} // namespace ns3
