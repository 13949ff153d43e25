/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-loop.h"

#include "collective-traffic.h"
#include "part-bandwidth.h"

#include "ns3/diagnostics.h"

#include <array>
#include <string>

namespace ns3
{
namespace mlcluster
{

/// Makes an expression of the layers.
class TrainingLoop::Builder
{
  public:
    /// As Make has them.
    Builder(const TextWorkload& workload,
            const LibraCommunicators& communicators,
            double cycleNs,
            TimeExpression& time,
            const ClusterTopology* links)
        : m_time(time)
    {
        const Communicator forward = MakeCommunicator(communicators.forward, false, links);
        const Communicator input = MakeCommunicator(communicators.inputGradient, false, links);
        const Communicator weight = MakeCommunicator(communicators.weightGradient, true, links);
        for (const TextLayer& layer : workload.layers)
        {
            m_layers.push_back({MakePhase(layer.forward, forward, cycleNs),
                                MakePhase(layer.inputGradient, input, cycleNs),
                                MakePhase(layer.weightGradient, weight, cycleNs)});
        }
    }

    /// @param part of a formula @param first layer @param end layer after the
    /// last @return its time
    TimeExpression::Sum Make(const LoopFormula::Part& part, std::size_t first, std::size_t end)
    {
        TimeExpression::Sum sum;
        std::vector<TimeExpression::Sum> branches;
        switch (part.kind)
        {
        case LoopFormula::Part::Kind::Phase:
            for (std::size_t i = first; i < end; ++i)
            {
                const Phase& phase = m_layers[i][static_cast<std::size_t>(part.pass)];
                sum.constant += part.hasCompute ? part.factor * phase.compute : 0;
                sum.Add(phase.communication, part.hasCommunication ? part.factor : 0);
            }
            return sum;
        case LoopFormula::Part::Kind::Sum:
            for (const LoopFormula::Part& inner : part.parts)
            {
                sum.Add(Make(inner, first, end), part.factor);
            }
            return sum;
        case LoopFormula::Part::Kind::Maximum:
            for (const LoopFormula::Part& inner : part.parts)
            {
                branches.push_back(Make(inner, first, end));
            }
            return sum.Add(m_time.MakeMaximum(branches), part.factor);
        case LoopFormula::Part::Kind::Layers:
            for (std::size_t i = first; i < end; ++i)
            {
                sum.Add(Make(part.parts[0], i, i + 1), part.factor);
            }
            return sum;
        }
        return sum;
    }

  private:
    /// A pass of a layer.
    struct Phase
    {
        double compute;                    ///< ns
        TimeExpression::Sum communication; ///< its collective
    };

    /// Who takes part in a pass.
    struct Communicator
    {
        std::vector<uint32_t> members; ///< per dimension
        std::vector<double> shares;    ///< of the bandwidths; none: all
    };

    /// @param members per dimension @param isOuter whether they are far apart @param links the
    /// network, if parts of blocks have what lies between members only @return the communicator
    static Communicator MakeCommunicator(const std::vector<uint32_t>& members,
                                         bool isOuter,
                                         const ClusterTopology* links)
    {
        return {members, links ? GetLinkShares(*links, members, isOuter) : std::vector<double>()};
    }

    /// @param pass of a layer @param who takes part @param cycleNs ns @return it
    Phase MakePhase(const TextPass& pass, const Communicator& who, double cycleNs)
    {
        Phase phase{pass.cycles * cycleNs, {}};
        if (pass.type)
        {
            if (who.members.size() != m_time.GetNDimensions())
            {
                throw InputError("the communicators have " + std::to_string(who.members.size()) +
                                 " dimensions, the network has " +
                                 std::to_string(m_time.GetNDimensions()));
            }
            auto loads =
                GetCollectiveTraffic(*pass.type, static_cast<double>(pass.bytes), who.members);
            for (std::size_t d = 0; d < who.shares.size(); ++d)
            {
                loads[d] /= who.shares[d];
            }
            phase.communication = m_time.MakeCollective(loads);
        }
        return phase;
    }

    TimeExpression& m_time;                     ///< receives collectives and maxima
    std::vector<std::array<Phase, 3>> m_layers; ///< by pass
};

TrainingLoop::TrainingLoop(const std::string& text)
    : m_formula(text)
{
}

std::vector<std::string>
TrainingLoop::GetNames()
{
    return LoopFormula::GetNames();
}

const std::string&
TrainingLoop::GetFormula() const
{
    return m_formula.GetText();
}

TimeExpression::Sum
TrainingLoop::Make(const TextWorkload& workload,
                   const LibraCommunicators& communicators,
                   double cycleNs,
                   TimeExpression& time,
                   const ClusterTopology* links) const
{
    return Builder(workload, communicators, cycleNs, time, links)
        .Make(m_formula.GetWhole(), 0, workload.layers.size());
}

} // namespace mlcluster
} // namespace ns3
