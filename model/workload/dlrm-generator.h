/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DLRM_GENERATOR_H
#define ML_CLUSTER_DLRM_GENERATOR_H

#include "cluster-workload.h"
#include "dlrm-model.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a recommendation model is trained.
 */
struct DlrmPlan
{
    uint32_t ranks{1};              ///< n
    uint64_t batch{1};              ///< B, samples of all ranks, a multiple of n
    uint64_t elementBytes{2};       ///< beta, of an element of the MLPs
    uint64_t gradientBytes{4};      ///< gamma, of their gradients
    uint64_t embeddingBytes{4};     ///< beta_e, of an element of tables, and of vectors exchanged
    uint64_t indexBytes{8};         ///< of an index of a row, and of a count of indices
    uint64_t bucketBytes{25 << 20}; ///< gradients of MLPs reduced at once; 0: all
    uint32_t steps{1};              ///< training steps, at least 1
};

/**
 * @ingroup ml-cluster
 * Makes the execution graphs of training a DLRM: MLPs data-parallel, embedding tables as they are
 * sharded. Of one rank, with its tables j (shards of d_j columns, of d for whole ones; pooling
 * l_j), N tables in all, and i bytes of an index:
 *
 * - lengths: all-to-all of i B/n bytes for each table of the receiver;
 * - indices, after lengths: all-to-all of i B/n l_j for each table of the receiver;
 * - lookup, after indices: B sum l_j d_j additions, B sum (beta_e l_j d_j + i l_j + beta_e d_j)
 * bytes;
 * - pooled, after lookup: all-to-all of beta_e B/n sum d_j to each rank;
 * - bottom: forward through the bottom MLP (LayeredSteps);
 * - interaction, after pooled and bottom: 2 B/n (N + 1)^2 d operations, beta B/n ((N + 1) d + d + N
 * (N
 *   + 1) / 2) bytes;
 * - top, loss and back through the top MLP, gradients all-reduced in buckets;
 * - interaction dX: twice the interaction;
 * - pooled gradients, after that: the all-to-all reversed;
 * - back through the bottom MLP, gradients all-reduced;
 * - update, after pooled gradients: 2 B sum l_j d_j operations, 3 beta_e B sum l_j d_j bytes;
 * - optimizer of P parameters of MLPs, after all all-reduces: 2 P operations, 3 gamma P bytes.
 *
 * Computation is in this order on one stream; communication overlaps it. Parts of the all-to-alls
 * are given for each rank where they are not all equal.
 *
 * Row-wise tables: every rank takes the lengths, and of the indices (rows are taken to be drawn
 * evenly) 1/n; it looks up 1/n of the rows for all samples; the sums are reduce-scattered, beta_e B
 * d bytes a table, and their gradients all-gathered. Column-wise ones: as table-wise ones of fewer
 * columns. Tables on every rank: own samples are looked up, "replicated lookup"; gradients of own
 * samples are added up in a whole table of gamma-byte numbers, which is all-reduced ("replicated
 * gradients") and added ("replicated update"): R d (gamma + 2 beta_e) bytes.
 *
 * Left out: loading and preparing data, unevenly drawn rows, caches, prefetching of the next step's
 * indices, momentum or state of an adaptive optimizer (row-wise Adagrad reads 1/d more).
 * @param model the model
 * @param plan how it is trained
 * @return the workload; ranks with equal shares share a graph
 * @throw InputError if model or plan contradict themselves, a number does not fit, or more than
 * 4096 ranks have unequal parts
 */
ClusterWorkload MakeDlrmWorkload(const DlrmModel& model, const DlrmPlan& plan);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DLRM_GENERATOR_H
