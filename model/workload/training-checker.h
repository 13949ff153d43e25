/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRAINING_CHECKER_H
#define ML_CLUSTER_TRAINING_CHECKER_H

#include "parallel-plan.h"
#include "transformer-model.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Checks that a model can be trained by a plan: sizes are there, whatever is divided divides, and
 * no size is above 2^64 - 1. Every problem is told with the member of model or plan that it is of,
 * "heads" or "microBatches", what was given and what is allowed; settings without effect are warned
 * of (see FindIdleSettings).
 */
class TrainingChecker
{
  public:
    /// Tells where a member is given.
    using PlaceOf = std::function<Diagnostics::Place(const std::string& member)>;

    /**
     * @param model the model, must outlive this
     * @param plan how it is trained, must outlive this
     * @param placeOf where members of both are given, for messages; "model" is all of the model
     * @param diagnostics receives all problems, must outlive this
     */
    TrainingChecker(const TransformerModel& model,
                    const ParallelPlan& plan,
                    PlaceOf placeOf,
                    Diagnostics& diagnostics);

    /// @param member a member @return its name as the place, for callers without a file
    static Diagnostics::Place AtMember(const std::string& member);
    void Check(); ///< Checks everything. Model and plan are of no use if diagnostics gain errors.

  private:
    /// A number and the member that it is.
    struct Number
    {
        std::string member;      ///< such as "heads"
        uint64_t value;          ///< given
        uint64_t most{1U << 31}; ///< largest allowed; the least is 1
    };

    void CheckNumbers();   ///< Checks that sizes are there.
    void CheckChoices();   ///< Checks words and what has few values.
    void CheckModel();     ///< Checks that the model's sizes fit together.
    void CheckTensor();    ///< Checks what the tensor group divides.
    void CheckContext();   ///< Checks what the context group divides.
    void CheckSchedule();  ///< Checks the passes of the pipeline.
    void CheckLayout();    ///< Checks how ranks are numbered and groups made.
    void CheckPipeline();  ///< Checks how layers are divided.
    void CheckExperts();   ///< Checks experts.
    void CheckLoad();      ///< Checks capacity factor and skew.
    void CheckSizes();     ///< Checks that all sizes can be counted.
    void WarnOfNoEffect(); ///< Warns of settings that change nothing.

    /// @param member a member @param value given @param allowed what is
    void Refuse(const std::string& member, const std::string& value, const std::string& allowed);
    /// @param member of the divisor @param divisor 0 was told of already @param what is divided
    /// @param dividend its number @param product what the divisor is, if not the member alone
    void CheckDivides(const std::string& member,
                      uint64_t divisor,
                      const std::string& what,
                      uint64_t dividend,
                      const std::string& product = "");
    /// @param member a member @param check may throw InputError, which is a problem of it @return
    /// whether it did not
    bool Collect(const std::string& member, const std::function<void()>& check);

    const TransformerModel& m_model; ///< the model
    const ParallelPlan& m_plan;      ///< how it is trained
    PlaceOf m_placeOf;               ///< where members are given
    Diagnostics& m_diagnostics;      ///< receives problems
    bool m_isSound{true};            ///< whether no problem was found
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRAINING_CHECKER_H
