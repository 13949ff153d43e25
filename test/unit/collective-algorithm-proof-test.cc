/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "algorithm-cases.h"
#include "schedule-oracle.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// @return the roots to try
std::vector<uint32_t>
RootsOf(CollectiveType type, uint32_t size)
{
    if (!IsRooted(type))
    {
        return {0};
    }
    if (size > 17)
    {
        return {0, 1, size / 2, size - 1};
    }
    std::vector<uint32_t> roots(size);
    std::iota(roots.begin(), roots.end(), 0);
    return roots;
}

/// @return sizes to try: even, uneven, some pieces of nothing, nothing, several segments
std::vector<uint64_t>
BytesOf(CollectiveType type, uint32_t size)
{
    if (type == BARRIER)
    {
        return {0};
    }
    return {6 * size, 100'003, size / 2, 0, 1'900'001};
}

/// Proves one request; the order of events depends on the seed.
void
Prove(const std::string& name, const CollectiveRequest& request, uint32_t seed)
{
    const auto schedules = BuildAll(*CollectiveAlgorithm::Create(name), request);
    ASSERT_EQ(ScheduleOracle(request, schedules, seed).Run(), "")
        << name << " " << ToString(request.type) << " " << request.size << " root " << request.root;
}

/// Proves all sizes of a type: of large groups one size of the buffer for each root.
void
ProveType(const std::string& name, CollectiveType type)
{
    for (uint32_t size = 1; size <= ScheduleOracle::MAX_SIZE; ++size)
    {
        const auto sizes = BytesOf(type, size);
        const std::size_t stride = size <= 9 ? 1 : sizes.size();
        for (const uint32_t root : RootsOf(type, size))
        {
            for (std::size_t i = (size + root) % stride; i < sizes.size(); i += stride)
            {
                Prove(name, {type, size, SplitEvenly(sizes[i], size), root}, size + root);
            }
        }
    }
}

} // namespace

TEST(CollectiveAlgorithmProof, EveryMemberEndsWithWhatIsPromised)
{
    uint32_t nTypes = 0;
    for (const auto& name : AllAlgorithms())
    {
        EXPECT_EQ(CollectiveAlgorithm::Create(name)->GetName(), name);
        for (const auto type : ALL_TYPES)
        {
            if (CollectiveAlgorithm::Create(name)->WhyNot(type, 2).empty())
            {
                ProveType(name, type);
                ++nTypes;
            }
        }
    }
    EXPECT_EQ(nTypes, 9 + 8 + 1 + 9 + 5 + 2 + 4 + 3 + 6 + 4);
}

TEST(CollectiveAlgorithmProof, HoldsForAnyOrderOfEventsAndAnyPieces)
{
    std::mt19937 random(1);
    for (const auto& name : AllAlgorithms())
    {
        for (uint32_t round = 0; round < 450; ++round)
        {
            const uint32_t size = random() % 8 + 1;
            const CollectiveType type = ALL_TYPES[round % 9];
            if (!CollectiveAlgorithm::Create(name)->WhyNot(type, size).empty())
            {
                continue;
            }
            CollectiveRequest request{type, size, {}, static_cast<uint32_t>(random() % size)};
            const uint64_t largest = round % 2 == 0 ? 5 : 300'000;
            for (uint32_t i = 0; i < size; ++i)
            {
                request.pieces.push_back(type == BARRIER ? 0 : random() % largest);
            }
            Prove(name, request, round);
        }
    }
}

TEST(CollectiveAlgorithmProof, DirectHoldsForAnyWindow)
{
    for (uint32_t size = 1; size <= 17; ++size)
    {
        for (uint32_t window = 1; window <= size; ++window)
        {
            for (const auto type : TYPES)
            {
                Prove("direct-" + std::to_string(window), {type, size, SplitEvenly(99, size)}, 1);
            }
        }
    }
}

TEST(CollectiveAlgorithmProof, DirectHonoursAMatrix)
{
    std::mt19937 random(2);
    for (const char* name : {"direct", "direct-1", "direct-3"})
    {
        for (uint32_t size = 1; size <= 20; ++size)
        {
            CollectiveRequest request{A2A, size, {}};
            for (uint32_t i = 0; i < size * size; ++i)
            {
                request.matrix.push_back(random() % 3 == 0 ? 0 : random() % 1000);
            }
            Prove(name, request, size);
            const auto schedules = BuildAll(*CollectiveAlgorithm::Create(name), request);
            for (uint32_t member = 0; member < size; ++member)
            {
                uint64_t bytes = 0;
                uint32_t nMessages = 0;
                for (uint32_t other = 0; other < size; ++other)
                {
                    const uint64_t entry = request.matrix[member * size + other];
                    bytes += other == member ? 0 : entry;
                    nMessages += other != member && entry > 0;
                }
                EXPECT_EQ(SumBytes(schedules[member].GetSends()), bytes);
                EXPECT_EQ(schedules[member].GetSends().size(), nMessages);
            }
        }
    }
}

TEST(CollectiveAlgorithmProof, OracleSeesFaults)
{
    const CollectiveRequest request{RS, 3, SplitEvenly(10, 3)};
    const auto algorithm = CollectiveAlgorithm::Create("ring-one-way");
    auto schedules = BuildAll(*algorithm, request);
    schedules[1] = algorithm->Build(request, 0);
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
    schedules[1] = RankSchedule();
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
    schedules[1] = algorithm->Build({AG, 3, request.pieces}, 1);
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
}

TEST(CollectiveAlgorithmProof, OracleSeesAnotherRoot)
{
    for (const auto type : {BROADCAST, REDUCE, GATHER, SCATTER})
    {
        const CollectiveRequest request{type, 4, SplitEvenly(10, 4), 1};
        const auto schedules =
            BuildAll(*CollectiveAlgorithm::Create("binomial-tree"), {type, 4, request.pieces, 2});
        EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "") << ToString(type);
    }
}

TEST(CollectiveAlgorithmProof, OracleSeesMembersThatHaveNotHeardOfAll)
{
    const CollectiveRequest request{BARRIER, 3, {0, 0, 0}};
    const auto algorithm = CollectiveAlgorithm::Create("direct");
    auto schedules = BuildAll(*algorithm, request);
    EXPECT_EQ(ScheduleOracle(request, schedules, 1).Run(), "");
    const std::vector<RankSchedule> none(3);
    EXPECT_EQ(ScheduleOracle(request, none, 1).Run(), "a member ends without what is promised");
}

TEST(CollectiveAlgorithmProof, OracleMovesDataWithinAMember)
{
    const CollectiveRequest request{AG, 2, {8, 8}};
    std::vector<RankSchedule> schedules(2);
    for (uint32_t member = 0; member < 2; ++member)
    {
        const uint32_t peer = 1 - member;
        const Transfer out{member, 0, 8, false, 0, member, 1};
        const Transfer in{member, 0, 8, false, 1, 0, 1};
        const uint32_t moved = schedules[member].AddStep({}, {out}, {in});
        const Transfer send{peer, 0, 8, false, 1, 0, 1};
        const uint32_t got =
            schedules[member].AddStep({moved}, {send}, {{peer, 0, 8, false, 1, 0, 1}});
        schedules[member].AddStep({got},
                                  {{member, 1, 8, false, 1, 0, 1}},
                                  {{member, 1, 8, false, 0, peer, 1}});
    }
    EXPECT_EQ(ScheduleOracle(request, schedules, 1).Run(), "");
}
