/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "step-list.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t LARGEST_SIZE = std::numeric_limits<int64_t>::max();

/// @param bytes size of a collective @param name its name @return the size
uint64_t
GetSize(Amount bytes, const std::string& name)
{
    const uint64_t size = bytes.Get("bytes of '" + name + "'");
    if (size > LARGEST_SIZE)
    {
        throw InputError("'" + name + "' communicates " + std::to_string(size) +
                         " bytes; allowed are less than 2^63");
    }
    return size;
}

} // namespace

StepList::Steps
StepList::Compute(const std::string& name, Amount operations, Amount bytes, const Steps& after)
{
    ProgramStep step;
    step.operations = operations.Get("operations of '" + name + "'");
    step.tensorBytes = bytes.Get("bytes of '" + name + "'");
    return step.operations == 0 && step.tensorBytes == 0 ? after
                                                         : Add(std::move(step), name, after);
}

StepList::Steps
StepList::Collective(const std::string& name,
                     CollectiveType type,
                     const Group& group,
                     Amount bytes,
                     const Steps& after)
{
    ProgramStep step;
    step.kind = NodeKind::Collective;
    step.collective = type;
    step.bytes = GetSize(bytes, name);
    step.family = group.family;
    return group.size == 1 || step.bytes == 0 ? after : Add(std::move(step), name, after);
}

StepList::Steps
StepList::AllToAll(const std::string& name,
                   const std::vector<uint64_t>& parts,
                   bool isEven,
                   const Steps& after)
{
    Amount sum;
    for (const uint64_t part : parts)
    {
        sum += part;
    }
    ProgramStep step;
    step.kind = NodeKind::Collective;
    step.collective = CollectiveType::AllToAll;
    step.bytes = GetSize(sum, name);
    if (parts.size() == 1 || (isEven && step.bytes == 0))
    {
        return after;
    }
    step.peerBytes = isEven ? std::vector<uint64_t>{} : parts;
    return Add(std::move(step), name, after);
}

StepList::Steps
StepList::Access(NodeKind kind,
                 const std::string& name,
                 Amount bytes,
                 uint32_t location,
                 const Steps& after)
{
    ProgramStep step;
    step.kind = kind;
    step.location = location;
    step.tensorBytes = bytes.Get("bytes of '" + name + "'");
    return step.tensorBytes == 0 ? after : Add(std::move(step), name, after);
}

StepList::Steps
StepList::Join(const std::string& name, const Steps& after)
{
    ProgramStep step;
    step.kind = NodeKind::Metadata;
    return Add(std::move(step), name, after);
}

LayerProgram
StepList::Take()
{
    m_program.output = m_program.steps.empty() ? 0 : m_program.steps.size() - 1;
    return std::exchange(m_program, {});
}

StepList::Steps
StepList::Add(ProgramStep step, const std::string& name, const Steps& after)
{
    step.name = name;
    step.dependencies = after;
    m_program.steps.push_back(std::move(step));
    return {static_cast<uint32_t>(m_program.steps.size() - 1)};
}

StepList::Steps
operator+(StepList::Steps a, const StepList::Steps& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

GradientBuckets::GradientBuckets(StepList& list, uint64_t bucketBytes)
    : m_list(list),
      m_bucketBytes(bucketBytes)
{
}

void
GradientBuckets::Add(const StepList::Group& group, Amount bytes, const StepList::Steps& after)
{
    if (group.size == 1)
    {
        m_ends = m_ends + after;
        return;
    }
    Bucket& bucket = m_buckets[group.family];
    bucket.group = group;
    bucket.bytes += bytes;
    bucket.after = bucket.after + after;
    if (m_bucketBytes > 0 && !(bucket.bytes < m_bucketBytes))
    {
        Reduce(bucket);
    }
}

StepList::Steps
GradientBuckets::Flush()
{
    for (auto& entry : m_buckets)
    {
        Reduce(entry.second);
    }
    return m_ends;
}

void
GradientBuckets::Reduce(Bucket& bucket)
{
    if (Amount(0) < bucket.bytes)
    {
        m_ends = m_ends + m_list.Collective("gradients " + std::to_string(m_nReduced++),
                                            CollectiveType::AllReduce,
                                            bucket.group,
                                            bucket.bytes,
                                            bucket.after);
    }
    bucket.bytes = 0;
    bucket.after.clear();
}

} // namespace mlcluster
} // namespace ns3
