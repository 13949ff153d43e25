/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader-fixture.h"

#include "ns3/chakra-trace.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <zlib.h>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

/// @param content bytes of a file, not on disk @param options how to read @return what became of it
Outcome
ReadContent(const std::string& content, const ChakraOptions& options = {})
{
    Diagnostics diagnostics;
    MessageTally warnings(diagnostics);
    std::istringstream stream(content);
    const auto trace = ReadChakraTrace(stream, "a.0.et", options, diagnostics, warnings);
    return {trace.graph, Strip(diagnostics.GetErrors(), "a.0.et"), {}};
}

using ChakraDamageTest = ChakraReaderTest; ///< its name in this file

} // namespace

TEST_F(ChakraDamageTest, FramingFaultsNameTheByte)
{
    const std::string start = Record(Text(1, "0.0.4")); // 8 bytes
    const auto error = [&](const std::string& rest) { return Read(start + rest).errors; };
    EXPECT_EQ(error("\x09"
                    "abc"),
              Texts{"byte 8: the record is cut off: 9 bytes are announced and 3 are left"});
    EXPECT_EQ(error("\x80"), Texts{"byte 8: the length of a record is cut off"});
    EXPECT_EQ(error("\x80\x80\x80\x80\x80\x01"),
              Texts{"byte 8: the length of a record takes at most 5 bytes"});
    EXPECT_EQ(error(std::string(11, '\xff')),
              Texts{"byte 8: the length of a record takes at most 5 bytes"});
    EXPECT_EQ(error(Record("") + Record(Node(1, "x", 4))),
              Texts{"byte 8: the record is empty, though others follow"});
    EXPECT_EQ(error(Record(Node(1, "x", 4)) + Record("")), Texts{});
}

TEST_F(ChakraDamageTest, FaultsInARecordNameItsByteAndTheNextIsRead)
{
    const auto error = [&](const std::string& node) {
        auto errors = Read(File({node, Node(2, "y", 9)})).errors;
        EXPECT_EQ(errors.size(), 2u);
        return errors[0];
    };
    EXPECT_EQ(error(Text(1, "a")), "byte 8: field 1 has wire type 2 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Number(2, 1)), "byte 8: field 2 has wire type 0 instead of 2");
    EXPECT_EQ(error(Number(1, 1) + Tag(5, 5) + Fixed(1, 4)),
              "byte 8: field 5 has wire type 5 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Tag(9, 3)), "byte 8: a field has an unknown wire type");
    EXPECT_EQ(error(Number(1, 1) + Tag(9, 7)), "byte 8: a field has an unknown wire type");
    EXPECT_EQ(error(Number(1, 1) + Tag(0, 0)), "byte 8: malformed protobuf: invalid tag exception");
    EXPECT_EQ(error(Number(1, 1) + Tag(2, 2) +
                    "\x05"
                    "ab"),
              "byte 8: a field is cut off");
    EXPECT_EQ(error(Number(1, 1) + Text(10, Text(1, "comm_size") + Text(9, "x"))),
              "byte 8: field 9 has wire type 2 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Text(10, Number(1, 5))),
              "byte 8: field 1 has wire type 0 instead of 2");
    EXPECT_EQ(error(Number(1, 1) + Text(5, "\x80")), "byte 8: a field is cut off");
}

TEST_F(ChakraDamageTest, WhatIsNoTraceIsRefused)
{
    EXPECT_EQ(Read("").errors, Texts{"the file is empty; a Chakra trace is expected"});
    EXPECT_EQ(Read("hello world\n").errors,
              Texts{"byte 0: the record is cut off: 104 bytes are announced and 11 are left"});
    EXPECT_FALSE(Read("{\"nodes\": []}\n").errors.empty());
    Diagnostics diagnostics;
    EXPECT_EQ(ReadChakraGraph(Path("none.et"), {}, diagnostics), nullptr);
    EXPECT_EQ(diagnostics.GetErrors(),
              Texts{Path("none.et") + ": cannot be read: No such file or directory"});
    std::filesystem::create_directory(Path("folder.et"));
    Diagnostics second;
    EXPECT_EQ(ReadChakraGraph(Path("folder.et"), {}, second), nullptr);
    EXPECT_EQ(second.GetErrors(), Texts{Path("folder.et") + ": cannot be read: Is a directory"});
}

TEST_F(ChakraDamageTest, GzipIsUnpackedWhateverTheName)
{
    const std::string content = MakeRichFile();
    const std::string path = Path("packed.0.et");
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), content.size());
    gzclose(file);
    const std::string packed = ReadBack(path);
    ASSERT_NE(packed, content);
    EXPECT_EQ(Read(packed).errors, Texts{});
    EXPECT_EQ(Read(packed).graph->GetNNodes(), 6u);
    for (std::size_t size = 2; size < packed.size(); size += 7)
    {
        EXPECT_FALSE(Read(packed.substr(0, size)).errors.empty()) << size;
    }
    std::string damaged = packed;
    damaged[packed.size() / 2] ^= 0x10;
    EXPECT_FALSE(Read(damaged).errors.empty());
}

TEST_F(ChakraDamageTest, EveryPrefixOfAFileIsAnErrorOrHasFewerNodes)
{
    ChakraOptions options;
    options.ignoreMissingDependencies = true;
    const std::string content = MakeRichFile();
    std::vector<std::size_t> boundaries; // ends of records
    for (std::size_t i = 0; i < content.size();)
    {
        std::size_t length = 0;
        int shift = 0;
        for (; content[i] & 0x80; ++i, shift += 7)
        {
            length |= static_cast<std::size_t>(content[i] & 0x7f) << shift;
        }
        length |= static_cast<std::size_t>(content[i++]) << shift;
        i += length;
        boundaries.push_back(i);
    }
    ASSERT_EQ(boundaries.size(), 7u);
    ASSERT_EQ(boundaries.back(), content.size());
    for (std::size_t size = 0; size < content.size(); ++size)
    {
        const auto outcome = ReadContent(content.substr(0, size), options);
        const auto found = std::find(boundaries.begin(), boundaries.end(), size);
        ASSERT_EQ(outcome.errors.empty(), found != boundaries.end()) << size;
        if (outcome.errors.empty())
        {
            EXPECT_EQ(outcome.graph->GetNNodes(), found - boundaries.begin());
        }
    }
}

TEST_F(ChakraDamageTest, DamagedFilesNeverCrash)
{
    std::mt19937 random(4);
    const std::string content = MakeRichFile();
    int refused = 0;
    for (int round = 0; round < 3000; ++round)
    {
        std::string damaged = content;
        for (int flips = 1 + random() % 3; flips > 0; --flips)
        {
            char& byte = damaged[random() % damaged.size()];
            byte ^= 1 << random() % 8;
        }
        const auto outcome = ReadContent(damaged);
        refused += outcome.errors.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
    for (int round = 0; round < 1000; ++round)
    {
        std::string noise(random() % 200, '\0');
        for (auto& byte : noise)
        {
            byte = static_cast<char>(random());
        }
        const auto outcome = ReadContent(noise);
        EXPECT_TRUE(outcome.graph || !outcome.errors.empty());
    }
}
