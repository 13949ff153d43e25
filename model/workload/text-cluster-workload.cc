/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-cluster-workload.h"

#include "text-converter-graph.h"
#include "text-formula-graph.h"
#include "text-loop-graph.h"
#include "text-scopes.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MAX_LAYER_PASSES = 1000000;

using Graphs = std::vector<std::shared_ptr<const ExecutionGraph>>; ///< one per rank

/// @param workload the workload, checked @param options how to read it @throw InputError if that is
/// not allowed
void
CheckOptions(const TextWorkload& workload, const TextGraphOptions& options)
{
    const auto isFactor = [](double factor) { return std::isfinite(factor) && factor >= 0; };
    if (!isFactor(options.computeScale) || !isFactor(options.communicationScale) ||
        options.cyclePs <= 0)
    {
        throw InputError("the compute scale is " + FormatNumber(options.computeScale) +
                         ", the communication scale " + FormatNumber(options.communicationScale) +
                         ", a cycle " + std::to_string(options.cyclePs) +
                         " ps; allowed are finite scales from 0 and cycles from 1 ps");
    }
    const uint64_t transfers = workload.pipeline > 1 ? workload.microBatches : 0;
    const uint64_t repeats =
        options.trainingLoop ? (options.trainingLoop->CountPhases() + 2) / 3 : 1;
    const uint64_t most =
        MAX_LAYER_PASSES / repeats / std::max<uint64_t>(workload.layers.size(), transfers);
    if (options.passes == 0 || options.passes > most)
    {
        throw InputError(
            std::to_string(options.passes) + " passes over " +
            std::to_string(workload.layers.size()) + " layers and " + std::to_string(transfers) +
            " micro-batches between stages are asked for; allowed is at least one "
            "pass, and " +
            std::to_string(MAX_LAYER_PASSES / repeats) + " layers or micro-batches in all");
    }
    if (options.trainingLoop &&
        (workload.pipeline > 1 || options.form == TextGraphOptions::Form::Converter))
    {
        throw InputError(
            "a training loop is given, which knows no pipeline and needs the form "
            "loop; pp is " +
            std::to_string(workload.pipeline) +
            (options.form == TextGraphOptions::Form::Converter ? ", the form is converter" : ""));
    }
    if (workload.pipeline > 1 && options.form == TextGraphOptions::Form::Converter)
    {
        throw InputError("pp is " + std::to_string(workload.pipeline) +
                         "; the converter's graph knows no pipeline, allowed is the loop's");
    }
}

/// @param workload the workload @param options how to read it @param diagnostics receives what the
/// graphs leave out
void
WarnOfWhatIsLeftOut(const TextWorkload& workload,
                    const TextGraphOptions& options,
                    Diagnostics& diagnostics)
{
    const bool isLoop = options.form == TextGraphOptions::Form::Loop;
    const bool hasUpdates =
        std::any_of(workload.layers.begin(), workload.layers.end(), [](const TextLayer& layer) {
            return layer.updateCycles > 0;
        });
    if (options.trainingLoop && hasUpdates && workload.dialect != TextDialect::Libra)
    {
        diagnostics.Warning({workload.file, 0, "UPD_T"},
                            "a training loop that is given has no update times: they are left out");
    }
    if (workload.policy == TextPolicy::Micro && workload.layers.size() > 1 && isLoop &&
        !options.trainingLoop)
    {
        diagnostics.Warning({workload.file, 0, "MICRO"},
                            "the loop of this policy runs the first layer only; " +
                                std::to_string(workload.layers.size() - 1) +
                                " more are left out (the converter's graph has them all)");
    }
    if (workload.pipeline > 1)
    {
        diagnostics.Warning({workload.file, 0, "pp"},
                            "the file does not say when its " + std::to_string(workload.pipeline) +
                                " stages exchange what: all stages run their layers at once and "
                                "exchange after each half of a pass, so pipeline bubbles are left "
                                "out");
    }
}

/// @param workload the workload @param scopes who takes part @param options how to read it
/// @param topology the shape @param diagnostics receives problems @return the graphs
Graphs
MakeGraphs(const TextWorkload& workload,
           const TextScopes& scopes,
           const TextGraphOptions& options,
           const ClusterTopology& topology,
           Diagnostics& diagnostics)
{
    const auto distance = static_cast<uint32_t>(topology.GetNRanks() / workload.pipeline);
    std::map<std::pair<bool, bool>, std::shared_ptr<const ExecutionGraph>> kinds;
    Graphs graphs;
    for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
    {
        const uint64_t stage = rank / distance;
        const TextLoopGraph::Neighbours neighbours{distance,
                                                   stage + 1 < workload.pipeline,
                                                   stage > 0};
        auto& graph = kinds[{neighbours.hasNext, neighbours.hasPrevious}];
        if (!graph)
        {
            const bool isLoop = options.form == TextGraphOptions::Form::Loop;
            graph = std::make_shared<ExecutionGraph>(
                options.trainingLoop ? TextFormulaGraph(workload, scopes, options).Build()
                : isLoop             ? TextLoopGraph(workload, scopes, options, neighbours).Build()
                                     : TextConverterGraph(workload, scopes, options).Build(),
                workload.file,
                diagnostics);
        }
        graphs.push_back(graph);
    }
    return graphs;
}

} // namespace

std::shared_ptr<const ClusterWorkload>
MakeTextWorkload(const TextWorkload& workload,
                 const ClusterTopology& topology,
                 const TextGraphOptions& options,
                 Diagnostics& diagnostics)
{
    std::shared_ptr<const ClusterWorkload> result;
    const std::size_t nErrors = diagnostics.GetErrors().size();
    CheckTextWorkload(workload, diagnostics);
    if (diagnostics.GetErrors().size() > nErrors)
    {
        return result;
    }
    diagnostics.Collect({workload.file, 0, "graphs"}, [&] {
        CheckOptions(workload, options);
        const TextScopes scopes(workload, topology, options.communicators);
        const Graphs graphs = MakeGraphs(workload, scopes, options, topology, diagnostics);
        result =
            std::make_shared<ClusterWorkload>(graphs, scopes.GetGroups(), scopes.GetFamilies());
        WarnOfWhatIsLeftOut(workload, options, diagnostics);
    });
    return result;
}

} // namespace mlcluster
} // namespace ns3
