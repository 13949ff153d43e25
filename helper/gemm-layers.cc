/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gemm-layers.h"

#include "gemm-table.h"

#include "ns3/amount.h"
#include "ns3/compute-model.h"
#include "ns3/quantity.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double UPDATE_CYCLES = 100;
constexpr uint64_t LARGEST_ELEMENT = 64;

/// Makes layers of products.
class LayerMaker
{
  public:
    /// @param options how and for what @throw InputError if they are not allowed
    explicit LayerMaker(const GemmOptions& options)
        : m_options(options),
          m_roofline(options.peakFlops, options.memoryBitRate)
    {
        const bool divides =
            options.ranks > 0 && options.packages > 0 && options.ranks % options.packages == 0;
        if (!divides || options.elementBytes == 0 || options.elementBytes > LARGEST_ELEMENT ||
            options.cyclePs <= 0)
        {
            throw InputError("there are " + std::to_string(options.ranks) + " ranks in " +
                             std::to_string(options.packages) + " packages, elements of " +
                             std::to_string(options.elementBytes) + " bytes, cycles of " +
                             std::to_string(options.cyclePs) +
                             " ps; allowed are packages that divide the ranks, 1 to 64 bytes, "
                             "cycles from 1 ps");
        }
    }

    /// @param shape its product @return the layer
    TextLayer Make(const GemmLayer& shape) const
    {
        const TextPolicy policy =
            shape.policy.empty() ? m_options.policy : *ParseTextPolicy(shape.policy);
        const uint64_t data = CountReplicas(policy);
        const uint64_t model = m_options.ranks / data;
        const uint64_t rows = (Amount(shape.m) / data).Get("rows");
        const uint64_t columns = (Amount(shape.n) / model).Get("columns");
        const Amount e = m_options.elementBytes;
        TextLayer layer;
        layer.name = shape.name;
        layer.policy = policy;
        layer.forward.cycles = CountCycles(rows, shape.k, columns);
        layer.inputGradient.cycles = CountCycles(rows, columns, shape.k);
        layer.weightGradient.cycles = CountCycles(shape.k, rows, columns);
        layer.updateCycles = UPDATE_CYCLES;
        if (policy != TextPolicy::Data)
        {
            layer.forward.type = CollectiveType::AllGather;
            layer.forward.bytes = (Amount(shape.m) * shape.n * e / m_options.ranks).Get("outputs");
            layer.inputGradient.type = CollectiveType::ReduceScatter;
            layer.inputGradient.bytes = (Amount(shape.m) * shape.k * e / data).Get("inputs");
        }
        if (policy != TextPolicy::Model)
        {
            layer.weightGradient.type = CollectiveType::AllReduce;
            layer.weightGradient.bytes = (Amount(shape.n) * shape.k * e / model).Get("weights");
        }
        return layer;
    }

  private:
    /// @param policy of a layer @return d, the parts that the batch is cut into
    uint64_t CountReplicas(TextPolicy policy) const
    {
        switch (policy)
        {
        case TextPolicy::Model:
            return 1;
        case TextPolicy::HybridDataModel:
            return m_options.packages;
        case TextPolicy::HybridModelData:
            return m_options.ranks / m_options.packages;
        default:
            return m_options.ranks;
        }
    }

    /// @param a rows @param b inner size @param c columns @return time of a x b by b x c, cycles
    double CountCycles(Amount a, Amount b, Amount c) const
    {
        ExecutionNode node;
        node.operations = (Amount(2) * a * b * c).Get("operations");
        node.tensorBytes = (Amount(m_options.elementBytes) * (a * b + b * c + a * c)).Get("bytes");
        const Amount time = static_cast<uint64_t>(m_roofline.GetPicoseconds(node));
        return static_cast<double>((time / static_cast<uint64_t>(m_options.cyclePs)).Get("cycles"));
    }

    const GemmOptions& m_options; ///< how and for what
    ComputeModel m_roofline;      ///< how long products take
};

} // namespace

TextWorkload
ReadGemmLayers(const std::string& path, const GemmOptions& options, Diagnostics& diagnostics)
{
    TextWorkload workload;
    const std::size_t nErrors = diagnostics.GetErrors().size();
    diagnostics.Collect({path, 0, "layers"}, [&] {
        const LayerMaker maker(options);
        const bool isCustomized = options.policy == TextPolicy::HybridCustomized;
        if (!isCustomized)
        {
            CheckWord("policy of layers", ToString(options.policy), GetGemmPolicies());
        }
        workload.file = path;
        workload.policy = options.policy;
        const auto add = [&](const GemmLayer& layer) {
            workload.layers.push_back(maker.Make(layer));
        };
        ReadGemmTable(path, isCustomized, add, diagnostics);
    });
    if (diagnostics.GetErrors().size() == nErrors)
    {
        CheckTextWorkload(workload, diagnostics);
    }
    return workload;
}

} // namespace mlcluster
} // namespace ns3
