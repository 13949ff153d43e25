/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "attention-program.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string CONTEXT = "context";

/// @param shape sizes @return whether keys and values go round
bool
IsRing(const RankShape& shape)
{
    return shape.plan.context > 1 && shape.plan.contextScheme == "ring";
}

/// @param shape sizes @return whether tokens are traded for heads
bool
IsUlysses(const RankShape& shape)
{
    return shape.plan.context > 1 && shape.plan.contextScheme == "ulysses";
}

/// @param shape sizes @return whether keys and values are gathered
bool
IsGathered(const RankShape& shape)
{
    return shape.plan.context > 1 && shape.plan.contextScheme == "all-gather";
}

} // namespace

AttentionProgram::AttentionProgram(ProgramBuilder& builder)
    : m_builder(builder),
      m_shape(builder.GetShape()),
      m_qkv{"qkv", m_shape.tokens, m_shape.hidden, m_shape.queryWidth + 2 * m_shape.keyWidth},
      m_projection{"projection", m_shape.tokens, m_shape.queryWidth, m_shape.hidden},
      m_keyBytes(2 * m_shape.element * m_shape.tokens * m_shape.keyWidth)
{
}

AttentionProgram::Steps
AttentionProgram::AddForward(const Steps& after)
{
    const auto division = m_builder.GetTokenDivision();
    Steps x = m_builder.Gather("qkv all-gather", division, after);
    x = m_builder.Multiply(m_qkv, x);
    x = AddRotation("rotary", x);
    x = AddCoreForward(x);
    x = m_builder.Multiply(m_projection, x);
    return m_builder.Sum("projection", division, x);
}

AttentionProgram::Steps
AttentionProgram::AddBackward(const Steps& after)
{
    const auto division = m_builder.GetTokenDivision();
    Steps x = m_builder.MultiplyRowsBackward(m_projection, division, after);
    x = AddCoreBackward(x);
    x = AddRotation("rotary backward", x);
    return m_builder.MultiplyColumnsBackward(m_qkv, division, x);
}

AttentionProgram::Block
AttentionProgram::GetWhole() const
{
    const Amount sequences = m_shape.plan.microBatch;
    const Amount length = m_shape.model.sequenceLength;
    const Amount parts = IsUlysses(m_shape) ? m_shape.plan.context : 1;
    return {m_shape.tokens * parts,
            length,
            sequences * length,
            m_shape.queryWidth / parts,
            m_shape.keyWidth / parts,
            Amount(m_shape.model.heads) / m_shape.tensor / parts,
            ""};
}

AttentionProgram::Block
AttentionProgram::GetRingBlock(uint32_t i) const
{
    Block block = GetWhole();
    block.keyLength = block.keyLength / m_shape.plan.context;
    block.keyTokens = m_shape.tokens;
    block.suffix = " of block " + std::to_string(i);
    return block;
}

AttentionProgram::Steps
AttentionProgram::AddCoreForward(const Steps& after)
{
    if (IsRing(m_shape))
    {
        return AddRingForward(after);
    }
    if (IsUlysses(m_shape))
    {
        const Steps traded = AddTrades("", after);
        return AddTrade("context", m_shape.queryWidth, AddBlockForward(GetWhole(), traded));
    }
    const Steps gathered = IsGathered(m_shape) ? m_builder.Communicate("key-value all-gather",
                                                                       CollectiveType::AllGather,
                                                                       CONTEXT,
                                                                       m_keyBytes,
                                                                       after)
                                               : after;
    return AddBlockForward(GetWhole(), gathered);
}

AttentionProgram::Steps
AttentionProgram::AddCoreBackward(const Steps& after)
{
    if (IsRing(m_shape))
    {
        return AddRingBackward(after);
    }
    if (IsUlysses(m_shape))
    {
        const Steps traded = AddTrade("context-gradient", m_shape.queryWidth, after);
        return AddTrades("-gradient", AddBlockBackward(GetWhole(), traded));
    }
    const Steps gradients = AddBlockBackward(GetWhole(), after);
    return IsGathered(m_shape) ? m_builder.Communicate("key-value-gradient reduce-scatter",
                                                       CollectiveType::ReduceScatter,
                                                       CONTEXT,
                                                       m_keyBytes * m_shape.plan.context,
                                                       gradients)
                               : gradients;
}

AttentionProgram::Steps
AttentionProgram::AddRingForward(const Steps& after)
{
    Steps keys = after;
    Steps context = after;
    for (uint32_t i = 0; i < m_shape.plan.context; ++i)
    {
        const Steps next = i + 1 < m_shape.plan.context
                               ? m_builder.Exchange("key-value", CONTEXT, m_keyBytes, keys)
                               : Steps{};
        context = AddBlockForward(GetRingBlock(i), Join(context, keys));
        keys = next;
    }
    return context;
}

