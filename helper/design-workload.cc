/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-workload.h"

#include "experiment-attributes.h"
#include "text-file-workload.h"

#include "ns3/cluster-topology.h"
#include "ns3/formula-step-time.h"
#include "ns3/object-factory.h"

#include <iostream>

namespace ns3
{
namespace mlcluster
{

DesignWorkload
LoadDesignWorkload(const ExperimentConfig& experiment, bool /* wholeParts */)
{
    Diagnostics diagnostics;
    FindAttributePlaces(experiment, diagnostics);
    if (experiment.generator != TextFileWorkload::GetTypeId().GetName())
    {
        diagnostics.Error({experiment.file, 0, "workload"},
                          "a design needs workload.text, whose time is a formula");
    }
    diagnostics.ThrowIfErrors();
    ObjectFactory factory(experiment.generator);
    const auto text = factory.Create<TextFileWorkload>();
    const ClusterTopology topology(experiment.dimensions);
    text->Setup(topology, diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    const auto make = [text](TimeExpression& time) { return text->MakeTime(time); };
    return {std::make_shared<FormulaStepTime>(topology.GetNDimensions(), make), text->Describe()};
}

} // namespace mlcluster
} // namespace ns3
