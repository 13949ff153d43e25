/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layered-steps.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

LayeredSteps::LayeredSteps(const std::vector<LayeredModel::Layer>& layers,
                           const std::vector<LayerParallelism>& parallelism,
                           const Setting& setting)
    : m_layers(layers),
      m_parallelism(parallelism),
      m_setting(setting)
{
    m_parallelism.resize(parallelism.empty() ? layers.size() : parallelism.size(),
                         LayerParallelism::Data);
    if (layers.empty() || m_parallelism.size() != layers.size())
    {
        throw InputError("there are " + std::to_string(layers.size()) + " layers, and " +
                         std::to_string(parallelism.size()) +
                         " kinds of parallelism; allowed are at least one layer, and one kind each "
                         "or none");
    }
    const auto& [ranks, tensor, batch, elementBytes, gradientBytes] = setting;
    if (ranks == 0 || tensor == 0 || ranks % tensor != 0 || batch == 0 || batch % ranks != 0)
    {
        throw InputError(
            "a tensor group has " + std::to_string(tensor) + " of " + std::to_string(ranks) +
            " ranks, a batch " + std::to_string(batch) +
            " samples; allowed are groups that divide the ranks, and ranks that divide "
            "the batch");
    }
    if (elementBytes == 0 || gradientBytes == 0)
    {
        throw InputError("elements have " + std::to_string(elementBytes) + " bytes, gradients " +
                         std::to_string(gradientBytes) + "; allowed are numbers above 0");
    }
}

LayeredSteps::Steps
LayeredSteps::AddForward(StepList& list, const Steps& after) const
{
    Steps last = Multiply(list, 0, "", after);
    for (std::size_t i = 1; i < m_layers.size(); ++i)
    {
        last = Multiply(list, i, "", AddExchange(list, i, last));
    }
    return AddExchange(list, m_layers.size(), last);
}

LayeredSteps::Steps
LayeredSteps::AddBackward(StepList& list,
                          GradientBuckets& buckets,
                          bool toInput,
                          const Steps& after) const
{
    Steps last = AddExchangeBackward(list, m_layers.size(), after);
    for (std::size_t i = m_layers.size(); i-- > 0;)
    {
        const Amount weights = Amount(m_layers[i].inputs) + m_layers[i].vectors;
        const Steps gradient = Multiply(list, i, " dW", last);
        buckets.Add(GetDataGroup(GetDegree(i)),
                    GetOutputs(i) * weights * m_setting.gradientBytes,
                    gradient);
        if (i == 0 && !toInput)
        {
            return gradient;
        }
        last = Multiply(list, i, " dX", last);
        last = i == 0 ? last : AddExchangeBackward(list, i, last);
    }
    return last;
}

Amount
LayeredSteps::GetParameters() const
{
    Amount sum;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
    {
        sum += GetOutputs(i) * (Amount(m_layers[i].inputs) + m_layers[i].vectors);
    }
    return sum;
}

bool
LayeredSteps::HasTensorGroups() const
{
    const bool isSome = m_setting.tensor > 1 && m_setting.tensor < m_setting.ranks;
    return isSome &&
           std::count(m_parallelism.begin(), m_parallelism.end(), LayerParallelism::Hybrid) > 0;
}

uint64_t
LayeredSteps::GetDegree(std::size_t index) const
{
    if (index == m_layers.size() || m_parallelism[index] == LayerParallelism::Data)
    {
        return 1;
    }
    return m_parallelism[index] == LayerParallelism::Hybrid ? m_setting.tensor : m_setting.ranks;
}

StepList::Group
LayeredSteps::GetTensorGroup(uint64_t degree) const
{
    return {degree == m_setting.ranks ? "" : "tensor", degree};
}

StepList::Group
LayeredSteps::GetDataGroup(uint64_t degree) const
{
    return {degree == 1 ? "" : "data", m_setting.ranks / degree};
}

Amount
LayeredSteps::GetOutputs(std::size_t index) const
{
    return Amount(m_layers[index].outputs) / GetDegree(index);
}

Amount
LayeredSteps::GetSamples(std::size_t index) const
{
    return Amount(m_setting.batch / m_setting.ranks) * GetDegree(index);
}

LayeredSteps::Steps
LayeredSteps::Multiply(StepList& list,
                       std::size_t index,
                       const std::string& label,
                       const Steps& after) const
{
    const LayeredModel::Layer& layer = m_layers[index];
    const Amount outputs = GetSamples(index) * layer.positions * GetOutputs(index);
    const Amount inputs = GetSamples(index) * layer.inputElements;
    const Amount weights = GetOutputs(index) * layer.inputs;
    const uint64_t weightBytes = label == " dW" ? m_setting.gradientBytes : m_setting.elementBytes;
    return list.Compute(GetName(index) + label,
                        Amount(2) * outputs * layer.inputs,
                        (inputs + outputs) * m_setting.elementBytes + weights * weightBytes,
                        after);
}

LayeredSteps::Steps
LayeredSteps::AddExchange(StepList& list, std::size_t index, const Steps& after) const
{
    const uint64_t before = GetDegree(index - 1);
    const uint64_t degree = GetDegree(index);
    Steps last = after;
    if (before > 1 && before != degree)
    {
        last = list.Collective(GetName(index) + " all-to-all",
                               CollectiveType::AllToAll,
                               GetTensorGroup(before),
                               GetOwnBytes(index),
                               last);
    }
    if (degree > 1)
    {
        last = list.Collective(GetName(index) + " all-gather",
                               CollectiveType::AllGather,
                               GetTensorGroup(degree),
                               GetOwnBytes(index),
                               last);
    }
    return last;
}

LayeredSteps::Steps
LayeredSteps::AddExchangeBackward(StepList& list, std::size_t index, const Steps& after) const
{
    const uint64_t before = GetDegree(index - 1);
    const uint64_t degree = GetDegree(index);
    Steps last = after;
    if (degree > 1)
    {
        last = list.Collective(GetName(index) + " reduce-scatter",
                               CollectiveType::ReduceScatter,
                               GetTensorGroup(degree),
                               GetOwnBytes(index) * degree,
                               last);
    }
    if (before > 1 && before != degree)
    {
        last = list.Collective(GetName(index) + " all-to-all back",
                               CollectiveType::AllToAll,
                               GetTensorGroup(before),
                               GetOwnBytes(index),
                               last);
    }
    return last;
}

Amount
LayeredSteps::GetOwnBytes(std::size_t index) const
{
    const Amount elements = index == m_layers.size() ? m_layers.back().GetOutputElements()
                                                     : Amount(m_layers[index].inputElements);
    return elements * (m_setting.batch / m_setting.ranks) * m_setting.elementBytes;
}

std::string
LayeredSteps::GetName(std::size_t index) const
{
    return index == m_layers.size() ? "output" : m_layers[index].name;
}

} // namespace mlcluster
} // namespace ns3
