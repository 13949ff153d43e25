/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CUSTOM_COLLECTIVES_H
#define ML_CLUSTER_CUSTOM_COLLECTIVES_H

#include "collective-algorithm.h"
#include "schedule-loader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which collectives run schedules that a user brought (see LoadSchedule): a list of rules, of which
 * the first that a collective matches and that is for groups of its size counts. A collective that
 * matches a rule, but none for its size, is refused.
 *
 * A rule names a file and, if it is not for every collective the file can do, operation, size,
 * group, or node of the execution graph. Sizes are those of the whole buffer: of an all-gather all
 * shards together, else what one rank has before or behind. What a rule leaves open, the file may
 * say (operation, smallest and largest size of an MSCCL file). An all-to-all of unequal sizes
 * matches none.
 *
 * The text form is a list "FILE;KEY=VALUE;KEY=VALUE,FILE", such as
 * "ring.xml;collective=all-reduce;min-size=1MiB;max-size=64MiB;group=tp,PREFIX;node=17"; so files
 * and groups of a text cannot have commas or semicolons in their names.
 */
class CustomCollectives
{
  public:
    /// One rule.
    struct Rule
    {
        std::string file;                         ///< file or prefix
        std::optional<CollectiveType> collective; ///< operation
        std::optional<uint64_t> minSize;          ///< smallest buffer, bytes
        std::optional<uint64_t> maxSize;          ///< largest buffer, bytes
        std::optional<std::string> group;         ///< name of the communicator group
        std::optional<uint64_t> node;             ///< id of the node that calls

        /**
         * Sets a criterion.
         * @param key one of GetKeys
         * @param value as in the text form
         * @throw InputError if there is no such key, it is set, or the value cannot be read
         */
        void Set(const std::string& key, const std::string& value);

        /// @return keys of criteria: collective, min-size, max-size, group, node
        static std::vector<std::string> GetKeys();
    };

    /**
     * Reads the files.
     * @param rules in order
     * @throw InputError with all problems of rules and files
     */
    explicit CustomCollectives(std::vector<Rule> rules = {});

    /**
     * @param text the text form; "" is no rule
     * @return the rules
     * @throw InputError with all problems
     */
    static std::vector<Rule> Parse(const std::string& text);

    /// @param rules a list @return its text form
    static std::string Format(const std::vector<Rule>& rules);

    /**
     * @param request the collective
     * @param group name of its communicator group
     * @param node id of the node that calls it, if there is one
     * @return the algorithm it uses, proven for this request; null if it matches no rule, or has
     * one member, who has nothing to do
     * @throw InputError if what it matches cannot do it or is wrong, with all reasons
     */
    std::shared_ptr<const CollectiveAlgorithm> Find(const CollectiveRequest& request,
                                                    const std::string& group,
                                                    std::optional<uint64_t> node);

  private:
    /// What an algorithm was proven for.
    using Proven = std::pair<const CollectiveAlgorithm*, CollectiveRequest>;

    /// @param index of a rule @param request a collective @param group its group @param node its
    /// node @return whether it matches
    bool Matches(std::size_t index,
                 const CollectiveRequest& request,
                 const std::string& group,
                 std::optional<uint64_t> node) const;

    std::vector<Rule> m_rules;            ///< in order
    std::vector<LoadedSchedule> m_loaded; ///< by rule
    std::set<Proven> m_proven;            ///< requests proven so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CUSTOM_COLLECTIVES_H
