/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PRIORITY_LINE_H
#define ML_CLUSTER_PRIORITY_LINE_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What waits for its turn: the largest priority goes next, first come, first served among equals.
 * @tparam T what waits
 */
template <typename T>
class PriorityLine
{
  public:
    /// @return whether nothing waits
    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /// @param item comes last among its equals @param priority larger goes first
    void Push(T item, int32_t priority)
    {
        m_entries.push_back({priority, m_nPushed++, std::move(item)});
        std::push_heap(m_entries.begin(), m_entries.end());
    }

    /// @return what goes next, which must exist
    const T& GetFirst() const
    {
        return m_entries.front().item;
    }

    /// @return what goes next, which must exist, taken out
    T Pop()
    {
        std::pop_heap(m_entries.begin(), m_entries.end());
        T item = std::move(m_entries.back().item);
        m_entries.pop_back();
        return item;
    }

  private:
    /// An item that waits.
    struct Entry
    {
        int32_t priority; ///< larger goes first
        uint64_t order;   ///< items before it
        T item;           ///< what waits

        /// @param o another @return whether the other goes first
        bool operator<(const Entry& o) const
        {
            return priority == o.priority ? order > o.order : priority < o.priority;
        }
    };

    std::vector<Entry> m_entries; ///< a heap
    uint64_t m_nPushed{0};        ///< items so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PRIORITY_LINE_H
