/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-sweep.h"

#include "experiment-dimensions.h"

#include "ns3/quantity.h"
#include "ns3/word-list.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t MAX_POINTS = 10000; ///< a sweep of more is a slip of the pen

const std::vector<std::string> COLLECTIVES = {"all-reduce",
                                              "all-gather",
                                              "reduce-scatter",
                                              "all-to-all",
                                              "broadcast",
                                              "reduce",
                                              "gather",
                                              "scatter",
                                              "barrier"};

/// Whether each rank has a buffer, not a piece for each.
bool
IsWhole(CollectiveType type)
{
    return type == CollectiveType::AllReduce || type == CollectiveType::Broadcast ||
           type == CollectiveType::Reduce;
}

/// The entry for each of `n` dimensions of a list of one or `n`.
std::vector<std::string>
SplitPerDimension(const std::string& text, std::size_t n)
{
    auto parts = SplitWords(text, ',');
    if (parts.size() == 1)
    {
        parts.resize(n, parts[0]);
    }
    if (parts.size() != n)
    {
        throw InputError("\"" + text + "\" has " + std::to_string(parts.size()) +
                         " entries; give one for all dimensions, or one for each of the " +
                         std::to_string(n) + ", separated by commas");
    }
    return parts;
}

std::vector<uint64_t>
MakeRange(uint64_t first, uint64_t last, const std::function<uint64_t(uint64_t)>& next)
{
    if (first > last)
    {
        throw InputError("the first size is larger than the last");
    }
    std::vector<uint64_t> sizes;
    for (uint64_t size = first; size <= last; size = next(size))
    {
        sizes.push_back(size);
        if (next(size) <= size)
        {
            throw InputError("the step must be a factor of at least x2 or a size above +0B");
        }
        if (sizes.size() > MAX_POINTS)
        {
            throw InputError("more than " + std::to_string(MAX_POINTS) +
                             " sizes; take larger steps");
        }
    }
    return sizes;
}

} // namespace

CollectiveSweep::CollectiveSweep(const Options& options, Diagnostics& diagnostics)
{
    ReadTopology(options, diagnostics);
    ReadType(options, diagnostics);
    options.matrix.empty() ? ReadPoints(options, diagnostics) : ReadMatrix(options, diagnostics);
}

const std::vector<TopologyDimension>&
CollectiveSweep::GetDimensions() const
{
    return m_dimensions;
}

CollectiveType
CollectiveSweep::GetType() const
{
    return m_type;
}

const std::vector<CollectiveSweep::Point>&
CollectiveSweep::GetPoints() const
{
    return m_points;
}

const std::vector<uint64_t>&
CollectiveSweep::GetMatrix() const
{
    return m_matrix;
}

std::vector<uint64_t>
CollectiveSweep::ParseSizes(const std::string& text)
{
    const auto parts = SplitWords(text, ':');
    const std::string step = parts.size() == 3 ? parts[2] : "";
    if (step.size() > 1 && step[0] == 'x')
    {
        const uint64_t factor = ParseCount(step.substr(1));
        return MakeRange(ParseBytes(parts[0]), ParseBytes(parts[1]), [=](uint64_t size) {
            return factor > UINT64_MAX / std::max<uint64_t>(size, 1) ? UINT64_MAX : size * factor;
        });
    }
    if (step.size() > 1 && step[0] == '+')
    {
        const uint64_t increment = ParseBytes(step.substr(1));
        return MakeRange(ParseBytes(parts[0]), ParseBytes(parts[1]), [=](uint64_t size) {
            return increment > UINT64_MAX - size ? UINT64_MAX : size + increment;
        });
    }
    if (parts.size() != 1 || text.empty())
    {
        throw InputError("\"" + text +
                         "\" is no range of sizes; allowed: 1MiB:1GiB:x4, 1MiB:8MiB:+1MiB, or a "
                         "list such as 1MiB,64MiB");
    }
    std::vector<uint64_t> sizes;
    for (const auto& size : SplitWords(text, ','))
    {
        sizes.push_back(ParseBytes(size));
    }
    return sizes;
}

