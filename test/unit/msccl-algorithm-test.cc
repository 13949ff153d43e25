/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "link-simulator.h"
#include "msccl-writer.h"
#include "temporary-folder.h"

#include "ns3/msccl-algorithm.h"
#include "ns3/schedule-loader.h"
#include "ns3/trace-file.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Files of the test and what is found about them.
class MscclTest : public FolderTest
{
  protected:
    /// @return what is wrong with the file for a collective of so many bytes, "" if it is proven
    std::string WhyWrong(const std::string& text,
                         CollectiveType type,
                         uint32_t size,
                         uint64_t bytes,
                         uint32_t root = 0)
    {
        const std::string path = Write("schedule.xml", text);
        return ErrorOf([&] {
            const auto loaded = LoadSchedule(path);
            const auto proof =
                RequireProof(*loaded.algorithm, {type, size, SplitEvenly(bytes, size), root});
            EXPECT_TRUE(proof.isOwnershipProven);
        });
    }

    /// @param text of a file @return all its problems, without its path
    std::string Problems(const std::string& text)
    {
        const std::string path = Write("bad.xml", text);
        std::string problems = ErrorOf([&] { MscclAlgorithm{path}; });
        for (auto at = problems.find(path); at != std::string::npos; at = problems.find(path))
        {
            problems.erase(at, path.size());
        }
        return problems;
    }
};

constexpr int N = 4; ///< GPUs of most files

/// @param buffer of a GPU @param chunk of it @return them as WrittenStep has them
std::string
At(char buffer, int chunk)
{
    return buffer + std::to_string(chunk);
}

} // namespace

TEST_F(MscclTest, RingIsProven)
{
    for (uint32_t n = 2; n < 10; ++n)
    {
        for (const bool inPlace : {false, true})
        {
            for (const bool fused : {false, true})
            {
                for (const uint64_t bytes : {0UL, 17UL, 1'000'003UL})
                {
                    EXPECT_EQ(WhyWrong(WriteRing(n, inPlace, fused), AR, n, bytes), "")
                        << n << inPlace << fused << bytes;
                }
            }
        }
        EXPECT_EQ(WhyWrong(WriteRing(n, true, false, true), AR, n, 1000), "");
    }
}

TEST_F(MscclTest, RingTakesTheTimeOfTheNativeOne)
{
    constexpr uint32_t SIZE = 6;
    const MscclAlgorithm loaded(Write("ring.xml", WriteRing(SIZE, true, false)));
    const auto native = CollectiveAlgorithm::Create("ring-one-way");
    for (const uint64_t bytes : {1UL, 1'000'003UL, 1UL << 32})
    {
        std::vector<int64_t> times;
        for (const CollectiveAlgorithm* algorithm :
             {native.get(), static_cast<const CollectiveAlgorithm*>(&loaded)})
        {
            const LinkGraph graph(MakeTopology("R(6)"));
            LinkSimulator links(graph);
            ScheduleRunner runner(links);
            uint32_t nDone = 0;
            for (uint32_t rank = 0; rank < SIZE; ++rank)
            {
                runner.Start(0,
                             rank,
                             {0, 1, 2, 3, 4, 5},
                             algorithm->Build({AR, SIZE, SplitEvenly(bytes, SIZE)}, rank),
                             [&] { ++nDone; });
            }
            links.Run();
            EXPECT_EQ(nDone, SIZE);
            times.push_back(links.Now());
        }
        EXPECT_EQ(times[0], times[1]);
    }
}

TEST_F(MscclTest, AllPairsThroughScratchAreProven)
{
    for (uint32_t n = 2; n < 8; ++n)
    {
        for (const uint64_t bytes : {0UL, 17UL, 1'000'003UL})
        {
            EXPECT_EQ(WhyWrong(WriteAllPairs(n, false), AR, n, bytes), "") << n << bytes;
            EXPECT_EQ(WhyWrong(WriteAllPairs(n, true), AR, n, bytes), "") << n << bytes;
        }
    }
}

