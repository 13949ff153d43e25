/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-page.h"

#include "packed-numbers.h"

#include <unordered_map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// What the allocator adds to a piece of memory, about.
constexpr std::size_t ALLOCATION_BYTES = 16;

/// Calls a function for each number of a node that may be that of an empty node, with the number of
/// an empty node. @tparam Node a node, maybe const
template <typename Node, typename Visit>
void
VisitNumbers(Node& node, const Visit& visit)
{
    static const ExecutionNode EMPTY;
    visit(node.durationPs, EMPTY.durationPs);
    visit(node.bytes, EMPTY.bytes);
    visit(node.operations, EMPTY.operations);
    visit(node.tensorBytes, EMPTY.tensorBytes);
    visit(node.stream, EMPTY.stream);
    visit(node.repetition, EMPTY.repetition);
    visit(node.peer, EMPTY.peer);
    visit(node.tag, EMPTY.tag);
    visit(node.priority, EMPTY.priority);
    visit(node.location, EMPTY.location);
}

/// Bits for the lists of a node, after those for the numbers.
constexpr uint32_t DEPENDENCIES = 1u << 10;
constexpr uint32_t PEER_BYTES = 1u << 11; ///< likewise
constexpr uint32_t DIMENSIONS = 1u << 12; ///< likewise

/// Numbers texts in the order in which they are met.
class TextNumbers
{
  public:
    /// @param bytes receives the number of the text, and the text if it is new @param text a text
    void Put(std::string& bytes, const SharedText& text)
    {
        const auto [entry, isNew] = m_numbers.try_emplace(text, m_numbers.size());
        PackedNumbers::Put(bytes, entry->second);
        if (isNew)
        {
            PackedNumbers::PutText(bytes, text);
        }
    }

  private:
    std::unordered_map<std::string_view, uint64_t> m_numbers; ///< by text
};

/// @param numbers what TextNumbers put @param known texts so far @return the next text
const SharedText&
TakeText(PackedNumbers& numbers, std::vector<SharedText>& known)
{
    const uint64_t number = numbers.Take();
    if (number == known.size())
    {
        known.emplace_back(numbers.TakeText());
    }
    return known[number];
}

/// @param node a node @return its bits
uint32_t
GetBits(const ExecutionNode& node)
{
    uint32_t bits = 0;
    uint32_t bit = 1;
    VisitNumbers(node, [&](auto number, auto empty) {
        bits |= number == empty ? 0 : bit;
        bit <<= 1;
    });
    bits |= node.dependencies.empty() ? 0 : DEPENDENCIES;
    bits |= node.peerBytes.empty() ? 0 : PEER_BYTES;
    bits |= node.involvedDimensions.empty() ? 0 : DIMENSIONS;
    return bits;
}

/// @param bytes receives the list @param list numbers @param before what the first is likely near
template <typename Numbers>
void
PutList(std::string& bytes, const Numbers& list, uint64_t before)
{
    PackedNumbers::Put(bytes, list.size());
    for (const uint64_t number : list)
    {
        PackedNumbers::PutSigned(bytes, number - before);
        before = number;
    }
}

/// @tparam Number type of the elements @param numbers what PutList put @param before as there
/// @return the list
template <typename Number>
std::vector<Number>
TakeList(PackedNumbers& numbers, uint64_t before)
{
    std::vector<Number> list(numbers.Take());
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        before += numbers.TakeSigned();
        list[i] = before;
    }
    return list;
}

/// @param node a node @return its kind, flags and operation in one number
uint64_t
GetTraits(const ExecutionNode& node)
{
    return static_cast<uint64_t>(node.kind) | uint64_t{node.onHost} << 3 |
           uint64_t{node.peerIsOffset} << 4 | static_cast<uint64_t>(node.collective) << 5;
}

