/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sequence-alignment.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>; ///< short

/// Myers' algorithm: on diagonal k (first minus second position) the furthest position that d names
/// without partner reach, for d = 0, 1, ...
class Aligner
{
  public:
    /// @param first a sequence @param second another
    Aligner(const NameSequence& first, const NameSequence& second)
        : m_first(first),
          m_second(second)
    {
    }

    /// @param highest distance allowed @return the pairs
    Pairs Run(std::size_t highest);

  private:
    /// @param d distance @return whether the ends are reached
    bool Advance(int64_t d);
    /// @param d distance @param k diagonal @return whether the way to it leaves out a name of the
    /// second sequence
    bool ComesFromAbove(int64_t d, int64_t k) const;
    /// @param d distance @param k diagonal @return furthest position in the first sequence
    int64_t Get(int64_t d, int64_t k) const;
    Pairs Trace(int64_t d) const; ///< @param d distance @return the pairs on the way

    const NameSequence& m_first;                 ///< a sequence
    const NameSequence& m_second;                ///< another
    std::vector<std::vector<int64_t>> m_reached; ///< per d and (k + d) / 2
};

Pairs
Aligner::Run(std::size_t highest)
{
    for (int64_t d = 0; d <= static_cast<int64_t>(highest); ++d)
    {
        if (Advance(d))
        {
            return Trace(d);
        }
    }
    return {};
}

int64_t
Aligner::Get(int64_t d, int64_t k) const
{
    return m_reached[d][(k + d) / 2];
}

bool
Aligner::ComesFromAbove(int64_t d, int64_t k) const
{
    return k == -d || (k != d && Get(d - 1, k - 1) < Get(d - 1, k + 1));
}

bool
Aligner::Advance(int64_t d)
{
    const auto n = static_cast<int64_t>(m_first.size());
    const auto m = static_cast<int64_t>(m_second.size());
    m_reached.emplace_back(d + 1);
    for (int64_t k = -d; k <= d; k += 2)
    {
        int64_t x = d == 0 ? 0 : ComesFromAbove(d, k) ? Get(d - 1, k + 1) : Get(d - 1, k - 1) + 1;
        while (x < n && x - k < m && x - k >= 0 && m_first[x] == m_second[x - k])
        {
            ++x;
        }
        m_reached[d][(k + d) / 2] = x;
        if (x >= n && x - k >= m)
        {
            return true;
        }
    }
    return false;
}

Pairs
Aligner::Trace(int64_t d) const
{
    Pairs pairs;
    auto x = static_cast<int64_t>(m_first.size());
    int64_t k = x - static_cast<int64_t>(m_second.size());
    for (; d >= 0; --d)
    {
        const bool fromAbove = d > 0 && ComesFromAbove(d, k);
        const int64_t next = fromAbove ? k + 1 : k - 1;
        const int64_t begin = d == 0 ? 0 : fromAbove ? Get(d - 1, next) : Get(d - 1, next) + 1;
        for (; x > begin; --x)
        {
            pairs.emplace_back(x - 1, x - 1 - k);
        }
        x = d == 0 ? 0 : Get(d - 1, next);
        k = next;
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace

std::vector<std::size_t>
FindOccurrences(const NameSequence& part, const NameSequence& whole)
{
    std::vector<std::size_t> border(part.size(), 0);
    for (std::size_t i = 1, length = 0; i < part.size();)
    {
        if (part[i] == part[length])
        {
            border[i++] = ++length;
        }
        else if (length > 0)
        {
            length = border[length - 1];
        }
        else
        {
            ++i;
        }
    }
    std::vector<std::size_t> positions;
    std::size_t length = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
    {
        while (length > 0 && whole[i] != part[length])
        {
            length = border[length - 1];
        }
        length += whole[i] == part[length] ? 1 : 0;
        if (length == part.size())
        {
            positions.push_back(i + 1 - length);
            length = 0;
        }
    }
    return positions;
}

std::vector<std::pair<std::size_t, std::size_t>>
Align(const NameSequence& first, const NameSequence& second, std::size_t highestDistance)
{
    return Aligner(first, second).Run(highestDistance);
}

} // namespace mlcluster
} // namespace ns3
