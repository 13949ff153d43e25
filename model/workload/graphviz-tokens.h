/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPHVIZ_TOKENS_H
#define ML_CLUSTER_GRAPHVIZ_TOKENS_H

#include <istream>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A piece of graphviz text.
 */
struct GraphvizToken
{
    std::string text;     ///< a word, a sign, or what is in quotes; "" at the end
    bool isQuoted{false}; ///< whether it was in quotes
    int line{1};          ///< where it begins

    bool IsEnd() const; ///< @return whether the text has ended
    /// @param sign a sign or word @return whether this is it, not in quotes
    bool Is(const char* sign) const;
};

/**
 * @ingroup ml-cluster
 * Cuts graphviz text into words, texts in quotes and the signs { } [ ] ; = , - and ->. A quote in a
 * text in quotes has a backslash before it. Comments are not known.
 */
class GraphvizTokens
{
  public:
    /// @param stream the text, which must outlive this
    explicit GraphvizTokens(std::istream& stream);

    /**
     * Reads the next piece; needed once at the beginning.
     * @throw InputError if quotes do not close
     */
    void Advance();

    const GraphvizToken& Peek() const; ///< @return the next piece, which stays
    /// @return the next piece, which is taken @throw InputError as Advance does
    GraphvizToken Take();

  private:
    /// @param c a character @return whether a word can have it
    static bool IsOfWord(int c);
    int TakeCharacter(); ///< @return the next character, taken
    void ReadQuoted();   ///< Reads the rest of a text in quotes.

    std::streambuf& m_source; ///< the text
    int m_line{1};            ///< line of the next character
    GraphvizToken m_token;    ///< the next piece
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPHVIZ_TOKENS_H
