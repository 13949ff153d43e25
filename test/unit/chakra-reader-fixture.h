/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_READER_FIXTURE_H
#define ML_CLUSTER_CHAKRA_READER_FIXTURE_H

#include "chakra-bytes.h"
#include "temporary-folder.h"

#include "ns3/chakra-reader.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace bytes
{

using Texts = std::vector<std::string>; ///< messages

/// What became of a file.
struct Outcome
{
    std::shared_ptr<const ExecutionGraph> graph; ///< the graph
    Texts errors;                                ///< without the path
    Texts warnings;                              ///< without the path
};

/// @param texts messages @param path what they begin with @return the rest
inline Texts
Strip(Texts texts, const std::string& path)
{
    for (auto& text : texts)
    {
        const bool hasPath = text.rfind(path + ":", 0) == 0;
        const std::size_t start =
            !hasPath ? 0 : path.size() + (text[path.size() + 1] == ' ' ? 2 : 0);
        text = text.substr(start);
    }
    return texts;
}

/// Tests of one file.
class ChakraReaderTest : public FolderTest
{
  protected:
    /// @param content bytes of a file @param options how to read @param name file name @return what
    /// became of it
    Outcome Read(const std::string& content,
                 const ChakraOptions& options = {},
                 const std::string& name = "a.0.et") const
    {
        const std::string path = Write(name, content);
        Diagnostics diagnostics;
        const auto graph = ReadChakraGraph(path, options, diagnostics);
        return {graph,
                Strip(diagnostics.GetErrors(), path),
                Strip(diagnostics.GetWarnings(), path)};
    }

    /// @param node a node's message @param options how to read @return the node of a file with only
    /// it
    ExecutionNode ReadNode(const std::string& node, const ChakraOptions& options = {}) const
    {
        const auto outcome = Read(File({node}), options);
        EXPECT_EQ(outcome.errors, Texts{});
        return outcome.graph ? *outcome.graph->GetNode(0) : ExecutionNode();
    }

    /// @param node a node's message @param options how to read @return the errors of a file with
    /// only it
    Texts ReadErrors(const std::string& node, const ChakraOptions& options = {}) const
    {
        return Read(File({node}), options).errors;
    }
};

/// @param rest further fields @return an all-reduce that lacks only a size
inline std::string
AllReduce(const std::string& rest)
{
    return Node(1, "c", 7, Int64("comm_type", 0) + rest);
}

/// @return a file with every kind of node and several encodings
inline std::string
MakeRichFile()
{
    return File(
        {Node(3,
              "coll",
              7,
              Int64("comm_type", 2) + Int64("comm_size", 1 << 20) + String("pg_name", "tp") +
                  Packed(5, {1, 2})),
         Node(1, "comp", 4, Number(7, 12) + Int64("num_ops", 5) + Int64("tensor_size", 6)),
         Node(2, "load", 2, Attribute("tensor_size", Number(13, 300)) + Packed(4, {1})),
         Node(4,
              "send",
              5,
              Int64("comm_size", 7) + Int64("comm_dst", 1) + Int64("comm_tag", 9) + Number(5, 3)),
         Node(5,
              "recv",
              6,
              Int64("comm_size", 7) + Int64("comm_src", 1) +
                  Attribute("comm_tag", Tag(21, 1) + Fixed(9, 8))),
         Node(6, "meta", 1, Text(8, Text(1, "[]") + Text(3, "['x']")))});
}

} // namespace bytes
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_READER_FIXTURE_H
