/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-model.h"

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(MemoryModel);

TypeId
MemoryModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::MemoryModel").SetParent<Object>().SetGroupName("MlCluster");
    return tid;
}

} // namespace mlcluster
} // namespace ns3
