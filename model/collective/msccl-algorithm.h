/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MSCCL_ALGORITHM_H
#define ML_CLUSTER_MSCCL_ALGORITHM_H

#include "collective-algorithm.h"
#include "msccl-document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class ScheduleGraph;

/**
 * @ingroup ml-cluster-msccl
 * A collective algorithm from an MSCCL XML file.
 *
 * A step of a thread block starts behind the one before it and the one it depends on. It becomes
 * up to three steps of a schedule: receive (into a place of the thread block's own, if it is not
 * stored), add the source (a transfer within the rank, unless it is received right into the
 * source), send on. A nop becomes none, and so does a copy to itself (in place); what it waits for
 * is handed to the step behind it. The k-th send of a connection pairs with the k-th receive: its
 * tag is channel times 2^16 plus k.
 *
 * A chunk has 1 / nchunksperloop of the buffer (all-gather: of the output). Sizes that do not
 * divide are shared out: all-reduce, reduce and broadcast cut the buffer, the others each member's
 * piece; the first chunks are larger by a byte. What a chunk in scratch memory is follows from the
 * steps. A file that can be used in place is (inplace="1"): input and output are one memory.
 *
 * Left out: the protocol, the limited buffers of a connection (a send is over when the network has
 * it), and the number of chunks that real runtimes need sizes to be a multiple of.
 */
class MscclAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @param path the file, plain or gzip
     * @param limits of what is read
     * @throw InputError with all problems of the file
     */
    explicit MscclAlgorithm(const std::string& path, const MscclLimits& limits = MscclLimits());

    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
    CollectiveLayout GetLayout(const CollectiveRequest& request,
                               uint32_t partsPerPiece) const override;

    CollectiveType GetType() const;              ///< @return operation
    uint64_t GetMinBytes() const;                ///< @return smallest buffer it is for
    std::optional<uint64_t> GetMaxBytes() const; ///< @return largest buffer; none: no limit

  private:
    using Parts = std::vector<uint32_t>; ///< parts of the data that a transfer carries

    /// Fills in what transfers carry.
    void TraceParts();
    /// @param graph of the schedules @param holdings parts by member, buffer and place; moved
    void MoveParts(const ScheduleGraph& graph, std::vector<std::vector<Parts>>& holdings);
    /// @param partBytes size of each part @param transfers of a member, without bytes @param parts
    /// they carry @param first of the transfers @param count of them @return them with bytes
    static std::vector<Transfer> WithBytes(const std::vector<uint64_t>& partBytes,
                                           const std::vector<Transfer>& transfers,
                                           const std::vector<Parts>& parts,
                                           uint32_t first,
                                           uint32_t count);

    MscclDocument m_document;                         ///< what the file says
    std::vector<RankSchedule> m_schedules;            ///< by member, without bytes
    std::vector<std::vector<uint32_t>> m_bufferSizes; ///< by member
    std::vector<std::vector<Parts>> m_sendParts;      ///< by member and send
    std::vector<std::vector<Parts>> m_receiveParts;   ///< by member and receive
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MSCCL_ALGORITHM_H
