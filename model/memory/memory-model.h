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
 * Remote memory as NPUs see it: an access starts now and ends when the model says. Chosen by TypeId
 * name.
 */
class MemoryModel : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    /**
     * Starts an access.
     * @param rank who accesses
     * @param bytes how much
     * @param isStore whether it writes
     * @param done called when the access has ended, never from within this call
     */
    virtual void Access(uint32_t rank,
                        uint64_t bytes,
                        bool isStore,
                        std::function<void()> done) = 0;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_MODEL_H
