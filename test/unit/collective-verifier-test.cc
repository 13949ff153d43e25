/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "schedule-edit.h"

#include "ns3/collective-verifier.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

CollectiveProof
Prove(const CollectiveRequest& request, const ScheduleEdit& edit)
{
    const auto schedules = edit.Build();
    return CollectiveVerifier::Verify(request,
                                      schedules,
                                      MakeInPlaceLayout(request, schedules[0].GetPartsPerPiece()));
}

/// Schedules of the one-way ring over 3 members, pieces of 4, 3 and 3 bytes.
class RingOfThree : public testing::Test
{
  protected:
    /// @return the violations, one a line
    std::string Violations() const
    {
        std::string text;
        for (const auto& violation : Prove(request, edit).violations)
        {
            text += violation + "\n";
        }
        return text;
    }

    CollectiveRequest request{RS, 3, {4, 3, 3}};
    ScheduleEdit edit{*CollectiveAlgorithm::Create("ring-one-way"), request};
};

} // namespace

TEST(CollectiveVerifier, ProvesAllAlgorithmsForAllCounts)
{
    uint32_t nProven = 0;
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (uint32_t size = 1; size <= 64; ++size)
        {
            for (int number = 0; number <= static_cast<int>(CollectiveType::Barrier); ++number)
            {
                const auto type = static_cast<CollectiveType>(number);
                if (!algorithm->WhyNot(type, size).empty())
                {
                    continue;
                }
                const uint64_t sizes[] = {size / 2, size + 1, 100'003, 0};
                const uint64_t bytes = type == CollectiveType::Barrier ? 0 : sizes[size % 4];
                const auto proof =
                    CollectiveVerifier::Verify(*algorithm,
                                               {type, size, SplitEvenly(bytes, size), size / 3});
                EXPECT_TRUE(proof.isOwnershipProven)
                    << name << " " << ToString(type) << " " << size << ": "
                    << (proof.violations.empty() ? "" : proof.violations[0]);
                ++nProven;
            }
        }
    }
    EXPECT_GE(nProven, 64U * (4 + 3 + 1 + 4) + 7 * 3);
}

TEST(CollectiveVerifier, ProvesAllToAllOfUnequalSizes)
{
    const CollectiveRequest request{A2A, 3, {}, 0, {9, 0, 4, 2, 9, 0, 7, 5, 9}};
    ScheduleEdit edit(*CollectiveAlgorithm::Create("direct"), request);
    const auto proof = Prove(request, edit);
    EXPECT_TRUE(proof.isOwnershipProven);
    EXPECT_EQ(proof.pairBytes, (std::vector<uint64_t>{0, 0, 4, 2, 0, 0, 7, 5, 0}));
    edit.ForgetParts();
    EXPECT_TRUE(Prove(request, edit).violations.empty());
    const CollectiveRequest larger{A2A, 3, {}, 0, {9, 1, 4, 2, 9, 0, 7, 5, 9}};
    EXPECT_EQ(Prove(larger, edit).violations,
              (std::vector<std::string>{
                  "member 1 ends without having heard of member 0, on which its result depends",
                  "member 1 receives 5 bytes and needs at least 6"}));
    EXPECT_FALSE(Prove(larger, ScheduleEdit(*CollectiveAlgorithm::Create("direct"), request))
                     .violations.empty());
}

TEST(CollectiveVerifier, CountsBytesMessagesAndDepth)
{
    for (const uint32_t n : {2U, 4U, 8U, 32U})
    {
        const CollectiveRequest request{AR, n, SplitEvenly(1000 * n, n)};
        const auto prove = [&](const char* name) {
            return CollectiveVerifier::Verify(*CollectiveAlgorithm::Create(name), request);
        };
        const auto ring = prove("ring-one-way");
        EXPECT_EQ(ring.depth, 2 * (n - 1));
        EXPECT_EQ(ring.pairBytes[1], 2000 * (n - 1));
        EXPECT_EQ(ring.nMessages[1], 2 * (n - 1));
        const auto direct = prove("direct");
        EXPECT_EQ(direct.depth, 2U);
        EXPECT_EQ(direct.pairBytes[(n - 1) * n], 2000U);
        EXPECT_EQ(direct.GetNMessagesSent(n - 1), 2 * (n - 1));
        const auto halving = prove("halving-doubling");
        EXPECT_EQ(1U << halving.depth / 2, n);
        EXPECT_EQ(halving.pairBytes[n / 2], 1000U * n);
        for (const auto& proof : {ring, direct, halving})
        {
            for (uint32_t member = 0; member < n; ++member)
            {
                EXPECT_EQ(proof.GetBytesSent(member), 2000 * (n - 1));
                EXPECT_EQ(proof.GetBytesReceived(member), 2000 * (n - 1));
                EXPECT_EQ(proof.pairBytes[member * n + member], 0U);
            }
        }
    }
}

