/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-options.h"

namespace ns3
{
namespace mlcluster
{

std::string
ParityAlgorithm::WhyNot(CollectiveType type, uint32_t size, bool isFlat) const
{
    if (kind == Kind::Ring || kind == Kind::Direct)
    {
        return "";
    }
    const bool isTree = kind == Kind::DoubleBinaryTree;
    const std::string name = isTree ? "doubleBinaryTree" : "halvingDoubling";
    if (isTree && isFlat)
    {
        return name + " has no trees for a group smaller than the network; use ring, direct or "
                      "halvingDoubling";
    }
    if (!isTree && type == CollectiveType::AllToAll)
    {
        return name + " has no all-to-all; use ring or direct";
    }
    if ((size & (size - 1)) != 0)
    {
        return name + " needs a power of two ranks, not " + std::to_string(size) +
               "; use ring or direct";
    }
    return "";
}

} // namespace mlcluster
} // namespace ns3
