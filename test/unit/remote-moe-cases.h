/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REMOTE_MOE_CASES_H
#define ML_CLUSTER_REMOTE_MOE_CASES_H

#include "ns3/remote-moe-generator.h"

namespace ns3
{
namespace mlcluster
{

/// @return two ranks with two experts each in two layers of 2 dense parameters and experts of 5
inline RemoteMoeModel
MakeSmall()
{
    RemoteMoeModel model;
    model.ranks = 2;
    model.parameters = 44;
    model.layers = 2;
    model.expertsPerRank = 2;
    model.denseFraction = 0.1;
    model.hiddenSize = 3;
    model.tokens = 7;
    model.topExperts = 3;
    model.gradientBytes = 4;
    return model;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REMOTE_MOE_CASES_H
