/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Converts traces of other tools to Chakra traces: PREFIX.0.et, PREFIX.1.et, ... and, if there are
// communicator groups, PREFIX.groups.json.

#include "ns3/chakra-writer.h"
#include "ns3/conversion-ledger.h"
#include "ns3/flexflow-converter.h"
#include "ns3/plain-number.h"
#include "ns3/program-options.h"
#include "ns3/pytorch-job.h"
#include "ns3/rank-files.h"
#include "ns3/run-control.h"
#include "ns3/trace-file.h"

#include <functional>
#include <iostream>
#include <limits>
#include <map>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

/// What all formats have.
struct Output
{
    std::string prefix{"converted"}; ///< path of the files up to the rank
    bool parity{false};              ///< as Chakra's converter does it
    bool gzip{false};                ///< compress the traces
    uint32_t ids{4};                 ///< ids shown of what is left out

    /// @param cmd receives the options
    void AddOptions(ProgramOptions& cmd)
    {
        cmd.AddValue("prefix", "Path of the Chakra traces up to the rank", prefix);
        cmd.AddValue("parity", "Reproduce Chakra's own converter, faults included", parity);
        cmd.AddValue("gzip", "Compress the Chakra traces", gzip);
        cmd.AddValue("ids", "Ids shown of what is left out for one reason", ids);
    }

    /// @param ledger what came in and was kept @param nRanks traces written
    void Print(const ConversionLedger& ledger, std::size_t nRanks) const
    {
        ledger.Print(std::cout, ids);
        std::cout << nRanks << " Chakra traces: " << prefix << ".RANK.et\n";
    }
};

/// Execution traces and Kineto traces of PyTorch.
class PytorchInput
{
  public:
    /// @param cmd receives the options
    void AddOptions(ProgramOptions& cmd)
    {
        cmd.AddValue("et",
                     "pytorch: execution traces, separated by commas, or a pattern such as "
                     "et_{rank}.json; alone if they are linked to Kineto traces already",
                     m_executionTraces);
        cmd.AddValue("kineto",
                     "pytorch: Kineto traces of the same ranks, likewise",
                     m_kinetoTraces);
        cmd.AddValue("ranks",
                     "pytorch: ranks that a pattern stands for; 0: all there are",
                     m_nRanks);
        cmd.AddValue("iteration",
                     "pytorch: without record-function ids, which of several equal passages of the "
                     "Kineto trace the execution trace is, from 0",
                     m_options.link.iteration);
        cmd.AddValue("allow-fuzzy",
                     "pytorch: without record-function ids, accept that a tenth of a thread's "
                     "operators is in one of the traces only; with ids, that names or ids differ; "
                     "leave out kernels of which nothing tells what they communicate",
                     m_options.link.allowFuzzy);
        cmd.AddValue("memset", "pytorch: keep operations that fill memory", m_options.link.memset);
        cmd.AddValue("synchronisations",
                     "pytorch: find who waited for whom, and take waiting off durations",
                     m_options.link.synchronisations);
        cmd.AddValue("stream-order-edges",
                     "pytorch: an operation of the device depends on the one before on its stream",
                     m_options.convert.streamOrderEdges);
        cmd.AddValue("values",
                     "pytorch: keep inputs and outputs of operators",
                     m_options.convert.values);
    }

    /// @param output where to
    void Convert(const Output& output)
    {
        m_options.gzip = output.gzip;
        m_options.link.parity = output.parity;
        m_options.convert.parity = output.parity;
        m_options.convert.allowFuzzy = m_options.link.allowFuzzy;
        PytorchJob job(FindFiles(), m_options);
        Diagnostics diagnostics;
        job.Run(output.prefix, diagnostics);
        diagnostics.PrintWarnings(std::cerr);
        diagnostics.ThrowIfErrors();
        ConversionLedger sum;
        for (const auto& result : job.GetResults())
        {
            sum.Add(result.ledger, "rank " + std::to_string(result.rank) + ": ");
        }
        output.Print(sum, job.GetResults().size());
        if (!job.GetGroups().empty())
        {
            std::cout << job.GetGroups().size() << " groups: " << output.prefix << ".groups.json\n";
        }
    }

    bool IsGiven() const ///< @return whether its files are given
    {
        return !m_executionTraces.empty() || !m_kinetoTraces.empty();
    }

