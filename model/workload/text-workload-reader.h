/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_WORKLOAD_READER_H
#define ML_CLUSTER_TEXT_WORKLOAD_READER_H

#include "message-tally.h"
#include "text-tokens.h"
#include "text-workload.h"

#include "ns3/diagnostics.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reads text workloads of ASTRA-sim 1.0, LIBRA, SimAI and AICB, word by word whatever the lines:
 * policy and what belongs to it, number of layers, layers (name, reserved, and for each pass
 * compute time, collective and size; update time). Words that are not known are errors, a file with
 * more or fewer layers than it says too. After an error it goes on with the next line.
 */
class TextWorkloadReader
{
  public:
    /**
     * @param content of the file
     * @param file its name for messages
     * @param dialect who wrote it; none: found by what it says. A file without a word that only
     *        SimAI has and with an ALLGATHER, whose size then means two things, is an error if
     *        it looks like one of AICB's: it recomputes nothing with a policy that is there for
     *        that, or is a micro benchmark of layers "micro_test"
     * @param diagnostics receives problems with line, layer and token
     */
    TextWorkloadReader(const std::string& content,
                       const std::string& file,
                       std::optional<TextDialect> dialect,
                       Diagnostics& diagnostics);

    TextWorkload Read(); ///< @return the workload; unusable if diagnostics gained errors

  private:
    /// @return the dialect, as far as the words tell it @throw InputError if they do not
    TextDialect FindDialect() const;
    bool HasSimAiWords() const; ///< @return whether a word is there that only SimAI has
    bool MayBeOfAicb() const;   ///< @return whether it looks like AICB's without such a word
    void ReadHeader();          ///< Reads the policy and what belongs to it.
    void ReadHeaderKeys();      ///< Reads keys of a transformer, in any order.
    /// @param key of the header; reads its value or values
    void ReadHeaderKey(const std::string& key);
    void ReadLastBottomLayer(); ///< Reads what DLRM's header adds.
    /// @param count number of layers the file states; none: all that are there
    void ReadLayers(std::optional<uint64_t> count);
    void ReadLayer(); ///< Reads one layer.
    /// @param layer "layer 3 "conv1" " @param name "FWD", "IG" or "WG" @return the pass
    TextPass ReadPass(const std::string& layer, const std::string& name);
    /// @param word a collective @param pass receives what it means
    void ReadCollective(std::string word, TextPass& pass);
    /// @param text a time @return it in cycles
    double ReadCycles(const std::string& text) const;
    /// @param key what comes next @return the next word @throw InputError if there is none
    const std::string& Take(const std::string& key);
    /**
     * Goes on with the next line after a problem.
     * @param read may throw InputError, which becomes an error at the word taken last
     * @param keepsFirst whether to go on with that word if its line begins with it, as the next
     *        layer does after one that is too short
     * @return whether it did not throw
     */
    bool Try(const std::function<void()>& read, bool keepsFirst = false);

    std::string m_file;         ///< name for messages
    Diagnostics& m_diagnostics; ///< receives problems
    MessageTally m_tally;       ///< sums them up
    TextTokens m_tokens;        ///< words
    Diagnostics::Place m_place; ///< of the word taken last
    TextWorkload m_workload;    ///< read so far
};

/**
 * @ingroup ml-cluster
 * Reads a file by TextWorkloadReader.
 * @param path the file, may be compressed
 * @param dialect who wrote it; none: found by what it says
 * @param diagnostics receives problems
 * @return the workload; unusable if diagnostics gained errors
 */
TextWorkload ReadTextWorkload(const std::string& path,
                              std::optional<TextDialect> dialect,
                              Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_WORKLOAD_READER_H
