/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DIAGNOSTICS_H
#define ML_CLUSTER_DIAGNOSTICS_H

#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A mistake in what the user gave: configuration, trace, arguments. Its text names file, line,
 * key, value and what is allowed, and may hold several problems, one a line. A program's main
 * prints it and returns 1 (see GuardMain); nothing below main ends the process.
 */
class InputError : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup ml-cluster
 * Collects the problems of one or several inputs, so that a user sees all of them at once.
 *
 * A reader adds problems and goes on as far as it can; whoever called it ends with ThrowIfErrors.
 */
class Diagnostics
{
  public:
    /// Where in the input a problem is.
    struct Place
    {
        std::string file; ///< path as the user gave it; empty if there is none
        int line{0};      ///< line in the file, counted from 1; 0 if unknown
        std::string key;  ///< full key ("cluster.topology"), or node id and name; may be empty
    };

    /// Tells a place otherwise, such as an attribute by the key of the file that sets it.
    using PlaceFinder = std::function<Place(const Place&)>;

    /// @param find is asked for the place of every problem from now on
    void SetPlaceFinder(PlaceFinder find);

    /**
     * Adds a problem that makes the input unusable.
     * @param place where it is
     * @param message what was given and what is allowed, a whole sentence
     */
    void Error(const Place& place, const std::string& message);

    /**
     * Adds a remark that does not stop the run.
     * @param place where it is
     * @param message what was met and what is done about it
     */
    void Warning(const Place& place, const std::string& message);

    /**
     * Makes an error of what a function throws.
     * @param place where it is
     * @param read may throw InputError
     */
    void Collect(const Place& place, const std::function<void()>& read);

    /// @return whether at least one error was added
    bool HasErrors() const;

    /// @return all errors, formatted "file:line: key: message", in the order added
    const std::vector<std::string>& GetErrors() const;

    /// @return all warnings, formatted likewise
    const std::vector<std::string>& GetWarnings() const;

    /**
     * Throws what was collected.
     * @throw InputError holding every error, one a line, if there is at least one
     */
    void ThrowIfErrors() const;

    /**
     * Prints the warnings collected, one a line, and forgets them.
     * @param os the stream
     */
    void PrintWarnings(std::ostream& os);

  private:
    /// @param place where @param message what @return both, formatted
    std::string Format(const Place& place, const std::string& message) const;

    PlaceFinder m_findPlace;             ///< tells places otherwise; may be empty
    std::vector<std::string> m_errors;   ///< formatted errors
    std::vector<std::string> m_warnings; ///< formatted warnings
};

/**
 * @ingroup ml-cluster
 * The entry of a list that is most like a word the user typed (Levenshtein distance).
 * @param word the word typed
 * @param known the allowed words
 * @return the nearest word, or "" if none is near (distance above a third of its length, at least
 * 2)
 */
std::string NearestWord(const std::string& word, const std::vector<std::string>& known);

/**
 * @ingroup ml-cluster
 * Checks a choice among words.
 * @param what is chosen, such as "scheduler"
 * @param word the word typed
 * @param allowed the words to choose from
 * @throw InputError with the nearest and all allowed ones if it is none of them
 */
void CheckWord(const std::string& what,
               const std::string& word,
               const std::vector<std::string>& allowed);

/**
 * @ingroup ml-cluster
 * Writes a list for an error message.
 * @param words the words
 * @return the words separated by ", "
 */
std::string JoinWords(const std::vector<std::string>& words);

/**
 * @ingroup ml-cluster
 * Writes a list of numbers, such as ranks, for a message.
 * @param numbers the numbers
 * @return the first eight, separated by ", ", and "..." for others
 */
template <typename T>
std::string
JoinNumbers(const std::vector<T>& numbers)
{
    constexpr std::size_t SHOWN = 8;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < numbers.size() && i < SHOWN; ++i)
    {
        words.push_back(std::to_string(numbers[i]));
    }
    return JoinWords(words) + (numbers.size() > SHOWN ? ", ..." : "");
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DIAGNOSTICS_H
