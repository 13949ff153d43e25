/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "schedule-edit.h"
#include "schedule-oracle.h"

#include "ns3/collective-verifier.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Damages schedules in one place, at random.
class Mutator
{
  public:
    Mutator(ScheduleEdit& edit, const CollectiveRequest& request, uint32_t seed)
        : m_edit(edit),
          m_size(request.size),
          m_nBuffers(request.type == A2A ? request.size : 1),
          m_random(seed)
    {
    }

    /// @return what was done, "" if nothing could be
    std::string Mutate()
    {
        const uint32_t member = Random(m_size);
        auto& steps = m_edit[member];
        if (steps.empty())
        {
            return "";
        }
        auto& step = steps[Random(steps.size())];
        if (Random(4) == 0)
        {
            return ChangeOrder(steps, step);
        }
        if (step.sends.empty())
        {
            return "";
        }
        const uint32_t send = Random(step.sends.size());
        return ChangeTransfer(member, step.sends, send);
    }

  private:
    using Step = ScheduleEdit::Step;

    uint32_t Random(std::size_t end)
    {
        return m_random() % end;
    }

    std::string ChangeOrder(std::vector<Step>& steps, Step& step)
    {
        if (Random(2) == 0 && !step.after.empty())
        {
            step.after.erase(step.after.begin() + Random(step.after.size()));
            return "a wait was removed";
        }
        auto& other = steps[Random(steps.size())];
        std::swap(step.sends, other.sends);
        if (Random(2) == 0)
        {
            std::swap(step.receives, other.receives);
        }
        return "transfers of two steps were swapped";
    }

    std::string ChangeTransfer(uint32_t member, std::vector<Transfer>& sends, uint32_t index)
    {
        Transfer& send = sends[index];
        std::vector<Transfer>* receives = nullptr;
        std::size_t end = 0;
        for (auto& step : m_edit[send.peer])
        {
            for (std::size_t i = 0; i < step.receives.size(); ++i)
            {
                if (step.receives[i].peer == member && step.receives[i].tag == send.tag)
                {
                    receives = &step.receives;
                    end = i;
                }
            }
        }
        Transfer& receive = receives->at(end);
        switch (Random(9))
        {
        case 0:
            receives->erase(receives->begin() + end);
            sends.erase(sends.begin() + index);
            return "a message was dropped";
        case 1:
            sends.erase(sends.begin() + index);
            return "a send was dropped";
        case 2:
            receives->push_back(receive);
            receives->back().tag = 77;
            sends.push_back(send);
            sends.back().tag = 77;
            return "a message was doubled";
        case 3:
            ++receive.tag;
            return "a receive got another tag";
        case 4:
            ++send.bytes;
            ++receive.bytes;
            return "a message got larger";
        case 5:
            ++send.firstPart;
            ++receive.firstPart;
            return "a message carries other parts";
        case 6:
            ++receive.firstPart;
            return "a message is put elsewhere";
        case 7:
            send.reduce = receive.reduce = !receive.reduce;
            return "a reduction became a copy, or the reverse";
        default:
            send.buffer = (send.buffer + 1) % m_nBuffers;
            return "a message is taken from another buffer";
        }
    }

    ScheduleEdit& m_edit;
    uint32_t m_size;
    uint32_t m_nBuffers;
    std::mt19937 m_random;
};

/// @return what the oracle finds in any of some orders of events, "" if nothing. It lets a
/// reduction into an empty place pass, and refuses messages that bring nothing new, where the
/// verifier does not.
std::string
AskOracle(const CollectiveRequest& request,
          const std::vector<RankSchedule>& schedules,
          uint32_t nOrders)
{
    for (uint32_t seed = 0; seed < nOrders; ++seed)
    {
        const std::string problem = ScheduleOracle(request, schedules, seed).Run();
        if (!problem.empty())
        {
            return problem;
        }
    }
    return "";
}

} // namespace

TEST(CollectiveMutation, IsSeenOrHarmless)
{
    std::mt19937 random(7);
    uint32_t nSeen = 0;
    uint32_t nHarmless = 0;
    for (uint32_t round = 0; round < 3000; ++round)
    {
        const auto names = CollectiveAlgorithm::GetNames();
        const auto algorithm = CollectiveAlgorithm::Create(names[random() % names.size()]);
        const CollectiveType type = TYPES[random() % std::size(TYPES)];
        const uint32_t size = random() % 7 + 2;
        if (!algorithm->WhyNot(type, size).empty())
        {
            continue;
        }
        CollectiveRequest request{type, size, {}};
        for (uint32_t i = 0; i < size; ++i)
        {
            request.pieces.push_back(random() % 50);
        }
        ScheduleEdit edit(*algorithm, request);
        const std::string done = Mutator(edit, request, random()).Mutate();
        if (done.empty())
        {
            continue;
        }
        const auto schedules = edit.Build();
        const auto proof = CollectiveVerifier::Verify(
            request,
            schedules,
            algorithm->GetLayout(request, schedules[0].GetPartsPerPiece()));
        const std::string problem =
            AskOracle(request, schedules, proof.violations.empty() ? 20 : 2000);
        const std::string what = algorithm->GetName() + " " + ToString(type) + " of " +
                                 std::to_string(size) + ": " + done + ": " + problem;
        if (proof.violations.empty())
        {
            ++nHarmless;
            EXPECT_TRUE(problem.empty() || problem == "a message brings nothing new") << what;
            continue;
        }
        ++nSeen;
        const bool intoNothing = proof.violations[0].find("into nothing") != std::string::npos;
        EXPECT_TRUE(!problem.empty() || intoNothing) << what << proof.violations[0];
    }
    EXPECT_GT(nSeen, 1000U);
    EXPECT_GT(nHarmless, 100U);
}
