/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_JSON_OBJECTS_H
#define ML_CLUSTER_JSON_OBJECTS_H

#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A JSON value with the line it begins in.
 */
struct JsonNode
{
    using List = std::vector<JsonNode>;                          ///< an array
    using Object = std::map<std::string, JsonNode, std::less<>>; ///< members by name
    /// null, true or false, a negative integer, another integer, any other number, text, ...
    using Content =
        std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, List, Object>;

    Content content; ///< what it is
    int line{0};     ///< where it begins, from 1

    /// @param name name of a member @return it, or null if this is no object or has none of the
    /// name
    const JsonNode* Find(std::string_view name) const;
};

/**
 * @ingroup ml-cluster
 * Reads a JSON text of any length object by object, so that one of them at a time is in memory. The
 * objects are the elements of an array at the top, those of arrays that are members of an object at
 * the top and have one of some names, and objects at the top, one after another, themselves.
 */
class JsonObjectReader
{
  public:
    /// Where an object is.
    enum class Origin
    {
        Top,    ///< it is at the top; arrays handed over element by element are empty
        Array,  ///< it is an element of the array at the top
        Member, ///< it is an element of a member of an object at the top
    };

    /// Receives an object, its origin and the name of the member, which may throw.
    using Handler = std::function<void(const JsonNode&, Origin, const std::string&)>;

    /**
     * @param stream the text; must outlive this
     * @param lists names of members whose elements are handed over
     */
    JsonObjectReader(std::istream& stream, std::vector<std::string> lists);

    /**
     * Reads all of the text.
     * @param handler receives the objects in the order of their ends
     * @throw InputError if the text is no JSON, is neither array nor objects at the top, nests
     * deeper than 100, has a member twice in an object, or what the handler throws
     */
    void Read(const Handler& handler);

    int GetLine() const; ///< @return where it is reading, for errors

  private:
    std::istream& m_stream;           ///< the text
    std::vector<std::string> m_lists; ///< names of members
    int m_line{1};                    ///< line of the next character
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_JSON_OBJECTS_H
