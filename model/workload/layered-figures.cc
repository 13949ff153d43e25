/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layered-figures.h"

#include <map>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Works out the figures.
class LayeredCounter
{
  public:
    /// @param model the network @param plan how it is trained
    LayeredCounter(const LayeredModel& model, const LayeredPlan& plan)
        : m_layers(model.layers),
          m_plan(plan),
          m_setting(plan.setting)
    {
    }

    /// @return the figures
    PlanFigures Count()
    {
        CountLayers();
        AddTraffic();
        AddMemory();
        AddSymbols();
        return m_figures;
    }

  private:
    /// @param index of a layer, or one more than there are @return ranks that divide its outputs
    uint64_t GetDegree(std::size_t index) const
    {
        const bool isData = index == m_layers.size() || m_plan.parallelism.empty() ||
                            m_plan.parallelism[index] == LayerParallelism::Data;
        const bool isHybrid = !isData && m_plan.parallelism[index] == LayerParallelism::Hybrid;
        return isData ? 1 : isHybrid ? m_setting.tensor : m_setting.ranks;
    }

    void CountLayers() ///< Adds up what layers have.
    {
        const Amount ownSamples = m_setting.batch / m_setting.ranks;
        for (std::size_t i = 0; i <= m_layers.size(); ++i)
        {
            const bool isLayer = i < m_layers.size();
            const uint64_t degree = GetDegree(i);
            const uint64_t before = i == 0 ? degree : GetDegree(i - 1);
            const Amount own =
                ownSamples * m_setting.elementBytes *
                (isLayer ? Amount(m_layers[i].inputElements) : m_layers.back().GetOutputElements());
            m_activations += own * degree;
            m_gathered[degree] += i == 0 || degree == 1 ? 0 : own * degree;
            m_exchanged[before] += before == 1 || before == degree ? 0 : own;
            if (isLayer)
            {
                const Amount width = Amount(m_layers[i].inputs) + m_layers[i].vectors;
                m_parameters[degree] += Amount(m_layers[i].outputs) / degree * width;
                m_operations += Amount(i == 0 ? 4 : 6) * m_layers[i].GetMacs();
            }
        }
        m_figures.modelOperations = (m_operations * m_setting.batch).GetReal();
    }

    /// @param degree of layers @return what they are called
    std::string GetName(uint64_t degree) const
    {
        return degree == 1 ? "data" : degree == m_setting.ranks ? "tensor" : "hybrid";
    }

    void AddTraffic() ///< Adds what is communicated.
    {
        const auto getFamily = [this](uint64_t degree) {
            return degree == m_setting.ranks ? "" : "tensor";
        };
        for (const auto& [degree, bytes] : m_gathered)
        {
            const std::string share = degree == m_setting.ranks ? "" : " t/N";
            const std::string layers = " X (" + GetName(degree) + " layers)";
            m_figures.AddTraffic(getFamily(degree),
                                 ToString(CollectiveType::ReduceScatter),
                                 "beta B" + share + layers,
                                 bytes);
            m_figures.AddTraffic(getFamily(degree),
                                 ToString(CollectiveType::AllGather),
                                 "beta B/N" + layers,
                                 bytes / degree);
        }
        for (const auto& [degree, bytes] : m_exchanged)
        {
            m_figures.AddTraffic(getFamily(degree),
                                 ToString(CollectiveType::AllToAll),
                                 "2 beta B/N X (behind " + GetName(degree) + " layers)",
                                 bytes * 2);
        }
        for (const auto& [degree, count] : m_parameters)
        {
            if (degree < m_setting.ranks)
            {
                m_figures.AddTraffic(degree == 1 ? "" : "data",
                                     ToString(CollectiveType::AllReduce),
                                     "gamma P (" + GetName(degree) + " layers)",
                                     count * m_setting.gradientBytes);
            }
        }
    }

    void AddMemory() ///< Adds memory of a rank.
    {
        Amount parameters;
        for (const auto& entry : m_parameters)
        {
            parameters += entry.second;
        }
        m_figures.AddMemory("weights", "beta P", parameters * m_setting.elementBytes);
        m_figures.AddMemory("gradients", "gamma P", parameters * m_setting.gradientBytes);
        m_figures.AddMemory("momentum", "gamma P", parameters * m_setting.gradientBytes);
        if (m_setting.gradientBytes != m_setting.elementBytes)
        {
            m_figures.AddMemory("master copy", "gamma P", parameters * m_setting.gradientBytes);
        }
        m_figures.AddMemory("activations", "beta B g/N X", m_activations);
    }

    void AddSymbols() ///< Adds what symbols mean.
    {
        std::ostringstream os;
        os << "B = " << m_setting.batch << " samples of N = " << m_setting.ranks
           << " ranks, tensor groups of t = " << m_setting.tensor
           << "; beta = " << m_setting.elementBytes << ", gamma = " << m_setting.gradientBytes
           << " bytes\n"
           << "P parameters on a rank; X elements of a sample that come into layers (communicated: "
              "but the first), which g ranks divide\n";
        m_figures.symbols = os.str();
    }

    const std::vector<LayeredModel::Layer>& m_layers; ///< the layers
    const LayeredPlan& m_plan;                        ///< how they are trained
    const LayeredSteps::Setting& m_setting;           ///< likewise
    std::map<uint64_t, Amount> m_gathered;            ///< by degree, bytes of inputs gathered
    std::map<uint64_t, Amount> m_exchanged;           ///< by degree of the layer before, bytes
    std::map<uint64_t, Amount> m_parameters;          ///< by degree, on a rank
    Amount m_activations;                             ///< bytes kept
    Amount m_operations;                              ///< of the model for a sample
    PlanFigures m_figures;                            ///< so far
};

} // namespace

PlanFigures
GetLayeredFigures(const LayeredModel& model, const LayeredPlan& plan)
{
    return LayeredCounter(model, plan).Count();
}

} // namespace mlcluster
} // namespace ns3
