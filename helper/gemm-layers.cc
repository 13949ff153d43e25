/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gemm-layers.h"

#include "ns3/amount.h"
#include "ns3/compute-model.h"
#include "ns3/csv-rows.h"
#include "ns3/message-tally.h"
#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/trace-file.h"

#include <array>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double UPDATE_CYCLES = 100;
constexpr uint64_t LARGEST_ELEMENT = 64;
constexpr uint64_t LARGEST_SIZE = uint64_t{1} << 40;

/// Policies of layers.
const std::vector<std::string> LAYER_POLICIES{"DATA",
                                              "MODEL",
                                              "HYBRID_DATA_MODEL",
                                              "HYBRID_MODEL_DATA"};

/// A product of matrices: m x k by k x n.
struct Shape
{
    uint64_t m; ///< batch
    uint64_t n; ///< outputs
    uint64_t k; ///< inputs
};

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

    /// @param name of the layer @param shape its product @param policy its own @return the layer
    TextLayer Make(const std::string& name, const Shape& shape, TextPolicy policy) const
    {
        const uint64_t data = CountReplicas(policy);
        const uint64_t model = m_options.ranks / data;
        const uint64_t rows = (Amount(shape.m) / data).Get("rows");
        const uint64_t columns = (Amount(shape.n) / model).Get("columns");
        const Amount e = m_options.elementBytes;
        TextLayer layer;
        layer.name = name;
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

/// @param row a row @param isCustomized whether it has a policy @param maker makes layers
/// @param policy of all layers otherwise @return the layer @throw InputError if the row has none
TextLayer
ReadRow(const CsvRow& row, bool isCustomized, const LayerMaker& maker, TextPolicy policy)
{
    const std::string& name = row.cells[0];
    if (name.empty() || name.find_first_of(" \t") != std::string::npos)
    {
        throw InputError("the name \"" + name + "\" is empty or has blanks");
    }
    std::array<uint64_t, 3> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        sizes.at(i) = ParseLimitedCount(row.cells[i + 1], LARGEST_SIZE);
        if (sizes.at(i) == 0)
        {
            throw InputError("m, n and k must be above 0");
        }
    }
    if (isCustomized)
    {
        CheckWord("policy of a layer", row.cells[4], LAYER_POLICIES);
        policy = *ParseTextPolicy(row.cells[4]);
    }
    return maker.Make(name, {sizes[0], sizes[1], sizes[2]}, policy);
}

/// @param content the table @param file its name @param options how and for what @param
/// diagnostics receives problems @return the workload
TextWorkload
ReadTable(const std::string& content,
          const std::string& file,
          const GemmOptions& options,
          Diagnostics& diagnostics)
{
    const LayerMaker maker(options);
    const bool isCustomized = options.policy == TextPolicy::HybridCustomized;
    if (!isCustomized)
    {
        CheckWord("policy of layers", ToString(options.policy), LAYER_POLICIES);
    }
    std::vector<std::string> heading{"Layer", "m", "n", "k"};
    heading.resize(isCustomized ? 5 : 4, "CustomizedParallelization");
    const auto rows = CutCsvRows(content);
    if (rows.empty() || rows[0].cells != heading)
    {
        throw InputError("the first line must be " + JoinWords(heading));
    }
    MessageTally tally(diagnostics);
    TextWorkload workload;
    workload.file = file;
    workload.policy = options.policy;
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        try
        {
            if (rows[i].cells.size() != heading.size())
            {
                throw InputError(std::to_string(rows[i].cells.size()) +
                                 " columns are given; needed "
                                 "are " +
                                 std::to_string(heading.size()));
            }
            workload.layers.push_back(ReadRow(rows[i], isCustomized, maker, options.policy));
        }
        catch (const InputError& error)
        {
            tally.Error({file, rows[i].line, rows[i].cells[0]}, error.what());
        }
    }
    if (tally.GetNErrors() == 0)
    {
        CheckTextWorkload(workload, diagnostics);
    }
    return workload;
}

} // namespace

TextWorkload
ReadGemmLayers(const std::string& path, const GemmOptions& options, Diagnostics& diagnostics)
{
    TextWorkload workload;
    diagnostics.Collect({path, 0, "layers"}, [&] {
        workload = ReadTable(ReadTraceFile(path), path, options, diagnostics);
    });
    return workload;
}

} // namespace mlcluster
} // namespace ns3
