/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-program-cache.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// A program and what its key points to.
struct HeldProgram
{
    std::shared_ptr<const CollectiveAlgorithm> algorithm;
    LineProgram program;
};

} // namespace

LineProgramCache::LineProgramCache(std::shared_ptr<const LinkGraph> graph, int64_t delayPs)
    : m_graph(std::move(graph)),
      m_delayPs(delayPs)
{
}

const LinkGraph&
LineProgramCache::GetGraph() const
{
    return *m_graph;
}

std::shared_ptr<const LineProgram>
LineProgramCache::Get(const std::shared_ptr<const CollectiveAlgorithm>& algorithm,
                      const CollectiveRequest& request,
                      uint32_t dimension,
                      const std::vector<uint32_t>& peers)
{
    auto& entry = m_programs[{algorithm.get(), dimension, request}];
    auto program = entry.lock();
    if (!program)
    {
        const auto held = std::make_shared<const HeldProgram>(
            HeldProgram{algorithm, LineProgram(*algorithm, request, peers, *m_graph, m_delayPs)});
        program = std::shared_ptr<const LineProgram>(held, &held->program);
        entry = program;
        Forget();
    }
    return program;
}

void
LineProgramCache::Forget()
{
    if (m_programs.size() < m_nextForget)
    {
        return;
    }
    for (auto entry = m_programs.begin(); entry != m_programs.end();)
    {
        entry = entry->second.expired() ? m_programs.erase(entry) : std::next(entry);
    }
    m_nextForget = std::max(m_nextForget, 2 * m_programs.size());
}

} // namespace mlcluster
} // namespace ns3