AttentionProgram::Steps
AttentionProgram::AddRingBackward(const Steps& after)
{
    Steps keys = after;
    Steps queryGradient = after;
    Steps keyGradient;
    for (uint32_t i = 0; i < m_shape.plan.context; ++i)
    {
        const Steps next = i + 1 < m_shape.plan.context
                               ? m_builder.Exchange("key-value", CONTEXT, m_keyBytes, keys)
                               : Steps{};
        queryGradient = AddBlockBackward(GetRingBlock(i), Join(queryGradient, keys));
        keyGradient = m_builder.Exchange("key-value-gradient",
                                         CONTEXT,
                                         m_keyBytes,
                                         Join(queryGradient, keyGradient));
        keys = next;
    }
    return Join(queryGradient, keyGradient);
}

AttentionProgram::Steps
AttentionProgram::AddTrade(const std::string& what, Amount width, const Steps& after)
{
    return m_builder.Communicate(what + " all-to-all",
                                 CollectiveType::AllToAll,
                                 CONTEXT,
                                 m_shape.element * m_shape.tokens * width,
                                 after);
}

AttentionProgram::Steps
AttentionProgram::AddTrades(const std::string& what, const Steps& after)
{
    const Steps queries = AddTrade("query" + what, m_shape.queryWidth, after);
    const Steps keys = AddTrade("key" + what, m_shape.keyWidth, after);
    const Steps values = AddTrade("value" + what, m_shape.keyWidth, after);
    return Join(Join(queries, keys), values);
}

AttentionProgram::Steps
AttentionProgram::AddBlockForward(const Block& block, const Steps& after)
{
    const Amount scores = block.heads * block.queries * block.keyLength;
    const Amount product = 2 * block.queries * block.keyLength * block.queryWidth;
    const Amount queryBytes = m_shape.element * block.queries * block.queryWidth;
    const Amount keyBytes = m_shape.element * block.keyTokens * block.keyWidth;
    if (m_shape.model.flashAttention)
    {
        return m_builder.Compute("flash attention" + block.suffix,
                                 2 * product / (m_shape.model.causal ? 2 : 1),
                                 2 * (queryBytes + keyBytes) + 4 * block.queries * block.heads,
                                 after);
    }
    const Amount bytes = queryBytes + keyBytes + m_shape.element * scores;
    Steps x = m_builder.Compute("scores" + block.suffix, product, bytes, after);
    x = m_builder.Compute("softmax" + block.suffix, 5 * scores, 2 * m_shape.element * scores, x);
    x = AddDropout("attention dropout" + block.suffix, 2 * scores, scores, x);
    return m_builder.Compute("context" + block.suffix, product, bytes, x);
}

AttentionProgram::Steps
AttentionProgram::AddBlockBackward(const Block& block, const Steps& after)
{
    Steps x = after;
    if (m_shape.plan.recompute == "selective")
    {
        m_builder.SetPrefix("recompute ");
        x = AddBlockForward(block, x);
        m_builder.SetPrefix("");
    }
    const Amount scores = block.heads * block.queries * block.keyLength;
    const Amount product = 2 * block.queries * block.keyLength * block.queryWidth;
    const Amount queryBytes = m_shape.element * block.queries * block.queryWidth;
    const Amount keyBytes = m_shape.element * block.keyTokens * block.keyWidth;
    if (m_shape.model.flashAttention)
    {
        return m_builder.Compute("flash attention backward" + block.suffix,
                                 5 * product / (m_shape.model.causal ? 2 : 1),
                                 4 * (queryBytes + keyBytes),
                                 x);
    }
    const Amount bytes = 2 * (queryBytes + keyBytes + m_shape.element * scores);
    x = m_builder.Compute("context backward" + block.suffix, 2 * product, bytes, x);
    x = AddDropout("attention dropout backward" + block.suffix, scores, scores, x);
    x = m_builder.Compute("softmax backward" + block.suffix,
                          4 * scores,
                          3 * m_shape.element * scores,
                          x);
    return m_builder.Compute("scores backward" + block.suffix, 2 * product, bytes, x);
}

AttentionProgram::Steps
AttentionProgram::AddDropout(const std::string& name,
                             Amount operations,
                             Amount scores,
                             const Steps& after)
{
    const Amount bytes = (2 * m_shape.element + 1) * scores;
    return m_shape.model.HasDropout() ? m_builder.Compute(name, operations, bytes, after) : after;
}

AttentionProgram::Steps
AttentionProgram::AddRotation(const std::string& name, const Steps& after)
{
    const Amount elements = m_shape.tokens * (m_shape.queryWidth + m_shape.keyWidth);
    return m_shape.model.HasRotaryPositions()
               ? m_builder.Compute(name, 6 * elements, 2 * m_shape.element * elements, after)
               : after;
}

} // namespace mlcluster
} // namespace ns3
