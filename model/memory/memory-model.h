/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_MODEL_H
#define ML_CLUSTER_MEMORY_MODEL_H

#include "ns3/object.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A load from remote memory, or a store to it.
 */
struct MemoryRequest
{
    uint32_t rank{0};    ///< who accesses
    uint64_t bytes{0};   ///< how much
    bool isStore{false}; ///< whether it writes
};

/**
 * @ingroup ml-cluster
 * Remote memory as NPUs see it: an access starts now and ends when the model says. Chosen by TypeId
 * name.
 */
class MemoryModel : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    /**
     * Builds the memory of a cluster, once, before the first access.
     * @param nRanks NPUs
     * @throw InputError if attributes do not fit together or that number
     */
    virtual void Build(uint32_t nRanks) = 0;

    /**
     * Starts an access.
     * @param request what is accessed
     * @param done called when the access has ended, never from within this call
     */
    virtual void Access(const MemoryRequest& request, std::function<void()> done) = 0;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_MODEL_H
