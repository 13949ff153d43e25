/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RARE_LIST_H
#define ML_CLUSTER_RARE_LIST_H

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A list of the size of a pointer while it is empty, as it is for most of millions of nodes.
 * Converts from and to std::vector and has what that has of the same name.
 * @tparam T type of the elements
 */
template <typename T>
class RareList
{
  public:
    using List = std::vector<T>;                          ///< what it holds
    using value_type = T;                                 ///< type of the elements
    using const_iterator = typename List::const_iterator; ///< to one of them

    /// The empty list.
    RareList() = default;

    /// @param list its elements
    RareList(List list)
        : m_list(list.empty() ? nullptr : std::make_unique<List>(std::move(list)))
    {
    }

    /// @param list its elements
    RareList(std::initializer_list<T> list)
        : RareList(List(list))
    {
    }

    /// @param other what to copy
    RareList(const RareList& other)
        : RareList(other.Get())
    {
    }

    /// @param other gives its elements away
    RareList(RareList&& other) noexcept = default;
    ~RareList() = default; ///< Frees the elements.

    /// @param other what to copy or take @return this
    RareList& operator=(RareList other) noexcept
    {
        std::swap(m_list, other.m_list);
        return *this;
    }

    /// @return the elements
    const List& Get() const
    {
        static const List EMPTY;
        return m_list ? *m_list : EMPTY;
    }

    /// @return the elements
    operator const List&() const
    {
        return Get();
    }

    /// @return whether there are none
    bool empty() const
    {
        return Get().empty();
    }

    /// @return how many there are
    std::size_t size() const
    {
        return Get().size();
    }

    /// @return the first
    const_iterator begin() const
    {
        return Get().begin();
    }

    /// @return behind the last
    const_iterator end() const
    {
        return Get().end();
    }

    /// @param index index of one @return it
    T operator[](std::size_t index) const
    {
        return Get()[index];
    }

    /// @param value becomes the last
    void push_back(T value)
    {
        if (!m_list)
        {
            m_list = std::make_unique<List>();
        }
        m_list->push_back(value);
    }

    /// @tparam Iterator to what to copy @param first the first @param last behind the last
    template <typename Iterator>
    void assign(Iterator first, Iterator last)
    {
        *this = List(first, last);
    }

    /// @param a a list @param b another @return whether they are equal
    friend bool operator==(const RareList& a, const RareList& b)
    {
        return a.Get() == b.Get();
    }

    /// @param a a list @param b another @return whether they differ
    friend bool operator!=(const RareList& a, const RareList& b)
    {
        return !(a == b);
    }

    /// @param a a list @param b another @return whether a comes before b
    friend bool operator<(const RareList& a, const RareList& b)
    {
        return a.Get() < b.Get();
    }

  private:
    std::unique_ptr<List> m_list; ///< null if empty
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RARE_LIST_H
