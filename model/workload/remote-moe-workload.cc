/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-moe-workload.h"

#include "remote-moe-figures.h"
#include "remote-moe-generator.h"
#include "workload-tally.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(RemoteMoeWorkload);

TypeId
RemoteMoeWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::RemoteMoeWorkload")
            .SetParent<WorkloadGenerator>()
            .SetGroupName("MlCluster")
            .AddConstructor<RemoteMoeWorkload>()
            .AddAttribute("Parameters",
                          "Parameters of the model.",
                          UintegerValue(1000000000000),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::parameters)),
                          MakeUintegerChecker<uint64_t>(1, MAX_PARAMETERS))
            .AddAttribute("Layers",
                          "Layers, each with experts.",
                          UintegerValue(24),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::layers)),
                          MakeUintegerChecker<uint32_t>(1, MAX_LAYERS))
            .AddAttribute("ExpertsPerRank",
                          "Experts of a layer on each NPU.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::expertsPerRank)),
                          MakeUintegerChecker<uint32_t>(1, MAX_EXPERTS_PER_RANK))
            .AddAttribute("DenseFraction",
                          "Part of the parameters that all tokens use, below 1; 0: 12 / (12 + 8 E) "
                          "with E experts in a layer.",
                          DoubleValue(0),
                          MakeDoubleAccessor(Of(&RemoteMoeModel::denseFraction)),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "HiddenSize",
                "Elements of a token; 0: the root of a 12th of a layer's dense parameters.",
                UintegerValue(0),
                MakeUintegerAccessor(Of(&RemoteMoeModel::hiddenSize)),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("Tokens",
                          "Tokens of an NPU in a step.",
                          UintegerValue(2048),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::tokens)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("TopExperts",
                          "Experts a token goes to.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::topExperts)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("ElementBytes",
                          "Bytes of a weight, and of an element of a token.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::elementBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("GradientBytes",
                          "Bytes of a gradient of a weight.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::gradientBytes)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Operations",
                          "Floating-point operations of a token per weight, forward.",
                          UintegerValue(2),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::operations)),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("OptimizerBytes",
                          "Bytes of the optimizer's states per parameter, loaded and stored again "
                          "in a step; 0: no optimizer.",
                          UintegerValue(0),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::optimizerBytes)),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ParameterLocation",
                          "Where parameters lie: local (the NPU's own memory), remote, or a number "
                          "of a memory from 1 (the own one) to 63.",
                          StringValue("remote"),
                          MakeStringAccessor(&RemoteMoeWorkload::m_parameterLocation),
                          MakeStringChecker())
            .AddAttribute("GradientLocation",
                          "Where gradients of weights lie, likewise.",
                          StringValue("remote"),
                          MakeStringAccessor(&RemoteMoeWorkload::m_gradientLocation),
                          MakeStringChecker())
            .AddAttribute("OptimizerLocation",
                          "Where the optimizer's states lie, likewise.",
                          StringValue("remote"),
                          MakeStringAccessor(&RemoteMoeWorkload::m_optimizerLocation),
                          MakeStringChecker())
            .AddAttribute(
                "ActivationLocation",
                "Where inputs of layers lie from their forward to their backward pass, likewise.",
                StringValue("local"),
                MakeStringAccessor(&RemoteMoeWorkload::m_activationLocation),
                MakeStringChecker())
            .AddAttribute("Prefetch",
                          "Layers whose loads may begin before the one that is computed has ended.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::prefetch)),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Recompute",
                          "Whether the backward pass computes the products of the forward one "
                          "again, of what came by all-to-alls before.",
                          BooleanValue(false),
                          MakeBooleanAccessor(Of(&RemoteMoeModel::recompute)),
                          MakeBooleanChecker())
            .AddAttribute("Serial",
                          "Whether everything is done one after the other, so that nothing "
                          "overlaps.",
                          BooleanValue(false),
                          MakeBooleanAccessor(Of(&RemoteMoeModel::isSerial)),
                          MakeBooleanChecker())
            .AddAttribute("Steps",
                          "Training steps.",
                          UintegerValue(1),
                          MakeUintegerAccessor(Of(&RemoteMoeModel::steps)),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

RemoteMoeWorkload::RemoteMoeWorkload() = default;

RemoteMoeWorkload::~RemoteMoeWorkload() = default;

void
RemoteMoeWorkload::Setup(const ClusterTopology& topology, Diagnostics& diagnostics)
{
    m_topology = std::make_unique<ClusterTopology>(topology);
    ranks = topology.GetNRanks();
    parameterLocation = ReadLocation("ParameterLocation", m_parameterLocation, diagnostics);
    gradientLocation = ReadLocation("GradientLocation", m_gradientLocation, diagnostics);
    optimizerLocation = ReadLocation("OptimizerLocation", m_optimizerLocation, diagnostics);
    activationLocation = ReadLocation("ActivationLocation", m_activationLocation, diagnostics);
    const auto placeOf = [this](std::string member) {
        member[0] = static_cast<char>(std::toupper(member[0]));
        return At(member == "Ranks" ? "" : member);
    };
    RemoteMoeModel::Check(placeOf, diagnostics);
    if (!diagnostics.HasErrors())
    {
        diagnostics.Collect(At(""), [this] {
            Generate(1);
            RemoteMoeFigures(*this).Count().GetMemoryBytes();
            RemoteMoeFigures(*this).GetPlaced();
        });
    }
}

uint32_t
RemoteMoeWorkload::ReadLocation(const std::string& attribute,
                                const std::string& text,
                                Diagnostics& diagnostics) const
{
    if (text == "local" || text == "remote")
    {
        return text == "local" ? MemoryLocation::LOCAL : MemoryLocation::REMOTE;
    }
    uint64_t location = MemoryLocation::REMOTE;
    diagnostics.Collect(At(attribute), [&] {
        const bool isNumber =
            !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        location = isNumber ? ParseLimitedCount(text, MemoryLocation::LAST) : 0;
        if (location == MemoryLocation::DEFAULT)
        {
            throw InputError("'" + text +
                             "' is no memory; allowed are local, remote, or a number " + "from " +
                             std::to_string(MemoryLocation::LOCAL) + " (the NPU's own memory) to " +
                             std::to_string(MemoryLocation::LAST));
        }
    });
    return static_cast<uint32_t>(location);
}

std::shared_ptr<const ClusterWorkload>
RemoteMoeWorkload::Generate(uint64_t nRepetitions) const
{
    RemoteMoeModel model = *this;
    model.steps = static_cast<uint32_t>(nRepetitions);
    return std::make_shared<const ClusterWorkload>(MakeRemoteMoeWorkload(model));
}

uint64_t
RemoteMoeWorkload::GetNRepetitions() const
{
    return steps;
}

uint64_t
RemoteMoeWorkload::GetRepetitionsToSettle() const
{
    return 3;
}

std::optional<TrainingFigures>
RemoteMoeWorkload::GetTraining() const
{
    TrainingFigures figures;
    figures.modelOperations = RemoteMoeFigures(*this).Count().modelOperations;
    figures.tokens = static_cast<double>(ranks) * static_cast<double>(tokens);
    figures.steps = steps;
    return figures;
}

std::string
RemoteMoeWorkload::Describe() const
{
    return "mixture of experts of " + FormatRounded(GetAllParameters().GetReal(), "") +
           " parameters in remote memory, " + std::to_string(layers) + " layers of " +
           std::to_string(GetExperts()) + " experts, " + std::to_string(steps) +
           (steps == 1 ? " step of " : " steps of ") + std::to_string(tokens) +
           " tokens on each rank";
}

void
RemoteMoeWorkload::CheckMemory(uint64_t capacityBytes, Diagnostics& diagnostics) const
{
    const uint64_t bytes = RemoteMoeFigures(*this).Count().GetMemoryBytes();
    if (bytes > capacityBytes)
    {
        diagnostics.Warning({"", 0, "memory"},
                            "a rank needs " + FormatBytes(bytes) + ", an NPU has " +
                                FormatBytes(capacityBytes) +
                                "; ml-cluster-generate shows what for");
    }
}

bool
RemoteMoeWorkload::HasOperations() const
{
    return true;
}

void
RemoteMoeWorkload::PrintPlan(std::ostream& os, uint64_t capacityBytes) const
{
    const RemoteMoeFigures counter(*this);
    const PlanFigures figures = counter.Count();
    os << Describe() << ", on " << ranks << " ranks\nA stand-in for proprietary traces: all sizes "
       << "follow from the formulas below\nA step: "
       << FormatRounded(figures.modelOperations, "FLOP") << " of the model's products\n\n";
    WorkloadTally(*Generate(1), m_topology.get()).Print(os, "step");
    os << "\nA layer, on a rank\n";
    PrintMemoryParts(os, counter.GetLayer());
    for (const auto& [location, parts] : counter.GetPlaced())
    {
        os << "\nIn " << WorkloadTally::GetMemoryName(location) << ", of a rank\n";
        PrintMemoryParts(os, parts);
    }
    os << "\n";
    figures.Print(os, capacityBytes);
}

const RemoteMoeModel&
RemoteMoeWorkload::GetModel() const
{
    return *this;
}

} // namespace mlcluster
} // namespace ns3
