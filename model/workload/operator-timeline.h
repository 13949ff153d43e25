/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_OPERATOR_TIMELINE_H
#define ML_CLUSTER_OPERATOR_TIMELINE_H

#include "operator-matcher.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The host operators of a Kineto trace thread by thread: who encloses whom, who comes next, what
 * time an operator takes by itself. Operators are given by position in the trace, NONE stands for
 * none.
 */
class OperatorTimeline
{
  public:
    static constexpr std::size_t NONE = OperatorMatch::NONE; ///< no operator

    /// @param operators by start, longer ones first, as KinetoTrace has them; must outlive this
    explicit OperatorTimeline(const std::vector<KinetoEvent>& operators);

    /// @param line a thread @param timeNs ns @return the last operator that started at or before it
    std::size_t FindLast(const KinetoEvent::Line& line, int64_t timeNs) const;
    /// @param line a thread @param timeNs ns @return the first operator that starts at or after it
    std::size_t FindNext(const KinetoEvent::Line& line, int64_t timeNs) const;
    /// @param index an operator @return the one after it on its thread
    std::size_t GetNext(std::size_t index) const;
    /// @param index an operator @return the innermost one of its thread that encloses it
    std::size_t GetEncloser(std::size_t index) const;
    /// @param call a call of the same trace @return the innermost operator that encloses it
    std::size_t FindEncloser(const KinetoEvent& call) const;

    /**
     * Time that operators take without those they call: the duration minus the union of the later
     * ones of the thread that lie inside.
     * @return ns, per operator
     */
    std::vector<int64_t> GetExclusiveTimes() const;

    /**
     * The same as Chakra's linker computes it: of operators that start together the shorter one
     * counts as the earlier, so that a call that starts with its caller is not subtracted; and in
     * binary floating point, so that whole microseconds may become one less.
     * @return ns rounded down, per operator
     */
    std::vector<int64_t> GetChakraExclusiveTimes() const;

    /**
     * Chains threads: the first operator of a thread, and each that starts more than 1 ms after the
     * end of the one before, follows the operator of another thread that started last before it;
     * so do all until the next such gap.
     * @return per operator the one it follows
     */
    std::vector<std::size_t> FindEarlierThreads() const;

    /// @return operators of each thread, by start
    const std::map<KinetoEvent::Line, std::vector<std::size_t>>& GetLines() const;

  private:
    /// @param line a thread @return its operators
    const std::vector<std::size_t>& GetLine(const KinetoEvent::Line& line) const;
    /// @param line a thread @param timeNs ns @return the operator of another thread that started
    /// last before then
    std::size_t FindLastElsewhere(const KinetoEvent::Line& line, int64_t timeNs) const;

    const std::vector<KinetoEvent>& m_operators;                   ///< all
    std::map<KinetoEvent::Line, std::vector<std::size_t>> m_lines; ///< of each thread
    std::vector<std::size_t> m_next;                               ///< next of the thread
    std::vector<std::size_t> m_enclosers;                          ///< innermost enclosing one
};

/**
 * @ingroup ml-cluster
 * The two traces of a process and who is who in them, for the steps of linking that follow.
 */
struct MatchedTraces
{
    const PytorchTrace& trace;        ///< execution trace
    const KinetoTrace& kineto;        ///< Kineto trace
    const OperatorMatch& match;       ///< which operator is which node
    const OperatorTimeline& timeline; ///< operators of the Kineto trace
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_OPERATOR_TIMELINE_H
