/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SHORT_NAMES_H
#define ML_CLUSTER_SHORT_NAMES_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @param type short name, or TypeId name, of a NetworkBackend
 * @return the class
 * @throw InputError naming the known ones if it is none
 */
TypeId FindBackend(const std::string& type);

/**
 * @ingroup ml-cluster
 * @param type short name, or TypeId name, of a MemoryModel
 * @return the class
 * @throw InputError naming the known ones if it is none
 */
TypeId FindMemoryModel(const std::string& type);

/// @return the short names of memory models @ingroup ml-cluster
std::vector<std::string> GetMemoryModels();

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SHORT_NAMES_H
