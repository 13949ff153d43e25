/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ownership-proof.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t NOTHING = 0;                                ///< value of an empty place
constexpr uint32_t ALL = std::numeric_limits<uint32_t>::max(); ///< origin of the sum of all
constexpr uint32_t WORD_BITS = 64;                             ///< members a word holds

/// @param member a member @param place where @return "place 3 of buffer 0 of member 2"
std::string
DescribePlace(uint32_t member, CollectiveLayout::Place place)
{
    return "place " + std::to_string(place.index) + " of buffer " + std::to_string(place.buffer) +
           " of member " + std::to_string(member);
}

/// @param layout of the data @param origin whose data it is @param part of it @return its size
uint64_t
GetBytes(const CollectiveLayout& layout, uint32_t origin, uint32_t part)
{
    const std::size_t nParts = layout.partPieces.size();
    return layout.partBytes[layout.partBytes.size() > nParts ? origin * nParts + part : part];
}

} // namespace

OwnershipProof::OwnershipProof(const CollectiveRequest& request,
                               const CollectiveLayout& layout,
                               const ScheduleGraph& graph,
                               std::vector<std::string>& violations)
    : m_request(request),
      m_layout(layout),
      m_graph(graph),
      m_violations(violations),
      m_nWords((request.size + WORD_BITS - 1) / WORD_BITS),
      m_payloads(graph.GetMessages().size())
{
    AddValue(ALL);
    for (const auto& sizes : layout.sizes)
    {
        auto& buffers = m_holdings.emplace_back();
        for (const uint32_t size : sizes)
        {
            buffers.emplace_back(size, NOTHING);
        }
    }
}

void
OwnershipProof::Run()
{
    Begin();
    for (const auto& [step, isStart] : m_graph.GetOrder())
    {
        for (const uint32_t message : isStart ? m_graph.GetSent(step) : m_graph.GetReceived(step))
        {
            isStart ? Send(message, step) : Receive(message, step);
        }
    }
    End();
}

bool
OwnershipProof::IsContributor(uint32_t member, uint32_t part) const
{
    switch (m_request.type)
    {
    case CollectiveType::AllGather:
    case CollectiveType::Gather:
        return m_layout.partPieces[part] == member;
    case CollectiveType::Broadcast:
    case CollectiveType::Scatter:
        return m_request.root == member;
    default:
        return true;
    }
}

void
OwnershipProof::Begin()
{
    for (uint32_t member = 0; member < m_request.size; ++member)
    {
        for (uint32_t part = 0; part < m_layout.partPieces.size(); ++part)
        {
            if (IsContributor(member, part))
            {
                const Value value = AddValue(part);
                GetMembers(value)[member / WORD_BITS] |= uint64_t{1} << member % WORD_BITS;
                At(member, m_layout.input(member, part)) = value;
            }
        }
    }
}

void
OwnershipProof::Send(uint32_t message, uint32_t step)
{
    const Transfer& send = *m_graph.GetMessages()[message].send;
    const auto& buffer = m_holdings[m_graph.GetMember(step)][send.buffer];
    uint64_t bytes = 0;
    bool isComplete = true;
    for (uint32_t i = 0; i < send.nParts; ++i)
    {
        const Value value = buffer[(send.firstPart + i) % buffer.size()];
        m_payloads[message].push_back(value);
        bytes += value == NOTHING ? 0 : GetBytes(m_layout, GetOrigin(value), m_parts[value]);
        isComplete = isComplete && value != NOTHING;
    }
    const auto refuse = [&](const std::string& what) {
        m_violations.push_back(m_graph.Describe(step) + ": sends to member " +
                               std::to_string(send.peer) + " with tag " + std::to_string(send.tag) +
                               " " + what);
    };
    if (!isComplete)
    {
        refuse("what it does not have, from place " + std::to_string(send.firstPart) +
               " of buffer " + std::to_string(send.buffer));
    }
    else if (bytes != send.bytes)
    {
        refuse(std::to_string(send.bytes) + " bytes that carry " + std::to_string(bytes));
    }
}

void
OwnershipProof::Receive(uint32_t message, uint32_t step)
{
    const Transfer& receive = *m_graph.GetMessages()[message].receive;
    auto& buffer = m_holdings[m_graph.GetMember(step)][receive.buffer];
    auto& payload = m_payloads[message];
    for (uint32_t i = 0; i < payload.size(); ++i)
    {
        Value& own = buffer[(receive.firstPart + i) % buffer.size()];
        own = receive.reduce ? Reduce(own, payload[i], step) : payload[i];
    }
    payload = {};
}

