/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_LOOP_GRAPH_H
#define ML_CLUSTER_TEXT_LOOP_GRAPH_H

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
 * The training loops of ASTRA-sim 1.0, and LIBRA's, as a graph. The loop is one state machine per
 * rank: it computes one thing at a time, goes on right after issuing a collective unless that is
 * blocking, and waits where it says so. So each step of it becomes a node that waits for the step
 * before and for what the loop waits for there; nothing else orders the nodes.
 *
 * Everywhere: before layer i runs forward, the loop waits for i's earlier weight-gradient
 * collective. A collective counts as finished UPD_T after its end. Those of no bytes, of type NONE
 * or of one rank are left out. L layers, i from 0.
 *
 * - DATA. Forward, ascending: compute. Backward, descending: WG compute, WG collective, IG compute
 *   if i > 0.
 * - MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_CUSTOMIZED. Forward: compute, blocking
 *   collective. Backward: IG compute, IG collective (LIFO) if i > 0, WG compute, WG collective
 *   (FIFO), wait for the IG collective.
 * - HYBRID_TRANSFORMER. Likewise, with the IG collective of layer 0 too.
 * - HYBRID_TRANSFORMER_FWD_IN_BCKWD. Likewise; before IG of an initiating layer i, the layers from
 *   the nearest checkpoint below up to i - 1 run forward again.
 * - HYBRID_DLRM. Forward: compute; a collective of type ALLTOALL is issued (HIGHEST), and a last
 *   bottom layer without such waits for layer 0's. Backward: WG compute, WG collective, wait for
 * the own IG collective, IG compute if i > 0; after that of the layer above the last bottom one,
 * layer 0's IG collective (HIGHEST).
 * - HYBRID_DLRM_ENHANCED. Likewise, without the wait for the IG collective.
 * - DISTRIBUTED_INFERENCE. Forward: compute, blocking collective. No backward part.
 * - MICRO. Layer 0's WG collective once a pass, all at once.
 * - LIBRA's. Forward: compute, blocking collective. Backward: IG compute, blocking collective, WG
 *   compute, blocking collective. No UPD_T.
 *
 * With InputGradients::Blocking, MODEL and those like it wait for the IG collective before they
 * compute WG.
 *
 * Priorities of nodes: HIGHEST is the largest number; the n-th collective of the rank (from 1) has
 * n where it is to go before all earlier ones (LIFO) and -n where behind them (FIFO); where the
 * loop says nothing, as the options say. They count with the collective priority "explicit".
 *
 * A pipeline of SimAI adds, after the forward and after the backward part of a pass, the transfers
 * of all micro-batches to the next and the previous stage, blocking.
 *
 * Left out: the one cycle that each move of the original loop takes.
 */
class TextLoopGraph
{
  public:
    /// Neighbours of a pipeline stage.
    struct Neighbours
    {
        uint32_t distance{0};    ///< from a rank to that of the next stage
        bool hasNext{false};     ///< whether there is a next stage
        bool hasPrevious{false}; ///< whether there is a previous stage
    };

    /// @param workload the workload, checked @param scopes who takes part @param options how to
    /// read it @param neighbours of the stage; all but the last must outlive this
    TextLoopGraph(const TextWorkload& workload,
                  const TextScopes& scopes,
                  const TextGraphOptions& options,
                  const Neighbours& neighbours);

    /// @return the nodes of all passes @throw InputError if a time or size cannot be counted
    std::vector<ExecutionNode> Build();

  private:
    using Pass = TextLayer::Pass;            ///< passes of a layer
    using MaybeId = std::optional<uint64_t>; ///< the end of a collective, if it was issued

    /// Which collective goes first.
    enum class Order
    {
        Default, ///< as the options say
        Lifo,    ///< before all earlier ones
        Fifo,    ///< behind all earlier ones
        Highest  ///< before all
    };

    void AddPass();          ///< Adds one training step.
    void AddDataPass();      ///< Adds one of DATA.
    void AddModelPass();     ///< Adds one of MODEL and what is like it.
    void AddDlrmPass();      ///< Adds one of HYBRID_DLRM and HYBRID_DLRM_ENHANCED.
    void AddInferencePass(); ///< Adds one of DISTRIBUTED_INFERENCE.
    void AddSerialPass();    ///< Adds one of LIBRA.
    /// @param layer index @param label "FWD", or "REFWD" if it runs again
    void AddForward(std::size_t layer, const std::string& label);
    /// @param layer an index; adds the layers that run again before its backward part
    void AddRecomputation(std::size_t layer);
    /// @param forward whether the forward part has ended, else the backward part
    void AddTransfers(bool forward);
    /// @param layer index @param pass a pass @param label of the name; the loop computes
    void Compute(std::size_t layer, Pass pass, const std::string& label);
    /// @param layer index @param pass a pass @param order its priority @return its end, if it is
    /// not left out
    MaybeId Issue(std::size_t layer, Pass pass, Order order);
    /// @param end of a collective; the loop's next step waits for it
    void Wait(const MaybeId& end);
    /// @param end of the collective issued last; the loop waits for it
    void Block(const MaybeId& end);
    /// @param order an order @return the priority of the next collective
    int32_t GetPriority(Order order);

    const TextWorkload& m_workload;     ///< the workload
    const TextScopes& m_scopes;         ///< who takes part
    const TextGraphOptions& m_options;  ///< how to read it
    Neighbours m_neighbours;            ///< of the stage
    TextGraphNodes m_nodes;             ///< nodes so far
    TextGraphNodes::Ids m_cursor;       ///< what the next step waits for
    std::vector<MaybeId> m_weightsDone; ///< per layer, end of its latest WG collective
    int32_t m_nIssued{0};               ///< collectives so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_LOOP_GRAPH_H
