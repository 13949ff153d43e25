/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "msccl-checker.h"

#include "ns3/message-tally.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Checks a document.
class MscclChecker
{
  public:
    /// @param document to check @param diagnostics receives problems
    MscclChecker(const MscclDocument& document, Diagnostics& diagnostics)
        : m_document(document),
          m_errors(diagnostics)
    {
    }

    void Check(); ///< Checks it.

  private:
    /// Steps of one end of a connection: sender, receiver, channel.
    using Ends = std::map<std::tuple<uint32_t, int64_t, uint32_t>, std::vector<const MscclStep*>>;

    /// @param line in the file @param message what is wrong there
    void Refuse(int line, const std::string& message);
    /// @param gpu to check @param id its number
    void CheckBuffers(const MscclGpu& gpu, uint32_t id);
    /// @param block to check @param id of its GPU
    void CheckThreadBlock(const MscclThreadBlock& block, uint32_t id);
    /// @param line of the thread block @param peer it names @param id of its GPU
    void CheckPeer(int line, int64_t peer, uint32_t id);
    /// @param step to check @param block it is of @param gpu it is of
    void CheckStep(const MscclStep& step, const MscclThreadBlock& block, const MscclGpu& gpu);
    /// @param step to check @param place it names @param gpu it is of
    void CheckPlace(const MscclStep& step, const MscclPlace& place, const MscclGpu& gpu);
    /// @param block of the connection @param ends where it is entered @param key of the connection
    /// @param select whether a step belongs to it
    template <typename Select>
    void Enter(const MscclThreadBlock& block,
               Ends& ends,
               const Ends::key_type& key,
               const Select& select);
    void CheckConnections(); ///< Compares the two ends of each connection.

    const MscclDocument& m_document; ///< to check
    MessageTally m_errors;           ///< problems
    Ends m_sends;                    ///< by sender, receiver, channel
    Ends m_receives;                 ///< likewise
};

void
MscclChecker::Refuse(int line, const std::string& message)
{
    m_errors.Error({m_document.file, line, ""}, message);
}

void
MscclChecker::Check()
{
    const auto nGpus = static_cast<uint32_t>(m_document.gpus.size());
    if (m_document.IsByPiece() && m_document.nChunks % nGpus != 0)
    {
        Refuse(m_document.line,
               "nchunksperloop is " + std::to_string(m_document.nChunks) +
                   ", which cannot be shared among " + std::to_string(nGpus) + " GPUs");
        return;
    }
    for (uint32_t id = 0; id < nGpus; ++id)
    {
        const MscclGpu& gpu = m_document.gpus[id];
        CheckBuffers(gpu, id);
        for (const auto& block : gpu.threadBlocks)
        {
            CheckThreadBlock(block, id);
            for (const auto& step : block.steps)
            {
                CheckStep(step, block, gpu);
            }
        }
    }
    CheckConnections();
}

void
MscclChecker::CheckBuffers(const MscclGpu& gpu, uint32_t id)
{
    const bool mayBeEmpty = m_document.inPlace || IsRooted(m_document.type);
    const auto check = [&](const char* name, uint32_t chunks, uint32_t expected) {
        if (chunks != expected && (chunks != 0 || !mayBeEmpty))
        {
            Refuse(gpu.line,
                   std::string(name) + " of GPU " + std::to_string(id) + " is " +
                       std::to_string(chunks) + "; with nchunksperloop " +
                       std::to_string(m_document.nChunks) + " " + ToString(m_document.type) +
                       " has " + std::to_string(expected));
        }
    };
    check("i_chunks", gpu.inputChunks, m_document.GetNInput());
    check("o_chunks", gpu.outputChunks, m_document.GetNOutput());
}

void
MscclChecker::CheckPeer(int line, int64_t peer, uint32_t id)
{
    if (peer == id)
    {
        Refuse(line, "the thread block's peer is its own GPU " + std::to_string(id));
    }
    else if (peer >= static_cast<int64_t>(m_document.gpus.size()))
    {
        Refuse(line,
               "the thread block's peer is GPU " + std::to_string(peer) + "; there are " +
                   std::to_string(m_document.gpus.size()));
    }
}

void
MscclChecker::CheckThreadBlock(const MscclThreadBlock& block, uint32_t id)
{
    CheckPeer(block.line, block.sendPeer, id);
    CheckPeer(block.line, block.receivePeer, id);
    const auto sender = static_cast<uint32_t>(block.receivePeer);
    if (block.sendPeer >= 0)
    {
        Enter(block, m_sends, {id, block.sendPeer, block.channel}, [](const MscclStep& step) {
            return step.sends;
        });
    }
    if (block.receivePeer >= 0)
    {
        Enter(block, m_receives, {sender, id, block.channel}, [](const MscclStep& step) {
            return step.receives;
        });
    }
}

