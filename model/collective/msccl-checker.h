/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MSCCL_CHECKER_H
#define ML_CLUSTER_MSCCL_CHECKER_H

#include "msccl-document.h"

#include "ns3/diagnostics.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster-msccl
 * Checks what a document says beyond its grammar: sizes of buffers, offsets, peers, dependencies,
 * and that each connection (sender, receiver, channel) is one thread block's at either end and has
 * as many receives as sends, of the same chunks in order.
 * @param document read without errors
 * @param diagnostics receives all problems, with lines
 */
void CheckMscclDocument(const MscclDocument& document, Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MSCCL_CHECKER_H
