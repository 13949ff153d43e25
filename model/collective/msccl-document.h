/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MSCCL_DOCUMENT_H
#define ML_CLUSTER_MSCCL_DOCUMENT_H

#include "collective-type.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @defgroup ml-cluster-msccl MSCCL XML
 *
 * What a file of the Microsoft Collective Communication Library says: for each GPU thread blocks,
 * each an in-order worker with at most one peer to send to and one to receive from on one channel,
 * and their steps. Two forms of a step are read: `<step s= type= srcbuf= srcoff= dstbuf= dstoff=
 * cnt= depid= deps= hasdep=>`, and the older `<op step= type= buf= off=>` (or `op=` for the type),
 * where buf and off are the source of a send and else the destination, cnt is 1 unless given, and
 * no dependency means none.
 * @{
 */

/**
 * Limits of the runtimes that execute such files (of a buffer: our own); larger files are refused.
 */
struct MscclLimits
{
    uint32_t maxSteps{256};        ///< steps of a thread block, up to 2^16
    uint32_t maxThreadBlocks{216}; ///< thread blocks of a GPU
    uint32_t maxCount{71};         ///< chunks of a step
    uint32_t maxChunks{1 << 16};   ///< chunks of a buffer
};

/**
 * A buffer of a GPU.
 */
enum class MscclBuffer
{
    Input,
    Output,
    Scratch
};

/**
 * Chunks in a buffer of a GPU.
 */
struct MscclPlace
{
    MscclBuffer buffer{MscclBuffer::Input}; ///< buffer
    int64_t offset{-1};                     ///< first chunk; -1: none
};

/**
 * One step of a thread block, taken apart into what it does, in this order.
 */
struct MscclStep
{
    int line{0};               ///< in the file
    std::string type;          ///< as written
    bool receives{false};      ///< from the peer; into the destination unless it is sent on only
    bool reduces{false};       ///< the source is added
    bool copies{false};        ///< the source is copied to the destination
    bool stores{false};        ///< the destination is written
    bool sends{false};         ///< to the peer
    MscclPlace source;         ///< what is sent, copied or added
    MscclPlace destination;    ///< where it goes
    uint32_t count{1};         ///< chunks
    int64_t dependsOn{-1};     ///< thread block that must be past a step; -1: none
    int64_t dependsOnStep{-1}; ///< that step
};

/**
 * A worker of a GPU.
 */
struct MscclThreadBlock
{
    int line{0};                  ///< in the file
    int64_t sendPeer{-1};         ///< GPU it sends to; -1: none
    int64_t receivePeer{-1};      ///< GPU it receives from; -1: none
    uint32_t channel{0};          ///< channel of both
    std::vector<MscclStep> steps; ///< in order
};

/**
 * One GPU.
 */
struct MscclGpu
{
    int line{0};                                ///< in the file
    uint32_t inputChunks{0};                    ///< size of its input
    uint32_t outputChunks{0};                   ///< size of its output
    uint32_t scratchChunks{0};                  ///< size of its scratch buffer
    std::vector<MscclThreadBlock> threadBlocks; ///< by id
};

/**
 * A whole file.
 */
struct MscclDocument
{
    std::string file;                               ///< path
    int line{0};                                    ///< of the algorithm
    std::string name;                               ///< of the algorithm
    CollectiveType type{CollectiveType::AllReduce}; ///< operation
    uint32_t nChunks{0};                            ///< chunks of the whole buffer
    bool inPlace{false};                            ///< input and output are the same memory
    uint64_t minBytes{0};                           ///< smallest size it is for
    std::optional<uint64_t> maxBytes;               ///< largest size it is for; none: no limit
    std::vector<MscclGpu> gpus;                     ///< by id

    bool IsByPiece() const;      ///< @return whether each chunk is that of one member
    uint32_t GetNInput() const;  ///< @return chunks of a member's input
    uint32_t GetNOutput() const; ///< @return chunks of a member's output
};

/**
 * Reads a file, plain or gzip, and checks its grammar.
 * @param path the file
 * @param limits of what is read
 * @param diagnostics receives all problems, with lines
 * @return the document; unusable if diagnostics gained errors
 */
MscclDocument ReadMscclDocument(const std::string& path,
                                const MscclLimits& limits,
                                Diagnostics& diagnostics);

/** @} */

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MSCCL_DOCUMENT_H
