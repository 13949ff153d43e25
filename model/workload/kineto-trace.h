/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_KINETO_TRACE_H
#define ML_CLUSTER_KINETO_TRACE_H

#include "pytorch-trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An event of a Kineto trace.
 */
struct KinetoEvent
{
    using Line = std::pair<int64_t, int64_t>; ///< process and thread, or device and stream

    std::string name;                   ///< of the operator, call or kernel
    std::string category;               ///< cpu_op, kernel, ...
    Line line;                          ///< where it ran
    int64_t startNs{0};                 ///< start, ns
    int64_t durationNs{0};              ///< duration, ns
    std::optional<int64_t> externalId;  ///< "External id"
    int64_t recordId{0};                ///< "Record function id", 0 if there is none
    std::optional<int64_t> correlation; ///< links a call and what it launched
    std::string group;                  ///< "Process Group Name"

    int64_t GetEndNs() const; ///< @return end, ns
};

/**
 * @ingroup ml-cluster
 * A synchronisation, of category cuda_sync. Its line is the device and stream that waits.
 */
struct KinetoSynchronisation
{
    KinetoEvent event;                 ///< the event, its name the kind of synchronisation
    int64_t waitOnStream{-1};          ///< stream on which the CUDA event was recorded, -1: none
    std::optional<int64_t> recordCall; ///< correlation of the call that recorded the CUDA event
};

/**
 * @ingroup ml-cluster
 * A Kineto trace, one process of a job. Kept are complete events (ph X) of the host's operators and
 * annotations, of the runtime's and driver's calls, of the device, and synchronisations; flow
 * events, metadata, instants, Python functions and spans are passed over.
 */
struct KinetoTrace
{
    std::string file;                   ///< path
    std::vector<KinetoEvent> operators; ///< cpu_op and user_annotation, by start, longer ones first
    std::vector<KinetoEvent> calls;     ///< cuda_runtime and cuda_driver, by start
    std::vector<KinetoEvent> operations; ///< kernel, gpu_memcpy and gpu_memset, by start
    std::vector<KinetoSynchronisation> synchronisations; ///< cuda_sync, by start
    uint64_t profilerSteps{0};        ///< annotations ProfilerStep, which are not among these
    std::vector<ProcessGroup> groups; ///< process groups of the job
    std::optional<uint32_t> rank;     ///< rank of the process
    uint64_t worldSize{0};            ///< processes of the job, 0 if not recorded
};

/**
 * @ingroup ml-cluster
 * Reads a trace: an object with traceEvents, or just the array of events.
 * @param path the file, plain or gzip
 * @param diagnostics receives problems
 * @return the trace; unusable if diagnostics gained errors
 */
KinetoTrace ReadKinetoTrace(const std::string& path, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_KINETO_TRACE_H
