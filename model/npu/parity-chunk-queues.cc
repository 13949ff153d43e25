/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-chunk-queues.h"

#include "parity-exchange.h"
#include "parity-tree.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace ns3
{
namespace mlcluster
{

namespace
{

const uint64_t FLAT_DELAY_NS = 10;

/// @return whether one is a reduce-scatter and the other an all-gather
bool
Alternate(std::optional<CollectiveType> a, std::optional<CollectiveType> b)
{
    return (a == CollectiveType::ReduceScatter && b == CollectiveType::AllGather) ||
           (a == CollectiveType::AllGather && b == CollectiveType::ReduceScatter);
}

} // namespace

ParityChunkQueues::ParityChunkQueues(const ParityPhaseRun::Endpoint& endpoint,
                                     uint32_t nDimensions,
                                     const ParityOptions& options,
                                     ParityChunkOrders& orders)
    : m_endpoint(endpoint),
      m_options(options),
      m_orders(orders),
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
    auto collective =
        std::make_shared<Collective>(Collective{&plan, tag, nodeId, 0, std::move(finished)});
    for (uint64_t left = plan.GetBytes(); left > 0;)
    {
        tag.order = collective->chunksLeft++;
        const auto [order, bytes] = m_orders.Choose(plan, tag, left);
        left -= std::min(left, bytes);
        Chunk& chunk = m_chunks.emplace_back();
        chunk.collective = collective;
        chunk.index = tag.order;
        chunk.bytes = bytes;
        chunk.self = std::prev(m_chunks.end());
        for (const ParityPhase& phase : plan.Compose(order))
        {
            chunk.steps.push_back(MakeStep(phase, plan.GetType()));
        }
        Queue& queue = GetQueue(chunk);
        queue.chunks.insert(FindPlace(queue.chunks, chunk), &chunk);
        StartWaiting(queue);
    }
}

ParityChunkQueues::Step
ParityChunkQueues::MakeStep(const ParityPhase& phase, CollectiveType type)
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
    bool isSecondTree = false;
    if (phase.algorithm.kind == ParityAlgorithm::Kind::DoubleBinaryTree)
    {
        bool& isNextSecond = m_isSecondTree[{type, phase.dimension}];
        isSecondTree = std::exchange(isNextSecond, !isNextSecond);
    }
    queue += phase.dimension * m_queuesPerDimension;
    return {phase, static_cast<uint32_t>(queue), clockwise, isSecondTree};
}

ParityChunkQueues::Queue&
ParityChunkQueues::GetQueue(const Chunk& chunk)
{
    return m_queues[chunk.steps[chunk.step].queue];
}

uint64_t
ParityChunkQueues::CountPhasesLeft(const Chunk& chunk)
{
    return chunk.steps.size() - chunk.step - 1;
}

uint64_t
ParityChunkQueues::GetLargestBytes(const Chunk& chunk)
{
    const ParityPhase& phase = chunk.steps[chunk.step].phase;
    return std::max(chunk.bytes, chunk.collective->plan->GetOutputBytes(phase, chunk.bytes));
}

ParityChunkQueues::Chunks::iterator
ParityChunkQueues::FindPlace(Chunks& chunks, const Chunk& chunk) const
{
    const auto before = [&](uint64_t (*key)(const Chunk&)) {
        return std::find_if(chunks.begin(), chunks.end(), [&](const Chunk* other) {
            return !other->isRunning && key(*other) >= key(chunk);
        });
    };
    const CollectiveType type = chunk.steps[chunk.step].phase.type;
    const bool isSorted =
        type == CollectiveType::ReduceScatter || type == CollectiveType::AllGather;
    switch (isSorted ? m_options.queuePolicy : ParityQueuePolicy::Fifo)
    {
    case ParityQueuePolicy::Alternating:
        return FindAlternatingPlace(chunks);
    case ParityQueuePolicy::SmallestFirst:
        return CountPhasesLeft(chunk) == 1 ? chunks.end() : before(&GetLargestBytes);
    case ParityQueuePolicy::LessRemainingPhaseFirst:
        return before(&CountPhasesLeft);
    default:
        return chunks.end();
    }
}

ParityChunkQueues::Chunks::iterator
ParityChunkQueues::FindAlternatingPlace(Chunks& chunks)
{
    std::optional<CollectiveType> previous;
    std::optional<CollectiveType> current;
    bool isAfterRunning = false;
    for (auto place = chunks.begin(); place != chunks.end(); ++place)
    {
        const Chunk& chunk = **place;
        previous = std::exchange(current, chunk.steps[chunk.step].phase.type);
        if (!chunk.isRunning && !isAfterRunning && !Alternate(previous, current))
        {
            return place;
        }
        isAfterRunning = chunk.isRunning;
    }
    return chunks.end();
}

void
ParityChunkQueues::StartWaiting(Queue& queue)
{
    while (queue.running < std::min<uint64_t>(m_limit, queue.chunks.size()))
    {
        StartPhase(*queue.chunks[queue.running++]);
    }
}

void
ParityChunkQueues::StartPhase(Chunk& chunk)
{
    const Collective& collective = *chunk.collective;
    const ParityPlan& plan = *collective.plan;
    const Step& step = chunk.steps[chunk.step];
    MessageTag tag = collective.tag;
    tag.order = chunk.index;
    const ParityPhaseRun::Task task{step.phase,
                                    plan.GetRing(m_endpoint.rank, step.phase),
                                    step.clockwise,
                                    step.isSecondTree,
                                    plan.IsFlat(),
                                    plan.IsFlat() ? FLAT_DELAY_NS : m_options.endpointDelayNs,
                                    chunk.bytes,
                                    tag,
                                    collective.nodeId};
    const auto finished = [this, &chunk] { EndPhase(chunk); };
    if (step.phase.algorithm.kind == ParityAlgorithm::Kind::DoubleBinaryTree)
    {
        chunk.run = std::make_unique<ParityTree>(m_endpoint, task, finished);
    }
    else
    {
        chunk.run = std::make_unique<ParityExchange>(m_endpoint, task, finished);
    }
    chunk.isRunning = true;
    chunk.run->Start();
}

void
ParityChunkQueues::EndPhase(Chunk& chunk)
{
    const std::unique_ptr<ParityPhaseRun> ended = std::move(chunk.run);
    Queue& left = GetQueue(chunk);
    const bool isLast = CountPhasesLeft(chunk) == 0;
    if (isLast && --chunk.collective->chunksLeft == 0)
    {
        chunk.collective->finished();
    }
    left.chunks.erase(std::find(left.chunks.begin(), left.chunks.end(), &chunk));
    Queue* entered = nullptr;
    if (!isLast)
    {
        chunk.bytes =
            chunk.collective->plan->GetOutputBytes(chunk.steps[chunk.step].phase, chunk.bytes);
        ++chunk.step;
        chunk.isRunning = false;
        entered = &GetQueue(chunk);
        entered->chunks.insert(FindPlace(entered->chunks, chunk), &chunk);
    }
    else
    {
        m_chunks.erase(chunk.self);
    }
    --left.running;
    StartWaiting(left);
    if (entered)
    {
        StartWaiting(*entered);
    }
}

} // namespace mlcluster
} // namespace ns3
