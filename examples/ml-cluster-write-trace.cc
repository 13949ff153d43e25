/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Writes Chakra traces of a training step: PREFIX.0.et, PREFIX.1.et, ... and PREFIX.groups.json.
// Without arguments they equal those in configs/traces.

#include "ns3/core-module.h"
#include "ns3/diagnostics.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"
#include "ns3/training-step.h"

#include <iostream>

using namespace ns3;
using namespace ns3::mlcluster;

int
main(int argc, char* argv[])
{
    TrainingStep step;
    std::string prefix = "training-step";
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Writes Chakra traces of one training step of a transformer with tensor and data "
              "parallelism.");
    cmd.AddValue("prefix", "Path of the files up to the rank", prefix);
    cmd.AddValue("layers", "Transformer layers", step.layers);
    cmd.AddValue("hiddenSize", "Hidden size", step.hiddenSize);
    cmd.AddValue("sequenceLength", "Tokens of one step on a rank", step.sequenceLength);
    cmd.AddValue("tensorParallel", "Ranks of a tensor-parallel group", step.tensorParallel);
    cmd.AddValue("dataParallel", "Ranks of a data-parallel group", step.dataParallel);
    cmd.AddValue("operationRate", "Operations per second that compute reaches", step.operationRate);
    cmd.AddValue("memoryRate", "Bytes per second that the optimizer reaches", step.memoryRate);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        step.Check();
        step.Write(prefix);
        std::cout << step.GetNRanks() << " traces of " << step.GetNodes(0).size()
                  << " nodes: " << prefix << ".0.et ... " << prefix << "." << step.GetNRanks() - 1
                  << ".et, groups: " << prefix << ".groups.json\n";
        return 0;
    });
}