TEST(CollectiveVerifier, AddsUpBytesOfDimensions)
{
    const auto topology = MakeTopology("R(4)_FC(2)_SW(3)");
    const auto proof = CollectiveVerifier::Verify(*CollectiveAlgorithm::Create("direct"),
                                                  {A2A, 24, std::vector<uint64_t>(24, 5)});
    EXPECT_EQ(GetBytesPerDimension(proof, topology, AllRanks(topology)),
              (std::vector<uint64_t>{5 * 24 * 18, 5 * 24 * 12, 5 * 24 * 16}));
    const auto ring = CollectiveVerifier::Verify(*CollectiveAlgorithm::Create("ring-one-way"),
                                                 {AG, 3, {7, 7, 7}});
    EXPECT_EQ(GetBytesPerDimension(ring, topology, {0, 1, 9}), (std::vector<uint64_t>{28, 0, 28}));
}

TEST(CollectiveVerifier, ChecksWhatIsNecessaryWhereNothingIsSaidOfTheData)
{
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        for (const auto type : TYPES)
        {
            const auto algorithm = CollectiveAlgorithm::Create(name);
            if (!algorithm->WhyNot(type, 4).empty())
            {
                continue;
            }
            const CollectiveRequest request{type, 4, {9, 8, 7, 6}};
            ScheduleEdit edit(*algorithm, request);
            edit.ForgetParts();
            const auto layout = algorithm->GetLayout(request, 1);
            const auto proof = CollectiveVerifier::Verify(request, edit.Build(), layout);
            EXPECT_EQ(proof.violations, std::vector<std::string>()) << name << ToString(type);
            EXPECT_FALSE(proof.isOwnershipProven);
            const auto larger =
                CollectiveVerifier::Verify({type, 4, {99, 98, 97, 96}}, edit.Build(), layout);
            ASSERT_EQ(larger.violations.size(), 4U);
            EXPECT_EQ(larger.violations[3],
                      "member 3 receives " + std::to_string(proof.GetBytesReceived(3)) +
                          " bytes and needs at least " +
                          std::to_string(type == AR   ? 390
                                         : type == RS ? 96
                                         : type == AG ? 294
                                                      : 288));
        }
    }
}

TEST(CollectiveVerifier, NeedsNewsOfEveryMemberOnWhomAResultDepends)
{
    const auto ring = CollectiveAlgorithm::Create("ring-one-way");
    ScheduleEdit edit(*ring, {AG, 3, {5, 5, 5}});
    for (uint32_t member = 0; member < 3; ++member)
    {
        edit[member].pop_back();
    }
    edit.ForgetParts();
    const auto violations = [&](CollectiveType type, uint32_t root) {
        return Prove({type, 3, {0, 0, 0}, root}, edit).violations;
    };
    const std::string of2 = "member 1 ends without having heard of member 2, on which its result "
                            "depends";
    EXPECT_EQ(violations(CollectiveType::Barrier, 0).size(), 3U);
    EXPECT_EQ(violations(AR, 0)[1], of2);
    EXPECT_EQ(violations(CollectiveType::Reduce, 1), (std::vector<std::string>{of2}));
    EXPECT_EQ(violations(CollectiveType::Gather, 1), (std::vector<std::string>{of2}));
    EXPECT_EQ(violations(CollectiveType::Broadcast, 2), (std::vector<std::string>{of2}));
    EXPECT_EQ(violations(CollectiveType::Scatter, 2), (std::vector<std::string>{of2}));
    const auto whole = CollectiveVerifier::Verify(*ring, {AG, 3, {0, 0, 0}});
    EXPECT_TRUE(whole.isOwnershipProven);
    ScheduleEdit barrier(*ring, {AG, 3, {0, 0, 0}});
    barrier.ForgetParts();
    EXPECT_TRUE(Prove({CollectiveType::Barrier, 3, {0, 0, 0}}, barrier).isOwnershipProven);
}

TEST_F(RingOfThree, IsRight)
{
    EXPECT_EQ(Violations(), "");
    EXPECT_TRUE(Prove(request, edit).isOwnershipProven);
}

