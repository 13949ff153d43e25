/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MESSAGE_TALLY_H
#define ML_CLUSTER_MESSAGE_TALLY_H

#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Keeps messages about a trace readable when thousands of nodes have the same fault: the first
 * errors are handed on one by one and the rest counted, and all warnings of a kind become one line
 * with the first case and the count.
 */
class MessageTally
{
  public:
    /**
     * @param diagnostics receives the messages, must outlive this
     * @param limit errors handed on one by one
     */
    explicit MessageTally(Diagnostics& diagnostics, uint64_t limit = 20);

    /// Hands on what was counted only.
    ~MessageTally();

    MessageTally(const MessageTally&) = delete;            ///< not copied
    MessageTally& operator=(const MessageTally&) = delete; ///< not copied

    /// @param place where it is @param message what is wrong
    void Error(const Diagnostics::Place& place, const std::string& message);

    /**
     * Counts one case of a warning.
     * @param kind the sentence that all cases share
     * @param place where the case is; its key tells the case
     */
    void Warning(const std::string& kind, const Diagnostics::Place& place);

    /// @return errors so far, those only counted included
    uint64_t GetNErrors() const;

  private:
    /// All cases of one warning.
    struct Kind
    {
        std::string text;         ///< the shared sentence
        Diagnostics::Place first; ///< first case
        uint64_t cases;           ///< number of cases
    };

    Diagnostics& m_diagnostics; ///< where messages go
    uint64_t m_limit;           ///< errors handed on one by one
    uint64_t m_nErrors{0};      ///< errors so far
    std::vector<Kind> m_kinds;  ///< warnings, in order of their first case
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MESSAGE_TALLY_H
