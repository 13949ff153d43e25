/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MODULE_VERSION_H
#define ML_CLUSTER_MODULE_VERSION_H

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @return version of this module, such as "0.1.0"
 */
std::string GetModuleVersion();

/**
 * @ingroup ml-cluster
 * @return version of the ns-3 tree it was built in, such as "3.37"; "unknown" if the build did not
 * tell
 */
std::string GetNs3Version();

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MODULE_VERSION_H
