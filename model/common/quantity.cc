/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "quantity.h"

#include "diagnostics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 Uint128;

constexpr int MAX_DIGITS = 20;    // times 2^53, as PiB/s has, below 2^120
constexpr int MAX_EXPONENT = 40;  // of a number as written
constexpr int MAX_DECIMALS = 100; // keeps sums of exponents small

/// digits * 10^exponent, as written
struct Decimal
{
    Uint128 digits{0};
    int exponent{0};
};

/// One unit: a factor 10^decimal * 2^binary / divisor to the unit the simulator counts in.
struct Unit
{
    std::string name;
    int decimal{0};
    int binary{0};
    uint32_t divisor{1};
};

/// A kind of quantity: its units and what to tell a user who gets it wrong.
struct Kind
{
    std::string what;
    std::string examples;
    std::vector<Unit> units;
};

/// A text cut into number and unit.
struct Parts
{
    std::string integer;
    std::string fraction;
    int exponent{0};
    std::string unit;
};

[[noreturn]] void
Refuse(const std::string& text, const Kind& kind, const std::string& reason)
{
    throw InputError("'" + text + "' is no " + kind.what + ": " + reason +
                     "; allowed are, for example, " + kind.examples);
}

std::vector<Unit>
WithPrefixes(const std::vector<Unit>& bases)
{
    static const std::string PREFIXES = "kMGTPE";
    std::vector<Unit> units = bases;
    for (const auto& base : bases)
    {
        for (int i = 0; i < static_cast<int>(PREFIXES.size()); ++i)
        {
            const std::string prefix(1, PREFIXES[i]);
            units.push_back(
                {prefix + base.name, base.decimal + 3 * (i + 1), base.binary, base.divisor});
            const std::string binaryPrefix = i == 0 ? "Ki" : prefix + "i";
            if (prefix != "E")
            {
                units.push_back({binaryPrefix + base.name,
                                 base.decimal,
                                 base.binary + 10 * (i + 1),
                                 base.divisor});
            }
        }
    }
    return units;
}

const Kind&
BytesKind()
{
    static const Kind KIND{"size",
                           "64MiB, 100kB, 4096B, 512Mbit",
                           WithPrefixes({{"B"}, {"b", 0, 0, 8}, {"bit", 0, 0, 8}})};
    return KIND;
}

const Kind&
BitRateKind()
{
    static const Kind KIND{
        "data rate",
        "400Gbps, 1.6Tbps, 200GB/s, 200GiB/s",
        WithPrefixes({{"bps"}, {"b/s"}, {"bit/s"}, {"B/s", 0, 3}, {"Bps", 0, 3}})};
    return KIND;
}

const Kind&
TimeKind()
{
    static const Kind KIND{"time",
                           "500ns, 1.5us, 936.25ns, 2ms, 1s",
                           {{"ps", 0}, {"ns", 3}, {"us", 6}, {"ms", 9}, {"s", 12}}};
    return KIND;
}

const Kind&
FlopsKind()
{
    static const Kind KIND{"compute rate",
                           "234TFLOPS, 1PFLOPS, 500GFLOPS",
                           WithPrefixes({{"FLOPS"}, {"FLOP/s"}})};
    return KIND;
}

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string
TakeDigits(const std::string& text, std::size_t& at)
{
    const std::size_t begin = at;
    while (at < text.size() && IsDigit(text[at]))
    {
        ++at;
    }
    return text.substr(begin, at - begin);
}

/// The exponent "e-3" of "1e-3s", if there is one: an e that a digit follows.
int
TakeExponent(const std::string& text, std::size_t& at, const Kind& kind)
{
    std::size_t next = at + 1;
    if (at >= text.size() || (text[at] != 'e' && text[at] != 'E'))
    {
        return 0;
    }
    const bool negative = next < text.size() && text[next] == '-';
    next += next < text.size() && (text[next] == '-' || text[next] == '+') ? 1 : 0;
    const std::string digits = TakeDigits(text, next);
    if (digits.empty())
    {
        return 0;
    }
    if (digits.size() > 2 || std::stoi(digits) > MAX_EXPONENT)
    {
        Refuse(text, kind, "its exponent is beyond " + std::to_string(MAX_EXPONENT));
    }
    at = next;
    return negative ? -std::stoi(digits) : std::stoi(digits);
}

