/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "data-parallel-writer.h"

#include "ns3/amount.h"
#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Most buckets of a step, so that a slip in their size is noticed.
constexpr uint64_t MAX_BUCKETS = 1 << 16;

/// @param a some nodes @param b others @return all of them
DataParallelWriter::Ids
Join(DataParallelWriter::Ids a, const DataParallelWriter::Ids& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

DataParallelWriter::DataParallelWriter(GraphWriter& writer,
                                       const ParallelPlan& plan,
                                       const RankLayout& layout,
                                       const StageProgram& program)
    : m_writer(writer),
      m_plan(plan),
      m_bucket(plan.bucketBytes == 0 || plan.zeroStage == 3
                   ? std::numeric_limits<uint64_t>::max()
                   : std::max<uint64_t>(1, plan.bucketBytes / plan.gradientBytes))
{
    const bool isOneKind = layout.AreExpertsLikeDense();
    m_shards = {{"data", true, isOneKind}};
    if (!isOneKind)
    {
        m_shards.push_back({"expert-data", false, true});
    }
    for (auto& shard : m_shards)
    {
        shard.size = layout.GetGroupSize(shard.family);
        for (const auto& chunk : program.chunks)
        {
            for (const auto& unit : chunk)
            {
                shard.total += Count(unit, shard);
            }
        }
        if (shard.size > 1 && shard.total / m_bucket >= MAX_BUCKETS)
        {
            throw InputError("buckets of " + std::to_string(plan.bucketBytes) +
                             " bytes would cut the gradients of " + std::to_string(shard.total) +
                             " parameters of a rank in more than " + std::to_string(MAX_BUCKETS) +
                             " parts");
        }
    }
    m_shards.erase(std::remove_if(m_shards.begin(),
                                  m_shards.end(),
                                  [](const Shard& s) { return s.size == 1 || s.total == 0; }),
                   m_shards.end());
}

void
DataParallelWriter::BeginUnit(const ModelUnit& unit)
{
    if (m_plan.zeroStage != 3 || !m_gathered.insert(&unit).second)
    {
        return;
    }
    const std::size_t nUsed = m_ends.size();
    const Ids after = nUsed > m_plan.prefetch ? m_ends[nUsed - 1 - m_plan.prefetch] : Ids{};
    for (auto& shard : m_shards)
    {
        m_writer.DelayCompute(Gather(shard, Count(unit, shard), "", after));
    }
}

void
DataParallelWriter::EndUnit(const ModelUnit& unit, bool isBackward)
{
    m_ends.push_back(m_writer.GetLastCompute());
    if (isBackward || m_plan.reshardAfterForward)
    {
        m_gathered.erase(&unit);
    }
}

void
DataParallelWriter::AddGradients(const ModelUnit& unit, bool isLast)
{
    for (auto& shard : m_shards)
    {
        if (isLast || m_plan.zeroStage >= 2)
        {
            shard.pending += Count(unit, shard);
        }
        if (m_plan.overlapGradients)
        {
            Reduce(shard, m_plan.zeroStage == 3);
        }
    }
}

void
DataParallelWriter::EndPass()
{
    for (auto& shard : m_shards)
    {
        if (m_plan.zeroStage >= 2)
        {
            Reduce(shard, true);
        }
    }
}

const DataParallelWriter::Ids&
DataParallelWriter::FinishGradients()
{
    for (auto& shard : m_shards)
    {
        Reduce(shard, true);
    }
    return m_reductions;
}

void
DataParallelWriter::GatherUpdated(const Ids& after)
{
    const bool isWhole = m_plan.zeroStage == 0 || m_plan.zeroStage == 3;
    for (auto& shard : m_shards)
    {
        uint32_t number = 0;
        for (uint64_t left = isWhole ? 0 : shard.total; left > 0;)
        {
            const uint64_t count = std::min(left, m_bucket);
            Gather(shard, count, " " + std::to_string(number++), after);
            left -= count;
        }
    }
}

uint64_t
DataParallelWriter::Count(const ModelUnit& unit, const Shard& shard)
{
    return (shard.hasDense ? unit.parameters : 0) + (shard.hasExperts ? unit.expertParameters : 0);
}

void
DataParallelWriter::Reduce(Shard& shard, bool isAll)
{
    while (shard.pending >= m_bucket || (isAll && shard.pending > 0))
    {
        const uint64_t count = std::min(shard.pending, m_bucket);
        shard.pending -= count;
        const auto type =
            m_plan.zeroStage == 0 ? CollectiveType::AllReduce : CollectiveType::ReduceScatter;
        shard.lastReduction = m_writer.Collective(
            shard.family + " gradients " + std::to_string(shard.nBuckets++) + " " + ToString(type),
            type,
            shard.family,
            (Amount(count) * m_plan.gradientBytes).Get("bytes of gradients"),
            Join(m_writer.GetLastCompute(), shard.lastReduction));
        m_reductions.insert(m_reductions.end(),
                            shard.lastReduction.begin(),
                            shard.lastReduction.end());
    }
}

DataParallelWriter::Ids
DataParallelWriter::Gather(Shard& shard,
                           uint64_t count,
                           const std::string& number,
                           const Ids& after)
{
    if (count == 0)
    {
        return {};
    }
    shard.lastGather = m_writer.Collective(
        shard.family + " parameters" + number + " all-gather",
        CollectiveType::AllGather,
        shard.family,
        (Amount(count) / shard.size * m_plan.elementBytes).Get("bytes of parameters"),
        Join(after, shard.lastGather));
    return shard.lastGather;
}

} // namespace mlcluster
} // namespace ns3
