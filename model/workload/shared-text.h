/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SHARED_TEXT_H
#define ML_CLUSTER_SHARED_TEXT_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An immutable text of the size of a pointer; copies share it, also across threads. A graph can
 * have millions of nodes with few distinct names. Converts from and to what the library has for
 * texts.
 */
class SharedText
{
  public:
    SharedText() = default; ///< The empty text, which takes no further memory.
    /// @param text a text
    SharedText(std::string_view text);
    /// @param text a text
    SharedText(const std::string& text);
    /// @param text a text
    SharedText(const char* text);
    /// @param other a text, shared
    SharedText(const SharedText& other);
    /// @param other a text, which becomes empty
    SharedText(SharedText&& other) noexcept;
    ~SharedText(); ///< Frees the text if nothing else shares it.
    /// @param other a text, shared or taken @return this
    SharedText& operator=(SharedText other) noexcept;

    operator std::string_view() const; ///< @return the text, good as long as anything shares it
    operator std::string() const;      ///< @return a copy

    /**
     * What std::string has of the same name.
     * @{
     */
    bool empty() const;        ///< @return whether it has no characters
    std::size_t size() const;  ///< @return number of characters
    const char* c_str() const; ///< @return the characters and a zero
    /// @param position first character @param count characters at most @return that part
    std::string substr(std::size_t position, std::size_t count = std::string::npos) const;
    /// @param text a text @param position where to begin @return where it is first, or npos
    std::size_t find(std::string_view text, std::size_t position = 0) const;
    /// @param c a character @param position where to begin @return where it is first, or npos
    std::size_t find(char c, std::size_t position = 0) const;
    /// @param text a text @param position where to end @return where it is last, or npos
    std::size_t rfind(std::string_view text, std::size_t position = std::string::npos) const;
    /** @} */

  private:
    /// What is shared; the characters and a zero follow it.
    struct Block
    {
        std::atomic<uint32_t> nSharers; ///< number of those who share it
        uint32_t size;                  ///< number of characters
    };

    Block* m_block{nullptr}; ///< null for the empty text
};

/// @param a a text @param b a text @return whether they are equal
bool operator==(const SharedText& a, const SharedText& b);
/// @param a a text @param b a text @return whether they differ
bool operator!=(const SharedText& a, const SharedText& b);
/// @param a a text @param b a text @return whether a comes before b
bool operator<(const SharedText& a, const SharedText& b);
/// @param a a text @param b a text @return both in a row
std::string operator+(const SharedText& a, std::string_view b);
/// @param a a text @param b a text @return both in a row
std::string operator+(std::string_view a, const SharedText& b);
/// @param os a stream @param text goes there @return the stream
std::ostream& operator<<(std::ostream& os, const SharedText& text);

/**
 * @ingroup ml-cluster
 * Texts met of late, so that equal ones are shared. Forgets them all when there are too many: those
 * of a file that names each node anew would not be shared anyway.
 */
class SharedTextPool
{
  public:
    /// @param text a text @return it, shared with an equal one that was asked for before
    SharedText Get(std::string_view text);

  private:
    static constexpr std::size_t MOST_TEXTS = 1 << 16; ///< remembered

    std::unordered_map<std::string_view, SharedText> m_texts; ///< by their own characters
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SHARED_TEXT_H