/// @param traits as GetTraits gives them @param node receives them
void
SetTraits(uint64_t traits, ExecutionNode& node)
{
    node.kind = static_cast<NodeKind>(traits & 7);
    node.onHost = traits >> 3 & 1;
    node.peerIsOffset = traits >> 4 & 1;
    node.collective = static_cast<CollectiveType>(traits >> 5);
}

/// @param node a node @param bytes receives its numbers and lists
void
PutContent(const ExecutionNode& node, std::string& bytes)
{
    const uint32_t bits = GetBits(node);
    PackedNumbers::Put(bytes, bits);
    VisitNumbers(node, [&](auto number, auto empty) {
        if (number != empty)
        {
            PackedNumbers::PutSigned(bytes, static_cast<uint64_t>(number) - empty);
        }
    });
    if (bits & DEPENDENCIES)
    {
        PutList(bytes, node.dependencies, node.id);
    }
    if (bits & PEER_BYTES)
    {
        PutList(bytes, node.peerBytes, 0);
    }
    if (bits & DIMENSIONS)
    {
        PutList(bytes, node.involvedDimensions, 0);
    }
}

/// @param numbers what PutContent put @param node has its id; receives it
void
TakeContent(PackedNumbers& numbers, ExecutionNode& node)
{
    const uint64_t bits = numbers.Take();
    uint32_t bit = 1;
    VisitNumbers(node, [&](auto& number, auto empty) {
        if (bits & bit)
        {
            number = static_cast<uint64_t>(empty) + numbers.TakeSigned();
        }
        bit <<= 1;
    });
    if (bits & DEPENDENCIES)
    {
        node.dependencies = TakeList<uint64_t>(numbers, node.id);
    }
    if (bits & PEER_BYTES)
    {
        node.peerBytes = TakeList<uint64_t>(numbers, 0);
    }
    if (bits & DIMENSIONS)
    {
        node.involvedDimensions = TakeList<bool>(numbers, 0);
    }
}

} // namespace

NodePage::NodePage(std::vector<ExecutionNode> nodes)
    : m_nodes(std::move(nodes))
{
}

void
NodePage::Add(ExecutionNode node)
{
    m_nodes.push_back(std::move(node));
}

std::size_t
NodePage::CountBytes() const
{
    std::size_t bytes = m_nodes.capacity() * sizeof(ExecutionNode);
    for (const auto& node : m_nodes)
    {
        const std::size_t lists =
            node.dependencies.capacity() * sizeof(uint64_t) +
            (node.peerBytes.empty() ? 0 : (node.peerBytes.size() + 4) * sizeof(uint64_t)) +
            (node.involvedDimensions.empty() ? 0 : 2 * ALLOCATION_BYTES);
        bytes += lists + node.name.size() + 2 * ALLOCATION_BYTES;
    }
    return bytes;
}

void
NodePage::Pack(std::string& bytes) const
{
    TextNumbers texts;
    uint64_t id = 0;
    PackedNumbers::Put(bytes, m_nodes.size());
    for (const auto& node : m_nodes)
    {
        PackedNumbers::PutSigned(bytes, node.id - id - 1);
        id = node.id;
        texts.Put(bytes, node.name);
        texts.Put(bytes, node.group);
        PackedNumbers::Put(bytes, GetTraits(node));
        PutContent(node, bytes);
    }
}

void
NodePage::Unpack(const std::string& bytes)
{
    PackedNumbers numbers(bytes);
    std::vector<SharedText> texts;
    uint64_t id = 0;
    m_nodes.resize(numbers.Take());
    for (auto& node : m_nodes)
    {
        id += numbers.TakeSigned() + 1;
        node.id = id;
        node.name = TakeText(numbers, texts);
        node.group = TakeText(numbers, texts);
        SetTraits(numbers.Take(), node);
        TakeContent(numbers, node);
    }
}

void
NodePage::Clear()
{
    std::vector<ExecutionNode>().swap(m_nodes);
}

} // namespace mlcluster
} // namespace ns3
