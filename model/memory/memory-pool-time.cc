/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-time.h"

#include "memory-pool-rounds.h"

#include "ns3/amount.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Big = boost::multiprecision::cpp_int; ///< in parts of a picosecond: exact
using Runs = std::vector<MemoryPoolRounds::Run>;

/// Does the arithmetic of one access: times are whole multiples of 1 / m_parts ps.
class PathCalculator
{
  public:
    /// @param hops in the order of travel
    explicit PathCalculator(const std::vector<MemoryPoolHop>& hops)
        : m_hops(hops),
          m_parts(1)
    {
        for (const MemoryPoolHop& hop : hops)
        {
            m_parts =
                boost::multiprecision::lcm(m_parts, Big(hop.denominator) * hop.whole * hop.bitRate);
        }
    }

    /// @param time in parts @return it in ps, rounded up
    int64_t ToPicoseconds(const Big& time) const
    {
        const Big picoseconds = (time + m_parts - 1) / m_parts;
        if (picoseconds > std::numeric_limits<int64_t>::max())
        {
            RefuseEnd("an access to the memory pool");
        }
        return static_cast<int64_t>(picoseconds);
    }

    /// @param bytes unique bytes @return time of each hop for them
    std::vector<Big> GetTimes(const Big& bytes) const
    {
        std::vector<Big> times;
        for (const MemoryPoolHop& hop : m_hops)
        {
            times.push_back(bytes * hop.part * hop.numerator * BIT_PICOSECONDS *
                            (m_parts / (Big(hop.denominator) * hop.whole * hop.bitRate)));
        }
        return times;
    }

    /// @param bytes unique bytes of a round @return time of each hop, shares rounded up to bytes
    std::vector<Big> GetWholeByteTimes(uint64_t bytes) const
    {
        std::vector<Big> times;
        for (const MemoryPoolHop& hop : m_hops)
        {
            times.push_back(Big(hop.GetLargestShare(bytes)) * BIT_PICOSECONDS *
                            (m_parts / hop.bitRate));
        }
        return times;
    }

    /// @param runs of rounds, at least one @param times times of each hop in a round of each run
    /// @return the longest path through the grid
    static Big GetLongestPath(const Runs& runs, const std::vector<std::vector<Big>>& times)
    {
        const std::vector<Big> first = GetPathsToHops(times[0], runs[0].count);
        if (runs.size() == 1)
        {
            return first.back();
        }
        std::vector<Big> reversed(times[1].rbegin(), times[1].rend());
        const std::vector<Big> second = GetPathsToHops(reversed, runs[1].count);
        Big longest = 0;
        for (std::size_t j = 0; j < first.size(); ++j)
        {
            longest = std::max<Big>(longest, first[j] + second[first.size() - 1 - j]);
        }
        return longest;
    }

  private:
    static constexpr uint64_t BIT_PICOSECONDS = 8'000'000'000'000; ///< ps of a byte at 1 bit/s

    /// @param times of each hop in a round @param count equal rounds @return the longest path
    /// through all rounds to each hop
    static std::vector<Big> GetPathsToHops(const std::vector<Big>& times, uint64_t count)
    {
        std::vector<Big> paths;
        Big sum = 0;
        Big longest = 0;
        for (const Big& time : times)
        {
            sum += time;
            longest = std::max(longest, time);
            paths.push_back(sum + (count - 1) * longest);
        }
        return paths;
    }

    const std::vector<MemoryPoolHop>& m_hops; ///< in the order of travel
    Big m_parts;                              ///< of a picosecond
};

/// @param hops in the order of travel @return their latencies, ps
int64_t
GetLatency(const std::vector<MemoryPoolHop>& hops)
{
    int64_t latency = 0;
    for (const MemoryPoolHop& hop : hops)
    {
        latency = GetEnd(latency, hop.latencyPs, [] { return "the latency of the memory pool"; });
    }
    return latency;
}

/// @param hop a hop @param bytes unique bytes @param runs rounds of them @param bandwidthPs its
/// time for all of them @return what the hop has to do
MemoryPoolTime::Hop
GetWork(const MemoryPoolHop& hop, uint64_t bytes, const Runs& runs, int64_t bandwidthPs)
{
    Amount largest;
    for (const auto& run : runs)
    {
        largest += Amount(run.count) * hop.GetLargestShare(run.bytes);
    }
    const std::string what =
        "bytes of an access to the memory pool in hop " + GetPoolHopName(hop.kind);
    return {hop.kind,
            (Amount(hop.GetPassing(bytes)) * hop.GetCopies()).Get(what),
            largest.Get(what),
            bandwidthPs};
}

} // namespace

MemoryPoolTime
ComputeMemoryPoolTime(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
{
    access.Check(shape);
    const MemoryPoolRounds rounds(access.uniqueBytes, access.GetRoundBytes(shape), shape.rounds);
    const Runs& runs = rounds.GetRuns();
    MemoryPoolTime result;
    if (runs.empty())
    {
        return result;
    }
    const auto hops = GetMemoryPoolHops(shape, access);
    const PathCalculator calculator(hops);
    std::vector<std::vector<Big>> times;
    std::vector<std::vector<Big>> wholeByteTimes;
    for (const auto& run : runs)
    {
        times.push_back(calculator.GetTimes(run.bytes));
        wholeByteTimes.push_back(calculator.GetWholeByteTimes(run.bytes));
    }

    result.rounds = rounds.GetCount();
    result.latencyPs = GetLatency(hops);
    const auto toEnd = [&](const Big& path) {
        return GetEnd(result.latencyPs, calculator.ToPicoseconds(path), [] {
            return "an access to the memory pool";
        });
    };
    result.totalPs = toEnd(PathCalculator::GetLongestPath(runs, times));
    result.wholeBytesPs = toEnd(PathCalculator::GetLongestPath(runs, wholeByteTimes));
    result.lockStepPs = toEnd((result.rounds + hops.size() - 1) *
                              *std::max_element(times[0].begin(), times[0].end()));
    const std::vector<Big> all = calculator.GetTimes(access.uniqueBytes);
    result.bottleneck = std::max_element(all.begin(), all.end()) - all.begin();
    for (std::size_t i = 0; i < hops.size(); ++i)
    {
        result.hops.push_back(
            GetWork(hops[i], access.uniqueBytes, runs, calculator.ToPicoseconds(all[i])));
    }
    result.bandwidthPs = result.hops[result.bottleneck].bandwidthPs;
    result.fillPs = result.totalPs - result.latencyPs - result.bandwidthPs;
    return result;
}

} // namespace mlcluster
} // namespace ns3
