/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SEQUENCE_ALIGNMENT_H
#define ML_CLUSTER_SEQUENCE_ALIGNMENT_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A sequence of names, each stood for by a number.
 */
using NameSequence = std::vector<uint32_t>;

/**
 * @ingroup ml-cluster
 * Finds where one sequence is in another, without overlap, as the iterations of a loop are
 * (Knuth, Morris, Pratt: linear time).
 * @param part the sequence, not empty
 * @param whole the other
 * @return positions in `whole`, ascending
 */
std::vector<std::size_t> FindOccurrences(const NameSequence& part, const NameSequence& whole);

/**
 * @ingroup ml-cluster
 * Pairs equal names of two sequences in order, as many as possible (Myers' greedy algorithm, of
 * time and memory (length + distance) * distance).
 * @param first a sequence
 * @param second another
 * @param highestDistance names without partner, in both together, that are allowed
 * @return positions in both, ascending; nothing if the distance is higher
 */
std::vector<std::pair<std::size_t, std::size_t>> Align(const NameSequence& first,
                                                       const NameSequence& second,
                                                       std::size_t highestDistance);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SEQUENCE_ALIGNMENT_H
