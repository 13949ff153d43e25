/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_INPUT_H
#define ML_CLUSTER_EXPERIMENT_INPUT_H

#include "config-document.h"
#include "experiment-config.h"
#include "experiment-schema.h"

#include "ns3/diagnostics.h"

#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An experiment file read key by key against the table of keys: unknown keys, wrong shapes and
 * values that cannot be read are reported, the others are at hand in canonical form. What the
 * values mean together is up to the caller.
 */
class ExperimentInput
{
  public:
    /// What the file says about one key.
    struct Given
    {
        const ExperimentKey* known; ///< the key
        Diagnostics::Place place;   ///< where
        bool isList;                ///< written as a list
        std::vector<std::string>
            entries; ///< canonical text of each value; "" for one that is wrong
    };

    /**
     * Reads a file.
     * @param path the file
     * @param overrides values instead of the file's
     * @param diagnostics receives the problems; must outlive this
     */
    ExperimentInput(const std::string& path,
                    const std::vector<ExperimentOverride>& overrides,
                    Diagnostics& diagnostics);

    bool IsReadable() const; ///< @return whether there is anything to look at
    /// @param key full key @return what the file says, or null if it has no such key
    const Given* Find(const std::string& key) const;
    /// @param key full key @return its value, which is "" if the file has none
    std::string GetText(const std::string& key) const;
    /// @param key full key; missing is an error @return what the file says, or null
    const Given* Require(const std::string& key) const;
    const std::vector<AttributeSetting>& GetAttributes()
        const;              ///< @return the section "attributes"
    bool HasDesign() const; ///< @return whether there is a section "design" (see DesignConfig)
    /// @return the value of cluster.topology if it is a list, else null
    const ConfigNode* GetDimensionList() const;

    /**
     * Reads a value.
     * @param node one value
     * @param known its key
     * @return its canonical text; "" after reporting an error
     */
    std::string ReadEntry(const ConfigNode& node, const ExperimentKey& known) const;

  private:
    /// @param section a map
    void ReadSection(const ConfigNode& section);
    /// @param node the value @param known its key
    void ReadValue(const ConfigNode& node, const ExperimentKey& known);
    /// @param section the section "attributes"
    void ReadAttributes(const ConfigNode& section);
    /// @param node a value @param name the attribute it is for
    void ReadAttribute(const ConfigNode& node, const std::string& name);
    /**
     * @param node a value
     * @param kind what it should be
     * @param meaning what is needed, for the message
     * @return whether it is that; reports an error if not
     */
    bool Expect(const ConfigNode& node, ConfigNode::Kind kind, const std::string& meaning) const;

    Diagnostics& m_diagnostics;                 ///< receives problems
    ConfigNode m_document;                      ///< the file
    std::map<std::string, Given> m_given;       ///< by full key
    std::vector<AttributeSetting> m_attributes; ///< in the order of the file
};

/**
 * @ingroup ml-cluster
 * Reads an experiment file as it is, with values in the place of some of its own.
 * @param path the file
 * @param overrides the values
 * @param diagnostics receives the problems
 * @return the top level; of kind Missing if there is nothing to read
 */
ConfigNode ReadExperimentDocument(const std::string& path,
                                  const std::vector<ExperimentOverride>& overrides,
                                  Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_INPUT_H