TEST_F(MscclTest, DirectCollectivesAreProven)
{
    for (const bool inPlace : {false, true})
    {
        MscclWriter gather("allgather", N, 2 * N, inPlace);
        MscclWriter scatter("reduce_scatter", N, N, inPlace);
        MscclWriter exchange("alltoall", N, N, false);
        scatter.scratch = N;
        for (int gpu = 0; gpu < N; ++gpu)
        {
            std::vector<WrittenStep> sum;
            if (!inPlace)
            {
                gather.Add(gpu, -1, -1, 0, {{"cpy", "i0", At('o', 2 * gpu), 2}});
                sum.push_back({"cpy", At('i', gpu), "o0"});
            }
            exchange.Add(gpu, -1, -1, 0, {{"cpy", At('i', gpu), At('o', gpu)}});
            for (int distance = 1; distance < N; ++distance)
            {
                const int to = (gpu + distance) % N;
                const int from = (gpu + N - distance) % N;
                gather.Add(gpu, to, from, 3, {{"s", "i0", "", 2}, {"r", "", At('o', 2 * from), 2}});
                exchange.Add(gpu, to, from, 0, {{"s", At('i', to), ""}, {"r", "", At('o', from)}});
                scatter.Add(gpu, to, from, 1, {{"s", At('i', to), ""}, {"r", "", At('s', from)}});
                sum.push_back({"re", At('s', from), "o0", 1, distance - 1, 1});
            }
            scatter.Add(gpu, -1, -1, 0, sum);
        }
        for (const uint64_t bytes : {0UL, 5UL, 1'000'003UL})
        {
            EXPECT_EQ(WhyWrong(gather.GetText(), AG, N, bytes), "") << inPlace;
            EXPECT_EQ(WhyWrong(scatter.GetText(), RS, N, bytes), "") << inPlace;
            EXPECT_EQ(WhyWrong(exchange.GetText(), A2A, N, bytes), "") << inPlace;
        }
    }
}

TEST_F(MscclTest, RootedCollectivesAreProven)
{
    for (const bool inPlace : {false, true})
    {
        MscclWriter broadcast("broadcast", N, 3, inPlace);
        MscclWriter reduce("reduce", N, 3, inPlace);
        const WrittenStep send{"s", "i0", "", 3};
        for (int gpu = 0; gpu < N; ++gpu)
        {
            const int next = gpu + 1 < N ? gpu + 1 : -1;
            const WrittenStep pass{next < 0 ? "r" : "rcs", "", "o0", 3};
            const WrittenStep sum{"rrc", "i0", "o0", 3};
            const WrittenStep add{"rrs", "i0", "", 3};
            broadcast.Add(gpu, next, gpu - 1, 0, {gpu == 0 ? send : pass});
            reduce.Add(gpu, gpu - 1, next, 0, {next < 0 ? send : (gpu == 0 ? sum : add)});
            if (gpu == 0 && !inPlace)
            {
                broadcast.Add(gpu, -1, -1, 0, {{"cpy", "i0", "o0", 3}});
            }
        }
        for (const uint64_t bytes : {0UL, 5UL, 1'000'003UL})
        {
            EXPECT_EQ(WhyWrong(broadcast.GetText(), CollectiveType::Broadcast, N, bytes), "");
            EXPECT_EQ(WhyWrong(reduce.GetText(), CollectiveType::Reduce, N, bytes), "");
        }
        EXPECT_NE(WhyWrong(reduce.GetText(), CollectiveType::Reduce, N, 8, 2), "");
    }
}