OwnershipProof::Value
OwnershipProof::Reduce(Value own, Value brought, uint32_t step)
{
    const auto refuse = [&](const std::string& why) {
        m_violations.push_back(m_graph.Describe(step) + ": reduces " + Describe(brought) +
                               " into " + Describe(own) + why);
        return NOTHING;
    };
    if (own == NOTHING || brought == NOTHING || m_parts[own] != m_parts[brought])
    {
        return refuse("");
    }
    const Value sum = AddValue(m_parts[own]);
    uint64_t common = 0;
    for (uint32_t word = 0; word < m_nWords; ++word)
    {
        common |= GetMembers(own)[word] & GetMembers(brought)[word];
        GetMembers(sum)[word] = GetMembers(own)[word] | GetMembers(brought)[word];
    }
    return common == 0 ? sum : refuse(", which counts a contribution twice");
}

void
OwnershipProof::End()
{
    for (uint32_t member = 0; member < m_request.size; ++member)
    {
        const bool isRoot = member == m_request.root;
        for (uint32_t part = 0; part < m_layout.partPieces.size(); ++part)
        {
            const uint32_t piece = m_layout.partPieces[part];
            const auto expect = [&](bool holds, uint32_t origin) {
                if (holds)
                {
                    Expect(member, m_layout.output(member, origin, part), part, origin);
                }
            };
            switch (m_request.type)
            {
            case CollectiveType::AllReduce:
                expect(true, ALL);
                break;
            case CollectiveType::Reduce:
                expect(isRoot, ALL);
                break;
            case CollectiveType::ReduceScatter:
            case CollectiveType::ReduceScatterBlock:
                expect(piece == member, ALL);
                break;
            case CollectiveType::AllGather:
                expect(true, piece);
                break;
            case CollectiveType::Gather:
                expect(isRoot, piece);
                break;
            case CollectiveType::Broadcast:
                expect(true, m_request.root);
                break;
            case CollectiveType::Scatter:
                expect(piece == member, m_request.root);
                break;
            case CollectiveType::AllToAll:
                for (uint32_t origin = 0; origin < m_request.size; ++origin)
                {
                    expect(piece == member &&
                               (m_request.matrix.empty() || GetBytes(m_layout, origin, part) > 0),
                           origin);
                }
                break;
            case CollectiveType::Barrier:
                break;
            }
        }
    }
}

void
OwnershipProof::Expect(uint32_t member,
                       CollectiveLayout::Place place,
                       uint32_t part,
                       uint32_t origin)
{
    const Value value = At(member, place);
    bool isRight = value != NOTHING && m_parts[value] == part;
    for (uint32_t other = 0; other < m_request.size && isRight; ++other)
    {
        const bool has = (GetMembers(value)[other / WORD_BITS] >> other % WORD_BITS & 1) != 0;
        isRight = has == (origin == ALL || origin == other);
    }
    if (!isRight)
    {
        m_violations.push_back(
            DescribePlace(member, place) + " ends with " + Describe(value) + " instead of part " +
            std::to_string(part) +
            (origin == ALL ? " of all members" : " of member " + std::to_string(origin)));
    }
}

OwnershipProof::Value&
OwnershipProof::At(uint32_t member, CollectiveLayout::Place place)
{
    return m_holdings[member][place.buffer][place.index];
}

OwnershipProof::Value
OwnershipProof::AddValue(uint32_t part)
{
    m_parts.push_back(part);
    m_members.resize(m_members.size() + m_nWords);
    return static_cast<Value>(m_parts.size() - 1);
}

uint64_t*
OwnershipProof::GetMembers(Value value)
{
    return &m_members[static_cast<std::size_t>(value) * m_nWords];
}

uint32_t
OwnershipProof::GetOrigin(Value value)
{
    uint32_t member = 0;
    while ((GetMembers(value)[member / WORD_BITS] >> member % WORD_BITS & 1) == 0)
    {
        ++member;
    }
    return member;
}

std::string
OwnershipProof::Describe(Value value)
{
    if (value == NOTHING)
    {
        return "nothing";
    }
    std::vector<uint32_t> members;
    for (uint32_t member = 0; member < m_request.size; ++member)
    {
        if ((GetMembers(value)[member / WORD_BITS] >> member % WORD_BITS & 1) != 0)
        {
            members.push_back(member);
        }
    }
    return "part " + std::to_string(m_parts[value]) + " of member " + JoinNumbers(members);
}

} // namespace mlcluster
} // namespace ns3
