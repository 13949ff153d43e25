/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_CONTROL_H
#define ML_CLUSTER_RUN_CONTROL_H

#include "ns3/application-container.h"
#include "ns3/run-report.h"

#include <chrono>
#include <cstdint>
#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Runs the body of a program's main: an InputError is printed on the error stream and gives 1;
 * SIGINT and SIGTERM end the simulation that is going on, or the next one as soon as it begins, so
 * that results can be written, and give 130 and 143; a second signal ends the process.
 * @param body the program; returns the exit status
 * @return the exit status
 */
int GuardMain(const std::function<int()>& body);

/**
 * @ingroup ml-cluster
 * Simulator::Run, which a signal ends early if GuardMain is on the stack.
 * @return the report of the run as far as it says how it went: whether a signal ended it, wall
 * time, events, peak memory
 */
RunReport RunSimulator();

/**
 * @ingroup ml-cluster
 * Prints a line on the error stream every two seconds of a run: simulated time, simulated time per
 * wall second, share of the work done, and how long the rest would take at the average pace. It is
 * told that something happened and looks at the clock now and then; it schedules no event, so it
 * changes no result.
 */
class RunProgress
{
  public:
    /// @param applications the NPUs; their NodeEnd and MessageReceived trace sources are connected
    explicit RunProgress(const ApplicationContainer& applications);

    void Notify(); ///< Something happened: print a line if it is time

  private:
    void Print(double wallSeconds) const; ///< @param wallSeconds since the start of the run

    ApplicationContainer m_applications;           ///< the NPUs
    std::chrono::steady_clock::time_point m_start; ///< start of the run
    double m_nextSeconds{2.0};                     ///< wall time of the next line, s
    uint32_t m_calls{0};                           ///< calls since the clock was read
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_CONTROL_H
