/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CONTEXT_TABLE_H
#define ML_CLUSTER_CONTEXT_TABLE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Values by the context of a collective (see MessageTag), of which a run can have millions: 32 bits
 * number of its group, 32 bits its ordinal among those of the group. Both are dense, so that a
 * value costs its own size, and finding it two steps.
 * @tparam T type of the values
 */
template <typename T>
class ContextTable
{
  public:
    /// @param group number of a group @param ordinal of a collective of it @return its context
    static uint64_t MakeContext(uint64_t group, uint32_t ordinal)
    {
        return group << ORDINAL_BITS | ordinal;
    }

    /// @param context of a collective @return its value, made if there was none
    T& operator[](uint64_t context)
    {
        const std::size_t group = context >> ORDINAL_BITS;
        if (group >= m_groups.size())
        {
            m_groups.resize(group + 1);
        }
        auto& values = m_groups[group];
        const std::size_t ordinal = context & ORDINAL_MASK;
        if (ordinal >= values.size())
        {
            values.resize(ordinal + 1);
        }
        return values[ordinal];
    }

    /// @param context of a collective @return its value; null if there is none
    const T* Find(uint64_t context) const
    {
        const std::size_t group = context >> ORDINAL_BITS;
        const std::size_t ordinal = context & ORDINAL_MASK;
        const bool isThere = group < m_groups.size() && ordinal < m_groups[group].size();
        return isThere ? &m_groups[group][ordinal] : nullptr;
    }

    /// @tparam Visit callable with a context and a value @param visit called for each, by ascending
    /// context; also for those between that were made along with a larger ordinal
    template <typename Visit>
    void VisitAll(const Visit& visit) const
    {
        for (std::size_t group = 0; group < m_groups.size(); ++group)
        {
            for (std::size_t ordinal = 0; ordinal < m_groups[group].size(); ++ordinal)
            {
                visit(MakeContext(group, ordinal), m_groups[group][ordinal]);
            }
        }
    }

    /// @return values for which there is room
    std::size_t GetCapacity() const
    {
        std::size_t capacity = 0;
        for (const auto& values : m_groups)
        {
            capacity += values.capacity();
        }
        return capacity;
    }

  private:
    static constexpr uint32_t ORDINAL_BITS = 32;          ///< below the group's number
    static constexpr uint64_t ORDINAL_MASK = 0xffff'ffff; ///< those bits

    std::vector<std::vector<T>> m_groups; ///< by group and ordinal
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CONTEXT_TABLE_H
