/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHAKRA_ATTRIBUTE_H
#define ML_CLUSTER_CHAKRA_ATTRIBUTE_H

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The attributes of one Chakra node. An attribute holds one of 15 kinds of value or a list of one;
 * any integer kind, bool included, serves where an integer is asked for. Views point into what was
 * read, which must outlive this. All Get functions throw InputError, a sentence with
 * name, value and what is allowed.
 */
class ChakraAttributes
{
  public:
    /// A list of values that no attribute we read can be.
    struct OtherList
    {
    };

    /// A value; a list of integers or flags holds its elements in two's complement.
    using Value = std::variant<std::monostate,
                               int64_t,
                               uint64_t,
                               double,
                               std::string_view,
                               std::vector<uint64_t>,
                               OtherList>;

    /**
     * @param message the bytes of an AttributeProto
     * @return its name and value
     * @throw InputError if the message is malformed
     */
    static std::pair<std::string_view, Value> Decode(std::string_view message);

    /**
     * Adds an attribute; one that was there already is replaced.
     * @param name its name
     * @param value its value
     * @return whether it was not there
     */
    bool Set(std::string_view name, Value value);

    /// @param name a name @return whether there is such an attribute, with a value
    bool Has(std::string_view name) const;
    /// @param name a name @param highest largest value allowed @return an integer from 0
    uint64_t GetUnsigned(std::string_view name,
                         uint64_t highest = std::numeric_limits<uint64_t>::max()) const;
    /// @param name a name @param lowest smallest value allowed @param highest largest value allowed
    /// @return an integer
    int64_t GetSigned(std::string_view name, int64_t lowest, int64_t highest) const;
    /// @param name a name @return an integer that is not 0
    bool GetFlag(std::string_view name) const;
    /// @param name a name @return a list of integers 0 and 1, or flags
    std::vector<bool> GetFlags(std::string_view name) const;
    /// @param name a name @return a list of integers from 0
    std::vector<uint64_t> GetUnsignedList(std::string_view name) const;
    /// @param name a name @return a text, or an integer as text
    std::string GetText(std::string_view name) const;

  private:
    /// @param name a name @return its value
    const Value& Get(std::string_view name) const;

    std::map<std::string_view, Value> m_values; ///< by name
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHAKRA_ATTRIBUTE_H