TEST_F(RingOfThree, MissesAReceive)
{
    edit[1][0].receives.clear();
    EXPECT_EQ(Violations(),
              "member 0, step 0: the message with tag 0 to member 1 has no receive\n");
}

TEST_F(RingOfThree, MissesASend)
{
    edit[0][1].sends.clear();
    EXPECT_EQ(Violations(),
              "member 1, step 1: the receive with tag 1 from member 0, who does not send it\n");
}

TEST_F(RingOfThree, SendsToNobody)
{
    edit[0][0].sends.push_back({3, 7, 4, false, 0, 0, 1});
    EXPECT_EQ(Violations(),
              "member 0, step 0: the message with tag 7 to member 3, who does not exist\n");
}

TEST_F(RingOfThree, HasATagTwice)
{
    edit[0][1].sends[0].tag = 0;
    edit[1][1].receives[0].tag = 0;
    EXPECT_EQ(Violations(),
              "member 0, step 1: the message with tag 0 to member 1 has the tag of the one in step "
              "0\nmember 1, step 1: the receive with tag 0 from member 0 has the tag of the one in "
              "step 0\n");
}

TEST_F(RingOfThree, HasEndsThatDiffer)
{
    edit[2][1].receives[0].bytes = 5;
    edit[2][0].receives[0].nParts = 2;
    EXPECT_EQ(Violations(),
              "member 1, step 0: the message with tag 0 to member 2 has 1 parts, its receive in "
              "step 0 expects 2\n"
              "member 1, step 1: the message with tag 1 to member 2 has 3 bytes, its receive in "
              "step 1 expects 5\n");
}

TEST_F(RingOfThree, WaitsForNoStep)
{
    edit[1][1].after = {4};
    EXPECT_EQ(Violations(), "member 1, step 1: waits for step 4; the member has 2 steps\n");
}

TEST_F(RingOfThree, Deadlocks)
{
    for (uint32_t member = 0; member < 3; ++member)
    {
        std::swap(edit[member][0].receives, edit[member][1].receives);
    }
    EXPECT_EQ(Violations(),
              "deadlock: member 0, step 0, waits for member 2, step 1, waits for member 2, step 0, "
              "waits for member 1, step 1, waits for member 1, step 0, waits for member 0, step 1, "
              "waits for member 0, step 0\n");
}

TEST_F(RingOfThree, Races)
{
    edit[0][1].after.clear();
    const std::string text = Violations();
    EXPECT_NE(text.find("race: member 0, step 0 reduces into with data from member 2 and step 1 "
                        "reads place 1 of buffer 0, and nothing puts them in order\n"),
              std::string::npos)
        << text;
}

TEST_F(RingOfThree, SendsTooManyBytes)
{
    edit[0][1].sends[0].bytes = 5;
    edit[1][1].receives[0].bytes = 5;
    EXPECT_EQ(Violations(),
              "member 0, step 1: sends to member 1 with tag 1 5 bytes that carry 3\n");
}

TEST_F(RingOfThree, CountsAContributionTwice)
{
    edit[0][0].sends[0].firstPart = 1;
    edit[0][0].sends[0].bytes = 3;
    edit[1][0].receives[0].bytes = 3;
    const std::string text = Violations();
    EXPECT_NE(text.find("member 1, step 0: reduces part 1 of member 0 into part 2 of member 1"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("ends with nothing instead of part 2 of all members"), std::string::npos);
}

TEST_F(RingOfThree, AddsTwice)
{
    edit[0].push_back({{1}, {{1, 9, 4, true, 0, 0, 1}}, {}});
    edit[1].push_back({{1}, {}, {{0, 9, 4, true, 0, 0, 1}}});
    EXPECT_EQ(Violations(),
              "member 1, step 2: reduces part 0 of member 0, 1, 2 into part 0 of member 1, which "
              "counts a contribution twice\n");
}

TEST_F(RingOfThree, TakesPlacesThatDoNotExist)
{
    edit[0][0].sends[0].buffer = 1;
    EXPECT_EQ(Violations(),
              "member 0: the transfer with tag 0 with member 1 takes 1 places of buffer 1, which "
              "has not as many\n");
}

TEST_F(RingOfThree, MissesAMember)
{
    request = {RS, 4, {4, 3, 3, 0}};
    EXPECT_EQ(Violations(), "there are schedules of 3 members, the collective has 4\n");
}
