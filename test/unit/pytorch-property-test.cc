/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "converted-traces.h"

#include <map>
#include <random>

namespace ns3
{
namespace mlcluster
{
namespace
{

using traces::Call;
using traces::Kernel;
using traces::Node;
using traces::Operator;
using traces::PROCESS;
using traces::THREAD;

/// Makes random traces: threads with nested operators that launch operations on streams and wait
/// for them, at times that fit together.
class RandomTraces
{
  public:
    /// @param seed seed @param hasIds whether operators have record-function ids
    RandomTraces(uint32_t seed, bool hasIds)
        : m_random(seed),
          m_hasIds(hasIds)
    {
        nodes = {{1, PROCESS, 1, 0}, {2, THREAD, 1, 1}, {3, THREAD, 1, 2}};
        const uint32_t nOperators = 6 + Draw(12);
        for (uint32_t i = 0; i < nOperators; ++i)
        {
            const int64_t start = m_now;
            const int64_t thread = 1 + Draw(2);
            AddOperator(1 + thread, thread, 0);
            hostMicroseconds += m_now - start;
            m_now += Draw(5) == 0 ? 1500 : Draw(20);
        }
    }

    std::vector<Node> nodes;                             ///< execution trace
    std::vector<std::string> events;                     ///< Kineto trace
    int64_t hostMicroseconds{0};                         ///< time that threads spent in operators
    int64_t deviceMicroseconds{0};                       ///< sum over operations
    std::map<int64_t, std::vector<std::string>> streams; ///< names of operations, in order

  private:
    /// @param n a number @return one from 0 below it
    uint32_t Draw(uint32_t n)
    {
        return m_random() % n;
    }

    /// @param parent node that calls @param thread its thread @param depth of nesting
    void AddOperator(uint64_t parent, int64_t thread, int depth)
    {
        const uint64_t id = m_nextId++;
        const int64_t recordId = m_hasIds ? static_cast<int64_t>(id) : 0;
        const std::string name = "op" + std::to_string(Draw(4)) + "-" + std::to_string(thread);
        nodes.push_back({id, name, parent, thread, recordId});
        const int64_t start = m_now;
        m_now += Draw(10);
        const uint32_t nSteps = Draw(4);
        for (uint32_t i = 0; i < nSteps; ++i)
        {
            const uint32_t kind = Draw(4);
            kind == 0 && depth < 3 ? AddOperator(id, thread, depth + 1)
            : kind < 3             ? Launch(thread)
                                   : Synchronise(thread);
            m_now += Draw(3);
        }
        m_now += 1;
        events.push_back(
            Operator(name, 100 + thread, start, m_now - start, recordId, static_cast<int64_t>(id)));
    }

    /// @param thread a thread, which launches an operation
    void Launch(int64_t thread)
    {
        const int64_t stream = 7 + Draw(3);
        const int64_t duration = 1 + Draw(60);
        const std::string name = "k" + std::to_string(++m_correlation);
        events.push_back(Call("cudaLaunchKernel", 100 + thread, m_now, 2, m_correlation));
        const int64_t start = std::max(m_free[stream], m_now + 2);
        events.push_back(Kernel(name, stream, start, duration, m_correlation));
        m_free[stream] = start + duration;
        deviceMicroseconds += duration;
        streams[stream].push_back(name);
        m_now += 2;
    }

    /// @param thread a thread, which waits for the device
    void Synchronise(int64_t thread)
    {
        int64_t end = m_now + 1;
        for (const auto& [stream, free] : m_free)
        {
            end = std::max(end, free);
        }
        const char* const call = Draw(2) == 0 ? "cudaDeviceSynchronize" : "cudaStreamSynchronize";
        events.push_back(Call(call, 100 + thread, m_now, end - m_now, ++m_correlation));
        m_now = end;
    }

    std::mt19937 m_random;             ///< generator
    bool m_hasIds;                     ///< whether operators have ids
    uint64_t m_nextId{4};              ///< of nodes
    int64_t m_correlation{0};          ///< of calls
    int64_t m_now{1000};               ///< us
    std::map<int64_t, int64_t> m_free; ///< when streams are, us
};

using PytorchPropertyTest = ConvertedTracesTest; ///< converts random traces

TEST_F(PytorchPropertyTest, TimeIsKeptAndStreamsStayInOrder)
{
    for (uint32_t seed = 0; seed < 60; ++seed)
    {
        const RandomTraces random(seed, seed % 2 == 0);
        TraceLinkOptions link;
        link.synchronisations = false;
        const PytorchTrace plain = Link(random.nodes, random.events, link);
        ASSERT_EQ(m_errors, "");
        const auto converted = Convert(plain);
        const auto synchronised = Convert(Link(random.nodes, random.events));
        ASSERT_EQ(m_errors, "");
        ASSERT_EQ(converted.nodes.size(), synchronised.nodes.size());
        int64_t host = 0;
        int64_t device = 0;
        std::map<int64_t, std::vector<std::string>> streams;
        for (std::size_t i = 0; i < converted.nodes.size(); ++i)
        {
            const auto& node = converted.nodes[i];
            (node.onHost ? host : device) += node.durationPs;
            EXPECT_LE(synchronised.nodes[i].durationPs, node.durationPs);
            EXPECT_GE(synchronised.nodes[i].dependencies.size(), node.dependencies.size());
            if (!node.onHost)
            {
                streams[node.stream].push_back(node.name);
            }
        }
        EXPECT_EQ(host, 1000000 * random.hostMicroseconds) << seed;
        EXPECT_EQ(device, 1000000 * random.deviceMicroseconds) << seed;
        EXPECT_EQ(streams, random.streams) << seed;
    }
}

TEST_F(PytorchPropertyTest, WhatIsWaitedForStartedBefore)
{
    for (uint32_t seed = 100; seed < 150; ++seed)
    {
        const RandomTraces random(seed, true);
        const PytorchTrace trace = Link(random.nodes, random.events);
        ASSERT_EQ(m_errors, "");
        for (const auto& node : trace.nodes)
        {
            for (const uint64_t id : node.synchronisations)
            {
                EXPECT_LE(trace.nodes.at(id).startNs, node.startNs) << seed << " " << node.name;
            }
            if (node.hasEarlierThread)
            {
                EXPECT_LT(trace.nodes.at(node.earlierThread).startNs, node.startNs);
                EXPECT_NE(trace.nodes.at(node.earlierThread).thread, node.thread);
            }
        }
    }
}

} // namespace
} // namespace mlcluster
} // namespace ns3
