/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_QUANTITY_H
#define ML_CLUSTER_QUANTITY_H

#include <cstdint>
#include <limits>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @defgroup ml-cluster-quantity Quantities with units
 *
 * Texts such as `200GB/s`, `1.6Tbps`, `936.25ns`, `64MiB`, `234TFLOPS` become integers in the
 * units the simulator counts in. A number is digits, optionally with a point and an exponent
 * ("1.5e3"), without sign or leading zeros, of at most 20 significant digits. Prefixes are decimal
 * (k, M, G, T, P, E) unless Ki, Mi, Gi, Ti, Pi is written; a space between number and unit is
 * allowed; a bare number other than 0 is an error. Arithmetic is exact (decimal digits, 128-bit
 * products); a result that is no integer is rounded to nearest, halves up; one out of range is an
 * error, and so is a size or rate above 0 that would become 0. All functions throw InputError with
 * a sentence that holds the text given and an example of what is allowed.
 * @{
 */

/**
 * @param text a size such as "64MiB", "100kB", "4096B" (or "512Mb" / "512Mbit" in bits, a multiple
 * of 8)
 * @return bytes
 */
uint64_t ParseBytes(const std::string& text);

/**
 * @param text a rate such as "200GB/s", "200GiB/s", "400Gbps", "1.6Tbps", "400Gb/s"
 * @return bit/s; 0 only if the text says so, since it often means no limit
 */
uint64_t ParseBitRate(const std::string& text);

/**
 * @param text a time such as "500ns", "1.5us", "936.25ns", "2ms", "1s", "12ps"
 * @return picoseconds
 */
int64_t ParsePicoseconds(const std::string& text);

/**
 * @param text a compute rate such as "234TFLOPS", "1PFLOPS", "500GFLOPS"
 * @return floating-point operations per second
 */
double ParseFlops(const std::string& text);

/**
 * @param text a whole number without unit, such as "4"; no sign, no leading zero, no exponent
 * @return the number
 */
uint64_t ParseCount(const std::string& text);

/// @param bytes a size @return it with the largest unit that keeps it exact, such as "64MiB" or
/// "1000001B"
std::string FormatBytes(uint64_t bytes);

/// @param bitRate bit/s @return such as "400Gbps", which ns3::DataRate reads too; ParseBitRate
/// gives the same number back
std::string FormatBitRate(uint64_t bitRate);

/// @param picoseconds a time @return such as "936250ps" or "500ns", which ns3::Time reads too;
/// ParsePicoseconds gives it back unless it is negative
std::string FormatPicoseconds(int64_t picoseconds);

/// @param flops floating-point operations per second, finite, not negative @return such as
/// "234TFLOPS"; ParseFlops gives the same number back
std::string FormatFlops(double flops);

/// @param number finite @return the shortest text that reads as the same number, such as "936.25"
std::string FormatNumber(double number);

/**
 * Time a link is busy with a message, rounded up to whole picoseconds once.
 * @param bytes size, bytes
 * @param bitRate rate of the link, bit/s, not 0
 * @return ceil(8e12 bytes / bitRate), ps; the largest int64_t if that does not fit
 */
int64_t SerialisationPicoseconds(uint64_t bytes, uint64_t bitRate);

/// @param what what takes too long @throw InputError that it ends later than time can be counted
[[noreturn]] void RefuseEnd(const std::string& what);

/**
 * When something that takes time ends.
 * @param startPs when it starts, ps
 * @param durationPs how long it takes, ps, not negative
 * @param describe gives what it is, for the message; called only for that
 * @return start + duration, ps
 * @throw InputError if 64 bits do not hold that
 */
template <typename Describe>
int64_t
GetEnd(int64_t startPs, int64_t durationPs, const Describe& describe)
{
    if (durationPs > std::numeric_limits<int64_t>::max() - startPs)
    {
        RefuseEnd(describe());
    }
    return startPs + durationPs;
}

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_QUANTITY_H
