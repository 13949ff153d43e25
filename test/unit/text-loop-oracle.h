/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_LOOP_ORACLE_H
#define ML_CLUSTER_TEXT_LOOP_ORACLE_H

#include "ns3/text-workload.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * Runs the training loop of a text workload in time, as a state machine that looks at the clock
 * before each step: the independent check of TextLoopGraph. A collective takes as many ns as it has
 * bytes (none if it is left out), plus the update time; a cycle is a ns.
 */
class TextLoopOracle
{
  public:
    using Pass = TextLayer::Pass;                             ///< passes of a layer
    using Scope = std::function<uint64_t(std::size_t, Pass)>; ///< ranks of a collective
    using Event = std::pair<int64_t, std::string>;            ///< start of something, ns

    /// @param workload the loop's @param scope ranks of a layer's collectives @param isBlocking
    /// whether input gradients are waited for before weight gradients
    TextLoopOracle(const TextWorkload& workload, Scope scope, bool isBlocking)
        : m_workload(workload),
          m_scope(std::move(scope)),
          m_isBlocking(isBlocking)
    {
    }

    /// @param passes how many
    void Run(uint64_t passes)
    {
        for (m_pass = 0; m_pass < passes && m_workload.policy == TextPolicy::Micro; ++m_pass)
        {
            Issue(0, Pass::WeightGradient, false);
        }
        for (; m_pass < passes; ++m_pass)
        {
            m_state = State::Forward;
            m_index = 0;
            m_hasRecomputed = false;
            while (m_state != State::End)
            {
                Step();
            }
        }
    }

    /// @return starts of computations and collectives, in order of time and name
    std::vector<Event> GetStarts() const
    {
        auto starts = m_starts;
        std::sort(starts.begin(), starts.end());
        return starts;
    }

    /// @return when all is done, ns
    int64_t GetEnd() const
    {
        return m_end;
    }

  private:
    /// What the loop does next.
    enum class State
    {
        Forward,
        InputGradient,
        WeightGradient,
        ForwardAgain,
        End
    };

    /// @return the last layer
    std::size_t Last() const
    {
        return m_workload.layers.size() - 1;
    }

    /// @param list layers @return whether the current layer is one
    bool IsIn(const std::vector<uint64_t>& list) const
    {
        return std::count(list.begin(), list.end(), m_index) > 0;
    }

    /// Does one step.
    void Step()
    {
        const TextPolicy policy = m_workload.policy;
        const bool isDlrm =
            policy == TextPolicy::HybridDlrm || policy == TextPolicy::HybridDlrmEnhanced;
        if (m_state == State::Forward || m_state == State::ForwardAgain)
        {
            StepForward(isDlrm);
        }
        else if (policy == TextPolicy::Data || isDlrm)
        {
            StepWeightsFirst(isDlrm);
        }
        else if (policy == TextPolicy::WithoutOverlap)
        {
            Compute(Pass::InputGradient, " IG");
            m_now = std::max(m_now, Issue(m_index, Pass::InputGradient, true));
            Compute(Pass::WeightGradient, " WG");
            m_now = std::max(m_now, Issue(m_index, Pass::WeightGradient, true));
            GoDown();
        }
        else
        {
            StepInputFirst();
        }
    }

    /// Does a layer's forward part.
    /// @param isDlrm whether the loop is DLRM's
    void StepForward(bool isDlrm)
    {
        m_now = std::max(m_now, m_done[{m_index, Pass::WeightGradient}]);
        const bool isAgain = m_state == State::ForwardAgain;
        Compute(Pass::Forward, isAgain ? " REFWD" : " FWD");
        if (isDlrm && m_workload.layers[m_index].forward.type == CollectiveType::AllToAll)
        {
            Issue(m_index, Pass::Forward, false);
        }
        else if (isDlrm && m_index == m_workload.lastBottomLayer)
        {
            m_now = std::max(m_now, m_done[{0, Pass::Forward}]);
        }
        else if (!isDlrm && m_workload.policy != TextPolicy::Data)
        {
            m_now = std::max(m_now, Issue(m_index, Pass::Forward, true));
        }
        if (isAgain)
        {
            ++m_index;
            m_state = IsIn(m_workload.recomputations) ? State::InputGradient : m_state;
        }
        else if (m_index < Last())
        {
            ++m_index;
        }
        else if (m_workload.policy == TextPolicy::DistributedInference)
        {
            m_state = State::End;
        }
        else
        {
            const bool isWeightsFirst = isDlrm || m_workload.policy == TextPolicy::Data;
            m_state = isWeightsFirst ? State::WeightGradient : State::InputGradient;
        }
    }

