/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-refiner.h"

#include "small-matrix.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlopt.h>
#include <random>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Numbers = std::vector<double>;
using Row = BandwidthRegion::Row;

constexpr double EXACT = 1e-9;      ///< of a row's scale: it is met
constexpr double SHORTENED = 0.1;   ///< part of its first step that a search ends with
constexpr double LEAST_GAIN = 1e-3; ///< of the value, for a step of 1, that counts
constexpr double LEAST_SHARE = 0.1; ///< of a bandwidth that a search leaves

/// @param row an inequality @param sizes bandwidths @return the size of what it adds up
double
GetScale(const Row& row, const Numbers& sizes)
{
    double scale = std::abs(row.value);
    for (std::size_t d = 0; d < sizes.size(); ++d)
    {
        scale = std::max(scale, std::abs(row.coefficients[d]) * sizes[d]);
    }
    return scale > 0 ? scale : 1;
}

/// @param row an inequality @param bandwidths where @return what it leaves, negative outside
double
GetRoom(const Row& row, const Numbers& bandwidths)
{
    return row.value - Dot(row.coefficients, bandwidths);
}

/// @param from bandwidths @param factor a factor @param direction of as many
/// @return bandwidths that far in the direction
Numbers
Move(Numbers from, double factor, const Numbers& direction)
{
    AddTo(from, factor, direction);
    return from;
}

/// @param rows inequalities @param inside meets them @param outside elsewhere
/// @return the part of the way from inside to outside that meets them
double
GetPartInside(const std::vector<Row>& rows, const Numbers& inside, const Numbers& outside)
{
    double part = 1;
    for (const Row& row : rows)
    {
        const double room = std::max(0.0, GetRoom(row, inside));
        const double use = room - GetRoom(row, outside);
        part = use * part > room ? room / use : part;
    }
    return part;
}

/// @param directions independent @param vector in their span, each having a dimension of its own
/// @return factors of them
Numbers
GetFactors(const std::vector<Numbers>& directions, const Numbers& vector)
{
    Numbers factors(directions.size());
    for (std::size_t d = 0; d < vector.size(); ++d)
    {
        const auto isMoved = [d](const Numbers& direction) { return direction[d] != 0; };
        const auto mover = std::find_if(directions.begin(), directions.end(), isMoved);
        if (std::count_if(directions.begin(), directions.end(), isMoved) == 1)
        {
            factors[mover - directions.begin()] = vector[d] / (*mover)[d];
        }
    }
    return factors;
}

} // namespace

/// @param vectors independent @param mirror a number for each of them, not all 0
/// @return mixtures of them, turned by mirroring (Householder)
std::vector<Numbers>
Turn(const std::vector<Numbers>& vectors, const Numbers& mirror)
{
    std::vector<Numbers> turned = vectors;
    for (std::size_t i = 0; i < vectors.size(); ++i)
    {
        for (std::size_t k = 0; k < vectors.size(); ++k)
        {
            AddTo(turned[i], -2 * mirror[i] * mirror[k] / Dot(mirror, mirror), vectors[k]);
        }
    }
    return turned;
}

/// @param vector numbers, at least one @return the mirror that turns the first axis towards it
Numbers
GetMirror(const Numbers& vector)
{
    Numbers mirror = Move(Numbers(vector.size()), -1, vector);
    mirror[0] += std::sqrt(Dot(vector, vector));
    return mirror;
}

/// @param size how many numbers @param seed of what is drawn @return some
Numbers
Draw(std::size_t size, uint32_t seed)
{
    std::minstd_rand random(seed);
    Numbers numbers(size);
    std::generate(numbers.begin(), numbers.end(), [&random] {
        return static_cast<double>(random()) / std::minstd_rand::max() - 0.5;
    });
    return numbers;
}

/// One run of COBYLA, whose numbers are how often to go each of some directions.
class BandwidthRefiner::Search
{
  public:
    /// @param refiner tries @param start best trial so far @param step share to change first
    /// @param before bandwidths from which the search before came to these; the same if it did not
    /// move @param seed of directions that are drawn then; 0: one for each free bandwidth
    Search(BandwidthRefiner& refiner,
           const Trial& start,
           double step,
           const Numbers& before,
           uint32_t seed)
        : m_refiner(refiner),
          m_start(start),
          m_step(step),
          m_rows(refiner.m_region.GetInequalities())
    {
        const Numbers& from = start.bandwidths;
        for (std::size_t d = 0; d < from.size(); ++d)
        {
            Row floor{Numbers(from.size()), -LEAST_SHARE * from[d], 0, 1};
            floor.coefficients[d] = -1;
            m_rows.push_back(floor);
        }
        for (const Row& row : m_rows)
        {
            m_scales.push_back(GetScale(row, from));
        }
        SetDirections(before, seed);
    }

