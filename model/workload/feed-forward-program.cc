/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "feed-forward-program.h"

namespace ns3
{
namespace mlcluster
{

FeedForwardProgram::FeedForwardProgram(ProgramBuilder& builder, const Size& size)
    : m_builder(builder),
      m_size(size),
      m_up{size.name + "-up",
           size.rows,
           builder.GetShape().hidden,
           builder.GetShape().model.GetUpMatrices() * size.width,
           size.networks},
      m_down{size.name + "-down", size.rows, size.width, builder.GetShape().hidden, size.networks}
{
}

ProgramBuilder::Steps
FeedForwardProgram::AddForward(const ProgramBuilder::Steps& after)
{
    const bool isGated = m_builder.GetShape().model.IsGated();
    const Amount elements = m_size.rows * m_size.width;
    const Amount bytes = m_builder.GetShape().element * elements;
    auto x = m_builder.Gather(m_up.name + " all-gather", m_size.division, after);
    x = m_builder.Multiply(m_up, x);
    x = m_builder.Compute(m_size.name + "-activation",
                          (isGated ? 6 : 8) * elements,
                          (isGated ? 3 : 2) * bytes,
                          x);
    x = m_builder.Multiply(m_down, x);
    return m_builder.Sum(m_down.name, m_size.division, x);
}

ProgramBuilder::Steps
FeedForwardProgram::AddBackward(const ProgramBuilder::Steps& after)
{
    const bool isGated = m_builder.GetShape().model.IsGated();
    const Amount elements = m_size.rows * m_size.width;
    const Amount bytes = m_builder.GetShape().element * elements;
    auto x = m_builder.MultiplyRowsBackward(m_down, m_size.division, after);
    x = m_builder.Compute(m_size.name + "-activation backward",
                          (isGated ? 10 : 12) * elements,
                          (isGated ? 5 : 3) * bytes,
                          x);
    return m_builder.MultiplyColumnsBackward(m_up, m_size.division, x);
}

} // namespace mlcluster
} // namespace ns3
