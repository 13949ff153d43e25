/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_JSON_VALUE_H
#define ML_CLUSTER_JSON_VALUE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A value of a JSON text. Numbers keep their digits, so that times of 16 digits with a fraction
 * lose nothing.
 */
class JsonValue
{
  public:
    /// What a value is.
    enum class Kind
    {
        Null,
        Flag,
        Number,
        Text,
        Array,
        Object
    };

    JsonValue() = default; ///< null
    /// @param kind what it is @param text digits, text, or "true" and "false" @param line where it
    /// begins, 0 if nowhere
    explicit JsonValue(Kind kind, std::string text = "", int line = 0);

    Kind GetKind() const;               ///< @return what it is
    int GetLine() const;                ///< @return line of the text where it begins, from 1
    const std::string& GetText() const; ///< @return digits, text, or "true" and "false"
    /// @return the elements of an array, the values of an object, in order
    const std::vector<JsonValue>& GetElements() const;
    const std::vector<std::string>& GetKeys() const; ///< @return the keys of an object, in order
    /// @param key a key @return the value that an object has for it (the last one), null if none
    const JsonValue* Find(std::string_view key) const;

    bool IsText() const;  ///< @return whether it is a text
    bool IsArray() const; ///< @return whether it is an array
    /// @return the integer that a number, or a text of digits, is; nothing if it is none that fits
    std::optional<int64_t> GetInteger() const;
    /// @param what what it is, for the message @return the integer from 0 that it is @throw
    /// InputError if it is none
    uint64_t GetCount(const std::string& what) const;
    /**
     * @param scale decimal places, such as 3 to get nanoseconds of a number in microseconds
     * @return the number times 10^scale, rounded to nearest, halves away from 0; nothing if it is
     * none or does not fit
     */
    std::optional<int64_t> GetScaled(int scale) const;

    /// @param value becomes the last element of an array
    void Append(JsonValue value);
    /// @param key its key @param value becomes the last value of an object
    void Append(std::string key, JsonValue value);

  private:
    Kind m_kind{Kind::Null};           ///< what it is
    int m_line{0};                     ///< where it begins
    std::string m_text;                ///< digits or text
    std::vector<JsonValue> m_elements; ///< elements or values
    std::vector<std::string> m_keys;   ///< keys
};

/**
 * @ingroup ml-cluster
 * Writes a value as Python does, which is how Chakra files hold lists: `[[3, 'cuda:0'], True,
 * None]`.
 * @param value a value
 * @return the text
 */
std::string ToPythonText(const JsonValue& value);

/**
 * @ingroup ml-cluster
 * @param message an error of the JSON library
 * @return its text without the library's own prefix
 */
std::string GetJsonReason(const std::string& message);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_JSON_VALUE_H