template <typename Select>
void
MscclChecker::Enter(const MscclThreadBlock& block,
                    Ends& ends,
                    const Ends::key_type& key,
                    const Select& select)
{
    const auto [entry, isNew] = ends.try_emplace(key);
    if (!isNew)
    {
        Refuse(block.line,
               "the connection from GPU " + std::to_string(std::get<0>(key)) + " to GPU " +
                   std::to_string(std::get<1>(key)) + " on channel " +
                   std::to_string(block.channel) + " is that of another thread block already");
        return;
    }
    for (const auto& step : block.steps)
    {
        if (select(step))
        {
            entry->second.push_back(&step);
        }
    }
}

void
MscclChecker::CheckStep(const MscclStep& step, const MscclThreadBlock& block, const MscclGpu& gpu)
{
    if (step.sends && block.sendPeer < 0)
    {
        Refuse(step.line, "a step " + step.type + " sends, but its thread block has send -1");
    }
    if (step.receives && block.receivePeer < 0)
    {
        Refuse(step.line, "a step " + step.type + " receives, but its thread block has recv -1");
    }
    CheckPlace(step, step.source, gpu);
    CheckPlace(step, step.destination, gpu);
    if (step.dependsOn < 0)
    {
        return;
    }
    if (step.dependsOn >= static_cast<int64_t>(gpu.threadBlocks.size()))
    {
        Refuse(step.line,
               "depid is " + std::to_string(step.dependsOn) + "; the GPU has " +
                   std::to_string(gpu.threadBlocks.size()) + " thread blocks");
        return;
    }
    const std::size_t nSteps = gpu.threadBlocks[step.dependsOn].steps.size();
    if (step.dependsOnStep < 0 || step.dependsOnStep >= static_cast<int64_t>(nSteps))
    {
        Refuse(step.line,
               "deps is " + std::to_string(step.dependsOnStep) + "; thread block " +
                   std::to_string(step.dependsOn) + " has " + std::to_string(nSteps) + " steps");
    }
}

void
MscclChecker::CheckPlace(const MscclStep& step, const MscclPlace& place, const MscclGpu& gpu)
{
    uint32_t chunks = gpu.scratchChunks;
    if (place.buffer == MscclBuffer::Input)
    {
        chunks = m_document.inPlace ? m_document.GetNInput() : gpu.inputChunks;
    }
    else if (place.buffer == MscclBuffer::Output)
    {
        chunks = m_document.inPlace ? m_document.GetNOutput() : gpu.outputChunks;
    }
    if (place.offset >= 0 && place.offset + step.count > chunks)
    {
        Refuse(step.line,
               "the step takes chunks " + std::to_string(place.offset) + " to " +
                   std::to_string(place.offset + step.count - 1) + " of buffer " +
                   "ios"[static_cast<int>(place.buffer)] + ", which has " + std::to_string(chunks));
    }
}

void
MscclChecker::CheckConnections()
{
    const std::vector<const MscclStep*> none;
    const auto of = [&](const Ends& ends, const Ends::key_type& key) -> const auto& {
        const auto found = ends.find(key);
        return found == ends.end() ? none : found->second;
    };
    Ends all = m_sends;
    all.insert(m_receives.begin(), m_receives.end());
    for (const auto& [key, unused] : all)
    {
        const auto& sends = of(m_sends, key);
        const auto& receives = of(m_receives, key);
        const std::string connection = "GPU " + std::to_string(std::get<0>(key)) + " to GPU " +
                                       std::to_string(std::get<1>(key)) + " on channel " +
                                       std::to_string(std::get<2>(key));
        const std::size_t nCommon = std::min(sends.size(), receives.size());
        if (sends.size() != receives.size())
        {
            Refuse((sends.size() > nCommon ? sends : receives)[nCommon]->line,
                   "there are " + std::to_string(sends.size()) + " sends and " +
                       std::to_string(receives.size()) + " receives from " + connection);
        }
        for (std::size_t i = 0; i < nCommon; ++i)
        {
            if (sends[i]->count != receives[i]->count)
            {
                Refuse(receives[i]->line,
                       "cnt is " + std::to_string(receives[i]->count) + ", of the send in line " +
                           std::to_string(sends[i]->line) + " from " + connection + " " +
                           std::to_string(sends[i]->count));
            }
        }
    }
}

} // namespace

void
CheckMscclDocument(const MscclDocument& document, Diagnostics& diagnostics)
{
    MscclChecker(document, diagnostics).Check();
}

} // namespace mlcluster
} // namespace ns3
