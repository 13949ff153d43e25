/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_TOKENS_H
#define ML_CLUSTER_TEXT_TOKENS_H

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The words of a text file between blanks, tabs and ends of lines, one after the other, each with
 * its line.
 */
class TextTokens
{
  public:
    /// One word.
    struct Token
    {
        std::string text; ///< the word
        int line;         ///< its line, from 1
        bool isFirst;     ///< whether its line begins with it
    };

    /**
     * @param content the file's content
     * @throw InputError if it is no text: has a control character, or a word above 1000 characters
     */
    explicit TextTokens(const std::string& content);

    bool IsAtEnd() const;                     ///< @return whether all words are taken
    int GetLastLine() const;                  ///< @return line of the last word, 1 if there is none
    const std::vector<Token>& GetAll() const; ///< @return all words
    const Token& Peek() const;                ///< @return the next word, which must exist
    const Token& Take();          ///< @return the next word, which must exist; is past it
    const Token& GetLast() const; ///< @return the word taken last, which must exist
    void SkipLine();              ///< Goes on to the line after that of the word taken last.
    void StepBack();              ///< Takes back the word taken last.

  private:
    std::vector<Token> m_tokens; ///< the words
    std::size_t m_next{0};       ///< index of the next one
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_TOKENS_H
