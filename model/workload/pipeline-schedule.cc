/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pipeline-schedule.h"

#include "ns3/diagnostics.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Largest number of forward passes of a stage.
constexpr uint64_t MAX_PASSES = 1 << 20;

} // namespace

PipelineSchedule::PipelineSchedule(const ParallelPlan& plan)
    : m_schedule(plan.schedule),
      m_nStages(plan.pipeline),
      m_nMicroBatches(plan.microBatches),
      m_nChunks(plan.chunks)
{
    CheckWord("pipeline schedule", m_schedule, {"gpipe", "1f1b", "interleaved", "zero-bubble"});
    if (m_nStages == 0 || m_nMicroBatches == 0 || m_nChunks == 0 ||
        uint64_t{m_nMicroBatches} * m_nChunks > MAX_PASSES)
    {
        throw InputError("a pipeline of " + std::to_string(m_nStages) + " stages, " +
                         std::to_string(m_nMicroBatches) + " micro-batches and " +
                         std::to_string(m_nChunks) +
                         " chunks a stage: each must be at least 1, and micro-batches x chunks at "
                         "most " +
                         std::to_string(MAX_PASSES));
    }
    if (m_nChunks > 1 && (m_schedule != "interleaved" || m_nStages == 1))
    {
        throw InputError(std::to_string(m_nChunks) + " chunks a stage with the schedule " +
                         m_schedule + " and " + std::to_string(m_nStages) +
                         " stages; only interleaved, with at least 2 stages, has more than one");
    }
    if (m_nChunks > 1 && m_nMicroBatches % m_nStages != 0)
    {
        throw InputError(std::to_string(m_nMicroBatches) +
                         " micro-batches; interleaved needs a multiple of the " +
                         std::to_string(m_nStages) + " stages");
    }
}

PipelinePass
PipelineSchedule::GetForward(uint32_t k) const
{
    if (m_nChunks == 1)
    {
        return {PassKind::Forward, k, 0};
    }
    const uint32_t round = m_nStages * m_nChunks;
    return {PassKind::Forward, k / round * m_nStages + k % m_nStages, k % round / m_nStages};
}

PipelinePass
PipelineSchedule::GetBackward(uint32_t k, PassKind kind) const
{
    const PipelinePass mirrored = GetForward(k);
    return {kind, mirrored.microBatch, m_nChunks - 1 - mirrored.chunk};
}

uint32_t
PipelineSchedule::GetWarmUp(uint32_t stage) const
{
    const uint64_t nPasses = uint64_t{m_nMicroBatches} * m_nChunks;
    const uint64_t after = m_nStages - 1 - stage;
    if (m_schedule == "gpipe")
    {
        return nPasses;
    }
    return std::min(nPasses,
                    m_nChunks == 1 ? after : 2 * after + (m_nChunks - uint64_t{1}) * m_nStages);
}

std::vector<PipelinePass>
PipelineSchedule::GetPasses(uint32_t stage) const
{
    const uint32_t nPasses = m_nMicroBatches * m_nChunks;
    const uint32_t warmUp = GetWarmUp(stage);
    const bool isSplit = m_schedule == "zero-bubble";
    const uint32_t delay = isSplit ? stage : 0;
    std::vector<PipelinePass> passes;
    for (uint32_t k = 0; k < warmUp; ++k)
    {
        passes.push_back(GetForward(k));
    }
    for (uint32_t k = 0; k < nPasses; ++k)
    {
        if (k + warmUp < nPasses)
        {
            passes.push_back(GetForward(k + warmUp));
        }
        passes.push_back(GetBackward(m_schedule == "gpipe" ? nPasses - 1 - k : k,
                                     isSplit ? PassKind::InputGradient : PassKind::Backward));
        if (isSplit && k >= delay)
        {
            passes.push_back(GetBackward(k - delay, PassKind::WeightGradient));
        }
    }
    for (uint32_t k = nPasses - std::min(delay, nPasses); isSplit && k < nPasses; ++k)
    {
        passes.push_back(GetBackward(k, PassKind::WeightGradient));
    }
    return passes;
}

} // namespace mlcluster
} // namespace ns3