    /// Does a layer's backward part of DATA and DLRM.
    /// @param isDlrm whether the loop is DLRM's
    void StepWeightsFirst(bool isDlrm)
    {
        Compute(Pass::WeightGradient, " WG");
        Issue(m_index, Pass::WeightGradient, false);
        if (m_workload.policy == TextPolicy::HybridDlrm)
        {
            m_now = std::max(m_now, m_done[{m_index, Pass::InputGradient}]);
        }
        if (m_index > 0)
        {
            Compute(Pass::InputGradient, " IG");
        }
        if (isDlrm && m_index == m_workload.lastBottomLayer + 1)
        {
            Issue(0, Pass::InputGradient, false);
        }
        GoDown();
    }

    /// Does a layer's backward part of the others.
    void StepInputFirst()
    {
        if (m_workload.policy == TextPolicy::HybridTransformerRecomputing && !m_hasRecomputed &&
            IsIn(m_workload.recomputations))
        {
            while (!IsIn(m_workload.checkpoints))
            {
                --m_index;
            }
            m_hasRecomputed = true;
            m_state = State::ForwardAgain;
            return;
        }
        m_hasRecomputed = false;
        const bool isTransformer = m_workload.policy == TextPolicy::HybridTransformer ||
                                   m_workload.policy == TextPolicy::HybridTransformerRecomputing;
        Compute(Pass::InputGradient, " IG");
        const int64_t exchanged =
            m_index > 0 || isTransformer ? Issue(m_index, Pass::InputGradient, false) : 0;
        m_now = m_isBlocking ? std::max(m_now, exchanged) : m_now;
        Compute(Pass::WeightGradient, " WG");
        Issue(m_index, Pass::WeightGradient, false);
        m_now = std::max(m_now, exchanged);
        GoDown();
    }

    /// Goes to the next lower layer.
    void GoDown()
    {
        m_state = m_index == 0 ? State::End : m_state;
        m_index -= m_index == 0 ? 0 : 1;
    }

    /// @param pass a pass of the current layer @param label of it
    void Compute(Pass pass, const std::string& label)
    {
        const TextLayer& layer = m_workload.layers[m_index];
        m_starts.emplace_back(m_now, layer.name + label);
        m_now += static_cast<int64_t>(layer.Get(pass).cycles);
        m_end = std::max(m_end, m_now);
    }

    /// @param layer index @param pass a pass @param isBlocking for the name only @return when its
    /// collective ends; 0 if it is left out
    int64_t Issue(std::size_t layer, Pass pass, bool isBlocking)
    {
        const TextPass& what = m_workload.layers[layer].Get(pass);
        if (!what.type || what.bytes == 0 || m_scope(layer, pass) <= 1)
        {
            m_done[{layer, pass}] = 0;
            return isBlocking ? m_now : 0;
        }
        const std::string label = pass == Pass::Forward         ? " FWD "
                                  : pass == Pass::InputGradient ? " IG "
                                                                : " WG ";
        m_starts.emplace_back(m_now, m_workload.layers[layer].name + label + ToTextWord(what.type));
        const bool updates = m_workload.policy != TextPolicy::WithoutOverlap;
        const auto update = static_cast<int64_t>(m_workload.layers[layer].updateCycles);
        const int64_t end = m_now + static_cast<int64_t>(what.bytes) + (updates ? update : 0);
        m_done[{layer, pass}] = end;
        m_end = std::max(m_end, end);
        return end;
    }

    const TextWorkload& m_workload;                         ///< the loop's
    Scope m_scope;                                          ///< ranks of collectives
    bool m_isBlocking;                                      ///< InputGradients::Blocking
    State m_state{State::End};                              ///< what is next
    std::size_t m_index{0};                                 ///< current layer
    uint64_t m_pass{0};                                     ///< current pass
    bool m_hasRecomputed{false};                            ///< whether what is below ran again
    int64_t m_now{0};                                       ///< the loop's clock, ns
    int64_t m_end{0};                                       ///< latest end, ns
    std::map<std::pair<std::size_t, Pass>, int64_t> m_done; ///< ends of the latest collectives
    std::vector<Event> m_starts;                            ///< what started
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_LOOP_ORACLE_H
