/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORD_LIST_H
#define ML_CLUSTER_WORD_LIST_H

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Cuts a list that a user typed.
 * @param text such as "analytical, packet"
 * @param separator between its words
 * @return the words without blanks around them, at least one; empty ones are kept
 */
std::vector<std::string> SplitWords(const std::string& text, char separator);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORD_LIST_H
