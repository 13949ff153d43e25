/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-moe-generator.h"

#include "step-graph.h"
#include "step-list.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Steps = StepList::Steps; ///< steps to wait for

/// Writes a training step, layer by layer.
class MoeStep
{
  public:
    /// @param model the model, checked
    explicit MoeStep(const RemoteMoeModel& model)
        : m_model(model),
          m_all{"", model.ranks},
          m_denseParameters(model.GetDenseParameters()),
          m_denseShare(model.GetDenseShare()),
          m_expertShare(model.GetExpertShare())
    {
    }

    /// @return the step
    LayerProgram Write()
    {
        for (uint32_t layer = 0; layer < m_model.layers; ++layer)
        {
            m_prefix = "layer " + std::to_string(layer) + " ";
            WriteForward();
        }
        for (uint32_t layer = m_model.layers; layer-- > 0;)
        {
            m_prefix = "layer " + std::to_string(layer) + " backward ";
            WriteBackward();
        }
        m_list.Join("end of the step", m_stores);
        return m_list.Take();
    }

  private:
    /// Parameters of a layer on their way.
    struct Loads
    {
        Steps experts; ///< of own experts
        Steps dense;   ///< gathered ones
    };

    /// @return what the loads of the next layer wait for
    Steps GetLoadStart() const
    {
        const std::size_t before = uint64_t{m_model.prefetch} + 1;
        return m_outputs.size() < before ? Steps{} : m_outputs[m_outputs.size() - before];
    }

    /// @return what comes into the next layer
    Steps GetInput() const
    {
        return m_outputs.empty() ? Steps{} : m_outputs.back();
    }

    /// @param after what a step waits for if anything can overlap @return what it waits for
    Steps After(const Steps& after) const
    {
        return m_model.isSerial ? m_last : after;
    }

    /// @param step a step @return it
    Steps Note(Steps step)
    {
        m_last = step;
        return step;
    }

    /// @param kind MemoryLoad or MemoryStore @param name name @param bytes moved @param location of
    /// them @param after steps it waits for @return the step
    Steps Access(NodeKind kind,
                 const std::string& name,
                 Amount bytes,
                 uint32_t location,
                 const Steps& after)
    {
        return Note(m_list.Access(kind, m_prefix + name, bytes, location, After(after)));
    }

    /// Moves what computation does not find in local memory. @param kind MemoryLoad or MemoryStore
    /// @param name name @param bytes moved @param location of them @param after steps it waits for
    /// @return the step, or those
    Steps Move(NodeKind kind,
               const std::string& name,
               Amount bytes,
               uint32_t location,
               const Steps& after)
    {
        return location == MemoryLocation::LOCAL ? after
                                                 : Access(kind, name, bytes, location, after);
    }

    /// @param name name @param type operation @param bytes size as Chakra has it @param after steps
    /// it waits for @return the step
    Steps Communicate(const std::string& name,
                      CollectiveType type,
                      Amount bytes,
                      const Steps& after)
    {
        return Note(m_list.Collective(m_prefix + name, type, m_all, bytes, After(after)));
    }

    /// @param name name @param after steps it waits for @return tokens on their way to experts or
    /// back
    Steps Exchange(const std::string& name, const Steps& after)
    {
        return Communicate(name, CollectiveType::AllToAll, m_model.GetDispatchBytes(), after);
    }

    /// @param name name @param tokens it is for @param parameters of each token's product @param
    /// weights read @param factor times the forward pass @param after steps it waits for
    /// @return the step
    Steps Compute(const std::string& name,
                  Amount tokens,
                  Amount parameters,
                  Amount weights,
                  uint64_t factor,
                  const Steps& after)
    {
        return Note(m_list.Compute(m_prefix + name,
                                   tokens * parameters * m_model.operations * factor,
                                   weights * m_model.elementBytes * factor,
                                   After(after)));
    }

    /// @param factor times the forward pass @param after steps it waits for @return the dense part
    Steps ComputeDense(uint64_t factor, const Steps& after)
    {
        return Compute("dense",
                       m_model.tokens,
                       m_denseParameters,
                       m_denseParameters,
                       factor,
                       after);
    }

    /// @param factor times the forward pass @param after steps it waits for @return own experts
    Steps ComputeExperts(uint64_t factor, const Steps& after)
    {
        return Compute("experts",
                       Amount(m_model.tokens) * m_model.topExperts,
                       m_model.GetExpertParameters(),
                       m_expertShare,
                       factor,
                       after);
    }

