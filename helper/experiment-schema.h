/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_SCHEMA_H
#define ML_CLUSTER_EXPERIMENT_SCHEMA_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What the value of a key of an experiment file is.
 */
enum class ExperimentValue
{
    Text,      ///< any text, such as a path
    Word,      ///< one of a few words
    Algorithm, ///< of a collective, as CollectiveOptions::CheckAlgorithm has it
    Flag,      ///< true or false
    Count,     ///< whole number
    Factor,    ///< number without unit, above 0
    Number,    ///< number without unit, 0 or above
    Size,      ///< bytes, with unit
    Rate,      ///< bit/s, with unit
    Time,      ///< ps, with unit
    Flops      ///< floating-point operations per second, with unit
};

/**
 * @ingroup ml-cluster
 * How many values a key of an experiment file takes.
 */
enum class ExperimentShape
{
    Single,      ///< one
    List,        ///< one, or a list
    PerDimension ///< one for every dimension, or a list of one per dimension
};

/**
 * @ingroup ml-cluster
 * One key of the experiment file. The table of them is the only place where keys are known:
 * parsing, messages, attributes and the effective configuration follow from it.
 *
 * Values have a canonical text: what the ns-3 attribute of that kind reads. Sizes and counts are
 * plain numbers there, rates and times carry units, list entries are joined by commas.
 */
struct ExperimentKey
{
    std::string key;                  ///< full key, "cluster.npu.peak-flops"
    ExperimentValue value;            ///< what one value is
    ExperimentShape shape;            ///< how many values
    std::string attribute;            ///< ns-3 attribute it sets, "ns3::mlcluster::..."; "" if none
    std::string help;                 ///< meaning, one line
    std::vector<std::string> words{}; ///< Word: those allowed
    uint64_t minimum{0};              ///< Count, Size, Rate: least value
    uint64_t maximum{UINT64_MAX};     ///< Count, Size, Factor, Number: largest value
    bool isPath{false};               ///< Text: a path, from the folder of the file

    /**
     * @param text one value as the experiment file has it, with unit
     * @return its canonical text
     * @throw InputError with what is allowed
     */
    std::string Parse(const std::string& text) const;

    /**
     * @param text the whole value as an attribute has it, list entries joined by commas
     * @return its canonical text
     * @throw InputError with what is allowed
     */
    std::string ParseAttribute(const std::string& text) const;

    /// @param canonical canonical text of the whole value @return it as the experiment file has it
    std::string Format(const std::string& canonical) const;
};

/**
 * @ingroup ml-cluster
 * @return every key, in the order of the effective configuration
 */
const std::vector<ExperimentKey>& GetExperimentKeys();

/**
 * @ingroup ml-cluster
 * @return what a workload can be made of: the sections of "workload" that exclude each other,
 * "chakra" and "collective" first
 */
std::vector<std::string> GetWorkloadSources();

/**
 * @ingroup ml-cluster
 * @param source one of GetWorkloadSources
 * @return TypeId name of the WorkloadGenerator that it describes; "" if it is none
 */
std::string GetGeneratorOf(const std::string& source);

/**
 * @ingroup ml-cluster
 * @param key full key
 * @return it, or null if there is no such key
 */
const ExperimentKey* FindExperimentKey(const std::string& key);

/**
 * @ingroup ml-cluster
 * @param attribute full name of an ns-3 attribute
 * @return the key that sets it, or null
 */
const ExperimentKey* FindExperimentKeyOf(const std::string& attribute);

/**
 * @ingroup ml-cluster
 * Where a key that does not exist may have been meant to go.
 * @param section full key of the section it is in, "" at the top
 * @param name the key typed there
 * @return a sentence naming the nearest key of the section, or the section that has the key, and
 * the keys allowed
 */
std::string SuggestExperimentKey(const std::string& section, const std::string& name);

/**
 * @ingroup ml-cluster
 * @param key full key that is to have another value than the file's
 * @return why it cannot, as SuggestExperimentKey says it; "" if it is a key, or an attribute after
 * "attributes."
 */
std::string FindKeyFault(const std::string& key);

/**
 * @ingroup ml-cluster
 * @param key full key
 * @return whether other keys are below it
 */
bool IsExperimentSection(const std::string& key);

/**
 * @ingroup ml-cluster
 * Cuts a canonical text into its entries.
 * @param text entries joined by commas
 * @return the entries
 */
std::vector<std::string> SplitEntries(const std::string& text);

/**
 * @ingroup ml-cluster
 * @param entries canonical texts
 * @return them, joined by commas
 */
std::string JoinEntries(const std::vector<std::string>& entries);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_SCHEMA_H