    /// Searches; the refiner keeps what it finds.
    void Run()
    {
        if (m_directions.empty())
        {
            return;
        }
        const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> cobyla(
            nlopt_create(NLOPT_LN_COBYLA, m_directions.size()),
            nlopt_destroy);
        m_cobyla = cobyla.get();
        const Numbers tolerances(m_rows.size() + (m_refiner.m_problem.target ? 1 : 0), EXACT);
        nlopt_set_min_objective(m_cobyla, GetObjective, this);
        nlopt_add_inequality_mconstraint(m_cobyla,
                                         tolerances.size(),
                                         GetLimits,
                                         this,
                                         tolerances.data());
        nlopt_set_initial_step1(m_cobyla, m_step);
        nlopt_set_xtol_rel(m_cobyla, SHORTENED);
        Numbers at(m_directions.size());
        double value = 0;
        nlopt_optimize(m_cobyla, at.data(), &value);
        if (m_thrown)
        {
            std::rethrow_exception(m_thrown);
        }
    }

  private:
    /// As the constructor has them. Chooses directions, the first of them that of the last move,
    /// such that a step in each meets the inequalities: towards the interior, and as far to it as
    /// that takes.
    void SetDirections(const Numbers& before, uint32_t seed)
    {
        const Numbers& from = m_start.bandwidths;
        const Numbers inwards = Move(m_refiner.m_region.GetInterior(), -1, from);
        m_directions = m_refiner.m_region.GetFreeDirections(from);
        Numbers factors = GetFactors(m_directions, inwards);
        Numbers axis = GetFactors(m_directions, Move(from, -1, before));
        const bool hasMoved = Dot(axis, axis) > 0;
        axis = hasMoved || seed == 0 ? axis : Draw(axis.size(), seed);
        if (Dot(axis, axis) > 0 && axis.size() > 1)
        {
            const Numbers mirror = GetMirror(axis);
            m_directions = Turn(m_directions, mirror);
            AddTo(factors, -2 * Dot(mirror, factors) / Dot(mirror, mirror), mirror);
        }
        for (std::size_t k = 0; k < m_directions.size(); ++k)
        {
            const Numbers axis =
                Move(Numbers(from.size()), factors[k] < 0 ? -1 : 1, m_directions[k]);
            double part = 0;
            for (const Row& row : m_rows)
            {
                const double gain = -Dot(row.coefficients, inwards);
                const double room = GetRoom(row, Move(from, m_step, axis));
                part = gain > 0 ? std::max(part, std::min(1.0, -room / gain)) : part;
            }
            const Numbers direction = Move(axis, part / m_step, inwards);
            const double share = GetPartInside(m_rows, from, Move(from, m_step, direction));
            m_directions[k] = Move(Numbers(from.size()), share > 0 ? share : 1, direction);
        }
    }

    /// @param at how often to go each direction @return bandwidths
    Numbers GetBandwidths(const double* at) const
    {
        Numbers bandwidths = m_start.bandwidths;
        for (std::size_t k = 0; k < m_directions.size(); ++k)
        {
            AddTo(bandwidths, at[k], m_directions[k]);
        }
        return bandwidths;
    }

    /// @param at how often to go each direction @return what is tried instead, within the
    /// constraints; null, and the search ends, if nothing can be tried any more
    const Trial* Try(const double* at)
    {
        try
        {
            const Numbers& from = m_start.bandwidths;
            const Numbers to = GetBandwidths(at);
            const double part = GetPartInside(m_rows, from, to);
            const Trial* trial =
                m_refiner.Try(part == 1 ? to : Move(from, part, Move(to, -1, from)));
            if (trial)
            {
                return trial;
            }
        }
        catch (...)
        {
            m_thrown = std::current_exception();
        }
        nlopt_force_stop(m_cobyla);
        return nullptr;
    }

    /// As NLopt wants it. @param at how often to go each direction @param search a Search
    /// @return the objective over that of the start
    static double GetObjective(unsigned /* size */, const double* at, double*, void* search)
    {
        auto* self = static_cast<Search*>(search);
        const Trial* trial = self->Try(at);
        const double scale = self->m_start.value > 0 ? self->m_start.value : 1;
        return (trial ? trial->value : self->m_start.value) / scale;
    }

