/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "msccl-translator.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t SCRATCH = 2;       ///< buffer
constexpr uint32_t PASSAGE = 3;       ///< buffer of what is received to be sent on only
constexpr uint32_t CHANNEL_BITS = 16; ///< shift of the channel in a tag

} // namespace

MscclTranslator::MscclTranslator(const MscclDocument& document, uint32_t gpu)
    : m_document(document),
      m_id(gpu),
      m_gpu(document.gpus[gpu])
{
    for (const auto& block : m_gpu.threadBlocks)
    {
        uint32_t largest = 0;
        for (const auto& step : block.steps)
        {
            largest = std::max(largest, step.receives && !step.stores ? step.count : 0);
        }
        m_progress.emplace_back().passage = m_nPassage;
        m_nPassage += largest;
    }
}

std::vector<uint32_t>
MscclTranslator::GetBufferSizes() const
{
    return {m_document.inPlace ? m_document.nChunks : m_document.GetNInput(),
            m_document.inPlace ? 0 : m_document.GetNOutput(),
            m_gpu.scratchChunks,
            m_nPassage};
}

CollectiveLayout::Place
MscclTranslator::Locate(const MscclDocument& document, uint32_t gpu, const MscclPlace& place)
{
    const auto index = static_cast<uint32_t>(place.offset);
    if (place.buffer == MscclBuffer::Scratch)
    {
        return {SCRATCH, index};
    }
    const bool isInput = place.buffer == MscclBuffer::Input;
    if (!document.inPlace)
    {
        return {isInput ? 0U : 1U, index};
    }
    const uint32_t chunks = isInput ? document.GetNInput() : document.GetNOutput();
    return {0, chunks < document.nChunks ? gpu * chunks + index : index};
}

RankSchedule
MscclTranslator::Translate(Diagnostics& diagnostics)
{
    for (bool hasAdvanced = true; hasAdvanced;)
    {
        hasAdvanced = false;
        for (uint32_t id = 0; id < m_progress.size(); ++id)
        {
            hasAdvanced = Advance(id) || hasAdvanced;
        }
    }
    for (uint32_t id = 0; id < m_progress.size(); ++id)
    {
        const auto& steps = m_gpu.threadBlocks[id].steps;
        const std::size_t nDone = m_progress[id].done.size();
        if (nDone < steps.size())
        {
            diagnostics.Error({m_document.file, steps[nDone].line, ""},
                              "the step waits, by dependencies within GPU " + std::to_string(m_id) +
                                  ", for itself");
        }
    }
    return m_schedule;
}

bool
MscclTranslator::Advance(uint32_t id)
{
    Progress& own = m_progress[id];
    const auto& steps = m_gpu.threadBlocks[id].steps;
    const std::size_t nBefore = own.done.size();
    while (own.done.size() < steps.size())
    {
        const MscclStep& step = steps[own.done.size()];
        std::vector<uint32_t> after = own.last;
        if (step.dependsOn >= 0)
        {
            const auto& done = m_progress[step.dependsOn].done;
            if (done.size() <= static_cast<std::size_t>(step.dependsOnStep))
            {
                break;
            }
            for (const uint32_t other : done[step.dependsOnStep])
            {
                if (std::find(after.begin(), after.end(), other) == after.end())
                {
                    after.push_back(other);
                }
            }
        }
        const bool doesNothing = (!step.sends && !step.stores) || (step.copies && IsInSource(step));
        own.last = doesNothing ? after : std::vector<uint32_t>{AddStep(id, step, after)};
        own.done.push_back(own.last);
    }
    return own.done.size() > nBefore;
}

bool
MscclTranslator::IsInSource(const MscclStep& step) const
{
    const auto source = Locate(m_document, m_id, step.source);
    const auto target = Locate(m_document, m_id, step.destination);
    return step.stores && source.buffer == target.buffer && source.index == target.index;
}

uint32_t
MscclTranslator::AddStep(uint32_t id, const MscclStep& step, std::vector<uint32_t> after)
{
    const MscclThreadBlock& block = m_gpu.threadBlocks[id];
    Progress& own = m_progress[id];
    const auto source = Locate(m_document, m_id, step.source);
    const auto target = step.stores ? Locate(m_document, m_id, step.destination)
                                    : CollectiveLayout::Place{PASSAGE, own.passage};
    const bool isInSource = IsInSource(step);
    const auto add = [&](const std::vector<Transfer>& sends,
                         const std::vector<Transfer>& receives) {
        after = {m_schedule.AddStep(after, sends, receives)};
    };
    if (step.receives)
    {
        const uint32_t tag = (block.channel << CHANNEL_BITS) + own.nReceives++;
        add({},
            {MakeTransfer(static_cast<uint32_t>(block.receivePeer),
                          tag,
                          target,
                          step.count,
                          step.reduces && isInSource)});
    }
    if (step.copies || (step.reduces && !(step.receives && isInSource)))
    {
        add({MakeTransfer(m_id, m_nLocal, source, step.count, step.reduces)},
            {MakeTransfer(m_id, m_nLocal, target, step.count, step.reduces)});
        ++m_nLocal;
    }
    if (step.sends)
    {
        const uint32_t tag = (block.channel << CHANNEL_BITS) + own.nSends++;
        add({MakeTransfer(static_cast<uint32_t>(block.sendPeer),
                          tag,
                          step.receives ? target : source,
                          step.count,
                          false)},
            {});
    }
    return after[0];
}

Transfer
MscclTranslator::MakeTransfer(uint32_t peer,
                              uint32_t tag,
                              CollectiveLayout::Place place,
                              uint32_t count,
                              bool reduce)
{
    return {peer, tag, 0, reduce, place.buffer, place.index, count};
}

} // namespace mlcluster
} // namespace ns3
