/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-page.h"

#include "graph-page-pool.h"

namespace ns3
{
namespace mlcluster
{

GraphPage::~GraphPage()
{
    if (m_isInPool)
    {
        GraphPagePool::Get().Remove(*this);
    }
}

void
GraphPage::Close()
{
    m_isInPool = true;
    GraphPagePool::Get().Add(*this);
}

void
GraphPage::Fetch()
{
    GraphPagePool::Get().Fetch(*this);
}

} // namespace mlcluster
} // namespace ns3
