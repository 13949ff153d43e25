/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_LOADER_H
#define ML_CLUSTER_SCHEDULE_LOADER_H

#include "collective-algorithm.h"
#include "collective-verifier.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A collective algorithm that a user brought, and what it is meant for.
 */
struct LoadedSchedule
{
    std::shared_ptr<const CollectiveAlgorithm> algorithm;    ///< how
    std::optional<CollectiveType> type;                      ///< operation; none: any
    uint64_t minBytes{0};                                    ///< smallest buffer
    uint64_t maxBytes{std::numeric_limits<uint64_t>::max()}; ///< largest buffer
};

/**
 * @ingroup ml-cluster
 * Reads a collective algorithm; it is not proven yet.
 * @param path an MSCCL XML file (.xml, .xml.gz), or the prefix of Chakra files PREFIX.POSITION.et
 * @param type operation that Chakra files perform, which they do not say; none: any
 * @return the algorithm
 * @throw InputError with all problems of the files
 */
LoadedSchedule LoadSchedule(const std::string& path,
                            std::optional<CollectiveType> type = std::nullopt);

/**
 * @ingroup ml-cluster
 * Refuses an algorithm that does not perform a collective.
 * @param algorithm to verify
 * @param request the collective
 * @return the proof
 * @throw InputError with why it cannot do it, or all violations
 */
CollectiveProof RequireProof(const CollectiveAlgorithm& algorithm,
                             const CollectiveRequest& request);

/**
 * @ingroup ml-cluster
 * Reads a collective algorithm and verifies it.
 * @param path see LoadSchedule
 * @param request the collective it is to perform
 * @return the algorithm
 * @throw InputError with all problems of the files, or all violations
 */
std::shared_ptr<const CollectiveAlgorithm> LoadVerifiedSchedule(const std::string& path,
                                                                const CollectiveRequest& request);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_LOADER_H
