/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAUNCH_ORDER_H
#define ML_CLUSTER_LAUNCH_ORDER_H

#include "launch-finder.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The order in which operations of the device were launched, stream by stream and thread by thread.
 * What was launched before a moment is decided by the start of the calls, not of the operations.
 * Launches are given by position, NONE stands for none.
 */
class LaunchOrder
{
  public:
    using Line = KinetoEvent::Line;                          ///< stream of a device, or host thread
    static constexpr std::size_t NONE = OperatorMatch::NONE; ///< no launch

    /// @param kineto the Kineto trace @param launches its launches, by start of the calls; both
    /// must outlive this
    LaunchOrder(const KinetoTrace& kineto, const std::vector<DeviceLaunch>& launches);

    /// @param stream a stream @param timeNs ns @return the last launch on it before then
    std::size_t FindLast(const Line& stream, int64_t timeNs) const;
    /// @param stream a stream @param timeNs ns @return the first launch on it from then on
    std::size_t FindNext(const Line& stream, int64_t timeNs) const;
    /// @param device a device @param timeNs ns @return the last launch on each of its streams
    std::vector<std::size_t> FindLastOfAll(std::optional<int64_t> device, int64_t timeNs) const;
    /// @param correlation number of a call @return the launch by it
    std::size_t FindByCall(int64_t correlation) const;

    /**
     * The stream that a thread works on, apart from communication: that of its next launch, or else
     * of its last one before.
     * @param thread a thread @param timeNs ns @return the stream, nothing if it launches nothing
     */
    std::optional<Line> FindStream(const Line& thread, int64_t timeNs) const;
    /// @param thread a thread @param timeNs ns @return the stream of its last launch before then,
    /// apart from communication
    std::optional<Line> FindStreamBefore(const Line& thread, int64_t timeNs) const;
    /// @param thread a thread @param timeNs ns @param stream a stream @return the last launch of
    /// the thread before then on another stream, apart from communication
    std::size_t FindLastElsewhere(const Line& thread, int64_t timeNs, const Line& stream) const;

    const KinetoEvent& GetOperation(std::size_t launch) const; ///< @param launch a launch
                                                               ///< @return what was launched
    const KinetoEvent& GetCall(std::size_t launch) const;      ///< @param launch a launch
                                                               ///< @return the call
    /// @param launch a launch @return whether it communicates
    bool Communicates(std::size_t launch) const;

  private:
    /// @param launch a launch, or NONE @param stream a stream @return it, or the last one of its
    /// thread before it, that is on another stream
    std::size_t FindOn(std::size_t launch, const Line& stream) const;

    using Lists = std::map<Line, std::vector<std::size_t>>; ///< launches of each line

    /// @param lists lists @param line a line @param timeNs ns @return where in its list the
    /// launches from then on begin, and the list
    std::pair<std::size_t, const std::vector<std::size_t>*> Seek(const Lists& lists,
                                                                 const Line& line,
                                                                 int64_t timeNs) const;

    const KinetoTrace& m_kineto;                 ///< the Kineto trace
    const std::vector<DeviceLaunch>& m_launches; ///< its launches
    Lists m_onStream;                            ///< by stream
    Lists m_ofThread;                            ///< by thread, apart from communication
    std::vector<std::size_t> m_elsewhere; ///< per launch in m_ofThread, the last one of its thread
                                          ///< before it that is on another stream
    std::unordered_map<int64_t, std::size_t> m_byCall; ///< by correlation
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAUNCH_ORDER_H
