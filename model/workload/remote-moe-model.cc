/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remote-moe-model.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t ANY = std::numeric_limits<uint64_t>::max();

/// Tells what is wrong with a model.
class MoeChecker
{
  public:
    /// @param model what to check @param placeOf where members are @param diagnostics takes
    /// problems
    MoeChecker(const RemoteMoeModel& model,
               const RemoteMoeModel::PlaceOf& placeOf,
               Diagnostics& diagnostics)
        : m_model(model),
          m_placeOf(placeOf),
          m_diagnostics(diagnostics)
    {
    }

    void Check() ///< Checks each value, then those that depend on others.
    {
        CheckRange("ranks", m_model.ranks, RemoteMoeModel::MAX_RANKS);
        CheckRange("parameters", m_model.parameters, RemoteMoeModel::MAX_PARAMETERS);
        CheckRange("layers", m_model.layers, RemoteMoeModel::MAX_LAYERS);
        CheckRange("expertsPerRank", m_model.expertsPerRank, RemoteMoeModel::MAX_EXPERTS_PER_RANK);
        CheckRange("tokens", m_model.tokens, ANY);
        CheckRange("elementBytes", m_model.elementBytes, ANY);
        CheckRange("gradientBytes", m_model.gradientBytes, ANY);
        CheckRange("operations", m_model.operations, ANY);
        CheckRange("steps", m_model.steps, ANY);
        CheckLocation("parameterLocation", m_model.parameterLocation);
        CheckLocation("gradientLocation", m_model.gradientLocation);
        CheckLocation("optimizerLocation", m_model.optimizerLocation);
        CheckLocation("activationLocation", m_model.activationLocation);
        if (!(m_model.denseFraction >= 0 && m_model.denseFraction < 1))
        {
            Error("denseFraction",
                  (std::isfinite(m_model.denseFraction) ? FormatNumber(m_model.denseFraction)
                                                        : "no number") +
                      "; allowed are numbers from 0 to below 1, such as 0.01 (0: 12 / (12 + 8 E) "
                      "of E experts in a layer)");
            m_isSound = false;
        }
        if (m_isSound)
        {
            CheckExperts();
            CheckParts();
        }
    }

  private:
    /// @param name of the value @param message what is wrong with it
    void Error(const std::string& name, const std::string& message)
    {
        m_diagnostics.Error(m_placeOf(name), message);
    }

    /// @param name of a value @param value the value, not 0 @param largest it may be
    void CheckRange(const std::string& name, uint64_t value, uint64_t largest)
    {
        if (value == 0 || value > largest)
        {
            Error(name,
                  std::to_string(value) + "; allowed are whole numbers from 1" +
                      (largest == ANY ? "" : " to " + std::to_string(largest)));
            m_isSound = false;
        }
    }

    /// @param name of a value @param location where tensors are to lie
    void CheckLocation(const std::string& name, uint32_t location)
    {
        if (location > MemoryLocation::LAST)
        {
            Error(name,
                  "memory " + std::to_string(location) + "; allowed are " +
                      std::to_string(MemoryLocation::LOCAL) + ", the NPU's own, to " +
                      std::to_string(MemoryLocation::LAST));
        }
    }

    void CheckExperts() ///< Checks the experts of a token.
    {
        const uint64_t experts = m_model.GetExperts();
        if (m_model.topExperts == 0 || m_model.topExperts > experts)
        {
            Error("topExperts",
                  std::to_string(m_model.topExperts) + "; allowed are 1 to the " +
                      std::to_string(experts) + " experts of a layer");
        }
    }

    void CheckParts() ///< Checks that layers have dense parameters and experts some too.
    {
        const uint64_t dense = m_model.GetDenseParameters();
        const uint64_t left = m_model.parameters - dense * m_model.layers;
        if (dense == 0 || left < m_model.GetExperts() * m_model.layers)
        {
            Error("parameters",
                  std::to_string(m_model.parameters) + " leave " + std::to_string(dense) +
                      " dense ones for each of " + std::to_string(m_model.layers) +
                      " layers, and " + std::to_string(left) + " for " +
                      std::to_string(m_model.GetExperts()) +
                      " experts in each; needed is at least one for every layer and expert: more "
                      "parameters, or fewer layers or experts");
        }
    }

    const RemoteMoeModel& m_model;            ///< the model
    const RemoteMoeModel::PlaceOf& m_placeOf; ///< where members are
    Diagnostics& m_diagnostics;               ///< takes problems
    bool m_isSound{true};                     ///< whether values by themselves are right so far
};

} // namespace

void
RemoteMoeModel::Check(const PlaceOf& placeOf, Diagnostics& diagnostics) const
{
    MoeChecker(*this, placeOf, diagnostics).Check();
}

Diagnostics::Place
RemoteMoeModel::AtMember(const std::string& member)
{
    return {"", 0, member};
}

uint64_t
RemoteMoeModel::GetExperts() const
{
    return uint64_t{ranks} * expertsPerRank;
}

uint64_t
RemoteMoeModel::GetDenseParameters() const
{
    if (denseFraction == 0)
    {
        return 12 * parameters / (12 + 8 * GetExperts()) / layers;
    }
    const auto dense = static_cast<uint64_t>(denseFraction * static_cast<double>(parameters));
    return std::min(dense, parameters) / layers;
}

uint64_t
RemoteMoeModel::GetExpertParameters() const
{
    const Amount left = parameters - GetDenseParameters() * layers;
    return (left / (Amount(GetExperts()) * layers)).Get("parameters of an expert");
}

uint64_t
RemoteMoeModel::GetHiddenSize() const
{
    const auto dense = static_cast<double>(GetDenseParameters());
    return hiddenSize > 0 ? hiddenSize : std::max<uint64_t>(1, std::llround(std::sqrt(dense / 12)));
}

Amount
RemoteMoeModel::GetAllParameters() const
{
    return Amount(layers) *
           (Amount(GetDenseParameters()) + Amount(GetExperts()) * GetExpertParameters());
}

uint64_t
RemoteMoeModel::GetDenseShare() const
{
    return (Amount(GetDenseParameters()) / ranks).Get("dense parameters of a rank");
}

Amount
RemoteMoeModel::GetExpertShare() const
{
    return Amount(expertsPerRank) * GetExpertParameters();
}

Amount
RemoteMoeModel::GetDispatchBytes() const
{
    return GetInputBytes() * topExperts;
}

Amount
RemoteMoeModel::GetInputBytes() const
{
    return Amount(tokens) * GetHiddenSize() * elementBytes;
}

uint64_t
RemoteMoeModel::GetBackwardFactor() const
{
    return recompute ? 3 : 2;
}

} // namespace mlcluster
} // namespace ns3
