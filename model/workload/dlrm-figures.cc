/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-figures.h"

#include "embedding-shards.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Load = EmbeddingShards::Load;

/// Works out the figures.
class DlrmCounter
{
  public:
    /// @param model the model @param plan how it is trained
    DlrmCounter(const DlrmModel& model, const DlrmPlan& plan)
        : m_model(model),
          m_plan(plan),
          m_shards(model, plan.ranks),
          m_rowWise(m_shards.GetRowWise()),
          m_copied(m_shards.GetReplicated()),
          m_parameters(model.CountDenseParameters())
    {
        for (uint32_t rank = 0; rank < plan.ranks; ++rank)
        {
            const Load& load = m_shards.Get(rank);
            m_tables += load.tables;
            m_lookups += load.lookups;
            m_columns += load.columns;
            m_mostColumns = std::max(m_mostColumns, load.columns);
            const bool isFuller = GetOwnBytes(m_shards.Get(m_fullest)) < GetOwnBytes(load);
            m_fullest = isFuller ? rank : m_fullest;
        }
    }

    /// @return the figures
    PlanFigures Count()
    {
        AddTraffic();
        AddMemory();
        AddMlps();
        AddSymbols();
        return m_figures;
    }

  private:
    void AddTraffic() ///< Adds what is communicated.
    {
        const Amount n = m_plan.ranks;
        const Amount samples = m_plan.batch / m_plan.ranks;
        const Amount index = m_plan.indexBytes;
        const Amount element = m_plan.embeddingBytes;
        if (m_plan.ranks == 1)
        {
            return;
        }
        const auto add = [this](CollectiveType type, const std::string& formula, Amount bytes) {
            m_figures.AddTraffic("", ToString(type), formula, bytes);
        };
        add(CollectiveType::AllToAll,
            "i B/n (N_s + n N_r) (lengths)",
            index * samples * (m_tables + n * m_rowWise.tables));
        add(CollectiveType::AllToAll,
            "i B/n (l_s + l_r) (indices)",
            index * samples * (m_lookups + m_rowWise.lookups));
        add(CollectiveType::AllToAll,
            "beta_e B d_o (vectors)",
            element * m_plan.batch * m_mostColumns);
        add(CollectiveType::AllToAll,
            "beta_e B/n d_s (their gradients)",
            element * samples * m_columns);
        add(CollectiveType::ReduceScatter,
            "beta_e B d N_r (row-wise sums)",
            element * m_plan.batch * m_rowWise.columns);
        add(CollectiveType::AllGather,
            "beta_e B/n d N_r (their gradients)",
            element * samples * m_rowWise.columns);
        add(CollectiveType::AllReduce,
            "gamma E_c (replicated tables)",
            Amount(m_plan.gradientBytes) * m_copied.elements);
        add(CollectiveType::AllReduce, "gamma P (MLPs)", m_parameters * m_plan.gradientBytes);
    }

    /// @param load tables of a rank @return bytes of these, and of what they are used for in a step
    Amount GetOwnBytes(const Load& load) const
    {
        return Amount(m_plan.embeddingBytes) *
                   (Amount(load.elements) + Amount(m_plan.batch) * load.columns) +
               Amount(m_plan.indexBytes) * m_plan.batch * load.lookups;
    }

    void AddMemory() ///< Adds memory of the fullest rank.
    {
        const Load& own = m_shards.Get(m_fullest);
        const Amount n = m_plan.ranks;
        const Amount batch = m_plan.batch;
        const Amount samples = m_plan.batch / m_plan.ranks;
        const Amount element = m_plan.embeddingBytes;
        m_figures.AddMemory(
            "tables",
            "beta_e (E_o + E_r/n + E_c)",
            element * (own.elements + Amount(m_rowWise.elements) / n + m_copied.elements));
        m_figures.AddMemory("gradients of tables",
                            "gamma E_c",
                            Amount(m_plan.gradientBytes) * m_copied.elements);
        m_figures.AddMemory("weights", "beta P", m_parameters * m_plan.elementBytes);
        m_figures.AddMemory("gradients", "gamma P", m_parameters * m_plan.gradientBytes);
        if (m_plan.gradientBytes != m_plan.elementBytes)
        {
            m_figures.AddMemory("master copy", "gamma P", m_parameters * m_plan.gradientBytes);
        }
        m_figures.AddMemory(
            "indices",
            "i (B l_o + B/n (l_r + l_c))",
            Amount(m_plan.indexBytes) *
                (batch * own.lookups + samples * (Amount(m_rowWise.lookups) + m_copied.lookups)));
        m_figures.AddMemory("vectors looked up",
                            "beta_e B (d_o + d N_r)",
                            element * batch * (Amount(own.columns) + m_rowWise.columns));
        m_figures.AddMemory("vectors of own samples",
                            "beta_e B/n d N",
                            element * samples * m_model.vectorSize * m_model.tables.size());
    }

    void AddMlps() ///< Adds what the layers of the MLPs hold and compute.
    {
        const Amount samples = m_plan.batch / m_plan.ranks;
        const Amount vectors = m_model.tables.size() + 1;
        Amount widths;
        Amount operations = Amount(6) * vectors * vectors * m_model.vectorSize;
        bool isFirst = true;
        for (const auto& layers : {m_model.GetBottomLayers(), m_model.GetTopLayers()})
        {
            for (const auto& layer : layers)
            {
                widths += layer.inputs;
                operations += Amount(isFirst ? 4 : 6) * layer.GetMacs();
                isFirst = false;
            }
        }
        m_figures.AddMemory("activations", "beta B/n w", samples * widths * m_plan.elementBytes);
        m_figures.modelOperations = (operations * m_plan.batch).GetReal();
    }

    void AddSymbols() ///< Adds what symbols mean.
    {
        std::ostringstream os;
        os << "B = " << m_plan.batch << " samples of n = " << m_plan.ranks
           << " ranks; d = " << m_model.vectorSize << ", N = " << m_model.tables.size()
           << " tables, N_s of them (or shards of them) on one rank each, N_r row-wise\n"
           << "i = " << m_plan.indexBytes << ", beta_e = " << m_plan.embeddingBytes
           << ", beta = " << m_plan.elementBytes << ", gamma = " << m_plan.gradientBytes
           << " bytes; P parameters of the MLPs, w inputs of their layers\n"
           << "l rows looked up, d columns of their vectors, E elements of tables; o on one rank, "
              "s of all ranks, r row-wise, c on every rank\n";
        m_figures.symbols = os.str();
    }

    const DlrmModel& m_model;  ///< the model
    const DlrmPlan& m_plan;    ///< how it is trained
    EmbeddingShards m_shards;  ///< who has which tables
    const Load& m_rowWise;     ///< row-wise tables
    const Load& m_copied;      ///< tables on every rank
    Amount m_parameters;       ///< P
    Amount m_tables;           ///< N_s
    Amount m_lookups;          ///< l_s
    Amount m_columns;          ///< d_s
    uint64_t m_mostColumns{0}; ///< d_o
    uint32_t m_fullest{0};     ///< rank that has the most
    PlanFigures m_figures;     ///< so far
};

} // namespace

PlanFigures
GetDlrmFigures(const DlrmModel& model, const DlrmPlan& plan)
{
    return DlrmCounter(model, plan).Count();
}

} // namespace mlcluster
} // namespace ns3
