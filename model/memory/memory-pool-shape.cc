/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-shape.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Looks through one shape.
class ShapeChecker
{
  public:
    /// @param shape what to check @param place where it is @param diagnostics takes problems
    ShapeChecker(const MemoryPoolShape& shape,
                 const Diagnostics::Place& place,
                 Diagnostics& diagnostics)
        : m_shape(shape),
          m_place(place),
          m_diagnostics(diagnostics)
    {
    }

    /// @param nRanks NPUs of the cluster
    void Check(uint32_t nRanks)
    {
        const bool hasCounts = CheckCounts();
        CheckRates();
        CheckLatencies();
        if (hasCounts)
        {
            CheckRanks(nRanks);
            CheckChunk();
        }
    }

  private:
    /// @param name of the value @param message what is wrong with it
    void Error(const std::string& name, const std::string& message)
    {
        Diagnostics::Place place = m_place;
        place.key += (place.key.empty() ? "" : ".") + name;
        m_diagnostics.Error(place, message);
    }

    /// @return whether the counts are usable
    bool CheckCounts()
    {
        const std::pair<const char*, uint32_t> counts[] = {
            {"groups", m_shape.groups},
            {"out-switches", m_shape.outSwitches},
            {"nodes", m_shape.nodes},
            {"gpus-per-node", m_shape.gpusPerNode},
        };
        bool isFine = true;
        for (const auto& [name, count] : counts)
        {
            if (count == 0)
            {
                Error(name, "is 0; a memory pool needs at least 1");
                isFine = false;
            }
        }
        return isFine &&
               CheckLinks("groups", m_shape.groups, "out-switches", m_shape.outSwitches) &&
               CheckLinks("out-switches", m_shape.outSwitches, "nodes", m_shape.nodes) &&
               CheckLinks("nodes", m_shape.nodes, "gpus-per-node", m_shape.gpusPerNode);
    }

    /// @param name of a count @param a its value @param other name of the next one @param b its
    /// value @return whether the links between them can be counted
    bool CheckLinks(const std::string& name, uint64_t a, const std::string& other, uint64_t b)
    {
        if (a * b <= std::numeric_limits<int32_t>::max())
        {
            return true;
        }
        Error(name,
              std::to_string(a) + ", with " + other + " of " + std::to_string(b) +
                  ", makes more than the 2147483647 links allowed");
        return false;
    }

    void CheckRates()
    {
        const std::pair<const char*, uint64_t> rates[] = {
            {"memory-bandwidth", m_shape.memoryBitRate},
            {"group-link-bandwidth", m_shape.groupLinkBitRate},
            {"node-link-bandwidth", m_shape.nodeLinkBitRate},
            {"gpu-link-bandwidth", m_shape.gpuLinkBitRate},
        };
        for (const auto& [name, bitRate] : rates)
        {
            if (bitRate == 0)
            {
                Error(name, "is 0, so that no access would end; give a rate, such as 100GB/s");
            }
        }
    }

    void CheckLatencies()
    {
        const std::pair<const char*, int64_t> latencies[] = {
            {"memory-latency", m_shape.memoryLatencyPs},
            {"group-link-latency", m_shape.groupLinkLatencyPs},
            {"node-link-latency", m_shape.nodeLinkLatencyPs},
            {"gpu-link-latency", m_shape.gpuLinkLatencyPs},
        };
        for (const auto& [name, latency] : latencies)
        {
            if (latency < 0)
            {
                Error(name, std::to_string(latency) + "ps is negative; allowed is 0 or more");
            }
        }
    }

    /// @param nRanks NPUs of the cluster; there are counts
    void CheckRanks(uint32_t nRanks)
    {
        const uint64_t gpus = uint64_t{m_shape.nodes} * m_shape.gpusPerNode;
        if (gpus != nRanks)
        {
            Error("nodes",
                  std::to_string(m_shape.nodes) + " of " + std::to_string(m_shape.gpusPerNode) +
                      " GPUs are " + std::to_string(gpus) + ", but the cluster has " +
                      std::to_string(nRanks) + " NPUs; nodes times gpus-per-node must be that");
        }
    }

    /// There are counts.
    void CheckChunk()
    {
        const uint64_t chunk = m_shape.chunkBytes;
        if (chunk == 0)
        {
            Error("chunk", "is 0, so that no access would end; give a size, such as 256KiB");
            return;
        }
        const uint64_t widest = std::max({uint64_t{m_shape.groups} * m_shape.outSwitches,
                                          uint64_t{m_shape.outSwitches} * m_shape.nodes,
                                          uint64_t{m_shape.nodes} * m_shape.gpusPerNode});
        const uint64_t least = (widest + m_shape.groups - 1) / m_shape.groups;
        if (chunk < least)
        {
            Error("chunk",
                  FormatBytes(chunk) + " cannot be split over the " + std::to_string(widest) +
                      " links of the widest layer of this pool; allowed is " + FormatBytes(least) +
                      " or more");
        }
        if (chunk > std::numeric_limits<int64_t>::max() / m_shape.groups)
        {
            Error("chunk",
                  FormatBytes(chunk) + " of each of " + std::to_string(m_shape.groups) +
                      " groups are more bytes than can be counted");
        }
    }

    const MemoryPoolShape& m_shape;    ///< what to check
    const Diagnostics::Place& m_place; ///< where it is
    Diagnostics& m_diagnostics;        ///< takes problems
};

} // namespace

void
MemoryPoolShape::Check(uint32_t nRanks,
                       const Diagnostics::Place& place,
                       Diagnostics& diagnostics) const
{
    ShapeChecker(*this, place, diagnostics).Check(nRanks);
}

} // namespace mlcluster
} // namespace ns3
