/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CONFIG_DOCUMENT_H
#define ML_CLUSTER_CONFIG_DOCUMENT_H

#include "ns3/diagnostics.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A value of a configuration file: text, list or map, with the place it was written at. Texts are
 * kept as written, so that numbers can be read exactly; nothing is converted behind the user's back
 * (no octal numbers, no yes and no as truth values).
 */
struct ConfigNode
{
    /// Kinds of value.
    enum class Kind
    {
        Missing, ///< no value after the key, or null
        Scalar,  ///< a text
        List,    ///< values in order
        Map      ///< values with names
    };

    Kind kind{Kind::Missing};         ///< what it is
    Diagnostics::Place place;         ///< file, line and full key, such as "cluster.bandwidth[1]"
    std::string text;                 ///< Scalar: as written, without quotes
    bool isQuoted{false};             ///< Scalar: whether it had quotes
    std::vector<std::string> names;   ///< Map: names of the values, distinct
    std::vector<ConfigNode> children; ///< List and Map: the values

    /// @param name name of a value of a map @return the value, or null if there is none
    const ConfigNode* Find(const std::string& name) const;
    /// @return for messages: "the text 'x'", "a list", "a map" or "nothing"
    std::string Describe() const;
};

/**
 * @ingroup ml-cluster
 * Reads a YAML file whose top level is a map. Refused: several documents, duplicate keys (both
 * lines are named), keys that are no text, the merge key "<<", nesting beyond 64 levels, and
 * aliases that blow the document up beyond 100000 values.
 * @param path the file
 * @param diagnostics receives the problems; one only if the file cannot be read or is no YAML
 * @return the top level; of kind Missing after an error that leaves nothing to read
 */
ConfigNode ReadYamlDocument(const std::string& path, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Reads a JSON file whose top level is an object; as strict as ReadYamlDocument, and about the
 * syntax.
 * @param path the file
 * @param diagnostics receives the problems
 * @return the top level; of kind Missing after an error that leaves nothing to read
 */
ConfigNode ReadJsonDocument(const std::string& path, Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Gives a key of a document another value, or one at all.
 * @param document a map
 * @param place where the value comes from; its key is the full key, such as "cluster.bandwidth"
 * @param text the value as a YAML file has it, such as "8" or "[300GB/s, 25GB/s]"
 * @param diagnostics receives the problems: no YAML, or a key below one that has a value
 */
void SetConfigValue(ConfigNode& document,
                    const Diagnostics::Place& place,
                    const std::string& text,
                    Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * @param text any text
 * @return it as a YAML document has it, in double quotes
 */
std::string QuoteYaml(const std::string& text);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CONFIG_DOCUMENT_H