    /// As NLopt wants it. @param results receives what is positive outside, a share
    /// @param at how often to go each direction @param search a Search
    static void GetLimits(unsigned /* nResults */,
                          double* results,
                          unsigned /* size */,
                          const double* at,
                          double*,
                          void* search)
    {
        auto* self = static_cast<Search*>(search);
        const Numbers bandwidths = self->GetBandwidths(at);
        for (std::size_t i = 0; i < self->m_rows.size(); ++i)
        {
            results[i] = -GetRoom(self->m_rows[i], bandwidths) / self->m_scales[i];
        }
        if (const auto target = self->m_refiner.m_problem.target)
        {
            const Trial* trial = self->Try(at);
            results[self->m_rows.size()] = trial ? trial->time / *target - 1 : 0;
        }
    }

    BandwidthRefiner& m_refiner;       ///< tries
    Trial m_start;                     ///< where it begins
    double m_step;                     ///< share to change first
    std::vector<Row> m_rows;           ///< inequalities
    Numbers m_scales;                  ///< of these
    std::vector<Numbers> m_directions; ///< GB/s for each 1 of a number
    nlopt_opt m_cobyla{nullptr};       ///< while it runs
    std::exception_ptr m_thrown;       ///< by the time
};

BandwidthRefiner::BandwidthRefiner(const BandwidthProblem& problem,
                                   Time time,
                                   const Options& options)
    : m_problem(problem),
      m_region(problem.prices.size(), problem.constraints),
      m_time(std::move(time)),
      m_options(options)
{
    if (std::any_of(problem.speeds.begin(), problem.speeds.end(), [](const auto& list) {
            return !list.empty();
        }))
    {
        throw InputError("dimensions that have only certain speeds cannot be refined, which varies "
                         "bandwidths step by step");
    }
    if (problem.objective == BandwidthProblem::Objective::Cost && !problem.target)
    {
        throw InputError("the least cost cannot be refined without a time target");
    }
    if (options.mostTrials == 0 || !(options.firstStep > 0 && options.firstStep < 1) ||
        !(options.shortestStep > 0))
    {
        throw InputError("refinement needs at least 1 trial, a first step above 0 and below 1, and "
                         "a shortest step above 0");
    }
}

BandwidthRefiner::Result
BandwidthRefiner::Refine(const std::vector<double>& start)
{
    constexpr double MET = 1e-6; // of a constraint's value
    for (const auto& constraint : m_problem.constraints)
    {
        if (constraint.GetExcess(start) > MET * std::max(1.0, std::abs(constraint.value)))
        {
            throw InputError("the bandwidths to begin with do not meet " + constraint.text);
        }
    }
    m_result = {};
    m_isStopped = false;
    Try(start);
    const auto isBusy = [this] {
        return !m_isStopped && m_result.trials.size() < m_options.mostTrials;
    };
    double step = m_options.firstStep;
    std::vector<double> before = start;
    for (uint32_t seed = 0; isBusy() && step >= m_options.shortestStep; ++seed)
    {
        const Trial from = m_result.best;
        Search(*this, from, step, before, seed).Run();
        before = from.bandwidths;
        const bool hasHelped = m_result.best.delay < from.delay ||
                               m_result.best.value < from.value * (1 - step * LEAST_GAIN);
        step *= hasHelped ? 1 : 0.5;
    }
    return m_result;
}

const BandwidthRefiner::Trial*
BandwidthRefiner::Try(const std::vector<double>& bandwidths)
{
    auto& trials = m_result.trials;
    const auto known = std::find_if(trials.begin(), trials.end(), [&](const Trial& trial) {
        return trial.bandwidths == bandwidths;
    });
    if (known != trials.end() || trials.size() >= m_options.mostTrials)
    {
        return known == trials.end() ? nullptr : &*known;
    }
    const auto time = m_time(bandwidths);
    m_isStopped = !time;
    if (m_isStopped)
    {
        return nullptr;
    }
    Trial trial;
    trial.bandwidths = bandwidths;
    trial.time = *time;
    trial.cost = m_problem.GetCost(bandwidths);
    trial.value = BandwidthProblem::GetValue(m_problem.objective, trial.time, trial.cost);
    trial.delay = m_problem.target ? std::max(0.0, trial.time / *m_problem.target - 1) : 0;
    trials.push_back(trial);
    if (trials.size() == 1 || IsBetter(trial, m_result.best))
    {
        m_result.best = trial;
    }
    return &trials.back();
}

bool
BandwidthRefiner::IsBetter(const Trial& a, const Trial& b)
{
    return a.delay < b.delay || (a.delay == b.delay && a.value < b.value);
}

} // namespace mlcluster
} // namespace ns3
