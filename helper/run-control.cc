/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-control.h"

#include "ns3/diagnostics.h"
#include "ns3/npu-application.h"
#include "ns3/simulator.h"

#include <csignal>
#include <iomanip>
#include <iostream>
#include <sys/resource.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

volatile std::sig_atomic_t g_signal = 0;  ///< signal that came since GuardMain began, or 0
volatile std::sig_atomic_t g_running = 0; ///< whether the simulation runs

/// Calls of RunProgress::Notify for each look at the clock.
constexpr uint32_t CALLS_PER_LOOK = 256;

void
HandleSignal(int signal)
{
    if (g_signal)
    {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    g_signal = signal;
    if (g_running)
    {
        Simulator::Stop();
    }
}

/// Simulator::Run, unless a signal has come already.
void
RunUntilSignal()
{
    if (g_signal)
    {
        return;
    }
    g_running = 1;
    try
    {
        Simulator::Run();
    }
    catch (...)
    {
        g_running = 0;
        throw;
    }
    g_running = 0;
}

uint64_t
GetPeakMemoryBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace

int
GuardMain(const std::function<int()>& body)
{
    g_signal = 0;
    std::signal(SIGINT, HandleSignal);
    std::signal(SIGTERM, HandleSignal);
    int status = 1;
    try
    {
        status = body();
    }
    catch (const InputError& error)
    {
        std::cerr << "error: " << error.what() << std::endl;
    }
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    return g_signal ? 128 + g_signal : status;
}

RunReport
RunSimulator()
{
    RunReport report;
    const uint64_t eventsBefore = Simulator::GetEventCount();
    const auto start = std::chrono::steady_clock::now();
    RunUntilSignal();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    report.partial = g_signal != 0;
    report.wallSeconds = wall.count();
    report.events = Simulator::GetEventCount() - eventsBefore;
    report.peakMemoryBytes = GetPeakMemoryBytes();
    return report;
}

RunProgress::RunProgress(const ApplicationContainer& applications)
    : m_applications(applications),
      m_start(std::chrono::steady_clock::now())
{
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext(
            "NodeEnd",
            Callback<void, uint32_t, const ExecutionNode&>(
                [this](uint32_t, const ExecutionNode&) { Notify(); }));
        applications.Get(i)->TraceConnectWithoutContext(
            "MessageReceived",
            Callback<void, uint32_t, const NetworkMessage&>(
                [this](uint32_t, const NetworkMessage&) { Notify(); }));
    }
}

void
RunProgress::Notify()
{
    if (++m_calls < CALLS_PER_LOOK)
    {
        return;
    }
    m_calls = 0;
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_start;
    if (wall.count() >= m_nextSeconds)
    {
        m_nextSeconds = wall.count() + 2.0;
        Print(wall.count());
    }
}

void
RunProgress::Print(double wallSeconds) const
{
    double share = 0;
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        share += DynamicCast<NpuApplication>(m_applications.Get(i))->GetShareDone();
    }
    share /= m_applications.GetN();
    const double simulated = Simulator::Now().GetSeconds();
    std::cerr << std::fixed << std::setprecision(3) << "simulated " << simulated * 1e3 << " ms ("
              << simulated * 1e3 / wallSeconds << " ms per second), " << std::setprecision(1)
              << share * 100 << " % done";
    if (share > 0)
    {
        std::cerr << ", about " << std::setprecision(0) << wallSeconds * (1 - share) / share
                  << " s left";
    }
    std::cerr << std::defaultfloat << std::setprecision(6) << std::endl;
}

} // namespace mlcluster
} // namespace ns3
