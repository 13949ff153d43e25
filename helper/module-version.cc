/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "module-version.h"

#ifndef ML_CLUSTER_NS3_VERSION
#define ML_CLUSTER_NS3_VERSION "unknown"
#endif

namespace ns3
{
namespace mlcluster
{

std::string
GetModuleVersion()
{
    return "0.1.0";
}

std::string
GetNs3Version()
{
    return ML_CLUSTER_NS3_VERSION;
}

} // namespace mlcluster
} // namespace ns3
