/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKED_NUMBERS_H
#define ML_CLUSTER_PACKED_NUMBERS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads numbers and texts back that were packed one after the other: numbers in base 128, seven
 * bits a byte, the lowest first. For what this process has packed itself; nothing is checked.
 */
class PackedNumbers
{
  public:
    /// @param bytes what was packed; must outlive this
    explicit PackedNumbers(const std::string& bytes)
        : m_next(bytes.data())
    {
    }

    /// @param bytes receives the number at its end @param number a number
    static void Put(std::string& bytes, uint64_t number)
    {
        for (; number >= 0x80; number >>= 7)
        {
            bytes.push_back(static_cast<char>(number | 0x80));
        }
        bytes.push_back(static_cast<char>(number));
    }

    /// @param bytes receives the number at its end @param number a number, small if it is near 0,
    /// on whatever side; modulo 2^64
    static void PutSigned(std::string& bytes, uint64_t number)
    {
        Put(bytes, number << 1 ^ (number >> 63 ? ~uint64_t{0} : 0));
    }

    /// @param bytes receives the text at its end @param text a text
    static void PutText(std::string& bytes, std::string_view text)
    {
        Put(bytes, text.size());
        bytes.append(text);
    }

    /// @return the next number
    uint64_t Take()
    {
        uint64_t number = 0;
        uint32_t shift = 0;
        for (; *m_next & 0x80; ++m_next, shift += 7)
        {
            number |= uint64_t{*m_next & 0x7fu} << shift;
        }
        number |= uint64_t{static_cast<uint8_t>(*m_next++)} << shift;
        return number;
    }

    /// @return the next number, put with PutSigned
    uint64_t TakeSigned()
    {
        const uint64_t number = Take();
        return number >> 1 ^ (number & 1 ? ~uint64_t{0} : 0);
    }

    /// @return the next text
    std::string_view TakeText()
    {
        const uint64_t size = Take();
        m_next += size;
        return {m_next - size, size};
    }

  private:
    const char* m_next; ///< what was not taken yet
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKED_NUMBERS_H
