/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_GENERATOR_H
#define ML_CLUSTER_WORKLOAD_GENERATOR_H

#include "cluster-workload.h"

#include "ns3/cluster-topology.h"
#include "ns3/object.h"
#include "ns3/training-rates.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes what a cluster is to do out of a description: a model and its parallelism, a text file of
 * layers. The description is the attributes of the class, so that an experiment file,
 * Config::SetDefault and the command line set it alike.
 */
class WorkloadGenerator : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    /**
     * Checks the description. Called once, before anything else.
     * @param topology where the work is to be done
     * @param diagnostics receives all problems of the attributes, each naming the attribute, the
     * value and what is allowed
     */
    virtual void Setup(const ClusterTopology& topology, Diagnostics& diagnostics) = 0;

    /**
     * @param nRepetitions how many of the equal parts of the work (GetNRepetitions), 1 or more and
     * a multiple of GetRepetitionUnit
     * @return the work of every rank; nodes of equal parts have their number
     * @throw InputError if sizes become too large to be counted
     */
    virtual std::shared_ptr<const ClusterWorkload> Generate(uint64_t nRepetitions) const = 0;

    /// @return equal parts, such as micro-batches or passes, that the work consists of
    virtual uint64_t GetNRepetitions() const;
    /// @return parts that can only be had together
    virtual uint32_t GetRepetitionUnit() const;
    /// @return parts after which it can be hoped that they repeat
    virtual uint64_t GetRepetitionsToSettle() const;
    /// @return what is trained by all of the work, but for the NPU's peak; nothing if that is not
    /// known
    virtual std::optional<TrainingFigures> GetTraining() const;
    /// @return one line that says what is done
    virtual std::string Describe() const = 0;
    /// @param capacityBytes memory of an NPU, above 0 @param diagnostics receives warnings of ranks
    /// that need more, as far as that is known
    virtual void CheckMemory(uint64_t capacityBytes, Diagnostics& diagnostics) const;
    /// @return whether compute nodes have operations and bytes, for the roofline, instead of
    /// durations
    virtual bool HasOperations() const = 0;
    /**
     * @param os receives what is going to be done, before anything is run: groups, collectives,
     * bytes, operations, memory
     * @param capacityBytes memory of an NPU; 0: not known
     */
    virtual void PrintPlan(std::ostream& os, uint64_t capacityBytes) const = 0;

    /// @return whether equal parts that are proven to repeat need not be simulated (SkipRepeats)
    bool SkipsRepeats() const;

  protected:
    /// @param attribute of the class, "" for all of them @return where a problem of it is
    Diagnostics::Place At(const std::string& attribute) const;

    /**
     * Reads an attribute that is one of a few words.
     * @param attribute its name
     * @param word its value
     * @param choices words and their meanings
     * @param diagnostics receives a word that is none
     * @return its meaning
     */
    template <typename T>
    T Choose(const std::string& attribute,
             const std::string& word,
             const std::map<std::string, T>& choices,
             Diagnostics& diagnostics) const
    {
        const auto found = choices.find(word);
        if (found != choices.end())
        {
            return found->second;
        }
        std::vector<std::string> words;
        for (const auto& choice : choices)
        {
            words.insert(words.end(), choice.first.empty() ? 0 : 1, choice.first);
        }
        diagnostics.Collect(At(attribute), [&] { CheckWord(attribute, word, words); });
        return choices.begin()->second;
    }

    /**
     * Reads an attribute that is a list of numbers.
     * @param attribute its name
     * @param text its value, numbers separated by commas, or ""
     * @param largest number allowed
     * @param diagnostics receives what is no such number
     * @return the numbers
     */
    std::vector<uint64_t> ReadCounts(const std::string& attribute,
                                     const std::string& text,
                                     uint64_t largest,
                                     Diagnostics& diagnostics) const;

    /**
     * Refuses a model without a name that lacks sizes.
     * @param sizes of the model by their keys; 0: not given
     * @param diagnostics receives those that are missing, as a problem of Model
     */
    void RequireSizes(const std::vector<std::pair<std::string, uint64_t>>& sizes,
                      Diagnostics& diagnostics) const;

    /**
     * Reads the file that an attribute names.
     * @param attribute its name
     * @param path its value
     * @param read reads the file; an InputError is a problem of the attribute
     * @param diagnostics receives that, or that no file is given
     */
    void ReadFile(const std::string& attribute,
                  const std::string& path,
                  const std::function<void()>& read,
                  Diagnostics& diagnostics) const;

  private:
    bool m_skipRepeats{true}; ///< SkipRepeats
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_GENERATOR_H
