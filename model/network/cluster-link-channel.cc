/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-link-channel.h"

#include "cluster-net-device.h"
#include "packet-frame.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterLinkChannel");
NS_OBJECT_ENSURE_REGISTERED(ClusterLinkChannel);

TypeId
ClusterLinkChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::mlcluster::ClusterLinkChannel")
                            .SetParent<Channel>()
                            .SetGroupName("MlCluster")
                            .AddConstructor<ClusterLinkChannel>()
                            .AddAttribute("Delay",
                                          "Propagation delay of the cable.",
                                          TimeValue(Time(0)),
                                          MakeTimeAccessor(&ClusterLinkChannel::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

ClusterLinkChannel::ClusterLinkChannel() = default;

ClusterLinkChannel::~ClusterLinkChannel() = default;

void
ClusterLinkChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_ends = {};
    m_nDevices = 0;
    Channel::DoDispose();
}

void
ClusterLinkChannel::Attach(Ptr<ClusterNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ASSERT_MSG(m_nDevices < m_ends.size(), "a cable has two ends");
    m_ends[m_nDevices] = {device, device->GetNode()->GetId()};
    ++m_nDevices;
}

void
ClusterLinkChannel::Carry(const ClusterNetDevice* from, PacketFrame* frame, int64_t sendingPs)
{
    NS_LOG_FUNCTION(this << from << frame << sendingPs);
    const End& end = GetOtherEnd(from);
    frame->receiver = PeekPointer(end.device);
    frame->Ref();
    Simulator::ScheduleWithContext(end.nodeId, m_delay + TimeStep(sendingPs), frame);
}

Ptr<ClusterNetDevice>
ClusterLinkChannel::GetPeer(const ClusterNetDevice* device) const
{
    return GetOtherEnd(device).device;
}

const ClusterLinkChannel::End&
ClusterLinkChannel::GetOtherEnd(const ClusterNetDevice* device) const
{
    return m_ends[PeekPointer(m_ends[0].device) == device ? 1 : 0];
}

std::size_t
ClusterLinkChannel::GetNDevices() const
{
    return m_nDevices;
}

Ptr<NetDevice>
ClusterLinkChannel::GetDevice(std::size_t i) const
{
    return m_ends[i].device;
}

} // namespace mlcluster
} // namespace ns3
