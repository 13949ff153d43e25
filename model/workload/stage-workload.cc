/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stage-workload.h"

#include "stage-writer.h"

#include <memory>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Most nodes of all graphs, some 10 GB.
constexpr uint64_t MAX_NODES = uint64_t{1} << 25;

/// @param program a stage @return steps of one micro-batch
uint64_t
CountSteps(const StageProgram& program)
{
    uint64_t count = 0;
    for (const auto& chunk : program.chunks)
    {
        count += 4;
        for (const auto& unit : chunk)
        {
            count += unit.forward.steps.size() + unit.backward.steps.size();
        }
    }
    return count;
}

/// Graphs by stage and position in the expert group, made when first asked for.
class GraphStore
{
  public:
    /// @param plan the plan @param layout its ranks @param programOf what ranks have of the model;
    /// all must outlive this
    GraphStore(const ParallelPlan& plan, const RankLayout& layout, const StageProgramOf& programOf)
        : m_plan(plan),
          m_layout(layout),
          m_programOf(programOf)
    {
    }

    /// @param stage a stage @param expert position in the expert group @return the graph
    std::shared_ptr<const ExecutionGraph> Get(uint32_t stage, uint32_t expert)
    {
        auto& graph = m_graphs[{stage, expert}];
        if (!graph)
        {
            const StageProgram program = m_programOf(stage, expert);
            m_nNodes += CountSteps(program) * m_plan.microBatches;
            if (m_nNodes > MAX_NODES)
            {
                throw InputError("the graphs of a step would have more than " +
                                 std::to_string(MAX_NODES) +
                                 " nodes; fewer micro-batches are allowed, here they are " +
                                 std::to_string(m_plan.microBatches));
            }
            StageWriter writer(program, m_plan, m_layout, stage);
            Diagnostics diagnostics;
            graph = std::make_shared<ExecutionGraph>(writer.Write(),
                                                     DependencyRules(),
                                                     "",
                                                     diagnostics);
            diagnostics.ThrowIfErrors();
            m_families.insert(writer.GetFamilies().begin(), writer.GetFamilies().end());
        }
        return graph;
    }

    /// @return families in use
    const std::set<std::string>& GetFamilies() const
    {
        return m_families;
    }

  private:
    const ParallelPlan& m_plan;        ///< the plan
    const RankLayout& m_layout;        ///< its ranks
    const StageProgramOf& m_programOf; ///< what ranks have of the model
    uint64_t m_nNodes{0};              ///< about so many so far
    std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<const ExecutionGraph>>
        m_graphs;                     ///< by stage and position
    std::set<std::string> m_families; ///< in use
};

} // namespace

ClusterWorkload
MakeStageWorkload(const ParallelPlan& plan, const StageProgramOf& programOf, bool isByExpert)
{
    const RankLayout layout(plan);
    GraphStore store(plan, layout, programOf);
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (uint32_t rank = 0; rank < layout.GetNRanks(); ++rank)
    {
        const auto at = layout.GetCoordinates(rank);
        graphs.push_back(store.Get(at.pipeline, isByExpert ? at.expert : 0));
    }
    CommunicatorGroups groups;
    GroupFamilies families;
    for (const auto& family : store.GetFamilies())
    {
        families[family] = layout.GetNumbers(family);
        uint32_t number = 0;
        for (auto& members : layout.GetGroups(family))
        {
            groups[family + "." + std::to_string(number++)] = std::move(members);
        }
    }
    return ClusterWorkload(std::move(graphs), std::move(groups), families);
}

} // namespace mlcluster
} // namespace ns3
