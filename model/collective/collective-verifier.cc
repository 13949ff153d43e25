/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-verifier.h"

#include "ownership-proof.h"
#include "schedule-races.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param request what is promised @param from a member @param to another @return whether the
/// result of the second needs data of the first
bool
Needs(const CollectiveRequest& request, uint32_t from, uint32_t to)
{
    switch (request.type)
    {
    case CollectiveType::Reduce:
    case CollectiveType::Gather:
        return to == request.root;
    case CollectiveType::Broadcast:
    case CollectiveType::Scatter:
        return from == request.root;
    default:
        return request.matrix.empty() ||
               request.matrix[static_cast<std::size_t>(from) * request.size + to] > 0;
    }
}

/// @param request an all-to-all of unequal sizes @param member a member @return bytes that others
/// send it
uint64_t
GetColumn(const CollectiveRequest& request, uint32_t member)
{
    uint64_t bytes = 0;
    for (uint32_t from = 0; from < request.size; ++from)
    {
        bytes += from == member
                     ? 0
                     : request.matrix[static_cast<std::size_t>(from) * request.size + member];
    }
    return bytes;
}

/// @param request what is promised @param member a member @return bytes that it must receive
uint64_t
GetNeededBytes(const CollectiveRequest& request, uint32_t member)
{
    if (!request.matrix.empty())
    {
        return GetColumn(request, member);
    }
    const uint64_t own = request.pieces[member];
    const uint64_t all = std::accumulate(request.pieces.begin(), request.pieces.end(), uint64_t{0});
    const bool isRoot = member == request.root;
    switch (request.type)
    {
    case CollectiveType::AllReduce:
        return all;
    case CollectiveType::Reduce:
        return isRoot ? all : 0;
    case CollectiveType::Broadcast:
        return isRoot ? 0 : all;
    case CollectiveType::AllGather:
        return all - own;
    case CollectiveType::Gather:
        return isRoot ? all - own : 0;
    case CollectiveType::Scatter:
        return isRoot ? 0 : own;
    case CollectiveType::ReduceScatter:
    case CollectiveType::ReduceScatterBlock:
        return own;
    case CollectiveType::AllToAll:
        return own * (request.size - 1);
    case CollectiveType::Barrier:
        break;
    }
    return 0;
}

/// @param schedules of all members @return whether every transfer of bytes says what it carries
bool
SayWhatTheyCarry(const std::vector<RankSchedule>& schedules)
{
    const auto says = [](const Transfer& transfer) {
        return transfer.nParts > 0 || transfer.bytes == 0;
    };
    return std::all_of(schedules.begin(), schedules.end(), [&](const RankSchedule& schedule) {
        return std::all_of(schedule.GetSends().begin(), schedule.GetSends().end(), says) &&
               std::all_of(schedule.GetReceives().begin(), schedule.GetReceives().end(), says);
    });
}

/// @param violations to shorten
void
Shorten(std::vector<std::string>& violations)
{
    if (violations.size() > CollectiveVerifier::MAX_VIOLATIONS)
    {
        const std::size_t nMore = violations.size() - CollectiveVerifier::MAX_VIOLATIONS;
        violations.resize(CollectiveVerifier::MAX_VIOLATIONS);
        violations.push_back("and " + std::to_string(nMore) + " more");
    }
}

} // namespace

uint64_t
CollectiveProof::GetBytesSent(uint32_t member) const
{
    const auto row = pairBytes.begin() + static_cast<std::ptrdiff_t>(member) * size;
    return std::accumulate(row, row + size, uint64_t{0});
}

uint64_t
CollectiveProof::GetBytesReceived(uint32_t member) const
{
    uint64_t bytes = 0;
    for (std::size_t i = member; i < pairBytes.size(); i += size)
    {
        bytes += pairBytes[i];
    }
    return bytes;
}

uint64_t
CollectiveProof::GetNMessagesSent(uint32_t member) const
{
    const auto row = nMessages.begin() + static_cast<std::ptrdiff_t>(member) * size;
    return std::accumulate(row, row + size, uint64_t{0});
}

CollectiveProof
CollectiveVerifier::Verify(const CollectiveRequest& request,
                           const std::vector<RankSchedule>& schedules,
                           const CollectiveLayout& layout)
{
    CollectiveProof proof;
    const ScheduleGraph graph(schedules, proof.violations);
    Count(graph, proof);
    const std::size_t nEnds = std::max<std::size_t>(request.size, layout.sizes.size());
    if (schedules.size() != nEnds)
    {
        proof.violations.push_back("there are schedules of " + std::to_string(schedules.size()) +
                                   " members, the collective has " + std::to_string(request.size));
    }
    if (proof.violations.empty())
    {
        if (request.type == CollectiveType::Barrier)
        {
            CheckFlow(request, graph, proof.violations);
            proof.isOwnershipProven = proof.violations.empty();
        }
        else if (!SayWhatTheyCarry(schedules))
        {
            CheckFlow(request, graph, proof.violations);
            CheckBytes(request, proof);
        }
        else if (CheckRanges(schedules, layout, proof.violations))
        {
            FindRaces(graph, layout, proof.violations);
            OwnershipProof(request, layout, graph, proof.violations).Run();
            proof.isOwnershipProven = proof.violations.empty();
        }
    }
    Shorten(proof.violations);
    return proof;
}

