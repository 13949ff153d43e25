/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_SIZE_H
#define ML_CLUSTER_MEMORY_SIZE_H

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @defgroup ml-cluster-memory-size Memory of containers
 * @ingroup ml-cluster
 * What containers of the GNU C++ library take, to tell how much memory a run needs.
 * @{
 */

/// @param bytes asked for @return what the GNU C library's heap takes for it: a header of 8 bytes,
/// rounded up to 16, at least 32; nothing for nothing
constexpr uint64_t
GetHeapBytes(uint64_t bytes)
{
    constexpr uint64_t HEADER = 8;
    constexpr uint64_t ALIGNMENT = 16;
    constexpr uint64_t LEAST = 32;
    return bytes == 0 ? 0
                      : std::max((bytes + HEADER + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, LEAST);
}

/// @param count of elements that were appended one by one @param bytes of one @return what the
/// vector takes: room for a power of two of them
constexpr uint64_t
GetGrownBytes(uint64_t count, uint64_t bytes)
{
    uint64_t capacity = count > 0 ? 1 : 0;
    while (capacity < count)
    {
        capacity *= 2;
    }
    return GetHeapBytes(capacity * bytes);
}

/// @param bytes of a value @return what a node of a std::map with that value takes
constexpr uint64_t
GetMapNodeBytes(uint64_t bytes)
{
    constexpr uint64_t LINKS = 32; // colour and three pointers
    return GetHeapBytes(LINKS + bytes);
}

/// @param bytes of a value @return what an entry of a std::unordered_map takes: next, hash, and a
/// place in the table
constexpr uint64_t
GetHashNodeBytes(uint64_t bytes)
{
    return GetHeapBytes(2 * sizeof(void*) + bytes) + sizeof(void*);
}

/// @tparam T type of the elements @param list a vector @return what it takes beside itself
template <typename T>
uint64_t
GetContentBytes(const std::vector<T>& list)
{
    return GetHeapBytes(list.capacity() * sizeof(T));
}

/// @param text a text @return what it takes beside itself
inline uint64_t
GetContentBytes(const std::string& text)
{
    constexpr std::size_t INSIDE = 15; // characters that need no memory of their own
    return text.capacity() > INSIDE ? GetHeapBytes(text.capacity() + 1) : 0;
}

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_SIZE_H
