/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-pcap-helper.h"

#include "ns3/boolean.h"
#include "ns3/cluster-net-device.h"
#include "ns3/diagnostics.h"
#include "ns3/pcap-file-wrapper.h"

namespace ns3
{
namespace mlcluster
{

void
ClusterPcapHelper::EnablePcapInternal(std::string prefix,
                                      Ptr<NetDevice> device,
                                      bool /* promiscuous */,
                                      bool explicitFilename)
{
    const auto clusterDevice = DynamicCast<ClusterNetDevice>(device);
    if (!clusterDevice)
    {
        return;
    }
    PcapHelper pcap;
    const std::string name =
        explicitFilename ? prefix : pcap.GetFilenameFromDevice(prefix, clusterDevice);
    const auto file = CreateObject<PcapFileWrapper>();
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Open(name, std::ios::out);
    if (file->Fail())
    {
        throw InputError("packet capture \"" + name + "\" cannot be written");
    }
    file->Init(PcapHelper::DLT_EN10MB);
    pcap.HookDefaultSink<ClusterNetDevice>(clusterDevice, "PromiscSniffer", file);
}

} // namespace mlcluster
} // namespace ns3