    /// @return the parameters of a layer
    Loads Load()
    {
        const Steps start = GetLoadStart();
        const Amount dense = m_denseShare * m_model.elementBytes;
        Loads loads;
        const uint32_t location = m_model.parameterLocation;
        loads.experts = Move(NodeKind::MemoryLoad,
                             "load experts",
                             m_expertShare * m_model.elementBytes,
                             location,
                             start);
        const Steps share = Move(NodeKind::MemoryLoad, "load dense", dense, location, start);
        loads.dense = Communicate("gather dense", CollectiveType::AllGather, dense, share);
        return loads;
    }

    /// @param kind MemoryStore forward, MemoryLoad backward @param name name @param after steps it
    /// waits for @return the input of a layer on its way
    Steps MoveInput(NodeKind kind, const std::string& name, const Steps& after)
    {
        const uint32_t location = m_model.activationLocation;
        return location == MemoryLocation::LOCAL
                   ? Steps{}
                   : Access(kind, name, m_model.GetInputBytes(), location, after);
    }

    void WriteForward() ///< Writes the next layer.
    {
        m_inputs.push_back(MoveInput(NodeKind::MemoryStore, "store input", GetInput()));
        const Loads loads = Load();
        const Steps dense = ComputeDense(1, GetInput() + loads.dense);
        const Steps dispatch = Exchange("dispatch", dense);
        const Steps experts = ComputeExperts(1, dispatch + loads.experts);
        m_outputs.push_back(Exchange("combine", experts));
    }

    void WriteBackward() ///< Writes the next layer.
    {
        const Steps input =
            MoveInput(NodeKind::MemoryLoad, "load input", GetLoadStart() + m_inputs.back());
        m_inputs.pop_back();
        const Loads loads = Load();
        const uint64_t factor = m_model.GetBackwardFactor();
        const Steps combine = Exchange("combine dX", GetInput());
        const Steps experts = ComputeExperts(factor, combine + loads.experts);
        const Steps dispatch = Exchange("dispatch dX", experts);
        const Steps dense = ComputeDense(factor, dispatch + loads.dense + input);
        m_outputs.push_back(dense);
        const Steps storedDense = StoreDense(dense);
        const Steps storedExperts = Move(NodeKind::MemoryStore,
                                         "store experts",
                                         m_expertShare * m_model.gradientBytes,
                                         m_model.gradientLocation,
                                         experts);
        WriteUpdate(storedDense + storedExperts);
    }

    /// @param after stores of a layer's gradients; writes what the optimizer moves
    void WriteUpdate(const Steps& after)
    {
        const Amount bytes = (m_expertShare + m_denseShare) * m_model.optimizerBytes;
        const uint32_t location = m_model.optimizerLocation;
        const Steps load = Access(NodeKind::MemoryLoad, "load optimizer", bytes, location, after);
        m_stores =
            m_stores + Access(NodeKind::MemoryStore, "store optimizer", bytes, location, load);
    }

    /// @param after gradients of the dense part @return their sums, stored
    Steps StoreDense(const Steps& after)
    {
        const Amount share = m_denseShare * m_model.gradientBytes;
        return Move(NodeKind::MemoryStore,
                    "store dense",
                    share,
                    m_model.gradientLocation,
                    Communicate("reduce dense",
                                CollectiveType::ReduceScatter,
                                share * m_model.ranks,
                                after));
    }

    const RemoteMoeModel& m_model; ///< the model
    StepList::Group m_all;         ///< all ranks
    Amount m_denseParameters;      ///< P_d
    Amount m_denseShare;           ///< of P_d on a rank
    Amount m_expertShare;          ///< e P_e
    StepList m_list;               ///< the step so far
    std::string m_prefix;          ///< before names
    std::vector<Steps> m_outputs;  ///< ends of layers, forward and backward
    std::vector<Steps> m_inputs;   ///< stores of inputs of layers that are to go backward
    Steps m_stores;                ///< last ones of layers
    Steps m_last;                  ///< the last step
};

} // namespace

ClusterWorkload
MakeRemoteMoeWorkload(const RemoteMoeModel& model)
{
    Diagnostics diagnostics;
    model.Check(RemoteMoeModel::AtMember, diagnostics);
    diagnostics.ThrowIfErrors();
    const auto graph = MakeStepGraph(MoeStep(model).Write(), model.steps, model.ranks);
    return ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>>(model.ranks, graph),
                           {});
}

} // namespace mlcluster
} // namespace ns3
