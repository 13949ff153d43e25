/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-control.h"

#include "ns3/diagnostics.h"
#include "ns3/graph-page-pool.h"
#include "ns3/simulator.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <new>
#include <string>
#include <sys/resource.h>
#include <sys/time.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

volatile std::sig_atomic_t g_signal = 0;  ///< signal that came while GuardMain goes on, or 0
volatile std::sig_atomic_t g_running = 0; ///< whether the simulation runs

volatile std::sig_atomic_t g_tick = 0; ///< whether the timer has gone off since it was cleared

/// Seconds from one call of a run's progress function to the next.
constexpr int TICK_SECONDS = 2;

constexpr uint64_t BYTES_PER_KB = 1024; ///< as the system counts

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

void
HandleTick(int)
{
    g_tick = 1;
    Simulator::Stop();
}

/// A simulation that is going on, with a timer or without.
class Running
{
  public:
    /// @param ticks whether the timer goes off every TICK_SECONDS
    explicit Running(bool ticks)
    {
        g_running = 1;
        if (ticks)
        {
            std::signal(SIGALRM, HandleTick);
            SetTimer(TICK_SECONDS);
        }
    }

    ~Running()
    {
        SetTimer(0);
        g_running = 0;
    }

    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    /// @param seconds between two signals; 0: none
    static void SetTimer(int seconds)
    {
        itimerval timer{};
        timer.it_interval.tv_sec = seconds;
        timer.it_value.tv_sec = seconds;
        setitimer(ITIMER_REAL, &timer, nullptr);
    }
};

} // namespace

uint64_t
GetPeakMemoryBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string key; status >> key;)
    {
        uint64_t kilobytes = 0;
        if (key == "VmHWM:" && status >> kilobytes)
        {
            return kilobytes * BYTES_PER_KB;
        }
    }
    rusage usage{}; // counts what the process was before this program too
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * BYTES_PER_KB;
}

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
    catch (const std::bad_alloc&)
    {
        std::cerr << "error: the memory does not suffice: the topology or the workload is too large"
                  << std::endl;
    }
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    const int signal = g_signal;
    g_signal = 0;
    return signal ? 128 + signal : status;
}

bool
IsInterrupted()
{
    return g_signal != 0;
}

RunReport
RunSimulator(const std::function<void(double)>& progress)
{
    RunReport report;
    const uint64_t eventsBefore = Simulator::GetEventCount();
    const auto start = std::chrono::steady_clock::now();
    const auto getSeconds = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const Running running(progress != nullptr);
    while (!g_signal)
    {
        g_tick = 0;
        Simulator::Run();
        if (!g_tick)
        {
            break;
        }
        progress(getSeconds());
    }
    report.partial = g_signal != 0;
    report.wallSeconds = getSeconds();
    report.events = Simulator::GetEventCount() - eventsBefore;
    report.peakMemoryBytes = GetPeakMemoryBytes();
    report.nodeFileBytes = GraphPagePool::Get().GetBytesInFile();
    return report;
}

void
PrintProgress(double wallSeconds, double share, const std::string& title)
{
    const double simulated = Simulator::Now().GetSeconds();
    std::cerr << title << std::fixed << std::setprecision(3) << "simulated " << simulated * 1e3
              << " ms (" << simulated * 1e3 / wallSeconds << " ms per second), "
              << std::setprecision(1) << share * 100 << " % done";
    if (share > 0)
    {
        std::cerr << ", about " << std::setprecision(0) << wallSeconds * (1 - share) / share
                  << " s left";
    }
    std::cerr << std::defaultfloat << std::setprecision(6) << std::endl;
}

} // namespace mlcluster
} // namespace ns3
