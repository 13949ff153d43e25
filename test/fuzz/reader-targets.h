/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_READER_TARGETS_H
#define ML_CLUSTER_READER_TARGETS_H

#include "ns3/chakra-trace.h"
#include "ns3/communicator-groups.h"
#include "ns3/flexflow-converter.h"
#include "ns3/kineto-trace.h"
#include "ns3/message-tally.h"
#include "ns3/pytorch-trace.h"
#include "ns3/text-workload-reader.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/// What a fuzzer feeds: functions that read any bytes as one kind of file. They must come back, and
/// either the reader tells errors or its result can be used; anything else ends the process.
namespace fuzz
{

/// @param isTrue what must hold
inline void
Require(bool isTrue)
{
    if (!isTrue)
    {
        std::abort();
    }
}

/// @param content a file @param name its name @param options how to read it
inline void
ReadTrace(const std::string& content, const std::string& name, const ChakraOptions& options)
{
    std::istringstream stream(content);
    Diagnostics diagnostics;
    MessageTally warnings(diagnostics);
    const auto trace = ReadChakraTrace(stream, name, options, diagnostics, warnings);
    if (diagnostics.HasErrors())
    {
        return;
    }
    Require(trace.graph->GetIssueOrder().size() == trace.graph->GetNNodes());
    for (uint32_t i = 0; i < trace.graph->GetNNodes(); ++i)
    {
        Require(trace.graph->GetNode(i)->durationPs >= 0);
    }
}

/// @param content a Chakra trace in protobuf
inline void
ReadProtobuf(const std::string& content, const std::string& /* scratch */)
{
    ChakraOptions options;
    ReadTrace(content, "w.0.et", options);
    options.controlDependencies = ControlDependencies::Strict;
    options.elementBytes = 2;
    options.roofline = true;
    ReadTrace(content, "w.0.et", options);
    options.controlDependencies = ControlDependencies::Ignore;
    options.ignoreMissingDependencies = true;
    options.schema = ChakraSchema::V0004;
    ReadTrace(content, "w.0.et", options);
}

/// @param content a Chakra trace of an older schema
inline void
ReadLegacy(const std::string& content, const std::string& /* scratch */)
{
    ChakraOptions options;
    for (const auto schema : {ChakraSchema::V0001, ChakraSchema::V0002, ChakraSchema::V0003})
    {
        options.schema = schema;
        ReadTrace(content, "w.0.et", options);
    }
}

/// @param content a Chakra trace in JSON
inline void
ReadJsonTrace(const std::string& content, const std::string& /* scratch */)
{
    ChakraOptions options;
    options.ignoreMissingDependencies = true;
    ReadTrace(content, "w.0.json", options);
}

/// @param content a FlexFlow task graph
inline void
ReadFlexflow(const std::string& content, const std::string& /* scratch */)
{
    std::istringstream stream(content);
    Diagnostics diagnostics;
    const auto graph = ReadFlexflowGraph(stream, "g", diagnostics);
    if (diagnostics.HasErrors())
    {
        return;
    }
    for (const bool parity : {false, true})
    {
        FlexflowOptions options;
        options.parity = parity;
        Diagnostics problems;
        FlexflowConverter converter(graph, options);
        const auto ranks = converter.Convert(problems);
        Require(problems.HasErrors() || !ranks.empty());
    }
}

/// @param content a text workload
inline void
ReadText(const std::string& content, const std::string& /* scratch */)
{
    Diagnostics diagnostics;
    diagnostics.Collect({}, [&] {
        TextWorkloadReader(content, "t", std::nullopt, diagnostics).Read();
    });
}

/// @param content a communicator group file, or what a METADATA node says of groups @param scratch
/// a path to write to
inline void
ReadGroups(const std::string& content, const std::string& scratch)
{
    std::ofstream(scratch, std::ios::binary) << content;
    Diagnostics diagnostics;
    ReadCommunicatorGroups(scratch, diagnostics);
    try
    {
        ParseProcessGroups(content);
    }
    catch (const InputError&)
    {
        return;
    }
}

/// @param content an execution trace of PyTorch's @param scratch a path to write to
inline void
ReadPytorch(const std::string& content, const std::string& scratch)
{
    std::ofstream(scratch, std::ios::binary) << content;
    Diagnostics diagnostics;
    ReadPytorchTrace(scratch, diagnostics);
}

/// @param content a Kineto trace @param scratch a path to write to
inline void
ReadKineto(const std::string& content, const std::string& scratch)
{
    std::ofstream(scratch, std::ios::binary) << content;
    Diagnostics diagnostics;
    ReadKinetoTrace(scratch, diagnostics);
}

/// A function above.
using Target = std::function<void(const std::string&, const std::string&)>;

/// @return all of them by name, which is that of the folder of their seeds
inline const std::map<std::string, Target>&
GetTargets()
{
    static const std::map<std::string, Target> TARGETS = {{"chakra-protobuf", ReadProtobuf},
                                                          {"chakra-legacy", ReadLegacy},
                                                          {"chakra-json", ReadJsonTrace},
                                                          {"flexflow", ReadFlexflow},
                                                          {"groups", ReadGroups},
                                                          {"kineto", ReadKineto},
                                                          {"pytorch", ReadPytorch},
                                                          {"text", ReadText}};
    return TARGETS;
}

} // namespace fuzz
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_READER_TARGETS_H
