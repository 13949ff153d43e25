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
 * edges for the policies it knows, and the like for the others. "last" is the highest layer, "prev"
 * the pass before; i ascends in the forward part and descends in the backward part, which is the
 * order of ids: FWD, its collective; then WG, its collective, IG (DATA, DLRM) or IG, its
 * collective, WG, its collective (all others).
 *
 * | policy | edges into each node |
 * |---|---|
 * | MICRO | none: one collective per layer and pass |
 * | DATA | fwd_i: fwd_{i-1}, wg_comm_i(prev); wg_i: ig_{i+1}, of the last fwd_last; wg_comm_i:
 * wg_i; ig_i: wg_i (i > 0) | | MODEL | fwd_i: fwd_comm_{i-1}, wg_i(prev); fwd_comm_i: fwd_i; ig_i:
 * wg_{i+1} and ig_comm_{i+1}, of the last fwd_comm_last; ig_comm_i: ig_i (i > 0); wg_i: ig_i | |
 * HYBRID_DATA_MODEL, HYBRID_MODEL_DATA | as MODEL, and wg_comm_i: wg_i; fwd_i: wg_comm_i(prev) in
 * place of wg_i(prev) |
 * | HYBRID_DLRM(_ENHANCED) | fwd_i: fwd_{i-1}, wg_comm_i(prev) or else wg_i(prev), of the last
 * bottom layer fwd_comm_0; fwd_comm_i: fwd_i (ALLTOALL); wg_i: ig_{i+1}, of the last fwd_last, and
 * ig_comm_0 for i = 0; wg_comm_i: wg_i (not NONE); ig_i: wg_i (i > 0); ig_comm_0: ig_i of the layer
 * above the last bottom one |
 * | HYBRID_CUSTOMIZED | as HYBRID_DATA_MODEL |
 * | HYBRID_TRANSFORMER(_FWD_IN_BCKWD), LIBRA | likewise, with ig_comm_0; before the IG of an
 * initiating layer, the layers that run again, each after its predecessor's collective |
 * | DISTRIBUTED_INFERENCE | fwd_i: fwd_comm_{i-1}, of the first fwd_comm_last(prev); fwd_comm_i:
 * fwd_i |
 *
 * Differences to the loops (TextLoopGraph): computations of a rank are ordered by their edges only,
 * UPD_T and priorities are not there, all layers of MICRO are, and collectives of type NONE are
 * nodes of no bytes. Such, and those of one rank, run over the rank alone.
 */
class TextConverterGraph
{
  public:
    /// @param workload the workload, checked @param scopes who takes part @param options how to
    /// read it; all must outlive this
    TextConverterGraph(const TextWorkload& workload,
                       TextScopes& scopes,
                       const TextGraphOptions& options);

    /// @return the nodes of all passes @throw InputError if a time or size cannot be counted
    std::vector<ExecutionNode> Build();

  private:
    using Pass = TextLayer::Pass;            ///< passes of a layer
    using MaybeId = std::optional<uint64_t>; ///< a node, if it is there

    /// The nodes of a layer in one pass.
    struct LayerNodes
    {
        MaybeId forward;           ///< fwd
        MaybeId forwardCollective; ///< fwd_comm
        MaybeId inputGradient;     ///< ig
        MaybeId inputCollective;   ///< ig_comm
        MaybeId weightGradient;    ///< wg
        MaybeId weightCollective;  ///< wg_comm
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
    TextScopes& m_scopes;               ///< who takes part
    TextGraphNodes m_nodes;             ///< nodes so far
    const TextGraphOptions& m_options;  ///< how to read it
    std::vector<LayerNodes> m_now;      ///< per layer, of this pass
    std::vector<LayerNodes> m_previous; ///< per layer, of the pass before
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_CONVERTER_GRAPH_H
