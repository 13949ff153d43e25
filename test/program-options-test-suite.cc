/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-inputs.h"
#include "test-tools.h"

#include "ns3/config.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <csignal>
#include <new>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

/**
 * @ingroup ml-cluster-tests
 * What the command line takes and refuses. Expectation: values are taken whole or refused with what
 * is allowed; ns-3 takes them up to the first character that does not fit, or aborts.
 */
class ProgramOptionsTestCase : public TestCase
{
  public:
    ProgramOptionsTestCase()
        : TestCase("Values of the command line are taken whole or refused")
    {
    }

  private:
    void DoRun() override
    {
        Accept(
            {"--text=my results", "--count=7", "--size=18446744073709551615", "--number=1.5e-3"});
        NS_TEST_EXPECT_MSG_EQ(m_text, "my results", "blanks belong to a text");
        NS_TEST_EXPECT_MSG_EQ(m_count, 7, "count");
        NS_TEST_EXPECT_MSG_EQ(m_size, 18446744073709551615ULL, "size");
        NS_TEST_EXPECT_MSG_EQ(m_number, 1.5e-3, "number");
        Accept({"--flag", "--ns3::mlcluster::ClusterNetDevice::Mtu=1500"});
        NS_TEST_EXPECT_MSG_EQ(m_flag, true, "flag");

        Refuse("--count=4x", "--count: '4x' is no whole number");
        Refuse("--count=-1", "--count: '-1' is no whole number");
        Refuse("--count=1.5", "--count: '1.5' is no whole number");
        Refuse("--count=4294967296", "--count: '4294967296' is too large; the most is 4294967295");
        Refuse("--size=64MiB", "--size: '64MiB' is no whole number");
        Refuse("--number=1.5x", "--number: '1.5x' is no number");
        Refuse("my.yaml", "'my.yaml' is no option");

        const std::string packet = "--ns3::mlcluster::PacketBackend::";
        Refuse(packet + "PayloadBytes=abc", packet + "PayloadBytes: \"abc\" is no whole number");
        Refuse(packet + "PayloadBytes=0", "too small; the least is 1");
        Refuse(packet + "WindowBdp=nan", packet + "WindowBdp: ");
        Refuse(packet + "Payload=1", "nearest: ns3::mlcluster::PacketBackend::PayloadBytes");
        const std::string npu = "--ns3::mlcluster::NpuApplication::";
        Refuse(npu + "EndpointDelay=10", "the unit is missing");
        Refuse("--ns3::mlcluster::ClusterNetDevice::Mtu=abc", "\"abc\" is no whole number");
        Refuse("--ns3::mlcluster::ClusterNetDevice::Mtu=-5", "\"-5\" is no whole number");
        Refuse("--ns3::mlcluster::ClusterNetDevice::Mtu=70000", "no value that this attribute");
    }

    void DoTeardown() override
    {
        Config::Reset();
    }

    /// @param arguments of main
    void Parse(std::vector<std::string> arguments)
    {
        ProgramOptions options("program.cc");
        options.AddValue("text", "", m_text);
        options.AddValue("count", "", m_count);
        options.AddValue("size", "", m_size);
        options.AddValue("number", "", m_number);
        options.AddValue("flag", "", m_flag);
        arguments.insert(arguments.begin(), "program");
        std::vector<char*> argv;
        for (std::string& argument : arguments)
        {
            argv.push_back(argument.data());
        }
        options.Parse(argv.size(), argv.data());
    }

    /// @param arguments that must be taken
    void Accept(const std::vector<std::string>& arguments)
    {
        std::string message;
        try
        {
            Parse(arguments);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(message, "", "refused");
    }

    /// @param argument that must be refused @param part of the message
    void Refuse(const std::string& argument, const std::string& part)
    {
        std::string message;
        try
        {
            Parse({argument});
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(message.find(part), std::string::npos, argument << ": " << message);
    }

    std::string m_text{"none"}; ///< --text
    uint32_t m_count{1};        ///< --count
    uint64_t m_size{2};         ///< --size
    double m_number{3};         ///< --number
    bool m_flag{false};         ///< --flag
};

/**
 * @ingroup ml-cluster-tests
 * The timer of the progress line, raised by hand. Expectation: it interrupts the run, which then
 * goes on to the same end.
 */
class ProgressTestCase : public TestCase
{
  public:
    ProgressTestCase()
        : TestCase("The timer interrupts a run for a line and changes nothing")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        uint32_t events = 0;
        std::vector<int64_t> calls;
        for (int64_t time = 1; time <= 10; ++time)
        {
            Simulator::Schedule(PicoSeconds(time), [&events, time] {
                ++events;
                if (time % 4 == 0)
                {
                    std::raise(SIGALRM);
                }
            });
        }
        const RunReport report = RunSimulator([&calls](double wallSeconds) {
            calls.push_back(wallSeconds >= 0 ? Simulator::Now().GetPicoSeconds() : -1);
        });
        NS_TEST_EXPECT_MSG_EQ(report.partial, false, "no signal of the user's");
        NS_TEST_EXPECT_MSG_EQ(events, 10, "all events run");
        NS_TEST_EXPECT_MSG_EQ((calls == std::vector<int64_t>{4, 8}), true, "called at each signal");
        Simulator::Destroy();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Memory that does not suffice. Expectation: status 1 and no exception.
 */
class MemoryTestCase : public TestCase
{
  public:
    MemoryTestCase()
        : TestCase("A lack of memory ends a program in order")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GuardMain([]() -> int { throw std::bad_alloc(); }), 1, "status");
    }
};

/**
 * @ingroup ml-cluster-tests
 * ml-cluster-astra stopped by a signal. Expectation: no rank is called finished that is not.
 */
class StoppedAstraTestCase : public TestCase
{
  public:
    StoppedAstraTestCase()
        : TestCase("A stopped run calls no rank finished")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        for (const bool parity : {false, true})
        {
            AstraInputs inputs;
            inputs.options.parity = parity;
            const std::string folder = CreateTempDirFilename("stopped");
            const int status = GuardMain([&] {
                Simulator::Schedule(NanoSeconds(2000), [] { std::raise(SIGTERM); });
                inputs.Run(folder);
                return 0;
            });
            NS_TEST_EXPECT_MSG_EQ(status, 143, "exit status");
            NS_TEST_EXPECT_MSG_EQ(inputs.output.find("finished"), std::string::npos, inputs.output);
            NS_TEST_EXPECT_MSG_EQ(inputs.output.rfind("stopped by a signal after ", 0),
                                  0,
                                  inputs.output);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of what programs have in common.
 */
class ProgramOptionsTestSuite : public TestSuite
{
  public:
    ProgramOptionsTestSuite()
        : TestSuite("ml-cluster-program-options", Type::UNIT)
    {
        AddTestCase(new ProgramOptionsTestCase);
        AddTestCase(new ProgressTestCase);
        AddTestCase(new MemoryTestCase);
        AddTestCase(new StoppedAstraTestCase);
    }
};

static ProgramOptionsTestSuite g_programOptionsTestSuite; ///< registers the suite