CollectiveProof
CollectiveVerifier::Verify(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    std::vector<RankSchedule> schedules;
    const uint32_t nEnds = request.size + (algorithm.NeedsSwitch() ? 1 : 0);
    for (uint32_t position = 0; position < nEnds; ++position)
    {
        schedules.push_back(algorithm.Build(request, position));
    }
    return Verify(request,
                  schedules,
                  algorithm.GetLayout(request, schedules[0].GetPartsPerPiece()));
}

bool
CollectiveVerifier::CheckRanges(const std::vector<RankSchedule>& schedules,
                                const CollectiveLayout& layout,
                                std::vector<std::string>& violations)
{
    const std::size_t nBefore = violations.size();
    for (uint32_t member = 0; member < schedules.size(); ++member)
    {
        const auto& schedule = schedules[member];
        const auto& sizes = layout.sizes[member];
        const auto check = [&](const Transfer& transfer) {
            if (transfer.nParts > 0 &&
                (transfer.buffer >= sizes.size() || transfer.nParts > sizes[transfer.buffer]))
            {
                violations.push_back("member " + std::to_string(member) +
                                     ": the transfer with tag " + std::to_string(transfer.tag) +
                                     " with member " + std::to_string(transfer.peer) + " takes " +
                                     std::to_string(transfer.nParts) + " places of buffer " +
                                     std::to_string(transfer.buffer) + ", which has not as many");
            }
        };
        std::for_each(schedule.GetSends().begin(), schedule.GetSends().end(), check);
        std::for_each(schedule.GetReceives().begin(), schedule.GetReceives().end(), check);
        if (schedule.GetPartsPerPiece() != schedules[0].GetPartsPerPiece())
        {
            violations.push_back("member " + std::to_string(member) + " cuts pieces into " +
                                 std::to_string(schedule.GetPartsPerPiece()) +
                                 " parts, member 0 into " +
                                 std::to_string(schedules[0].GetPartsPerPiece()));
        }
    }
    return violations.size() == nBefore;
}

void
CollectiveVerifier::Count(const ScheduleGraph& graph, CollectiveProof& proof)
{
    proof.depth = graph.GetDepth();
    proof.size = graph.GetNMembers();
    proof.pairBytes.resize(static_cast<std::size_t>(proof.size) * proof.size);
    proof.nMessages.resize(proof.pairBytes.size());
    for (const auto& message : graph.GetMessages())
    {
        const uint32_t from = graph.GetMember(message.fromStep);
        const uint32_t to = graph.GetMember(message.toStep);
        if (from != to)
        {
            const std::size_t pair = static_cast<std::size_t>(from) * proof.size + to;
            proof.pairBytes[pair] += message.send->bytes;
            ++proof.nMessages[pair];
        }
    }
}

void
CollectiveVerifier::CheckFlow(const CollectiveRequest& request,
                              const ScheduleGraph& graph,
                              std::vector<std::string>& violations)
{
    constexpr uint32_t WORD_BITS = 64;
    const uint32_t width = (graph.GetNMembers() + WORD_BITS - 1) / WORD_BITS;
    const auto join = [](uint64_t a, uint64_t b) { return a | b; };
    const auto rows = graph.Propagate<uint64_t>(
        width,
        [&](uint32_t step, bool, uint64_t* row) {
            const uint32_t member = graph.GetMember(step);
            row[member / WORD_BITS] |= uint64_t{1} << member % WORD_BITS;
        },
        join);
    for (uint32_t to = 0; to < request.size; ++to)
    {
        std::vector<uint64_t> known(width);
        for (uint32_t step = graph.GetFirstStep(to); step < graph.GetFirstStep(to + 1); ++step)
        {
            graph.JoinCompletion(rows, step, width, join, known.data());
        }
        for (uint32_t from = 0; from < request.size; ++from)
        {
            const bool isKnown = (known[from / WORD_BITS] >> from % WORD_BITS & 1) != 0;
            if (from != to && !isKnown && Needs(request, from, to))
            {
                violations.push_back("member " + std::to_string(to) +
                                     " ends without having heard of member " +
                                     std::to_string(from) + ", on which its result depends");
            }
        }
    }
}

void
CollectiveVerifier::CheckBytes(const CollectiveRequest& request, CollectiveProof& proof)
{
    for (uint32_t member = 0; member < request.size && request.size > 1; ++member)
    {
        const uint64_t needed = GetNeededBytes(request, member);
        const uint64_t received = proof.GetBytesReceived(member);
        if (received < needed)
        {
            proof.violations.push_back("member " + std::to_string(member) + " receives " +
                                       std::to_string(received) + " bytes and needs at least " +
                                       std::to_string(needed));
        }
    }
}

std::vector<uint64_t>
GetBytesPerDimension(const CollectiveProof& proof,
                     const ClusterTopology& topology,
                     const std::vector<uint32_t>& ranks)
{
    std::vector<uint64_t> bytes(topology.GetNDimensions());
    for (uint32_t from = 0; from < ranks.size(); ++from)
    {
        for (uint32_t to = 0; to < ranks.size(); ++to)
        {
            for (uint32_t dimension = 0; dimension < bytes.size(); ++dimension)
            {
                if (topology.GetDigit(ranks[from], dimension) !=
                    topology.GetDigit(ranks[to], dimension))
                {
                    bytes[dimension] +=
                        proof.pairBytes[static_cast<std::size_t>(from) * proof.size + to];
                }
            }
        }
    }
    return bytes;
}

} // namespace mlcluster
} // namespace ns3
