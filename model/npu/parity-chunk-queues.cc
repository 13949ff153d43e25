/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-chunk-queues.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

const uint64_t FLAT_DELAY_NS = 10;

} // namespace

ParityChunkQueues::ParityChunkQueues(const ParityExchange::Endpoint& endpoint,
                                     uint32_t nDimensions,
                                     const ParityOptions& options)
    : m_endpoint(endpoint),
      m_options(options),
      m_queuesPerDimension(options.queuesPerDimension),
      m_limit((options.activeChunks + options.queuesPerDimension - 1) / options.queuesPerDimension),
      m_queues(nDimensions * options.queuesPerDimension),
      m_turns(nDimensions)
{
}

void
ParityChunkQueues::Start(const ParityPlan& plan,
                         MessageTag tag,
                         uint64_t nodeId,
                         std::function<void()> finished)
{
    auto collective = std::make_shared<Collective>(
        Collective{&plan, tag, nodeId, plan.GetNChunks(), std::move(finished)});
    for (uint64_t index = 0; index < plan.GetNChunks(); ++index)
    {
        Chunk& chunk = m_chunks.emplace_back();
        chunk.collective = collective;
        chunk.index = index;
        chunk.bytes = plan.GetChunkBytes();
        chunk.self = std::prev(m_chunks.end());
        for (const ParityPhase& phase : plan.GetPhases())
        {
            chunk.places.push_back(Choose(phase));
        }
        Queue& queue = m_queues[chunk.places[0].queue];
        queue.waiting.push_back(&chunk);
        StartWaiting(queue);
    }
}

ParityChunkQueues::Place
ParityChunkQueues::Choose(const ParityPhase& phase)
{
    const uint64_t middle = m_queuesPerDimension / 2;
    Turns& turns = m_turns[phase.dimension];
    uint64_t queue = 0;
    bool clockwise = true;
    switch (phase.rule)
    {
    case ParityQueueRule::Any:
        queue = turns.any;
        turns.any = (turns.any + 1) % m_queuesPerDimension;
        clockwise = m_queuesPerDimension == 1 || queue < middle;
        break;
    case ParityQueueRule::FirstHalf:
        queue = turns.first;
        turns.first = (turns.first + 1) % std::max<uint64_t>(1, middle);
        break;
    case ParityQueueRule::LastHalf:
        queue = middle + turns.last;
        turns.last = (turns.last + 1) % (m_queuesPerDimension - middle);
        clockwise = false;
        break;
    }
    return {static_cast<uint32_t>(phase.dimension * m_queuesPerDimension + queue), clockwise};
}

void
ParityChunkQueues::StartWaiting(Queue& queue)
{
    while (!queue.waiting.empty() && queue.running < m_limit)
    {
        Chunk* chunk = queue.waiting.front();
        queue.waiting.pop_front();
        ++queue.running;
        StartPhase(*chunk);
    }
}

void
ParityChunkQueues::StartPhase(Chunk& chunk)
{
    const Collective& collective = *chunk.collective;
    const ParityPlan& plan = *collective.plan;
    MessageTag tag = collective.tag;
    tag.order = chunk.index;
    const ParityExchange::Task task{plan.GetPhases()[chunk.phase],
                                    plan.GetRing(m_endpoint.rank, chunk.phase),
                                    chunk.places[chunk.phase].clockwise,
                                    plan.IsFlat(),
                                    plan.IsFlat() ? FLAT_DELAY_NS : m_options.endpointDelayNs,
                                    chunk.bytes,
                                    tag,
                                    collective.nodeId};
    chunk.exchange =
        std::make_unique<ParityExchange>(m_endpoint, task, [this, &chunk] { EndPhase(chunk); });
    chunk.exchange->Start();
}

void
ParityChunkQueues::EndPhase(Chunk& chunk)
{
    const std::unique_ptr<ParityExchange> ended = std::move(chunk.exchange);
    Queue& left = m_queues[chunk.places[chunk.phase].queue];
    chunk.bytes = chunk.collective->plan->GetOutputBytes(chunk.phase, chunk.bytes);
    ++chunk.phase;
    if (chunk.phase < chunk.places.size())
    {
        Queue& entered = m_queues[chunk.places[chunk.phase].queue];
        entered.waiting.push_back(&chunk);
        --left.running;
        StartWaiting(left);
        StartWaiting(entered);
        return;
    }
    const std::shared_ptr<Collective> collective = chunk.collective;
    m_chunks.erase(chunk.self);
    if (--collective->chunksLeft == 0)
    {
        collective->finished();
    }
    --left.running;
    StartWaiting(left);
}

} // namespace mlcluster
} // namespace ns3
