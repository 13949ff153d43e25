/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_JSON_READER_H
#define ML_CLUSTER_JSON_READER_H

#include "json-value.h"

#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads JSON from a stream, one value after another. The elements of some arrays, which may be
 * huge, can be had one by one without being kept: those of an outermost array, and those of members
 * of an outermost object that have certain keys.
 */
class JsonReader
{
  public:
    /// Receives an element and the key of its array, "" if that is outermost; may throw.
    using Handler = std::function<void(const JsonValue&, const std::string&)>;

    /**
     * @param stream the text, which must outlive this; nothing behind the values read is taken
     * @param arrayKeys keys of members whose elements are handed on
     * @param onElement receives them; if empty, elements are kept
     */
    explicit JsonReader(std::istream& stream,
                        std::vector<std::string> arrayKeys = {},
                        Handler onElement = {});

    /**
     * Reads the next value.
     * @return it, without what was handed on; nothing at the end of the text
     * @throw InputError with line and column if the syntax is wrong, or nesting is deeper than 64
     * levels, or what the handler throws
     */
    std::optional<JsonValue> Next();

    int GetLine() const; ///< @return line of the next character, from 1

  private:
    std::istream& m_stream;               ///< the text
    std::vector<std::string> m_arrayKeys; ///< keys of arrays whose elements are handed on
    Handler m_onElement;                  ///< receives them
    int m_line{1};                        ///< line of the next character
    int m_column{0};                      ///< characters of the line before it
};

/**
 * @ingroup ml-cluster
 * Reads a JSON text of one value.
 * @param text the text
 * @return the value
 * @throw InputError with line and column if the syntax is wrong or nesting is deeper than 64 levels
 */
JsonValue ReadJson(const std::string& text);

/**
 * @ingroup ml-cluster
 * Reads a JSON text of one value from a stream. The elements of one array, which may be huge, are
 * not kept: those of the member `arrayKey` of the outermost object, or of an outermost array.
 * @param stream the text
 * @param arrayKey the key
 * @param onElement receives each element
 * @return the value, without what was handed on
 * @throw InputError with line and column if the syntax is wrong or nesting is deeper than 64 levels
 */
JsonValue ReadJson(std::istream& stream,
                   const std::string& arrayKey,
                   const std::function<void(const JsonValue&)>& onElement);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_JSON_READER_H
