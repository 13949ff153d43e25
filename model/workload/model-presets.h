/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MODEL_PRESETS_H
#define ML_CLUSTER_MODEL_PRESETS_H

#include "transformer-model.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Models of published sizes, each with its source. GPT sizes have the vocabulary of 51200 that
 * Megatron-LM pads GPT-2's to. Models without published sizes say what is our own.
 * @{
 */

/// @param name such as "gpt3-175b", or "GPT-3 175B": only letters and digits count @return the
/// model @throw InputError with the names most like it and all names if there is none of that name
TransformerModel FindModel(const std::string& name);

/// @return names of all models, smallest first of each kind
std::vector<std::string> GetModelNames();

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MODEL_PRESETS_H