  private:
    /// @return the files of each rank
    std::vector<PytorchJob::Files> FindFiles() const
    {
        if (m_executionTraces.empty())
        {
            throw InputError("--et: execution traces of PyTorch are needed");
        }
        const auto executionTraces = FindRankFiles(m_executionTraces, m_nRanks);
        const auto kinetoTraces = m_kinetoTraces.empty() ? std::vector<RankFile>()
                                                         : FindRankFiles(m_kinetoTraces, m_nRanks);
        if (!kinetoTraces.empty() && kinetoTraces.size() != executionTraces.size())
        {
            throw InputError("--kineto: there are " + std::to_string(kinetoTraces.size()) +
                             " Kineto traces for " + std::to_string(executionTraces.size()) +
                             " execution traces");
        }
        std::vector<PytorchJob::Files> files;
        for (std::size_t i = 0; i < executionTraces.size(); ++i)
        {
            const std::string kineto = kinetoTraces.empty() ? "" : kinetoTraces[i].path;
            files.push_back({executionTraces[i].rank, executionTraces[i].path, kineto});
        }
        return files;
    }

    std::string m_executionTraces; ///< as typed
    std::string m_kinetoTraces;    ///< as typed
    uint32_t m_nRanks{0};          ///< ranks that patterns stand for
    PytorchJobOptions m_options;   ///< how to convert
};

/// A task graph of FlexFlow's.
class FlexflowInput
{
  public:
    /// @param cmd receives the options
    void AddOptions(ProgramOptions& cmd)
    {
        cmd.AddValue("graph", "flexflow: the task graph (graphviz)", m_file);
        cmd.AddValue("time-unit",
                     "flexflow: unit of simulated_run_time: s, ms, us or ns",
                     m_options.timeUnit);
        cmd.AddValue("clock", "flexflow: with parity, clock of an NPU, MHz (1000)", m_clock);
    }

    /// @param output where to
    void Convert(const Output& output)
    {
        if (m_file.empty())
        {
            throw InputError("--graph: a task graph of FlexFlow's is needed");
        }
        m_options.parity = output.parity;
        ReadClock();
        Diagnostics diagnostics;
        FlexflowGraph graph;
        diagnostics.Collect({m_file, 0, "cannot be read"}, [&] {
            graph = ReadFlexflowGraph(*OpenTraceFile(m_file), m_file, diagnostics);
        });
        diagnostics.ThrowIfErrors();
        FlexflowConverter converter(graph, m_options);
        auto ranks = converter.Convert(diagnostics);
        diagnostics.ThrowIfErrors();
        ChakraEncoding encoding;
        encoding.gzip = output.gzip;
        encoding.metadata = !output.parity;
        uint64_t nRounded = 0;
        std::size_t nWritten = 0;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        {
            if (output.parity && ranks[rank].empty())
            {
                continue;
            }
            ++nWritten;
            nRounded += RoundToNanoseconds(ranks[rank]);
            WriteChakraGraph(ranks[rank],
                             output.prefix + "." + std::to_string(rank) + ".et",
                             encoding);
        }
        output.Print(converter.GetLedger(), nWritten);
        if (nRounded > 0)
        {
            std::cout << nRounded << " times were rounded to whole nanoseconds\n";
        }
    }

    bool IsGiven() const ///< @return whether its files are given
    {
        return !m_file.empty();
    }

  private:
    /// Takes the clock into the options.
    void ReadClock()
    {
        if (m_clock.empty())
        {
            return;
        }
        if (!m_options.parity)
        {
            throw InputError("--clock: is only for --parity; times are those of the graph");
        }
        m_options.parityMhz = ParseLimitedCount(m_clock, std::numeric_limits<uint32_t>::max());
    }

    std::string m_file;        ///< as typed
    std::string m_clock;       ///< as typed
    FlexflowOptions m_options; ///< how to convert
};

} // namespace

int
main(int argc, char* argv[])
{
    std::string from;
    Output output;
    PytorchInput pytorch;
    FlexflowInput flexflow;
    const std::map<std::string, std::function<void()>> formats{
        {"flexflow", [&] { flexflow.Convert(output); }},
        {"pytorch", [&] { pytorch.Convert(output); }},
    };
    ProgramOptions cmd(__FILE__);
    cmd.Usage(
        "Converts traces of other tools to Chakra traces.\n"
        "  ml-cluster-convert --from=pytorch --et=et_{rank}.json --kineto=kineto_{rank}.json\n"
        "  ml-cluster-convert --from=flexflow --graph=alexnet.4.graph");
    cmd.AddValue("from", "What to convert: flexflow, pytorch", from);
    output.AddOptions(cmd);
    pytorch.AddOptions(cmd);
    flexflow.AddOptions(cmd);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        std::vector<std::string> words;
        for (const auto& format : formats)
        {
            words.push_back(format.first);
        }
        CheckWord("--from", from, words);
        if (from == "pytorch" ? flexflow.IsGiven() : pytorch.IsGiven())
        {
            throw InputError(from == "pytorch" ? "--graph: is only for --from=flexflow"
                                               : "--et, --kineto: are only for --from=pytorch");
        }
        formats.at(from)();
        return 0;
    });
}
