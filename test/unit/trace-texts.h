/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRACE_TEXTS_H
#define ML_CLUSTER_TRACE_TEXTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Texts of PyTorch execution traces and Kineto traces for tests.
namespace traces
{

/// @param items texts @return them, separated by commas
inline std::string
Join(const std::vector<std::string>& items)
{
    std::string text;
    for (const auto& item : items)
    {
        text += (text.empty() ? "" : ",\n") + item;
    }
    return text;
}

/// A node of an execution trace.
struct Node
{
    uint64_t id;                ///< id
    std::string name;           ///< name
    uint64_t parent;            ///< node that called it
    int64_t thread{1};          ///< tid
    int64_t recordId{0};        ///< rf_id
    std::string values{"[]"};   ///< inputs
    std::string types{"[]"};    ///< their types
    int64_t forwardParent{0};   ///< fw_parent
    std::string attributes{""}; ///< further attrs, with a comma in front

    /// @return it in the layout of schema 1.0.2
    std::string Nested() const
    {
        return "{\"id\": " + std::to_string(id) + ", \"name\": \"" + name +
               "\", \"ctrl_deps\": " + std::to_string(parent) +
               ", \"inputs\": {\"values\": " + values + ", \"shapes\": [], \"types\": " + types +
               "}, \"outputs\": {\"values\": [], \"shapes\": [], \"types\": []}, \"attrs\": [" +
               Attribute("rf_id", recordId) + ", " + Attribute("fw_parent", forwardParent) + ", " +
               Attribute("seq_id", -1) + ", " + Attribute("scope", 7) + ", " +
               Attribute("tid", thread) + ", " + Attribute("fw_tid", 0) +
               ", {\"name\": \"op_schema\", \"type\": \"string\", \"value\": \"" + name +
               "(...)\"}" + attributes + "]}";
    }

    /// @return it in the layout of schema 1.0.1
    std::string Flat() const
    {
        return "{\"name\": \"" + name + "\", \"id\": " + std::to_string(id) +
               ", \"rf_id\": " + std::to_string(recordId) +
               ", \"parent\": " + std::to_string(parent) +
               ", \"fw_parent\": " + std::to_string(forwardParent) +
               ", \"seq_id\": -1, \"scope\": 7, \"tid\": " + std::to_string(thread) +
               ", \"fw_tid\": 0, \"op_schema\": \"" + name + "(...)\", \"inputs\": " + values +
               ", \"input_shapes\": [], \"input_types\": " + types +
               ", \"outputs\": [], \"output_shapes\": [], \"output_types\": []}";
    }

    /// @param key name @param value value @return an attribute
    static std::string Attribute(const std::string& key, int64_t value)
    {
        return "{\"name\": \"" + key +
               "\", \"type\": \"int64\", \"value\": " + std::to_string(value) + "}";
    }
};

constexpr const char* PROCESS = "[pytorch|profiler|execution_trace|process]"; ///< its node's name
constexpr const char* THREAD = "[pytorch|profiler|execution_trace|thread]";   ///< likewise

/// @param nodes nodes @param flat layout @return an execution trace
inline std::string
ExecutionTrace(const std::vector<Node>& nodes, bool flat = false)
{
    std::vector<std::string> texts;
    for (const auto& node : nodes)
    {
        texts.push_back(flat ? node.Flat() : node.Nested());
    }
    return std::string("{\"schema\": \"") + (flat ? "1.0.1" : "1.0.2-chakra.0.0.4") +
           "\", \"pid\": 42, \"time\": \"2024-01-01 00:00:00\", \"start_ts\": 5, \"nodes\": [\n" +
           Join(texts) + "], \"finish_ts\": 9}";
}

/// @param category category @param name name @param line pid and tid @param ts start and dur, us
/// @param args content of args @return a complete event
inline std::string
Event(const std::string& category,
      const std::string& name,
      const std::pair<int64_t, int64_t>& line,
      const std::pair<std::string, std::string>& ts,
      const std::string& args)
{
    return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name +
           "\", \"pid\": " + std::to_string(line.first) +
           ", \"tid\": " + std::to_string(line.second) + ", \"ts\": " + ts.first +
           ", \"dur\": " + ts.second + ", \"args\": {" + args + "}}";
}

/// @param name name @param thread thread @param start us @param duration us @param recordId "Record
/// function id" @param externalId "External id" @return an operator
inline std::string
Operator(const std::string& name,
         int64_t thread,
         int64_t start,
         int64_t duration,
         int64_t recordId,
         int64_t externalId = 0)
{
    return Event("cpu_op",
                 name,
                 {42, thread},
                 {std::to_string(start), std::to_string(duration)},
                 "\"External id\": " + std::to_string(externalId > 0 ? externalId : start) +
                     (recordId > 0 ? ", \"Record function id\": " + std::to_string(recordId) : ""));
}

/// @param name name @param thread thread @param start us @param duration us @param correlation
/// correlation @return a call of the runtime
inline std::string
Call(const std::string& name, int64_t thread, int64_t start, int64_t duration, int64_t correlation)
{
    return Event("cuda_runtime",
                 name,
                 {42, thread},
                 {std::to_string(start), std::to_string(duration)},
                 "\"correlation\": " + std::to_string(correlation));
}

/// @param name name @param stream stream @param start us @param duration us @param correlation
/// correlation @param category category @return an operation of the device
inline std::string
Kernel(const std::string& name,
       int64_t stream,
       int64_t start,
       int64_t duration,
       int64_t correlation,
       const std::string& category = "kernel")
{
    return Event(category,
                 name,
                 {0, stream},
                 {std::to_string(start), std::to_string(duration)},
                 "\"correlation\": " + std::to_string(correlation) +
                     ", \"stream\": " + std::to_string(stream));
}

/// @param events events @param info content of distributedInfo @return a Kineto trace
inline std::string
Kineto(const std::vector<std::string>& events, const std::string& info = "")
{
    return "{\"schemaVersion\": 1, \"distributedInfo\": {" + info + "}, \"traceEvents\": [\n" +
           Join(events) + "]}";
}

} // namespace traces

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRACE_TEXTS_H
