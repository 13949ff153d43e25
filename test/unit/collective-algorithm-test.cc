/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-oracle.h"

#include "ns3/collective-algorithm.h"
#include "ns3/diagnostics.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

const CollectiveType TYPES[] = {CollectiveType::AllReduce,
                                CollectiveType::ReduceScatter,
                                CollectiveType::AllGather,
                                CollectiveType::AllToAll};

std::vector<RankSchedule>
BuildAll(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    std::vector<RankSchedule> schedules;
    for (uint32_t position = 0; position < request.size; ++position)
    {
        schedules.push_back(algorithm.Build(request, position));
    }
    return schedules;
}

} // namespace

TEST(CollectiveAlgorithm, EveryMemberEndsWithWhatIsPromised)
{
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        EXPECT_EQ(algorithm->GetName(), name);
        for (uint32_t size = 1; size <= 64; size += size < 18 ? 1 : (size == 63 ? 1 : 5))
        {
            for (const auto type : TYPES)
            {
                if (!algorithm->WhyNot(type, size).empty())
                {
                    continue;
                }
                for (const uint64_t bytes : {uint64_t{0}, uint64_t{size} / 2 + 1, uint64_t{100003}})
                {
                    const CollectiveRequest request{type, size, SplitEvenly(bytes, size)};
                    const auto schedules = BuildAll(*algorithm, request);
                    EXPECT_EQ(ScheduleOracle(request, schedules, size).Run(), "")
                        << name << " " << ToString(type) << " " << size;
                }
            }
        }
    }
}