TEST_F(MscclTest, WrongSchedulesAreRefusedWithAllReasons)
{
    const std::string right = WriteRing(3, true, false);
    const std::string text = WhyWrong(Replace(right, "type=\"rrc\"", "type=\"r\""), AR, 3, 1024);
    EXPECT_NE(text.find("schedule.xml: is no all-reduce of 1KiB in a group of 3:\n  place "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("instead of part 2 of all members\n  place"), std::string::npos) << text;
    const std::string race = Replace(WriteAllPairs(2, false), "depid=\"1\" deps=\"2\"", "");
    EXPECT_NE(WhyWrong(race, AR, 2, 1024).find("race: member 0, step"), std::string::npos);
}

TEST_F(MscclTest, IsForItsCollectiveAndGroupOnly)
{
    const std::string path = Write("ring.xml", WriteRing(8, true, false));
    const MscclAlgorithm ring(path);
    EXPECT_EQ(ring.WhyNot(AR, 8), "");
    EXPECT_EQ(ring.WhyNot(AR, 4), path + " is for a group of 8 members, not of 4");
    EXPECT_EQ(ring.WhyNot(AG, 8), path + " is for all-reduce");
    EXPECT_EQ(ErrorOf([&] { LoadVerifiedSchedule(path, {AR, 4, {1, 1, 1, 1}}); }),
              ring.WhyNot(AR, 4));
    EXPECT_EQ(ring.GetMinBytes(), 0U);
    EXPECT_FALSE(ring.GetMaxBytes());
}

TEST_F(MscclTest, ReadsGzip)
{
    const std::string path = Path("ring.xml.gz");
    WriteTraceFile(path, WriteRing(5, true, true), true);
    EXPECT_EQ(LoadVerifiedSchedule(path, {AR, 5, {9, 9, 8, 8, 8}})->GetName(), path);
}

TEST_F(MscclTest, TellsWhatIsNoXml)
{
    EXPECT_NE(Problems("").find(": "), std::string::npos);
    EXPECT_NE(Problems("<algo>\n<gpu>\n</algo>").find(":3: "), std::string::npos);
    EXPECT_NE(Problems("<gpu/>").find(":1: gpu: is the outermost element; algo is expected"),
              std::string::npos);
    EXPECT_NE(
        ErrorOf([&] { MscclAlgorithm{Path("none.xml")}; }).find("cannot be read: No such file"),
        std::string::npos);
}

TEST_F(MscclTest, TellsAllProblemsOfTheGrammar)
{
    std::string text = WriteRing(2, true, false);
    text = Replace(text, "coll=\"allreduce\"", "coll=\"allred\"");
    text = Replace(text, "ngpus=\"2\"", "ngpus=\"3\"");
    text = Replace(text, "i_chunks=\"2\"", "i_chunks=\"two\"");
    text = Replace(text, "type=\"rrc\"", "type=\"rrx\"");
    text = Replace(text, "srcbuf=\"i\"", "srcbuf=\"q\"");
    text = Replace(text, "<step s=\"2\"", "<step s=\"5\"");
    text = Replace(text, " recv=\"1\"", "");
    text = Replace(text, "cnt=\"1\"", "cnt=\"72\"");
    text = Replace(text, "<tb id=\"0\" send=\"0\"", "<tc/><tb id=\"0\" send=\"0\"");
    EXPECT_EQ(
        Problems(text),
        ":2: algo: \"allred\" is not known; allowed are allreduce, allgather, reduce_scatter, "
        "alltoall, broadcast, reduce\n"
        ":3: gpu: i_chunks is \"two\"; a whole number from 0 to 65536 is allowed\n"
        ":4: tb: attribute recv is missing\n"
        ":5: step: cnt is \"72\"; a whole number from 1 to 71 is allowed\n"
        ":5: step: srcbuf is \"q\"; allowed are i, o, s\n"
        ":6: step: \"rrx\" is not known; allowed are s, r, cpy, re, rcs, rrc, rrs, rrcs, nop\n"
        ":7: step: s is not 2; they count from 0 in order\n"
        ":12: tc: is no element of this place; allowed is tb\n"
        ":2: algo: ngpus is \"3\"; there are 2 gpu elements");
}

TEST_F(MscclTest, DamagedFilesAreReadOrRefused)
{
    std::mt19937 random(5);
    const std::string sources[] = {WriteRing(3, true, true), WriteAllPairs(3, false)};
    uint32_t nRefused = 0;
    for (uint32_t round = 0; round < 200; ++round)
    {
        std::string text = sources[round % 2];
        for (uint32_t i = random() % 3; i < 3; ++i)
        {
            const auto at = random() % text.size();
            const char digit = static_cast<char>('0' + random() % 10);
            switch (random() % 4)
            {
            case 0:
                text.erase(at, random() % 20);
                break;
            case 1:
                text[text.find_first_of("0123456789", at) % text.size()] = digit;
                break;
            case 2: {
                const uint64_t from = random() % text.size();
                text.insert(at, text.substr(from, random() % 100));
                break;
            }
            default:
                text[at] = static_cast<char>(random() % 256);
            }
        }
        nRefused += WhyWrong(text, AR, 3, 100).empty() ? 0 : 1;
    }
    EXPECT_GT(nRefused, 150U);
    EXPECT_LT(nRefused, 200U);
}

TEST_F(MscclTest, TellsWhatExceedsTheLimits)
{
    MscclLimits limits;
    limits.maxSteps = 3;
    const std::string path = Write("long.xml", WriteRing(3, true, false));
    EXPECT_NE(ErrorOf([&] {
                  MscclAlgorithm(path, limits);
              }).find("long.xml:8: step: is one too many; at most 3 are allowed"),
              std::string::npos);
    limits = MscclLimits();
    limits.maxThreadBlocks = 0;
    EXPECT_NE(ErrorOf([&] { MscclAlgorithm(path, limits); }).find(":4: tb: is one too many"),
              std::string::npos);
}

TEST_F(MscclTest, TellsAllProblemsOfTheMeaning)
{
    const auto problem = [&](const std::string& from, const std::string& to) {
        return Problems(Replace(WriteRing(2, false, false), from, to));
    };
    EXPECT_EQ(problem("send=\"1\"", "send=\"0\""),
              ":4: the thread block's peer is its own GPU 0\n"
              ":5: there are 2 sends and 0 receives from GPU 0 to GPU 0 on channel 0\n"
              ":14: there are 0 sends and 2 receives from GPU 0 to GPU 1 on channel 0");
    EXPECT_EQ(problem("recv=\"1\"", "recv=\"2\""),
              ":4: the thread block's peer is GPU 2; there are 2\n"
              ":13: there are 2 sends and 0 receives from GPU 1 to GPU 0 on channel 0\n"
              ":6: there are 0 sends and 2 receives from GPU 2 to GPU 0 on channel 0");
    EXPECT_EQ(problem("send=\"1\"", "send=\"-1\""),
              ":5: a step s sends, but its thread block has send -1\n"
              ":7: a step s sends, but its thread block has send -1\n"
              ":14: there are 0 sends and 2 receives from GPU 0 to GPU 1 on channel 0");
    EXPECT_NE(problem("recv=\"1\"", "recv=\"-1\"")
                  .find(":6: a step rrc receives, but its thread block has recv -1\n"),
              std::string::npos);
    EXPECT_EQ(problem("srcoff=\"0\"", "srcoff=\"2\""),
              ":5: the step takes chunks 2 to 2 of buffer i, which has 2");
    EXPECT_EQ(problem("depid=\"-1\"", "depid=\"1\""),
              ":5: depid is 1; the GPU has 1 thread blocks");
    EXPECT_EQ(problem("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"4\""),
              ":5: deps is 4; thread block 0 has 4 steps");
    EXPECT_EQ(problem("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"2\""),
              ":5: the step waits, by dependencies within GPU 0, for itself");
    EXPECT_EQ(problem("o_chunks=\"2\"", "o_chunks=\"3\""),
              ":3: o_chunks of GPU 0 is 3; with nchunksperloop 2 all-reduce has 2");
    EXPECT_EQ(problem("cnt=\"1\"", "cnt=\"2\""),
              ":14: cnt is 1, of the send in line 5 from GPU 0 to GPU 1 on channel 0 2");
    EXPECT_EQ(
        problem("</gpu>", "<tb id=\"1\" send=\"1\" recv=\"-1\" chan=\"0\"/></gpu>"),
        ":10: the connection from GPU 0 to GPU 1 on channel 0 is that of another thread block "
        "already");
    const std::string gather =
        Replace(WriteRing(2, false, false), "coll=\"allreduce\"", "coll=\"allgather\"");
    EXPECT_EQ(Problems(Replace(gather, "nchunksperloop=\"2\"", "nchunksperloop=\"5\"")),
              ":2: nchunksperloop is 5, which cannot be shared among 2 GPUs");
}
