/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINKED_TRACES_H
#define ML_CLUSTER_LINKED_TRACES_H

#include "temporary-folder.h"
#include "trace-texts.h"

#include "ns3/trace-linker.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Links hand-made traces.
class LinkedTracesTest : public FolderTest
{
  protected:
    /// @param nodes the execution trace @param events the Kineto trace @param options how
    /// @return the joint trace; m_errors, m_warnings and m_ledger receive the rest
    PytorchTrace Link(const std::vector<traces::Node>& nodes,
                      const std::vector<std::string>& events,
                      const TraceLinkOptions& options = {})
    {
        Diagnostics diagnostics;
        m_ledger = ConversionLedger();
        const auto trace =
            ReadPytorchTrace(Write("et.json", traces::ExecutionTrace(nodes)), diagnostics);
        const auto kineto = ReadKinetoTrace(Write("k.json", traces::Kineto(events)), diagnostics);
        PytorchTrace linked;
        {
            MessageTally tally(diagnostics);
            linked = LinkTraces(trace, kineto, options, m_ledger, tally);
        }
        m_errors = Join(diagnostics.GetErrors());
        m_warnings = Join(diagnostics.GetWarnings());
        return linked;
    }

    /// @param trace a trace @param name name of a node @return the first one with it
    static const PytorchNode& Get(const PytorchTrace& trace, const std::string& name)
    {
        const auto found = std::find_if(trace.nodes.begin(),
                                        trace.nodes.end(),
                                        [&](const auto& node) { return node.name == name; });
        EXPECT_NE(found, trace.nodes.end()) << name;
        return found == trace.nodes.end() ? trace.nodes.at(0) : *found;
    }

    /// @param trace a trace @param name name of a node @return names of the nodes it waits for
    static std::vector<std::string> WaitsFor(const PytorchTrace& trace, const std::string& name)
    {
        std::vector<std::string> names;
        for (const uint64_t id : Get(trace, name).synchronisations)
        {
            names.push_back(trace.nodes.at(id).name);
        }
        return names;
    }

    /// @param lines texts @return them, one a line
    static std::string Join(const std::vector<std::string>& lines)
    {
        std::string text;
        for (const auto& line : lines)
        {
            text += line + "\n";
        }
        return text;
    }

    std::string m_errors;      ///< of the last linking
    std::string m_warnings;    ///< of the last linking
    ConversionLedger m_ledger; ///< of the last linking
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINKED_TRACES_H