Parts
Cut(const std::string& text, const Kind& kind)
{
    Parts parts;
    std::size_t at = 0;
    parts.integer = TakeDigits(text, at);
    if (parts.integer.empty())
    {
        Refuse(text, kind, "it must begin with a digit");
    }
    if (parts.integer.size() > 1 && parts.integer[0] == '0')
    {
        Refuse(text, kind, "a leading zero is not allowed");
    }
    if (at < text.size() && text[at] == '.')
    {
        parts.fraction = TakeDigits(text, ++at);
        if (parts.fraction.empty())
        {
            Refuse(text, kind, "a digit must follow the point");
        }
    }
    parts.exponent = TakeExponent(text, at, kind);
    at += at < text.size() && text[at] == ' ' ? 1 : 0;
    parts.unit = text.substr(at);
    return parts;
}

Decimal
ToDecimal(const Parts& parts, const std::string& text, const Kind& kind)
{
    std::string digits = parts.integer + parts.fraction;
    int exponent = parts.exponent -
                   static_cast<int>(std::min<std::size_t>(parts.fraction.size(), MAX_DECIMALS));
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (!digits.empty() && digits.back() == '0')
    {
        digits.pop_back();
        ++exponent;
    }
    if (digits.size() > MAX_DIGITS || parts.fraction.size() > MAX_DECIMALS)
    {
        Refuse(text,
               kind,
               "it has more than " + std::to_string(MAX_DIGITS) + " significant digits");
    }
    Decimal decimal{0, digits.empty() ? 0 : exponent};
    for (const char c : digits)
    {
        decimal.digits = 10 * decimal.digits + static_cast<unsigned>(c - '0');
    }
    return decimal;
}

std::string
WhyNoUnit(const std::string& unit, const Kind& kind)
{
    if (unit.empty())
    {
        return "the unit is missing";
    }
    std::vector<std::string> names;
    for (const auto& known : kind.units)
    {
        names.push_back(known.name);
    }
    const std::string nearest = NearestWord(unit, names);
    return "'" + unit + "' is no unit of it" +
           (nearest.empty() ? "" : " (nearest: " + nearest + ")");
}

/// @return the unit; a bare 0 counts as 0 of the first unit
const Unit&
FindUnit(const Parts& parts, const Decimal& decimal, const std::string& text, const Kind& kind)
{
    if (parts.unit.empty() && decimal.digits == 0)
    {
        return kind.units.front();
    }
    const auto unit = std::find_if(kind.units.begin(), kind.units.end(), [&](const Unit& known) {
        return known.name == parts.unit;
    });
    if (unit == kind.units.end())
    {
        Refuse(text, kind, WhyNoUnit(parts.unit, kind));
    }
    return *unit;
}

std::optional<Uint128>
Multiply(Uint128 value, Uint128 factor, int times)
{
    for (int i = 0; i < times; ++i)
    {
        if (value > std::numeric_limits<Uint128>::max() / factor)
        {
            return std::nullopt;
        }
        value *= factor;
    }
    return value;
}

/// numerator / denominator to nearest; a denominator beyond 2^128 makes that 0, as numerators stay
/// below 2^127
Uint128
Divide(Uint128 numerator, const std::optional<Uint128>& denominator)
{
    if (!denominator)
    {
        return 0;
    }
    const Uint128 rest = numerator % *denominator;
    return numerator / *denominator + (rest >= *denominator - rest ? 1 : 0);
}

/// The value of a text in the simulator's unit, exact but for one rounding.
uint64_t
ParseQuantity(const std::string& text, const Kind& kind, uint64_t limit)
{
    const Parts parts = Cut(text, kind);
    const Decimal decimal = ToDecimal(parts, text, kind);
    const Unit& unit = FindUnit(parts, decimal, text, kind);
    const int exponent = decimal.digits == 0 ? 0 : decimal.exponent + unit.decimal;
    const auto scaled = Multiply(decimal.digits << unit.binary, 10, std::max(exponent, 0));
    const auto denominator = Multiply(unit.divisor, 10, std::max(-exponent, 0));
    const Uint128 value =
        scaled ? Divide(*scaled, denominator) : std::numeric_limits<Uint128>::max();
    const bool isLost =
        value == 0 && decimal.digits != 0 && unit.divisor == 1 && &kind != &TimeKind();
    if (value > limit || isLost)
    {
        Refuse(text, kind, isLost ? "it is too small" : "it is too large");
    }
    if (unit.divisor > 1 && (!denominator || *scaled % *denominator != 0))
    {
        Refuse(text, kind, "it is no whole number of bytes");
    }
    return static_cast<uint64_t>(value);
}

/// The largest unit that divides a value; units by descending factor, the last one 1.
template <std::size_t N>
std::string
FormatQuantity(uint64_t value, const std::array<std::pair<uint64_t, const char*>, N>& units)
{
    const auto unit = std::find_if(units.begin(), units.end() - 1, [&](const auto& candidate) {
        return value != 0 && value % candidate.first == 0;
    });
    return std::to_string(value / unit->first) + unit->second;
}

} // namespace

