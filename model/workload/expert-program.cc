/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-program.h"

namespace ns3
{
namespace mlcluster
{

ExpertProgram::ExpertProgram(ProgramBuilder& builder, uint32_t position)
    : m_builder(builder),
      m_shape(builder.GetShape()),
      m_load(m_shape),
      m_position(position),
      m_router{"router", m_shape.ownTokens, m_shape.hidden, m_shape.model.experts},
      m_scores(m_shape.ownTokens * m_shape.model.experts),
      m_elements(m_shape.ownTokens * m_shape.model.topExperts * m_shape.hidden)
{
}

ExpertProgram::Steps
ExpertProgram::AddForward(const Steps& after)
{
    const Amount element = m_shape.element;
    Steps x = m_builder.Multiply(m_router, after);
    x = m_builder.Compute("top-k", 5 * m_scores, 2 * element * m_scores, x);
    const Steps counts = m_shape.plan.capacityFactor > 0
                             ? x
                             : m_builder.Communicate("count all-to-all",
                                                     CollectiveType::AllToAll,
                                                     "expert",
                                                     4 * Amount(m_shape.model.experts),
                                                     x);
    x = m_builder.Compute("permute", 0, 2 * element * m_elements, x);
    x = AddToExperts("dispatch", Join(x, counts));
    const Steps shared = m_shape.model.sharedFfnSize > 0 ? GetShared().AddForward(after) : Steps{};
    x = GetExperts().AddForward(x);
    x = AddFromExperts("combine", x);
    x = m_builder.Compute("weighted sum",
                          2 * m_elements,
                          element * (m_elements + m_shape.ownTokens * m_shape.hidden),
                          x);
    return Join(x, shared);
}

ExpertProgram::Steps
ExpertProgram::AddBackward(const Steps& after)
{
    const Amount element = m_shape.element;
    const Steps outputs =
        m_builder.Compute("weighted sum backward",
                          2 * m_elements,
                          element * (m_elements + m_shape.ownTokens * m_shape.hidden),
                          after);
    Steps x = AddToExperts("combine backward", outputs);
    const Steps shared = m_shape.model.sharedFfnSize > 0 ? GetShared().AddBackward(after) : Steps{};
    x = GetExperts().AddBackward(x);
    x = AddFromExperts("dispatch backward", x);
    x = m_builder.Compute("permute backward", m_elements, 2 * element * m_elements, x);
    const Steps scores =
        m_builder.Compute("top-k backward", 4 * m_scores, 3 * element * m_scores, outputs);
    return Join(Join(x, m_builder.MultiplyBackward(m_router, scores)), shared);
}

ExpertProgram::Steps
ExpertProgram::AddToExperts(const std::string& name, const Steps& after)
{
    return AddAllToAll(name, m_load.GetTokensOfMembers(), after);
}

ExpertProgram::Steps
ExpertProgram::AddFromExperts(const std::string& name, const Steps& after)
{
    const auto& tokens = m_load.GetTokensOfMembers();
    return AddAllToAll(name,
                       tokens.empty() ? tokens
                                      : std::vector<uint64_t>(tokens.size(), tokens[m_position]),
                       after);
}

ExpertProgram::Steps
ExpertProgram::AddAllToAll(const std::string& name,
                           const std::vector<uint64_t>& tokens,
                           const Steps& after)
{
    if (tokens.empty())
    {
        return m_builder.Communicate(name + " all-to-all",
                                     CollectiveType::AllToAll,
                                     "expert",
                                     m_shape.GetActivationBytes(m_load.GetSent()),
                                     after);
    }
    std::vector<uint64_t> bytes;
    bytes.reserve(tokens.size());
    for (const uint64_t count : tokens)
    {
        bytes.push_back(m_shape.GetActivationBytes(count).Get("bytes of '" + name + "'"));
    }
    return m_builder.Scatter(name + " all-to-all", bytes, after);
}

FeedForwardProgram
ExpertProgram::GetExperts()
{
    const Amount received = m_load.GetReceived(m_position);
    const Amount divisor = m_shape.layout.GetGroupSize("expert-tensor");
    return {m_builder,
            {"expert",
             {"expert-tensor", received, false},
             m_shape.plan.sequenceParallel ? received * divisor : received,
             Amount(m_shape.model.GetExpertFfnSize()) / divisor,
             m_shape.model.experts / m_shape.plan.expert}};
}

FeedForwardProgram
ExpertProgram::GetShared()
{
    return {m_builder,
            {"shared expert",
             m_builder.GetTokenDivision(),
             m_shape.tokens,
             Amount(m_shape.model.sharedFfnSize) / m_shape.tensor}};
}

} // namespace mlcluster
} // namespace ns3
