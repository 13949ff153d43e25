/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-tree.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

ParityTree::ParityTree(const Endpoint& endpoint, const Task& task, std::function<void()> finished)
    : ParityPhaseRun(endpoint, task, std::move(finished))
{
    const uint32_t size = m_task.ring.size;
    const uint32_t position = m_task.ring.position;
    const uint32_t inSecond = position == 0 ? size : position;
    const uint32_t place = m_task.isSecondTree ? inSecond : position + 1;
    const uint32_t level = place & -place;
    m_isRoot = place == size;
    m_parent = GetRank((place - level) | (level * 2));
    if (level > 1)
    {
        m_children.push_back(GetRank(place - level / 2));
    }
    if (level > 1 && !m_isRoot)
    {
        m_children.push_back(GetRank(place + level / 2));
    }
    m_unreduced = m_children.size();
}

uint32_t
ParityTree::GetRank(uint32_t place) const
{
    const uint32_t size = m_task.ring.size;
    return m_task.ring.GetRank((m_task.isSecondTree ? place : place - 1) % size);
}

void
ParityTree::Start()
{
    if (m_children.empty())
    {
        After(m_task.bytes, false, [this] { Ascend(); });
    }
    for (const uint32_t child : m_children)
    {
        Receive(child, m_task.bytes, [this] {
            After(m_task.bytes, true, [this] {
                if (--m_unreduced == 0)
                {
                    Ascend();
                }
            });
        });
    }
}

void
ParityTree::Ascend()
{
    if (m_isRoot)
    {
        Descend();
        return;
    }
    Send(m_parent, m_task.bytes);
    Receive(m_parent, m_task.bytes, [this] {
        After(m_task.bytes, !m_children.empty(), [this] { Descend(); });
    });
}

void
ParityTree::Descend()
{
    for (const uint32_t child : m_children)
    {
        Send(child, m_task.bytes);
    }
    Finish();
}

} // namespace mlcluster
} // namespace ns3
