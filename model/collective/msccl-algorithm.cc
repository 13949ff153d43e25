/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "msccl-algorithm.h"

#include "msccl-checker.h"
#include "msccl-translator.h"
#include "schedule-graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t UNKNOWN = std::numeric_limits<uint32_t>::max(); ///< no part of the data

} // namespace

MscclAlgorithm::MscclAlgorithm(const std::string& path, const MscclLimits& limits)
{
    Diagnostics diagnostics;
    m_document = ReadMscclDocument(path, limits, diagnostics);
    if (!diagnostics.HasErrors())
    {
        CheckMscclDocument(m_document, diagnostics);
    }
    for (uint32_t gpu = 0; gpu < m_document.gpus.size() && !diagnostics.HasErrors(); ++gpu)
    {
        MscclTranslator translator(m_document, gpu);
        m_bufferSizes.push_back(translator.GetBufferSizes());
        m_schedules.push_back(translator.Translate(diagnostics));
    }
    diagnostics.ThrowIfErrors();
    TraceParts();
}

std::string
MscclAlgorithm::GetName() const
{
    return m_document.file;
}

std::string
MscclAlgorithm::WhyNot(CollectiveType type, uint32_t size) const
{
    if (type != m_document.type)
    {
        return m_document.file + " is for " + ToString(m_document.type);
    }
    if (size != m_document.gpus.size())
    {
        return m_document.file + " is for a group of " + std::to_string(m_document.gpus.size()) +
               " members, not of " + std::to_string(size);
    }
    return "";
}

CollectiveType
MscclAlgorithm::GetType() const
{
    return m_document.type;
}

uint64_t
MscclAlgorithm::GetMinBytes() const
{
    return m_document.minBytes;
}

std::optional<uint64_t>
MscclAlgorithm::GetMaxBytes() const
{
    return m_document.maxBytes;
}

CollectiveLayout
MscclAlgorithm::GetLayout(const CollectiveRequest& request, uint32_t) const
{
    CollectiveLayout layout;
    const uint32_t nChunks = m_document.nChunks;
    const auto nMembers = static_cast<uint32_t>(m_document.gpus.size());
    const uint32_t perPiece = m_document.IsByPiece() ? nChunks / nMembers : 0;
    for (uint32_t piece = 0; piece < nMembers && perPiece > 0; ++piece)
    {
        const auto parts = SplitEvenly(request.pieces[piece], perPiece);
        layout.partBytes.insert(layout.partBytes.end(), parts.begin(), parts.end());
        layout.partPieces.insert(layout.partPieces.end(), perPiece, piece);
    }
    if (perPiece == 0)
    {
        const uint64_t bytes =
            std::accumulate(request.pieces.begin(), request.pieces.end(), uint64_t{0});
        layout.partBytes = SplitEvenly(bytes, nChunks);
        layout.partPieces.assign(nChunks, 0);
    }
    layout.sizes = m_bufferSizes;
    const auto locate = [this](uint32_t member, MscclBuffer buffer, uint32_t chunk) {
        return MscclTranslator::Locate(m_document, member, {buffer, chunk});
    };
    const auto type = m_document.type;
    layout.input = [=](uint32_t member, uint32_t part) {
        const bool isOwn = type == CollectiveType::AllGather;
        return locate(member, MscclBuffer::Input, isOwn ? part % perPiece : part);
    };
    layout.output = [=](uint32_t member, uint32_t origin, uint32_t part) {
        const bool isOwn = type == CollectiveType::ReduceScatter;
        const bool byOrigin = type == CollectiveType::AllToAll;
        return locate(member,
                      MscclBuffer::Output,
                      isOwn || byOrigin ? part % perPiece + (byOrigin ? origin * perPiece : 0)
                                        : part);
    };
    return layout;
}

void
MscclAlgorithm::TraceParts()
{
    const auto nMembers = static_cast<uint32_t>(m_schedules.size());
    const auto layout = GetLayout({m_document.type, nMembers, std::vector<uint64_t>(nMembers)}, 1);
    std::vector<std::vector<Parts>> holdings(nMembers);
    for (uint32_t member = 0; member < nMembers; ++member)
    {
        m_sendParts.emplace_back(m_schedules[member].GetSends().size());
        m_receiveParts.emplace_back(m_schedules[member].GetReceives().size());
        for (const uint32_t size : m_bufferSizes[member])
        {
            holdings[member].emplace_back(size, UNKNOWN);
        }
        for (uint32_t part = 0; part < m_document.nChunks; ++part)
        {
            if (m_document.type != CollectiveType::AllGather || layout.partPieces[part] == member)
            {
                const auto place = layout.input(member, part);
                holdings[member][place.buffer][place.index] = part;
            }
        }
    }
    std::vector<std::string> violations;
    MoveParts(ScheduleGraph(m_schedules, violations), holdings);
}

void
MscclAlgorithm::MoveParts(const ScheduleGraph& graph, std::vector<std::vector<Parts>>& holdings)
{
    for (const auto& [step, isStart] : graph.GetOrder())
    {
        const uint32_t member = graph.GetMember(step);
        for (const uint32_t index : isStart ? graph.GetSent(step) : graph.GetReceived(step))
        {
            const auto& message = graph.GetMessages()[index];
            const Transfer& send = *message.send;
            const Transfer& receive = *message.receive;
            const uint32_t from = graph.GetMember(message.fromStep);
            Parts& sent = m_sendParts[from][&send - m_schedules[from].GetSends().data()];
            Parts& received =
                m_receiveParts[send.peer][&receive - m_schedules[send.peer].GetReceives().data()];
            if (isStart)
            {
                const auto first = holdings[member][send.buffer].begin() + send.firstPart;
                sent.assign(first, first + send.nParts);
                continue;
            }
            received = sent;
            if (!receive.reduce)
            {
                std::copy(sent.begin(),
                          sent.end(),
                          holdings[member][receive.buffer].begin() + receive.firstPart);
            }
        }
    }
}

std::vector<Transfer>
MscclAlgorithm::WithBytes(const std::vector<uint64_t>& partBytes,
                          const std::vector<Transfer>& transfers,
                          const std::vector<Parts>& parts,
                          uint32_t first,
                          uint32_t count)
{
    std::vector<Transfer> result(transfers.begin() + first, transfers.begin() + first + count);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (const uint32_t part : parts[first + i])
        {
            result[i].bytes += part == UNKNOWN ? 0 : partBytes[part];
        }
    }
    return result;
}

RankSchedule
MscclAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    const auto partBytes = GetLayout(request, 1).partBytes;
    const RankSchedule& source = m_schedules[position];
    RankSchedule schedule;
    for (const auto& step : source.GetSteps())
    {
        const auto after = source.GetAfter().begin() + step.firstAfter;
        schedule.AddStep({after, after + step.nAfter},
                         WithBytes(partBytes,
                                   source.GetSends(),
                                   m_sendParts[position],
                                   step.firstSend,
                                   step.nSends),
                         WithBytes(partBytes,
                                   source.GetReceives(),
                                   m_receiveParts[position],
                                   step.firstReceive,
                                   step.nReceives));
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
