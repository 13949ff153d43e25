/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PROGRAM_OPTIONS_H
#define ML_CLUSTER_PROGRAM_OPTIONS_H

#include "ns3/command-line.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A CommandLine that takes every value whole. ns-3's own reads a text up to the first blank and a
 * number up to the first character that is none, ignores arguments that are no options, and ends
 * the process on an attribute's value that it cannot read; here each of them is an InputError that
 * says what is allowed. Numbers are counts without a sign.
 */
class ProgramOptions : public CommandLine
{
  public:
    /// @param file __FILE__ of the program
    explicit ProgramOptions(const std::string& file);

    /**
     * Adds an option that can be given several times.
     * @param name of the option, without dashes
     * @param help what it is
     * @param values receives one more each time it is given; must outlive this
     */
    void AddValue(const std::string& name,
                  const std::string& help,
                  std::vector<std::string>& values);

    /**
     * Adds an option.
     * @param name of the option, without dashes
     * @param help what it is
     * @param value default; receives what is given; must outlive this
     * @{
     */
    void AddValue(const std::string& name, const std::string& help, std::string& value);
    void AddValue(const std::string& name, const std::string& help, uint32_t& value);
    void AddValue(const std::string& name, const std::string& help, uint64_t& value);
    void AddValue(const std::string& name, const std::string& help, double& value);
    void AddValue(const std::string& name, const std::string& help, bool& value);
    /** @} */

    /**
     * Adds a short option for the default of an attribute, checked as `--ns3::Class::Attribute` is.
     * @param name of the option, without dashes
     * @param attribute full name
     */
    void AddAttribute(const std::string& name, const std::string& attribute);

    /**
     * Reads the arguments of main. Help and unknown options end the process, as in ns-3.
     * @param argc number of arguments
     * @param argv arguments
     * @throw InputError with what is wrong and what is allowed
     */
    void Parse(int argc, char* argv[]);

  private:
    struct Value; ///< an option that is taken whole

    /// @param name of the option @param help what it is @param initial default
    /// @param parse takes what is given, or throws InputError
    void Add(const std::string& name,
             const std::string& help,
             const std::string& initial,
             const std::function<void(const std::string&)>& parse);

    std::vector<std::shared_ptr<Value>> m_values;    ///< all but the flags
    std::map<std::string, std::string> m_attributes; ///< full names by short option, with dashes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PROGRAM_OPTIONS_H
