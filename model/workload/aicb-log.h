/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_AICB_LOG_H
#define ML_CLUSTER_AICB_LOG_H

#include "cluster-workload.h"

#include <memory>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads a workload log of AICB ("physical" workload): what every rank of a training job
 * communicates, one operation after the other. Its first line states the ranks, "[rank0 ~
 * rank127]"; then comes a table with at least the columns
 *
 * - comm_type: CommType.all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce,
 *   barrier, computation or epoch_end (which only marks a place);
 * - comm_group: CommGroup.tp_group (ranks in a row), ep_group, ep_dp_group, dp_group (ranks as far
 *   apart as there are in a tensor group) or all, and comm_group_size, equal wherever the group is;
 * - msg_size: bytes of the whole buffer; the shard of an all-gather is that divided by the group's
 *   size, rounded up;
 * - stage, of which nodes have their names;
 * - src: position of the root in its group, the first if None;
 * - _elapsed_time: of computations, ms;
 * - count, which must be 1.
 *
 * Each operation waits for the one before. Times of communication are not used. Refused with a
 * reason, as the log does not say enough: isend and irecv of pipelines, which ranks of another
 * stage would have to match, and computations without a time. Graphs are shared by the ranks whose
 * groups have the same roots.
 * @param path the file
 * @param withInitialisation whether to keep operations whose stage begins with "init"
 * @param diagnostics receives problems with line and column
 * @return the workload (not yet checked, see ClusterWorkload::Check), or null after errors
 */
std::shared_ptr<const ClusterWorkload> ReadAicbLog(const std::string& path,
                                                   bool withInitialisation,
                                                   Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_AICB_LOG_H
