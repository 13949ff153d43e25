/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_CONVERTER_GRAPH_H
#define ML_CLUSTER_TEXT_CONVERTER_GRAPH_H

#include "text-graph-nodes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The graph that Chakra's text converter makes of a text workload: the same names, ids, sizes and
 * edges for the policies it knows, and the like for the others. F, I and W are the computations of
 * a layer (forward, input gradient, weight gradient), FC, IC and WC their collectives; i is a
 * layer, "last" the highest one, "before" the pass before. Ids ascend with i in the forward part:
 * F, FC; and descend in the backward part: W, WC, I (DATA, DLRM) or I, IC, W, WC (all others). Each
 * node waits for:
 *
 * - MICRO: nothing; WC of each layer.
 * - DATA: F(i) for F(i-1) and WC(i) before; W(i) for I(i+1), that of the last layer for F(last);
 * WC(i) for W(i); I(i) for W(i), i > 0.
 * - MODEL: F(i) for FC(i-1) and W(i) before; FC(i) for F(i); I(i) for W(i+1) and IC(i+1), that of
 * the last layer for FC(last); IC(i) for I(i), i > 0; W(i) for I(i).
 * - HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_CUSTOMIZED: as MODEL, and WC(i) for W(i); F(i) for
 *   WC(i) before in place of W(i) before.
 * - HYBRID_DLRM, HYBRID_DLRM_ENHANCED: F(i) for F(i-1) and WC(i) before, or else W(i) before, of
 * the last bottom layer for FC(0) too; FC(i), if ALLTOALL, for F(i); W(i) for I(i+1), that of the
 * last layer for F(last), that of layer 0 for IC(0) too; WC(i), unless NONE, for W(i); I(i) for
 * W(i), i > 0; IC(0) for I of the layer above the last bottom one.
 * - HYBRID_TRANSFORMER, HYBRID_TRANSFORMER_FWD_IN_BCKWD, LIBRA's: as HYBRID_DATA_MODEL, with IC(0);
 *   before I of an initiating layer, the layers that run again, each after the one before.
 * - DISTRIBUTED_INFERENCE: F(i) for FC(i-1), F(0) for FC(last) before; FC(i) for F(i).
 *
 * Differences to the loops (TextLoopGraph): computations of a rank are ordered by their edges only,
 * UPD_T and priorities are not there, all layers of MICRO are, and collectives of type NONE are
 * nodes of no bytes. In such, and in those of one rank, no dimension takes part.
 */
class TextConverterGraph
{
  public:
    /// @param workload the workload, checked @param scopes who takes part @param options how to
    /// read it; all must outlive this
    TextConverterGraph(const TextWorkload& workload,
                       const TextScopes& scopes,
                       const TextGraphOptions& options);

    /// @return the nodes of all passes @throw InputError if a time or size cannot be counted
    std::vector<ExecutionNode> Build();

  private:
    using Pass = TextLayer::Pass;            ///< passes of a layer
    using MaybeId = std::optional<uint64_t>; ///< a node, if it is there

    /// The nodes of a layer in one pass.
    struct LayerNodes
    {
        MaybeId forward;           ///< F
        MaybeId forwardCollective; ///< FC
        MaybeId inputGradient;     ///< I
        MaybeId inputCollective;   ///< IC
        MaybeId weightGradient;    ///< W
        MaybeId weightCollective;  ///< WC
    };

    void AddDataPass();      ///< Adds one pass of DATA.
    void AddModelPass();     ///< Adds one pass of MODEL and what is like it.
    void AddDlrmPass();      ///< Adds one pass of HYBRID_DLRM and HYBRID_DLRM_ENHANCED.
    void AddInferencePass(); ///< Adds one pass of DISTRIBUTED_INFERENCE.
    void AddMicroPass();     ///< Adds one pass of MICRO.
    /// @param layer index; adds its backward part and what runs again before it
    void AddModelBackward(std::size_t layer);
    /// @param layer index @param before what it waits for @return the end of what runs again before
    /// its backward part, or `before`
    std::vector<MaybeId> AddRecomputation(std::size_t layer, std::vector<MaybeId> before);
    /// @param layer index @param pass a pass @param label of the name @param dependencies what it
    /// waits for @return its computation
    uint64_t AddCompute(std::size_t layer,
                        Pass pass,
                        const std::string& label,
                        const std::vector<MaybeId>& dependencies);
    /// @param layer index @param pass a pass @param dependency what it waits for @return its
    /// collective
    uint64_t AddCollective(std::size_t layer, Pass pass, const MaybeId& dependency);
    /// @return index of the highest layer
    std::size_t GetLast() const;

    const TextWorkload& m_workload;     ///< the workload
    const TextScopes& m_scopes;         ///< who takes part
    TextGraphNodes m_nodes;             ///< nodes so far
    const TextGraphOptions& m_options;  ///< how to read it
    std::vector<LayerNodes> m_now;      ///< per layer, of this pass
    std::vector<LayerNodes> m_previous; ///< per layer, of the pass before
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_CONVERTER_GRAPH_H
