/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAIN_NUMBER_H
#define ML_CLUSTER_PLAIN_NUMBER_H

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads numbers without unit, whole or not at all. Wrong ones are an InputError that says what is
 * allowed.
 * @{
 */

/// @param text a whole number, as ParseCount has it @param largest allowed @return the number
uint64_t ParseLimitedCount(const std::string& text, uint64_t largest);

/// @param text a number such as "1.5" or "1.2e14" @return the number, finite
double ParseNumber(const std::string& text);

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAIN_NUMBER_H
