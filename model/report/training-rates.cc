/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-rates.h"

#include "run-report.h"

namespace ns3
{
namespace mlcluster
{

TrainingRates::TrainingRates(const RunReport& run)
{
    constexpr double PS_PER_SECOND = 1e12;
    const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    const TrainingFigures& figures = *run.training;
    const double seconds = run.finishTimePs / PS_PER_SECOND;
    const double steps = figures.steps;
    const double possible = run.ranks.size() * figures.peakFlops * seconds;
    stepPs = ratio(run.finishTimePs, steps);
    samplesPerSecond = ratio(figures.samples * steps, seconds);
    tokensPerSecond = ratio(figures.tokens * steps, seconds);
    tokensPerSecondPerNpu = ratio(tokensPerSecond, run.ranks.size());
    modelUtilisation = ratio(figures.modelOperations * steps, possible);
    hardwareUtilisation = ratio(run.operations, possible);
}

} // namespace mlcluster
} // namespace ns3
