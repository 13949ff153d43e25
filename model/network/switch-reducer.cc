/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-reducer.h"

#include "ns3/log.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterSwitchReducer");

SwitchReducer::SwitchReducer(NetworkBackend& backend, uint32_t vertex, int64_t processingPs)
    : m_backend(backend),
      m_vertex(vertex),
      m_processingPs(processingPs)
{
    m_backend.SetEndpoint(vertex, this);
}

void
SwitchReducer::MessageLeft(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.destination << message.bytes);
}

void
SwitchReducer::MessageArrived(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.bytes);
    const auto set = m_incoming.try_emplace({message.tag.context, message.tag.index}).first;
    set->second.push_back(message);
    if (set->second.size() < message.atSwitch.nMembers)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetPicoSeconds();
    m_freeAtPs = GetEnd(std::max(now, m_freeAtPs), m_processingPs, [] {
        return std::string("the processing of a chunk in a switch");
    });
    Simulator::Schedule(PicoSeconds(m_freeAtPs - now),
                        [this, contributions = std::move(set->second)] { Answer(contributions); });
    m_incoming.erase(set);
}

void
SwitchReducer::Answer(const Messages& contributions)
{
    for (const NetworkMessage& contribution : contributions)
    {
        NetworkMessage answer = contribution;
        answer.source = m_vertex;
        answer.destination = contribution.source;
        answer.bytes = contribution.atSwitch.answerBytes;
        answer.tag.order = contribution.atSwitch.nMembers;
        answer.atSwitch = {};
        m_backend.Send(answer);
    }
}

} // namespace mlcluster
} // namespace ns3
