/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_INPUTS_H
#define ML_CLUSTER_ASTRA_INPUTS_H

#include "ns3/astra-runner.h"
#include "ns3/chakra-writer.h"
#include "ns3/execution-graph.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * ASTRA-sim's input files for an all-reduce on Ring(4), to be spoilt one way or another. A file
 * without a value is not written.
 */
struct AstraInputs
{
    std::optional<std::string> network;            ///< network.yml
    std::optional<std::string> system;             ///< system.json
    std::optional<std::string> memory;             ///< memory.json
    std::optional<std::string> groups;             ///< groups.json; none, unless options name one
    std::vector<std::vector<ExecutionNode>> nodes; ///< of each rank
    std::map<uint32_t, std::string> raw;           ///< bytes of a rank's file, instead of nodes
    AstraOptions options;                          ///< but for the files
    std::string heading;                           ///< receives the heading printed
    std::string output;                            ///< receives the finish lines printed

    /// Makes inputs that run.
    AstraInputs()
        : network(
              "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n"),
          system("{\n"
                 "  \"scheduling-policy\": \"LIFO\",\n"
                 "  \"endpoint-delay\": 10,\n"
                 "  \"active-chunks-per-dimension\": 1,\n"
                 "  \"preferred-dataset-splits\": 4,\n"
                 "  \"all-reduce-implementation\": [\"ring\"],\n"
                 "  \"reduce-scatter-implementation\": [\"ring\"],\n"
                 "  \"all-gather-implementation\": [\"ring\"],\n"
                 "  \"all-to-all-implementation\": [\"ring\"],\n"
                 "  \"collective-optimization\": \"localBWAware\",\n"
                 "  \"local-mem-bw\": 50\n"
                 "}\n"),
          memory("{ \"memory-type\": \"NO_MEMORY_EXPANSION\" }\n")
    {
        ExecutionNode node;
        node.id = 1;
        node.name = "gradient";
        node.kind = NodeKind::Collective;
        node.bytes = 65536;
        nodes.assign(4, {node});
    }

    /// @param text one of the files @param from what is replaced, must be there @param to by what
    static void Replace(std::optional<std::string>& text,
                        const std::string& from,
                        const std::string& to)
    {
        text->replace(text->find(from), from.size(), to);
    }

    /**
     * Writes the files and runs them.
     * @param folder where to, created anew
     * @return error ("" if it ran) and what was printed on the error stream
     */
    std::pair<std::string, std::string> Run(const std::string& folder)
    {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        options.files.network = WriteFile(folder + "/network.yml", network);
        options.files.system = WriteFile(folder + "/system.json", system);
        options.files.memory = WriteFile(folder + "/memory.json", memory);
        if (groups)
        {
            options.files.groups = WriteFile(folder + "/groups.json", groups);
        }
        options.workload = folder + "/workload";
        for (uint32_t rank = 0; rank < nodes.size(); ++rank)
        {
            const std::string path = options.workload + "." + std::to_string(rank) + ".et";
            WriteChakraGraph(nodes[rank], path);
        }
        for (const auto& [rank, bytes] : raw)
        {
            WriteFile(options.workload + "." + std::to_string(rank) + ".et", bytes);
        }
        return Execute();
    }

  private:
    /// @param path where to @param content bytes, or none @return the path
    static std::string WriteFile(const std::string& path, const std::optional<std::string>& content)
    {
        if (content)
        {
            std::ofstream(path, std::ios::binary) << *content;
        }
        return path;
    }

    /// @return error and warnings of a run
    std::pair<std::string, std::string> Execute()
    {
        std::ostringstream head;
        std::ostringstream lines;
        std::ostringstream warnings;
        std::string error;
        std::streambuf* const stream = std::cerr.rdbuf(warnings.rdbuf());
        try
        {
            const AstraRunner runner(options);
            runner.PrintHeading(head);
            runner.Run(lines);
        }
        catch (const InputError& e)
        {
            error = e.what();
        }
        catch (...)
        {
            std::cerr.rdbuf(stream);
            throw;
        }
        std::cerr.rdbuf(stream);
        heading = head.str();
        output = lines.str();
        return {error, warnings.str()};
    }
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_INPUTS_H
