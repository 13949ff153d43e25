/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "product-bound.h"

#include "small-matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

ProductBound::ProductBound(const BandwidthProblem& problem, const BandwidthRegion& region)
    : m_problem(problem),
      m_region(region)
{
}

void
ProductBound::Multiply(Mean& mean,
                       const std::vector<double>& coefficients,
                       double exponent,
                       const std::vector<double>& bandwidths,
                       double power)
{
    std::vector<double> terms = coefficients;
    double sum = terms.back();
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        terms[d] = coefficients[d] > 0 ? coefficients[d] * std::pow(bandwidths[d], exponent) : 0;
        sum += terms[d];
    }
    for (std::size_t i = 0; i < terms.size() && power != 0; ++i)
    {
        const double weight = terms[i] / sum;
        if (weight > 0)
        {
            mean.logarithm += power * weight * std::log(coefficients[i] / weight);
            if (i < bandwidths.size())
            {
                mean.exponents[i] += power * weight * exponent;
            }
        }
    }
}

void
ProductBound::AddRow(Mean& mean,
                     const BandwidthRegion::Row& row,
                     bool isEquation,
                     const std::vector<double>& bandwidths,
                     double factor)
{
    std::vector<double> terms = row.coefficients;
    terms.push_back(-row.value);
    const auto isNegative = [](double term) { return term < 0; };
    const auto isPositive = [](double term) { return term > 0; };
    const auto nNegative = std::count_if(terms.begin(), terms.end(), isNegative);
    const auto nPositive = std::count_if(terms.begin(), terms.end(), isPositive);
    const auto nZero = std::count(row.coefficients.begin(), row.coefficients.end(), 0);
    const bool isLimit = static_cast<std::size_t>(nZero) + 1 == bandwidths.size(); // in the box
    const bool isMonomial = isEquation && nPositive == 1;
    if (isLimit || nNegative != 1 || nPositive == 0 || (factor <= 0 && !isMonomial))
    {
        return;
    }
    const std::size_t divisor =
        std::find_if(terms.begin(), terms.end(), isNegative) - terms.begin();
    const bool isVariable = divisor < bandwidths.size();
    const double divisorTerm = terms[divisor];
    terms[divisor] = 0;
    double sum = terms.back();
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        sum += terms[d] * bandwidths[d];
    }
    const double power = factor * sum;
    mean.logarithm -= power * std::log(-divisorTerm);
    if (isVariable)
    {
        mean.exponents[divisor] -= power;
    }
    Multiply(mean, terms, 1, bandwidths, power);
}

double
ProductBound::GetLeast(const Mean& mean, double known) const
{
    constexpr double ROUNDING = 1e-14; // exponents are differences of numbers up to 1
    const double leastTime = m_problem.time.Evaluate(m_region.GetMost()).total;
    const double leastCost = m_problem.GetCost(*m_region.Minimise(m_problem.prices));
    double logarithm = mean.logarithm;
    for (std::size_t d = 0; d < mean.exponents.size(); ++d)
    {
        double needed = 0; // a product below the known one needs more
        for (const auto& [index, weight] : m_problem.time.GetTotal().collectives)
        {
            needed = std::max(needed, weight * m_problem.time.GetShapes()[index][d]);
        }
        const double least = std::max(m_region.GetLeast()[d], needed * leastCost / known);
        const double most =
            std::min(m_region.GetMost()[d], known / leastTime / m_problem.prices[d]);
        const double end = mean.exponents[d] > 0 ? least : most;
        const bool isRounding = std::abs(mean.exponents[d]) < ROUNDING;
        logarithm += isRounding ? 0 : mean.exponents[d] * std::log(end);
    }
    return std::isfinite(logarithm) ? logarithm : -std::numeric_limits<double>::infinity();
}

std::vector<double>
ProductBound::GetStationary(const BandwidthDescent::Result& result, double slope) const
{
    std::vector<double> slopes(result.bandwidths.size());
    AddTo(slopes, slope, m_problem.prices);
    std::size_t index = 0;
    for (const auto* rows : {&m_region.GetInequalities(), &m_region.GetEquations()})
    {
        for (const auto& row : *rows)
        {
            AddTo(slopes, result.factors[index++], row.coefficients);
        }
    }
    std::vector<double> bandwidths = result.bandwidths;
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        const bool isFree = result.bytes[d] > 0 && slopes[d] > 0;
        bandwidths[d] = isFree ? std::sqrt(result.bytes[d] / slopes[d]) : bandwidths[d];
    }
    return bandwidths;
}

double
ProductBound::Get(const BandwidthDescent::Result& result, double slope, double known) const
{
    const auto bandwidths = GetStationary(result, slope);
    const double timePower = 1 + result.targetFactor;
    Mean mean;
    mean.exponents.resize(bandwidths.size());
    std::vector<double> time;
    for (const double bytes : result.bytes)
    {
        time.push_back(bytes / timePower);
    }
    time.push_back(result.constant / timePower);
    double total = time.back();
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        total += time[d] > 0 ? time[d] / bandwidths[d] : 0;
    }
    std::vector<double> cost = m_problem.prices;
    cost.push_back(m_problem.fixedCost);
    std::size_t index = 0;
    for (const auto& row : m_region.GetInequalities())
    {
        AddRow(mean, row, false, bandwidths, result.factors[index++] / total);
    }
    for (auto row : m_region.GetEquations())
    {
        double factor = result.factors[index++];
        if (row.value < 0)
        {
            row.value = -row.value;
            factor = -factor;
            std::transform(row.coefficients.begin(),
                           row.coefficients.end(),
                           row.coefficients.begin(),
                           [](double c) { return 0 - c; });
        }
        double cheapest = std::numeric_limits<double>::infinity();
        bool isTotal = true;
        for (std::size_t d = 0; d < bandwidths.size(); ++d)
        {
            const double coefficient = row.coefficients[d];
            isTotal = isTotal && coefficient >= 0;
            cheapest = coefficient > 0 ? std::min(cheapest, cost[d] / coefficient) : cheapest;
        }
        for (std::size_t d = 0; d < bandwidths.size() && isTotal; ++d)
        {
            cost[d] = std::max(cost[d] - cheapest * row.coefficients[d], 0.0);
        }
        cost.back() += isTotal ? cheapest * row.value : 0;
        factor += isTotal ? slope * cheapest : 0;
        AddRow(mean, row, true, bandwidths, factor / total);
    }
    Multiply(mean, time, -1, bandwidths, timePower);
    mean.logarithm -= m_problem.target ? result.targetFactor * std::log(*m_problem.target) : 0;
    Multiply(mean, cost, 1, bandwidths, 1);
    const double logarithm = GetLeast(mean, known);
    return std::exp(logarithm);
}

} // namespace mlcluster
} // namespace ns3
