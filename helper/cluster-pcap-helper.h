/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_PCAP_HELPER_H
#define ML_CLUSTER_CLUSTER_PCAP_HELPER_H

#include "ns3/trace-helper.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Packet captures of a PacketBackend's devices, as every ns-3 helper gives them: EnablePcap for a
 * device, nodes or a prefix, EnablePcapAll. Files have link type Ethernet and hold RoCEv2 packets;
 * time stamps are in nanoseconds, since a 4 KiB packet at 400 Gb/s takes 82 ns. How much of each
 * packet is kept is the attribute CaptureSize of ns3::PcapFileWrapper.
 */
class ClusterPcapHelper : public PcapHelperForDevice
{
  private:
    /**
     * Writes a capture of one device.
     * @param prefix file name prefix, or the file name itself
     * @param device the device; one that is no ClusterNetDevice is passed over
     * @param promiscuous without meaning: a cable carries nothing for others
     * @param explicitFilename whether prefix is the file name itself
     * @throw InputError if the file cannot be written
     */
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> device,
                            bool promiscuous,
                            bool explicitFilename) override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_PCAP_HELPER_H
