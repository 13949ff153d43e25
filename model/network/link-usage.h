/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_USAGE_H
#define ML_CLUSTER_LINK_USAGE_H

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What one directed link carried up to now: what has left its sending end. Bytes that wait there
 * count only in maxQueueBytes.
 */
struct LinkUsage
{
    uint32_t link{0};         ///< index in the LinkGraph
    uint64_t payloadBytes{0}; ///< bytes of messages
    uint64_t wireBytes{0};    ///< bytes on the wire: headers and acknowledgements included
    int64_t busyPs{
        0}; ///< time the link was sending, ps; the sum over messages if links are not shared
    uint64_t maxQueueBytes{
        0}; ///< most that ever waited or was being sent at its sending end, bytes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_USAGE_H
