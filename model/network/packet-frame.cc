/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-frame.h"

#include "cluster-net-device.h"

namespace ns3
{
namespace mlcluster
{

void
PacketFrame::Notify()
{
    receiver->Receive(this);
}

} // namespace mlcluster
} // namespace ns3
