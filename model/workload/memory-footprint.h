/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_FOOTPRINT_H
#define ML_CLUSTER_MEMORY_FOOTPRINT_H

#include "layer-activations.h"
#include "parameter-counts.h"
#include "plan-figures.h"
#include "rank-shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Memory that training takes on a rank of a pipeline stage, at its peak: model state (Rajbhandari
 * et al. 2020, ZeRO) and activations (LayerActivations).
 *
 * With P parameters on the rank, weights beta P, gradients gamma P, Adam 12 P (a master copy and
 * two moments of four bytes; 8 P if weights have four bytes, which then are the master copy).
 * ZeRO-1 divides the optimizer's state over the n ranks with the same parameters, ZeRO-2 gradients
 * too, ZeRO-3 weights too. Experts have an n of their own. ZeRO-3 also needs room for gathered
 * weights, those of the 1 + prefetch units (embedding, layers of a chunk, head) that follow one
 * another and have the most, without reshardAfterForward those of all units of the stage, which are
 * all there when the first backward pass begins; and for the gradients of the largest unit.
 * Parameters that no other rank shares are not gathered.
 *
 * Activations are kept from a chunk's forward pass to its backward one (zero-bubble: to that of its
 * weights), as many at once as the pipeline schedule has in flight. The first stage keeps the
 * embedding's dropout mask; the last one the inputs of final norm and head and the logits in four
 * bytes. Left out: workspaces, buffers of collectives, fragmentation.
 */
class MemoryFootprint
{
  public:
    using Part = MemoryPart; ///< a part, with the values of P and n in its formula

    /**
     * @param model the model
     * @param plan how it is trained; both checked (see TrainingChecker)
     * @param stage pipeline stage of the rank
     * @param expertPosition of the rank in its expert group
     * @throw InputError if a number is above 2^64 - 1
     */
    MemoryFootprint(const TransformerModel& model,
                    const ParallelPlan& plan,
                    uint32_t stage,
                    uint32_t expertPosition = 0);

    const std::vector<Part>& GetParts() const; ///< @return the parts, none of 0 bytes
    /// @param name of a part @return its bytes, 0 if it has none
    uint64_t GetBytes(const std::string& name) const;
    uint64_t GetTotal() const; ///< @return bytes of all parts
    /// @return per chunk of the stage the micro-batches whose activations are kept at the peak
    const std::vector<uint32_t>& GetInFlight() const;

  private:
    /// What is kept of one micro-batch for a chunk.
    struct Kept
    {
        Amount dense;     ///< layers without experts
        Amount experts;   ///< layers with experts
        Amount embedding; ///< embedding
        Amount head;      ///< head

        Amount GetTotal() const; ///< @return all
    };

    void AddState();         ///< Adds weights, gradients and optimizer.
    void AddGatheredUnits(); ///< Adds what ZeRO-3 gathers.
    void AddActivations();   ///< Adds what micro-batches in flight keep.
    void AddWorkingSet();    ///< Adds what a layer that is recomputed needs.
    /// @param chunk layers @param index of the chunk @return what it keeps of a micro-batch
    Kept GetKept(const ParallelPlan::LayerRange& chunk, uint32_t index) const;
    /// @param kept per chunk @return per chunk the micro-batches kept when all are the most
    std::vector<uint32_t> FindPeak(const std::vector<Kept>& kept) const;
    /// @param name of a part @param bytes size @param formula text
    void Add(const std::string& name, Amount bytes, const std::string& formula);
    /// @param factor bytes a parameter @param symbol of them @param isDivided over data parallelism
    /// @return bytes, and formula
    std::pair<Amount, std::string> GetState(Amount factor,
                                            const std::string& symbol,
                                            bool isDivided) const;

    RankShape m_shape;                              ///< sizes on the rank
    uint32_t m_stage;                               ///< pipeline stage
    LayerActivations m_activations;                 ///< of layers
    ParameterCounts m_parameters;                   ///< on the rank
    std::vector<ParallelPlan::LayerRange> m_chunks; ///< layers of the chunks
    std::vector<uint32_t> m_inFlight;               ///< per chunk, micro-batches at the peak
    std::vector<Part> m_parts;                      ///< found
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_FOOTPRINT_H
