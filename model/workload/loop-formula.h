/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LOOP_FORMULA_H
#define ML_CLUSTER_LOOP_FORMULA_H

#include "text-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How the passes of a text workload follow each other or overlap, as a formula of phases: forward,
 * input-gradient and weight-gradient, or the part .compute or .communication of one of them;
 * numbers as factors, +, max(..., ...) and layers(...). A phase stands for those of all layers, one
 * after the other; in layers() for that of one layer, and layers() adds up over them. Names of
 * formulas:
 *
 * | name | formula |
 * |---|---|
 * | no-overlap | forward + input-gradient + weight-gradient |
 * | overlap | forward + layers(max(input-gradient, input-gradient.compute + weight-gradient)) |
 * | forward-in-backward | forward + forward.communication + input-gradient + weight-gradient |
 *
 * "overlap" lets a layer's tensor-parallel communication run beside its data-parallel work,
 * "forward-in-backward" repeats the forward communication when activations are computed anew, both
 * as LIBRA's earlier code has it.
 */
class LoopFormula
{
  public:
    /// Part of a formula.
    struct Part
    {
        /// What it is.
        enum class Kind
        {
            Phase,   ///< a pass, or a part of it
            Sum,     ///< of its parts
            Maximum, ///< of its parts
            Layers   ///< its part, added up over the layers
        };

        Kind kind{Kind::Sum};                           ///< what it is
        double factor{1};                               ///< before it
        TextLayer::Pass pass{TextLayer::Pass::Forward}; ///< Phase: which
        bool hasCompute{true};                          ///< Phase: whether compute is in it
        bool hasCommunication{true};                    ///< Phase: whether communication is in it
        std::vector<Part> parts;                        ///< Sum, Maximum, Layers: what of
    };

    /// @param text a formula or a name of one @throw InputError naming the word that cannot be read
    explicit LoopFormula(const std::string& text);

    static std::vector<std::string> GetNames(); ///< @return the names of formulas
    const std::string& GetText() const;         ///< @return the formula
    const Part& GetWhole() const;               ///< @return what it says
    uint64_t CountPhases() const;               ///< @return phases that it names

  private:
    class Reader; ///< reads a formula

    /// @param part of a formula @return phases that it names
    static uint64_t CountPhases(const Part& part);

    std::string m_text; ///< as read
    Part m_whole;       ///< what it says
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LOOP_FORMULA_H
