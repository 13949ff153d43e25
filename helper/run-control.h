/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_CONTROL_H
#define ML_CLUSTER_RUN_CONTROL_H

#include "ns3/run-report.h"

#include <functional>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Runs the body of a program's main: an InputError, and the lack of
 * memory, is printed on the error stream and gives 1;
 * SIGINT and SIGTERM end the simulation that is going on, or the next one as soon as it begins, so
 * that results can be written, and give 130 and 143; a second signal ends the process.
 * @param body the program; returns the exit status
 * @return the exit status
 */
int GuardMain(const std::function<int()>& body);

/// @return whether a signal has come while GuardMain is on the stack, for what takes long besides
/// simulations @ingroup ml-cluster
bool IsInterrupted();

/**
 * @ingroup ml-cluster
 * Simulator::Run, which a signal ends early if GuardMain is on the stack.
 * @param progress called every two seconds of wall time, between two events, with the seconds since
 * the start; nothing is called if it is empty. A timer of the system interrupts the run for it: no
 * event is scheduled, so results do not change.
 * @return the report of the run as far as it says how it went: whether a signal ended it, wall
 * time, events, peak memory
 */
RunReport RunSimulator(const std::function<void(double)>& progress = nullptr);

/// @return most memory that the process has had so far, bytes @ingroup ml-cluster
uint64_t GetPeakMemoryBytes();

/**
 * @ingroup ml-cluster
 * Prints a line on the error stream: simulated time, simulated time per wall second, share of the
 * work done, and how long the rest would take at the average pace.
 * @param wallSeconds since the start of the run
 * @param share of the work done, 0 to 1
 * @param title what the line begins with, if it is not the run that the user waits for
 */
void PrintProgress(double wallSeconds, double share, const std::string& title = "");

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_CONTROL_H
