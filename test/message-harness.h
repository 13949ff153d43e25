/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MESSAGE_HARNESS_H
#define ML_CLUSTER_MESSAGE_HARNESS_H

#include "test-tools.h"

#include "ns3/network-backend.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster-tests
 * What a test sees of messages: a backend over a topology, with an endpoint on every rank that
 * writes down when each message left and arrived.
 *
 * Times are counted in picoseconds from the first harness on. The destructor destroys the
 * simulation.
 */
class MessageHarness
{
  public:
    /// One message and what became of it.
    struct Record
    {
        uint32_t source;       ///< rank
        uint32_t destination;  ///< rank
        uint64_t bytes;        ///< size
        int64_t sentPs;        ///< when it was sent
        int64_t leftPs{-1};    ///< when it left, or will leave; -1 if that is not known
        int64_t arrivedPs{-1}; ///< when it arrived; -1 if it did not
        uint32_t arrivals{0};  ///< how often it arrived
        uint32_t place{0};     ///< how many arrived before
        std::string toldTo{};  ///< kind of the endpoint that was told of the arrival

        /// @param o another @return whether all is equal
        bool operator==(const Record& o) const
        {
            return source == o.source && destination == o.destination && bytes == o.bytes &&
                   sentPs == o.sentPs && leftPs == o.leftPs && arrivedPs == o.arrivedPs &&
                   arrivals == o.arrivals && place == o.place;
        }
    };

    /**
     * @param dimensions shape, innermost first
     * @param type TypeId name of the backend
     * @param attributes its attributes, as text
     * @param attachment what is attached
     */
    MessageHarness(const std::vector<TopologyDimension>& dimensions,
                   const std::string& type,
                   std::initializer_list<std::pair<std::string, std::string>> attributes = {},
                   const GraphAttachment& attachment = {})
        : MessageHarness(dimensions, Create(type, attributes), attachment)
    {
    }

    /// @param dimensions shape, innermost first @param backend not yet built @param attachment what
    /// is attached
    MessageHarness(const std::vector<TopologyDimension>& dimensions,
                   Ptr<NetworkBackend> backend,
                   const GraphAttachment& attachment = {})
        : m_graph(std::make_shared<LinkGraph>(ClusterTopology(dimensions), attachment)),
          m_backend(backend),
          m_endpoint(this, "rank"),
          m_attachedEndpoint(this, "attached end")
    {
        tests::UsePicoseconds();
        NodeContainer npus;
        npus.Create(m_graph->GetNRanks());
        m_backend->Build(m_graph, npus);
        for (uint32_t rank = 0; rank < m_graph->GetNRanks(); ++rank)
        {
            m_backend->SetEndpoint(rank, &m_endpoint);
        }
        for (uint32_t end = m_graph->GetFirstAttachedEnd(); end < m_graph->GetNVertices(); ++end)
        {
            m_backend->SetEndpoint(end, &m_attachedEndpoint);
        }
    }

    ~MessageHarness()
    {
        Simulator::Destroy();
    }

    /// @param source rank @param destination rank @param bytes size @param timePs when to send
    /// @param priority of the message
    void Send(uint32_t source,
              uint32_t destination,
              uint64_t bytes,
              int64_t timePs = 0,
              int32_t priority = 0)
    {
        NetworkMessage message;
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.nodeId = m_records.size();
        message.priority = priority;
        m_records.push_back({source, destination, bytes, timePs});
        Simulator::Schedule(PicoSeconds(timePs), [this, message] {
            m_records[message.nodeId].leftPs = m_backend->Send(message).value_or(-1);
        });
    }

    /// @param untilPs when to stop; 0: when nothing is left to do @return what became of each
    /// message, in order of Send calls
    const std::vector<Record>& Run(int64_t untilPs = 0)
    {
        if (untilPs > 0)
        {
            Simulator::Stop(PicoSeconds(untilPs) - Simulator::Now());
        }
        Simulator::Run();
        return m_records;
    }

    /// @return the backend
    NetworkBackend& GetBackend()
    {
        return *m_backend;
    }

    /// @return what exists
    const LinkGraph& GetGraph() const
    {
        return *m_graph;
    }

  private:
    /// Writes down what it is told.
    class Endpoint : public MessageEndpoint
    {
      public:
        /// @param harness whose records to write @param kind of vertex
        Endpoint(MessageHarness* harness, const std::string& kind)
            : m_harness(harness),
              m_kind(kind)
        {
        }

        void MessageLeft(const NetworkMessage& message) override
        {
            m_harness->m_records[message.nodeId].leftPs = Simulator::Now().GetPicoSeconds();
        }

        void MessageArrived(const NetworkMessage& message) override
        {
            Record& record = m_harness->m_records[message.nodeId];
            record.arrivedPs = Simulator::Now().GetPicoSeconds();
            record.place = m_harness->m_arrived++;
            ++record.arrivals;
            record.toldTo = m_kind;
        }

      private:
        MessageHarness* m_harness; ///< whose records to write
        std::string m_kind;        ///< of vertex
    };

    /// @param type TypeId name @param attributes as text @return the backend
    static Ptr<NetworkBackend> Create(
        const std::string& type,
        std::initializer_list<std::pair<std::string, std::string>> attributes)
    {
        ObjectFactory factory(type);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        return factory.Create<NetworkBackend>();
    }

    std::shared_ptr<const LinkGraph> m_graph; ///< what exists
    Ptr<NetworkBackend> m_backend;            ///< under test
    Endpoint m_endpoint;                      ///< of every rank
    Endpoint m_attachedEndpoint;              ///< of every attached end
    std::vector<Record> m_records;            ///< by message
    uint32_t m_arrived{0};                    ///< messages arrived
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MESSAGE_HARNESS_H