void
CollectiveSweep::ReadTopology(const Options& options, Diagnostics& diagnostics)
{
    diagnostics.Collect({"", 0, "--topology"},
                        [&] { m_dimensions = ClusterTopology::ParseNotation(options.topology); });
    std::vector<TopologyDimension> dimensions =
        m_dimensions.empty()
            ? std::vector<TopologyDimension>(SplitWords(options.bandwidth, ',').size())
            : m_dimensions;
    const std::pair<std::string, const std::string&> lists[] = {
        {"bandwidth", options.bandwidth},
        {"latency", options.latency},
        {"in-network", options.inNetwork},
        {"processing-time", options.processingTime},
        {"slots", options.slots}};
    for (const auto& [key, list] : lists)
    {
        diagnostics.Collect({"", 0, "--" + key}, [&, &key = key, &list = list] {
            const auto entries = SplitPerDimension(list, dimensions.size());
            for (std::size_t k = 0; k < entries.size(); ++k)
            {
                SetDimensionValue(dimensions[k], key, entries[k]);
            }
        });
    }
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect({"", 0, "--topology"}, [&] { ClusterTopology topology(dimensions); });
        m_dimensions = dimensions;
    }
}

void
CollectiveSweep::ReadType(const Options& options, Diagnostics& diagnostics)
{
    diagnostics.Collect({"", 0, "--collective"}, [&] {
        CheckWord("collective", options.collective, COLLECTIVES);
        m_type = *ParseCollectiveType(options.collective);
    });
}

void
CollectiveSweep::ReadPoints(const Options& options, Diagnostics& diagnostics)
{
    if (m_type == CollectiveType::Barrier)
    {
        m_points.push_back({0, 0, 0});
        return;
    }
    const bool isWhole = IsWhole(m_type) || diagnostics.HasErrors();
    const uint64_t pieces = isWhole ? 1 : ClusterTopology(m_dimensions).GetNRanks();
    diagnostics.Collect({"", 0, "--sizes"}, [&] {
        for (const uint64_t size : ParseSizes(options.sizes))
        {
            const uint64_t unit = isWhole ? 1 : PIECE_ELEMENTS;
            const uint64_t count = size / ELEMENT_BYTES / pieces / unit * unit;
            const uint64_t busBytes = count * ELEMENT_BYTES * pieces;
            if (count == 0)
            {
                throw InputError(
                    FormatBytes(size) + " is less than " + FormatBytes(ELEMENT_BYTES * unit) +
                    " for each rank: give at least " + FormatBytes(ELEMENT_BYTES * unit * pieces));
            }
            const bool isShard =
                m_type == CollectiveType::AllGather || m_type == CollectiveType::Gather;
            m_points.push_back({busBytes, isShard ? busBytes / pieces : busBytes, count});
        }
    });
}

void
CollectiveSweep::ReadMatrix(const Options& options, Diagnostics& diagnostics)
{
    if (m_type != CollectiveType::AllToAll)
    {
        diagnostics.Error({"", 0, "--matrix"}, "goes with --collective=all-to-all only");
    }
    std::ifstream file(options.matrix);
    if (!file)
    {
        diagnostics.Error({options.matrix, 0, "--matrix"}, "cannot be read");
    }
    const std::size_t n = diagnostics.HasErrors() ? 0 : ClusterTopology(m_dimensions).GetNRanks();
    int number = 0;
    uint64_t largest = 0;
    for (std::string line; n > 0 && std::getline(file, line);)
    {
        diagnostics.Collect({options.matrix, ++number, "--matrix"}, [&] {
            const auto sizes = SplitWords(line, ',');
            if (sizes.size() != n)
            {
                throw InputError(std::to_string(sizes.size()) + " sizes; one for each of the " +
                                 std::to_string(n) + " ranks is needed");
            }
            std::transform(sizes.begin(), sizes.end(), std::back_inserter(m_matrix), ParseBytes);
            largest =
                std::max(largest, std::accumulate(m_matrix.end() - n, m_matrix.end(), uint64_t{0}));
        });
    }
    if (n > 0 && m_matrix.size() != n * n && !diagnostics.HasErrors())
    {
        diagnostics.Error({options.matrix, 0, "--matrix"},
                          std::to_string(number) + " lines; one for each of the " +
                              std::to_string(n) + " ranks is needed");
    }
    m_points.push_back({largest, largest, largest / ELEMENT_BYTES / std::max<std::size_t>(n, 1)});
}

} // namespace mlcluster
} // namespace ns3
