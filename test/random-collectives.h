/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANDOM_COLLECTIVES_H
#define ML_CLUSTER_RANDOM_COLLECTIVES_H

#include "network-shapes.h"
#include "test-tools.h"

#include "ns3/chunk-scheduler.h"
#include "ns3/collective-algorithm.h"
#include "ns3/collective-options.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// A collective that a test has drawn. @ingroup ml-cluster-tests
struct DrawnCall
{
    CollectiveType type{CollectiveType::AllReduce}; ///< operation
    std::vector<uint32_t> members;                  ///< in group order
    std::string group;                              ///< name; "": all ranks
    bool isBox{true};                               ///< whether members fill a box
    std::vector<uint32_t> dimensions;               ///< that the box spans, less those left out
    std::vector<bool> involved;                     ///< mask; empty: all dimensions
    uint64_t bytes{0};                              ///< as a node has it
    uint32_t root{0};                               ///< rank
    std::vector<uint64_t> matrix;                   ///< unequal all-to-all; empty: equal
    std::string algorithm;                          ///< value of the attribute
    uint64_t nMeeting{1};                           ///< members that a member meets, with itself
    uint64_t unevenBytes{0};                        ///< by which pieces can differ from equal ones
    bool isPlain{false}; ///< whether each byte takes the fewest messages between members
};

/// Everything a run is made of. @ingroup ml-cluster-tests
struct DrawnCase
{
    ClusterTopology topology;                                 ///< shape
    std::vector<DrawnCall> calls;                             ///< one or two
    std::vector<std::vector<int64_t>> workPs;                 ///< by rank, before each call, ps
    std::vector<bool> isSwapped;                              ///< by rank: the second has the
                                                              ///< lower id
    std::vector<std::pair<std::string, std::string>> planner; ///< attributes
    std::string granularity{"Message"};                       ///< of the analytical channel
    std::string backend{"analytical"};                        ///< backend
    std::string priority{"fifo"};                             ///< between collectives
    int64_t delayPs{0};                                       ///< endpoint delay, ps
    std::string reduction{};                                  ///< bandwidth; 0: no cost

