/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_PAGE_H
#define ML_CLUSTER_GRAPH_PAGE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A part of an execution graph: what is known of some nodes that follow each other. It is in
 * memory, or packed in a file until somebody asks for it (see GraphPagePool). Immutable once it is
 * in the pool, so it is written once at most. Not for several threads.
 */
class GraphPage
{
  public:
    /**
     * Keeps a page in memory, and what refers to its content good. There are few at a time.
     */
    class Pin
    {
      public:
        /// @param page the page, which is fetched if it is away; throws InputError if the file
        /// fails
        explicit Pin(GraphPage& page)
            : m_page(&page)
        {
            page.Touch();
            ++page.m_nPins;
        }

        /// @param other another one of the same page
        Pin(const Pin& other)
            : m_page(other.m_page)
        {
            ++m_page->m_nPins;
        }

        /// Lets the page go.
        ~Pin()
        {
            --m_page->m_nPins;
        }

        /// @param other another one @return this, of its page
        Pin& operator=(const Pin& other)
        {
            ++other.m_page->m_nPins;
            --m_page->m_nPins;
            m_page = other.m_page;
            return *this;
        }

      private:
        GraphPage* m_page; ///< the page
    };

    static constexpr uint32_t SIZE = 256; ///< nodes of a page but for the last of a graph

    GraphPage() = default;                           ///< Is in no pool yet.
    GraphPage(const GraphPage&) = delete;            ///< not copied
    GraphPage& operator=(const GraphPage&) = delete; ///< not copied
    virtual ~GraphPage();                            ///< Leaves the pool.

    void Close(); ///< Hands the page, whose content is complete, to the pool.

    /// Fetches the page if it is away; it stays up to the next page that is touched.
    void Touch()
    {
        if (!m_isHere)
        {
            Fetch();
        }
        m_wasUsed = true;
    }

  protected:
    /// @return bytes of memory of the content, about
    virtual std::size_t CountBytes() const = 0;
    /// @param bytes receives the content, packed, at its end
    virtual void Pack(std::string& bytes) const = 0;
    /// @param bytes content as Pack gives it; restores it
    virtual void Unpack(const std::string& bytes) = 0;
    virtual void Clear() = 0; ///< Frees the content.

  private:
    friend class GraphPagePool;

    void Fetch(); ///< Brings the content back.

    bool m_isHere{true};          ///< whether the content is in memory
    bool m_wasUsed{false};        ///< whether it was asked for of late
    bool m_isInPool{false};       ///< whether the pool knows it
    uint32_t m_nPins{0};          ///< pins
    std::size_t m_packedBytes{0}; ///< size in the file; 0: is not there
    std::size_t m_slot{0};        ///< place among the pages of the pool that are here
    std::size_t m_bytes{0};       ///< memory of the content
    uint64_t m_offset{0};         ///< place in the file
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_PAGE_H
