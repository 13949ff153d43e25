/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "newton-system.h"

namespace ns3
{
namespace mlcluster
{

void
NewtonSystem::Unknowns::Move(double length, const Unknowns& change)
{
    AddTo(bandwidths, length, change.bandwidths);
    AddTo(collectives, length, change.collectives);
    AddTo(maxima, length, change.maxima);
}

NewtonSystem::NewtonSystem(std::size_t nDimensions,
                           const std::vector<std::size_t>& places,
                           std::size_t nCoupled,
                           std::size_t nMaxima)
    : m_nDimensions(nDimensions),
      m_places(places),
      m_nCoupled(nCoupled),
      m_matrix(nDimensions + nCoupled + nMaxima),
      m_reduced(0),
      m_sides(2, std::vector<double>(m_matrix.GetSize())),
      m_timeSides(2, std::vector<double>(places.size())),
      m_diagonal(places.size()),
      m_cross(places.size() * nDimensions)
{
}

void
NewtonSystem::AddEdge(const std::vector<Term>& terms, double slack)
{
    for (const auto& [i, a] : terms)
    {
        m_sides[0][i] += a / slack;
        for (const auto& [j, b] : terms)
        {
            m_matrix(i, j) += a / slack * b / slack;
        }
    }
}

void
NewtonSystem::Reduce(const std::vector<std::vector<double>>& free)
{
    m_free = free;
    for (std::size_t k = 0; k < m_diagonal.size(); ++k)
    {
        const double* row = &m_cross[k * m_nDimensions];
        for (std::size_t d = 0; d < m_nDimensions && m_diagonal[k] > 0; ++d)
        {
            const double factor = row[d] / m_diagonal[k];
            for (std::size_t e = 0; e < m_nDimensions; ++e)
            {
                m_matrix(d, e) -= factor * row[e];
            }
        }
    }
    const std::size_t nFree = free.size();
    const std::size_t nOthers = m_matrix.GetSize() - m_nDimensions;
    m_reduced = SmallMatrix(nFree + nOthers);
    for (std::size_t i = 0; i < nFree; ++i)
    {
        std::vector<double> product(m_matrix.GetSize());
        for (std::size_t j = 0; j < product.size(); ++j)
        {
            for (std::size_t d = 0; d < m_nDimensions; ++d)
            {
                product[j] += m_matrix(j, d) * free[i][d];
            }
        }
        for (std::size_t j = 0; j <= i; ++j)
        {
            m_reduced(i, j) = Dot(free[j], product);
        }
        for (std::size_t j = 0; j < nOthers; ++j)
        {
            m_reduced(nFree + j, i) = product[m_nDimensions + j];
        }
    }
    for (std::size_t i = 0; i < nOthers; ++i)
    {
        for (std::size_t j = 0; j <= i; ++j)
        {
            m_reduced(nFree + i, nFree + j) = m_matrix(m_nDimensions + i, m_nDimensions + j);
        }
    }
    m_reduced.Factor();
}

void
NewtonSystem::AddCollective(std::size_t collective,
                            std::size_t dimension,
                            double time,
                            double bandwidth,
                            double bytes,
                            double slack)
{
    const std::size_t place = m_places[collective];
    const double byTime = bandwidth / slack;
    const double byBandwidth = time / slack;
    const double cross = bytes / slack / slack;
    m_sides[0][dimension] += byBandwidth;
    m_matrix(dimension, dimension) += byBandwidth * byBandwidth;
    if (place == NO_PLACE)
    {
        m_timeSides[0][collective] += byTime;
        m_diagonal[collective] += byTime * byTime;
        m_cross[collective * m_nDimensions + dimension] = cross;
    }
    else
    {
        m_sides[0][place] += byTime;
        m_matrix(place, place) += byTime * byTime;
        m_matrix(place, dimension) += cross;
        m_matrix(dimension, place) += cross;
    }
}

void
NewtonSystem::AddSide(std::size_t place, double value, double target)
{
    m_sides[0][place] += value;
    m_sides[1][place] += target;
}

void
NewtonSystem::AddTimeSide(std::size_t collective, double value, double target)
{
    const std::size_t place = m_places[collective];
    const bool isFree = place == NO_PLACE;
    (isFree ? m_timeSides[0][collective] : m_sides[0][place]) += value;
    (isFree ? m_timeSides[1][collective] : m_sides[1][place]) += target;
}

NewtonSystem::Unknowns
NewtonSystem::Solve(std::size_t side) const
{
    std::vector<double> full = m_sides[side];
    for (std::size_t k = 0; k < m_places.size(); ++k)
    {
        const double time = m_places[k] == NO_PLACE ? m_timeSides[side][k] / m_diagonal[k] : 0;
        for (std::size_t d = 0; d < m_nDimensions; ++d)
        {
            full[d] -= m_cross[k * m_nDimensions + d] * time;
        }
    }
    std::vector<double> reduced;
    for (const auto& direction : m_free)
    {
        reduced.push_back(Dot(direction, full));
    }
    reduced.insert(reduced.end(), full.begin() + m_nDimensions, full.end());
    m_reduced.Solve(reduced);
    Unknowns change;
    change.bandwidths.resize(m_nDimensions);
    for (std::size_t i = 0; i < m_free.size(); ++i)
    {
        AddTo(change.bandwidths, reduced[i], m_free[i]);
    }
    for (std::size_t k = 0; k < m_places.size(); ++k)
    {
        const std::size_t place = m_places[k];
        double time = m_timeSides[side][k];
        for (std::size_t d = 0; d < m_nDimensions; ++d)
        {
            time -= m_cross[k * m_nDimensions + d] * change.bandwidths[d];
        }
        change.collectives.push_back(place == NO_PLACE
                                         ? time / m_diagonal[k]
                                         : reduced[place - m_nDimensions + m_free.size()]);
    }
    change.maxima.assign(reduced.begin() + m_free.size() + m_nCoupled, reduced.end());
    return change;
}

double
NewtonSystem::Multiply(std::size_t side, const Unknowns& change) const
{
    const auto& values = m_sides[side];
    double product = Dot(m_timeSides[side], change.collectives);
    for (std::size_t k = 0; k < m_places.size(); ++k)
    {
        product += m_places[k] == NO_PLACE ? 0 : values[m_places[k]] * change.collectives[k];
    }
    for (std::size_t d = 0; d < m_nDimensions; ++d)
    {
        product += values[d] * change.bandwidths[d];
    }
    for (std::size_t g = 0; g < change.maxima.size(); ++g)
    {
        product += values[m_nDimensions + m_nCoupled + g] * change.maxima[g];
    }
    return product;
}

} // namespace mlcluster
} // namespace ns3