    /// @return what a failure should say
    std::string Describe() const
    {
        std::string text = topology.GetNotation() + " " + backend + " " + granularity;
        for (const auto& [name, value] : planner)
        {
            text += " " + name + "=" + value;
        }
        for (const auto& call : calls)
        {
            text += "; " + ToString(call.type) + " of " + std::to_string(call.bytes) + " B by " +
                    std::to_string(call.members.size()) + (call.isBox ? " in a box" : "") +
                    (call.matrix.empty() ? "" : ", unequal");
        }
        return text;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Draws collectives with all that can be chosen.
 */
class CollectiveLottery
{
  public:
    /// @param seed of all that is drawn
    explicit CollectiveLottery(uint64_t seed)
        : m_random(seed)
    {
    }

    /// @param isPacket whether it is for packets, and small @return a case
    DrawnCase Draw(bool isPacket)
    {
        auto dimensions = RandomDimensions(m_random, isPacket ? 8 : 2 + Below(23));
        for (auto& dimension : dimensions)
        {
            dimension.inNetwork.enabled =
                dimension.block == BuildingBlock::Switch && dimension.size > 1 && Below(2) == 0;
            dimension.inNetwork.processingPs = Below(2) * Below(2000000);
            dimension.inNetwork.slots = Below(4);
        }
        DrawnCase drawn{ClusterTopology(dimensions), {}, {}, {}, {}};
        drawn.backend = isPacket ? "packet" : "analytical";
        drawn.granularity = !isPacket && Below(4) == 0 ? "Phase" : "Message";
        drawn.priority = Pick<std::string>({"fifo", "lifo", "explicit"});
        drawn.delayPs = Below(4) == 0 ? Below(100000) : 0;
        const bool isPhase = drawn.granularity == "Phase";
        drawn.reduction = !isPhase && Below(4) == 0 ? "800Gbps" : "0bps";
        drawn.planner = {{"Chunks", std::to_string(1 + Below(9))},
                         {"ChunksInFlight", std::to_string(isPhase ? 1 : 1 + Below(5))},
                         {"Scheduler", Pick(ChunkScheduler::GetNames())},
                         {"QueuePolicy", Pick(CollectiveOptions::GetQueuePolicies())},
                         {"Composition", Pick(CollectiveOptions::GetCompositions())}};
        const uint64_t nCalls = 1 + Below(4) / 3;
        while (drawn.calls.size() < nCalls)
        {
            AddCall(drawn, isPacket ? 15 : 21);
        }
        const std::vector<int64_t> together{DrawWork(), DrawWork()};
        const bool isTogether = Below(3) == 0;
        for (uint32_t rank = 0; rank < drawn.topology.GetNRanks(); ++rank)
        {
            drawn.workPs.push_back(isTogether ? together
                                              : std::vector<int64_t>{DrawWork(), DrawWork()});
            drawn.isSwapped.push_back(Below(2) == 0);
        }
        return drawn;
    }

  private:
    /// @param limit over 0 @return a number below it
    uint64_t Below(uint64_t limit)
    {
        return m_random() % limit;
    }

    /// @param values some @return one of them
    template <class T>
    T Pick(const std::vector<T>& values)
    {
        return values[Below(values.size())];
    }

    /// @return a time before a call, ps
    int64_t DrawWork()
    {
        return Below(3) == 0 ? 0 : Below(5000000);
    }

    /// @param drawn gets a call @param maxBits of its size
    void AddCall(DrawnCase& drawn, uint32_t maxBits)
    {
        DrawnCall call;
        call.type = static_cast<CollectiveType>(Below(9));
        if (call.type == CollectiveType::ReduceScatterBlock)
        {
            call.type = CollectiveType::Barrier;
        }
        DrawGroup(drawn.topology, call);
        call.group = "group " + std::to_string(drawn.calls.size());
        call.bytes =
            call.type == CollectiveType::Barrier ? 0 : Below(uint64_t{1} << Below(maxBits));
        call.root = IsRooted(call.type) ? Pick(call.members) : 0;
        if (call.type == CollectiveType::AllToAll && call.involved.empty() && Below(2) == 0)
        {
            for (std::size_t i = 0; i < call.members.size() * call.members.size(); ++i)
            {
                call.matrix.push_back(Below(3) == 0 ? 0 : Below(1 + call.bytes));
            }
        }
        call.algorithm = DrawAlgorithm(drawn.topology, call);
        const std::string attribute = GetAttribute(call.type);
        for (const auto& [name, value] : drawn.planner)
        {
            call.algorithm = name == attribute ? value : call.algorithm;
        }
        drawn.planner.emplace_back(attribute, call.algorithm);
        call.isPlain = IsPlain(call) && drawn.planner[4].second == "hierarchical";
        call.unevenBytes = std::stoul(drawn.planner[0].second) * drawn.topology.GetNDimensions();
        drawn.calls.push_back(call);
    }

    /// @param topology shape @param call gets members
    void DrawGroup(const ClusterTopology& topology, DrawnCall& call)
    {
        const uint32_t nDimensions = topology.GetNDimensions();
        const uint32_t nRanks = topology.GetNRanks();
        const uint64_t kind = Below(8);
        std::vector<bool> isSpanned(nDimensions);
        for (uint32_t k = 0; k < nDimensions; ++k)
        {
            isSpanned[k] = kind < 3 || kind == 7 || Below(2) == 0;
        }
        const auto origin = static_cast<uint32_t>(Below(nRanks));
        for (uint32_t rank = 0; rank < nRanks; ++rank)
        {
            bool isInBox = true;
            for (uint32_t k = 0; k < nDimensions; ++k)
            {
                isInBox = isInBox && (isSpanned[k] ||
                                      topology.GetDigit(rank, k) == topology.GetDigit(origin, k));
            }
            if (isInBox && (kind < 5 || rank == origin || Below(2) == 0))
            {
                call.members.push_back(rank);
            }
        }
        if (kind > 1)
        {
            std::shuffle(call.members.begin(), call.members.end(), m_random);
        }
        uint64_t boxSize = 1;
        for (uint32_t k = 0; k < nDimensions; ++k)
        {
            const bool isVarying =
                std::any_of(call.members.begin(), call.members.end(), [&](uint32_t rank) {
                    return topology.GetDigit(rank, k) != topology.GetDigit(call.members.front(), k);
                });
            boxSize *= isVarying ? topology.GetDimension(k).size : 1;
            if (kind == 2 && !IsRooted(call.type))
            {
                call.involved.push_back(Below(2) == 0);
            }
            if (isVarying && (call.involved.empty() || call.involved[k]))
            {
                call.dimensions.push_back(k);
            }
        }
        call.isBox = boxSize == call.members.size();
        call.nMeeting = call.isBox ? 1 : call.members.size();
        for (const uint32_t k : call.dimensions)
        {
            call.nMeeting *= call.isBox ? topology.GetDimension(k).size : 1;
        }
    }

    /// @param call with its algorithm @return whether all phases are rings or direct
    static bool IsPlain(const DrawnCall& call)
    {
        const bool isFlat = call.algorithm.substr(0, 4) == "one-";
        std::istringstream list(isFlat ? call.algorithm.substr(4) : call.algorithm);
        bool isPlain = call.isBox || isFlat;
        for (std::string name; std::getline(list, name, ',');)
        {
            isPlain = isPlain && (name.substr(0, 4) == "ring" || name.substr(0, 6) == "direct");
        }
        return isPlain;
    }

    /// @param topology shape @param call a call @return value of the attribute for its algorithm
    std::string DrawAlgorithm(const ClusterTopology& topology, const DrawnCall& call)
    {
        const uint64_t kind = Below(6);
        if (kind == 0)
        {
            return "auto";
        }
        if (kind == 1)
        {
            return "one-" + DrawName(call.type, static_cast<uint32_t>(call.members.size()), 10);
        }
        std::string list;
        for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
        {
            const uint32_t size = topology.GetDimension(k).size;
            list += (k == 0 ? "" : ",") + DrawName(call.type, size, kind == 2 ? 2 : 50);
        }
        return list;
    }

    /// @param type operation @param size members @param odds of 1 in so many that it need not fit
    /// @return name of an algorithm
    std::string DrawName(CollectiveType type, uint32_t size, uint64_t odds)
    {
        auto names = CollectiveAlgorithm::GetNames();
        for (const uint32_t window : {1, 2, 5})
        {
            names.push_back("direct-" + std::to_string(window));
        }
        std::string name = Pick(names);
        while (Below(odds) != 0 &&
               (!CollectiveAlgorithm::Create(name)->WhyNot(type, size).empty() ||
                CollectiveAlgorithm::Create(name)->NeedsSwitch()))
        {
            name = Pick(names);
        }
        return Below(4) == 0 && odds > 10 ? "auto" : name;
    }

  public:
    /// @param type operation @return the planner's attribute for its algorithm
    static std::string GetAttribute(CollectiveType type)
    {
        std::string name = "-" + ToString(type);
        for (auto dash = name.find('-'); dash != std::string::npos; dash = name.find('-'))
        {
            name.erase(dash, 1);
            name[dash] = static_cast<char>(name[dash] - 'a' + 'A');
        }
        return name;
    }

  private:
    std::mt19937_64 m_random; ///< source
};

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANDOM_COLLECTIVES_H