uint64_t
ParseBytes(const std::string& text)
{
    return ParseQuantity(text, BytesKind(), std::numeric_limits<uint64_t>::max());
}

uint64_t
ParseBitRate(const std::string& text)
{
    return ParseQuantity(text, BitRateKind(), std::numeric_limits<uint64_t>::max());
}

int64_t
ParsePicoseconds(const std::string& text)
{
    return static_cast<int64_t>(
        ParseQuantity(text, TimeKind(), std::numeric_limits<int64_t>::max()));
}

double
ParseFlops(const std::string& text)
{
    const Parts parts = Cut(text, FlopsKind());
    const Decimal decimal = ToDecimal(parts, text, FlopsKind());
    const Unit& unit = FindUnit(parts, decimal, text, FlopsKind());
    if (unit.binary != 0)
    {
        Refuse(text, FlopsKind(), "compute rates take decimal prefixes");
    }
    const std::string number =
        parts.integer + "." + parts.fraction + "0e" + std::to_string(parts.exponent + unit.decimal);
    double value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    return value;
}

uint64_t
ParseCount(const std::string& text)
{
    uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
    if (!isNumber || (text[0] == '0' && text.size() > 1))
    {
        throw InputError("'" + text + "' is no whole number; allowed are digits without sign, " +
                         "leading zero or unit, for example 4");
    }
    if (result.ec != std::errc())
    {
        throw InputError("'" + text +
                         "' is too large; allowed are whole numbers below 2^64, for example 4");
    }
    return value;
}

std::string
FormatBytes(uint64_t bytes)
{
    static constexpr std::array<std::pair<uint64_t, const char*>, 9> UNITS{{{1ULL << 40, "TiB"},
                                                                            {1000000000000, "TB"},
                                                                            {1ULL << 30, "GiB"},
                                                                            {1000000000, "GB"},
                                                                            {1ULL << 20, "MiB"},
                                                                            {1000000, "MB"},
                                                                            {1ULL << 10, "KiB"},
                                                                            {1000, "kB"},
                                                                            {1, "B"}}};
    return FormatQuantity(bytes, UNITS);
}

std::string
FormatBitRate(uint64_t bitRate)
{
    static constexpr std::array<std::pair<uint64_t, const char*>, 4> UNITS{
        {{1000000000, "Gbps"}, {1000000, "Mbps"}, {1000, "kbps"}, {1, "bps"}}};
    return FormatQuantity(bitRate, UNITS);
}

std::string
FormatPicoseconds(int64_t picoseconds)
{
    static constexpr std::array<std::pair<uint64_t, const char*>, 5> UNITS{
        {{1000000000000, "s"}, {1000000000, "ms"}, {1000000, "us"}, {1000, "ns"}, {1, "ps"}}};
    const uint64_t value = static_cast<uint64_t>(picoseconds);
    return picoseconds < 0 ? "-" + FormatQuantity(0 - value, UNITS) : FormatQuantity(value, UNITS);
}

std::string
FormatFlops(double flops)
{
    static constexpr std::array<std::pair<double, const char*>, 5> UNITS{
        {{1e15, "PFLOPS"}, {1e12, "TFLOPS"}, {1e9, "GFLOPS"}, {1e6, "MFLOPS"}, {1e3, "kFLOPS"}}};
    for (const auto& [factor, name] : UNITS)
    {
        const std::string text = FormatNumber(flops / factor) + name;
        if (flops >= factor && text.size() < 16 && ParseFlops(text) == flops)
        {
            return text;
        }
    }
    return FormatNumber(flops) + "FLOPS";
}

std::string
FormatNumber(double number)
{
    std::array<char, 32> digits;
    return {digits.data(), std::to_chars(digits.begin(), digits.end(), number).ptr};
}

int64_t
SerialisationPicoseconds(uint64_t bytes, uint64_t bitRate)
{
    const Uint128 work = static_cast<Uint128>(bytes) * 8000000000000ULL;
    const Uint128 time = work / bitRate + (work % bitRate != 0 ? 1 : 0);
    constexpr auto LARGEST = std::numeric_limits<int64_t>::max();
    return time > static_cast<Uint128>(LARGEST) ? LARGEST : static_cast<int64_t>(time);
}

void
RefuseEnd(const std::string& what)
{
    throw InputError(what + " ends later than time can be counted (106 days): check durations, "
                            "sizes, rates and delays");
}

} // namespace mlcluster
} // namespace ns3
