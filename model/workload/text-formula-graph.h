/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_FORMULA_GRAPH_H
#define ML_CLUSTER_TEXT_FORMULA_GRAPH_H

#include "loop-formula.h"
#include "text-graph-nodes.h"
#include "text-graph-options.h"
#include "text-scopes.h"
#include "text-workload.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A text workload as a graph whose training loop is a LoopFormula: the parts of a sum run one after
 * the other, those of max() beside each other, and layers() one after the other, layer by layer. A
 * pass goes forward from the first layer to the last; phases of gradients, and layers() with such,
 * go back from the last.
 *
 * What runs beside the first part of a max() computes on a stream of its own, so it needs
 * ConcurrentStreams (the default). A factor k makes k-fold times and sizes; a size that is not
 * whole then is rounded to the nearest byte. Collectives of no bytes, of type NONE or of one rank
 * are left out, and so is UPD_T. Priorities are as the scheduling of the options says.
 */
class TextFormulaGraph
{
  public:
    /// @param workload the workload, checked, of one pipeline stage @param scopes who takes part
    /// @param options how to read it, with a training loop; all must outlive this
    TextFormulaGraph(const TextWorkload& workload,
                     const TextScopes& scopes,
                     const TextGraphOptions& options);

    /// @return the nodes of all passes @throw InputError if a time or size cannot be counted
    std::vector<ExecutionNode> Build();

  private:
    using Part = LoopFormula::Part; ///< part of the formula

    /// Which of the layers.
    struct Layers
    {
        std::size_t first; ///< the first
        std::size_t end;   ///< past the last
    };

    /// @param part a part @return whether a phase of gradients is in it
    static bool GoesBack(const Part& part);
    /// @param layers some @param back whether the last comes first @return them in order
    static std::vector<std::size_t> GetOrder(const Layers& layers, bool back);
    /// @param part to add @param layers of which @param factor to times and sizes @param stream of
    /// what it computes
    void Add(const Part& part, const Layers& layers, double factor, int64_t stream);
    /// @param part a max() @param layers as above @param factor as above @param stream of its first
    /// part
    void AddBeside(const Part& part, const Layers& layers, double factor, int64_t stream);
    /// @param part a phase @param layer index @param factor as above @param stream as above
    void AddPhase(const Part& part, std::size_t layer, double factor, int64_t stream);

    const TextWorkload& m_workload;           ///< the workload
    const TextScopes& m_scopes;               ///< who takes part
    const TextGraphOptions& m_options;        ///< how to read it
    TextGraphNodes m_nodes;                   ///< nodes so far
    TextGraphNodes::Ids m_cursor;             ///< what comes next waits for
    std::map<const Part*, int64_t> m_streams; ///< of parts that run beside others
    int32_t m_nIssued{0};                     ///< collectives so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_FORMULA_GRAPH_H
