/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-expression.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Shapes nearer to each other than this are one.
constexpr double SAME = 1e-14;

/// @param a a shape @param b another @return whether they are one
bool
IsSame(const std::vector<double>& a, const std::vector<double>& b)
{
    for (std::size_t d = 0; d < a.size(); ++d)
    {
        if (std::abs(a[d] - b[d]) > SAME * std::max(a[d], b[d]))
        {
            return false;
        }
    }
    return true;
}

/// @param a weights @param b others @return whether none of a is above that of b
bool
IsBelow(const std::map<std::size_t, double>& a, const std::map<std::size_t, double>& b)
{
    return std::all_of(a.begin(), a.end(), [&b](const auto& entry) {
        const auto found = b.find(entry.first);
        return found != b.end() && entry.second <= found->second;
    });
}

/// @param a a sum @param b another @return whether a is never above b
bool
IsBelow(const TimeExpression::Sum& a, const TimeExpression::Sum& b)
{
    return a.constant <= b.constant && IsBelow(a.collectives, b.collectives) &&
           IsBelow(a.maxima, b.maxima);
}

} // namespace

TimeExpression::Sum&
TimeExpression::Sum::Add(const Sum& other, double weight)
{
    if (weight > 0)
    {
        constant += weight * other.constant;
        for (const auto& [index, factor] : other.collectives)
        {
            collectives[index] += weight * factor;
        }
        for (const auto& [index, factor] : other.maxima)
        {
            maxima[index] += weight * factor;
        }
    }
    return *this;
}

bool
TimeExpression::Sum::operator==(const Sum& other) const
{
    return constant == other.constant && collectives == other.collectives && maxima == other.maxima;
}

TimeExpression::TimeExpression(std::size_t nDimensions)
    : m_nDimensions(nDimensions)
{
}

TimeExpression::Sum
TimeExpression::MakeConstant(double ns)
{
    Sum sum;
    sum.constant = ns;
    return sum;
}

TimeExpression::Sum
TimeExpression::MakeCollective(const std::vector<double>& bytes)
{
    const bool isUsable = std::all_of(bytes.begin(), bytes.end(), [](double number) {
        return std::isfinite(number) && number >= 0;
    });
    if (!isUsable || bytes.size() != m_nDimensions)
    {
        throw InputError("a collective needs a number of bytes, finite and not negative, for each "
                         "of " +
                         std::to_string(m_nDimensions) + " dimensions");
    }
    Sum sum;
    const double largest = *std::max_element(bytes.begin(), bytes.end());
    if (largest > 0)
    {
        std::vector<double> shape = bytes;
        for (double& number : shape)
        {
            number /= largest;
        }
        const auto found = std::find_if(m_shapes.begin(), m_shapes.end(), [&](const auto& known) {
            return IsSame(known, shape);
        });
        sum.collectives[found - m_shapes.begin()] = largest;
        if (found == m_shapes.end())
        {
            m_shapes.push_back(shape);
        }
    }
    return sum;
}

TimeExpression::Sum
TimeExpression::MakeMaximum(const std::vector<Sum>& branches)
{
    std::vector<Sum> kept;
    for (const Sum& branch : branches)
    {
        if (std::none_of(kept.begin(), kept.end(), [&](const Sum& other) {
                return IsBelow(branch, other);
            }))
        {
            kept.erase(std::remove_if(kept.begin(),
                                      kept.end(),
                                      [&](const Sum& other) { return IsBelow(other, branch); }),
                       kept.end());
            kept.push_back(branch);
        }
    }
    if (kept.size() == 1)
    {
        return kept[0];
    }
    const auto found = std::find(m_maxima.begin(), m_maxima.end(), kept);
    Sum sum;
    sum.maxima[found - m_maxima.begin()] = 1;
    if (found == m_maxima.end())
    {
        m_maxima.push_back(kept);
    }
    return sum;
}

void
TimeExpression::Add(const Sum& sum, double weight)
{
    m_total.Add(sum, weight);
}

std::size_t
TimeExpression::GetNDimensions() const
{
    return m_nDimensions;
}

const std::vector<std::vector<double>>&
TimeExpression::GetShapes() const
{
    return m_shapes;
}

const std::vector<std::vector<TimeExpression::Sum>>&
TimeExpression::GetMaxima() const
{
    return m_maxima;
}

const TimeExpression::Sum&
TimeExpression::GetTotal() const
{
    return m_total;
}

std::vector<bool>
TimeExpression::GetInvolved() const
{
    std::vector<bool> involved(m_nDimensions);
    for (const auto& shape : m_shapes)
    {
        for (std::size_t d = 0; d < m_nDimensions; ++d)
        {
            involved[d] = involved[d] || shape[d] > 0;
        }
    }
    return involved;
}

TimeExpression
TimeExpression::GetUsed() const
{
    TimeExpression used(m_nDimensions);
    std::map<std::size_t, Sum> maxima;
    used.Add(used.Copy(*this, m_total, maxima));
    return used;
}

TimeExpression::Sum
TimeExpression::Copy(const TimeExpression& from, const Sum& sum, std::map<std::size_t, Sum>& maxima)
{
    Sum copy;
    copy.constant = sum.constant;
    for (const auto& [index, weight] : sum.collectives)
    {
        copy.Add(weight > 0 ? MakeCollective(from.m_shapes[index]) : Sum(), weight);
    }
    for (const auto& [index, weight] : sum.maxima)
    {
        if (maxima.find(index) == maxima.end())
        {
            std::vector<Sum> branches;
            for (const Sum& branch : from.m_maxima[index])
            {
                branches.push_back(Copy(from, branch, maxima));
            }
            maxima[index] = MakeMaximum(branches);
        }
        copy.Add(maxima[index], weight);
    }
    return copy;
}

double
TimeExpression::GetValue(const Sum& sum, const Values& values)
{
    double value = sum.constant;
    for (const auto& [index, weight] : sum.collectives)
    {
        value += weight * values.collectives[index];
    }
    for (const auto& [index, weight] : sum.maxima)
    {
        value += weight * values.maxima[index];
    }
    return value;
}

TimeExpression::Values
TimeExpression::Evaluate(const std::vector<double>& bandwidths) const
{
    Values values;
    for (const auto& shape : m_shapes)
    {
        double longest = 0;
        for (std::size_t d = 0; d < m_nDimensions; ++d)
        {
            longest = std::max(longest, shape[d] > 0 ? shape[d] / bandwidths[d] : 0);
        }
        values.collectives.push_back(longest);
    }
    for (const auto& branches : m_maxima)
    {
        double longest = 0;
        for (const Sum& branch : branches)
        {
            longest = std::max(longest, GetValue(branch, values));
        }
        values.maxima.push_back(longest);
    }
    values.total = GetValue(m_total, values);
    return values;
}

} // namespace mlcluster
} // namespace ns3
